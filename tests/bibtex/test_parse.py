import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.documents.bibtex.gather import SourceEntry, gathered
from papertrack.documents.bibtex.grounds import with_references
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.errors import DocumentError
from papertrack.exporters.bibtex import to_bibtex
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts

SMITH = """\
@InProceedings{smith2020,
  title     = {{BERT} and K{\\"o}rper},
  author    = "Smith, John and {H1 Collaboration} and others",
  booktitle = {Proc. of X \\& Y},
  year      = 2020,
  pages     = {1--10},
  month     = jan,
  doi       = {https://doi.org/10.1145/3600006.3613165},
  url       = {https://a.org/x_y},
}"""


def entry(text: str) -> BibEntry:
    library = parse_bibtex(text)
    assert library.skipped == ()
    (only,) = library.entries
    return only


def facts(text: str) -> PaperFacts:
    return entry(text).facts


def test_an_entry_is_read_into_facts() -> None:
    assert facts(SMITH) == PaperFacts(
        title="BERT and Körper",
        identifiers=(
            Identifier("doi", "10.1145/3600006.3613165"),
            Identifier("url", "https://a.org/x_y"),
        ),
        authors=(
            Author("John Smith"),
            Author("H1 Collaboration", family="H1 Collaboration"),
            Author("et al."),
        ),
        links=(Link("paper", "https://a.org/x_y"),),
        venue="Proc. of X & Y",
        year=2020,
        published_type="inproceedings",
        publication=(("pages", "1–10"), ("month", "jan")),
    )


def test_an_entry_keeps_its_text_its_place_and_its_raw_fields() -> None:
    text = f"some words\r\n\r\n{SMITH}\n% end"
    read = entry(text)
    assert read.raw == SMITH
    assert text[slice(*read.span)] == SMITH
    assert read.line == 3
    assert read.citekey == "smith2020"
    assert read.type == "inproceedings"
    assert read.fields[0] == ("title", '{BERT} and K{\\"o}rper')
    assert read.fields[3] == ("year", "2020")


@pytest.mark.parametrize(
    "fields",
    [
        "eprint={2309.06180v2}, archivePrefix={arXiv}, primaryClass={cs.LG}",
        "eprint={arXiv:2309.06180v2 [cs.LG]}",
        "eprint={2309.06180v2}, eprinttype={arxiv}, eprintclass={cs.LG}",
        "url={http://arxiv.org/pdf/2309.06180v2.pdf}, eprint={}, primaryclass={cs.LG}",
        "journal={arXiv preprint arXiv:2309.06180v2}, primaryclass={cs.LG}",
        "journal={CoRR}, volume={abs/2309.06180v2}, primaryclass={cs.LG}",
        "note={arXiv:2309.06180v2 [cs.LG]}, eprintclass={cs.LG}",
        "howpublished={\\url{https://arxiv.org/abs/2309.06180v2}}, primaryclass={cs.LG}",
        "arxivid={2309.06180v2}, primaryclass={cs.LG}",
    ],
)
def test_an_arxiv_id_is_found_wherever_people_put_it(fields: str) -> None:
    read = facts("@misc{k, title={T}, " + fields + "}")
    assert read.identifiers == (Identifier("arxiv", "2309.06180"),)
    assert read.version == 2
    assert read.primary_category == "cs.LG"
    assert read.venue is None
    assert read.publication == ()
    assert read.links == ()


def test_an_old_arxiv_number_is_completed_by_its_archive() -> None:
    read = facts("@misc{k, eprint={0208020}, archivePrefix={arXiv}, primaryClass={quant-ph}}")
    assert read.identifier("arxiv") == "quant-ph/0208020"


@pytest.mark.parametrize(
    "fields",
    [
        "eprint={2309.06180}, eprinttype={jstor}",
        "note={Compare arXiv:2309.06180}",
        "abstract={See arXiv:2309.06180}",
        "title={On arXiv:2309.06180}",
        "doi={10.1103/PhysRevD.2011.12345}",
    ],
)
def test_what_only_looks_like_its_own_arxiv_id_is_none(fields: str) -> None:
    assert facts("@misc{k, " + fields + "}").identifier("arxiv") is None


def test_an_address_of_several_works_names_none_of_them() -> None:
    library = parse_bibtex(
        "@misc{a, title={One}, url={https://journal.org}}\n"
        "@misc{b, title={Two}, url={https://journal.org/}}\n"
        "@misc{c, title={Three}, url={https://three.org}}\n"
    )
    found = [one.facts.identifier("url") for one in library.entries]
    assert found == [None, None, "https://three.org"]
    assert [one.facts.links[0].url for one in library.entries] == [
        "https://journal.org",
        "https://journal.org/",
        "https://three.org",
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("@misc{k, url={https://github.com/a/b}}", "project"),
        ("@software{k, title={T}}", "project"),
        ("@online{k, url={https://a.org/post}}", "post"),
        ("@online{k, eprint={2309.06180}, eprinttype={arxiv}}", "paper"),
        ("@dataset{k, title={T}}", "resource"),
        ("@misc{k, title={T}}", "paper"),
    ],
)
def test_the_kind_follows_from_type_and_address(text: str, kind: str) -> None:
    assert facts(text).kind == kind


def test_strings_are_joined_and_may_use_each_other() -> None:
    text = (
        '@string{acm = {ACM}}\n@STRING{Press = acm # " Press"}\n'
        "@book{k, publisher = press # { of } # unknown # 12, title = {{A}} # {B}}"
    )
    library = parse_bibtex(text)
    assert library.strings == {"acm": "ACM", "press": "ACM Press"}
    (read,) = library.entries
    assert read.facts.publication == (("publisher", "ACM Press of unknown12"),)
    assert read.facts.title == "AB"


def test_strings_that_double_each_other_are_cut_and_reported() -> None:
    doubling = "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(40))
    library = parse_bibtex("@string{s0 = {xxxxxxxx}}\n" + doubling + "@misc{k, title = s40}")
    assert len(library.entries[0].facts.title or "") == 5000
    assert "longer than 5000" in library.skipped[0].reason
    assert library.skipped[0].line == 11


def test_a_child_inherits_what_belongs_to_the_volume_and_no_more() -> None:
    library = parse_bibtex(
        "@inproceedings{a, title={Part}, crossref={Vol}}\n"
        "@proceedings{vol, title={Volume}, editor={Ed Itor}, year=1999, doi={10.1/v},"
        " crossref={a}}\n"
        "@misc{b, crossref={nowhere}}\n"
        "@inbook{c, chapter=2, crossref={book}}\n@book{book, author={Ann Odell}, title={Doors}}"
    )
    part, volume, orphan, chapter, _ = library.entries
    assert (chapter.facts.authors, chapter.facts.venue) == ((Author("Ann Odell"),), "Doors")
    assert (part.facts.title, part.facts.venue, part.facts.year) == ("Part", "Volume", 1999)
    assert part.facts.publication == (("editor", "Ed Itor"),)
    assert part.facts.identifiers == ()
    assert volume.facts.title == "Volume"
    assert orphan.problems == ("its crossref 'nowhere' is not an entry of the file",)


ALIASED = """\
@inproceedings{a, title = {Part}, crossref = {Old-Days}, year = 2002}
@proceedings{days2002, ids = {old-days, older}, title = {Days}, publisher = {A Press}}
"""


def test_a_parent_is_found_by_another_of_its_keys() -> None:
    """Biber's own reading of "ids"; the parent goes along, and the entry keeps its text."""
    part, _ = parse_bibtex(ALIASED).entries
    assert (part.problems, part.facts.venue) == ((), "Days")
    assert part.whole == ALIASED.replace("}\n@", "}\n\n@").strip()
    assert gathered([SourceEntry("a", part.whole)]) == part.whole + "\n"
    assert parse_bibtex(gathered([SourceEntry("a", part.whole)])).entries[0].facts.venue == "Days"
    (renamed, _) = parse_bibtex(with_references(ALIASED, {"days2002": "d"})).entries
    assert renamed.raw == part.raw


def test_xdata_gives_all_its_fields() -> None:
    library = parse_bibtex("@xdata{x, title={T}, year=2000}\n@misc{a, xdata={x}}")
    (read,) = library.entries
    assert (read.facts.title, read.facts.year) == ("T", 2000)
    assert [piece.reason for piece in library.skipped] == [
        "not a work: it holds fields for other entries"
    ]


PARTS = """\
@book{a, author = {Ann Bee and xdata=%s-author-2}, title = {T},
  publisher = {xdata = {%s-publisher}},
  location = {xdata=%s-location-2 and Rome}, note = "xdata=%s-note"}
@xdata{%s, author = {Cy Dee and Eve Foe}, publisher = {A Press}, location = {Oslo and Bern}}
"""


@pytest.mark.parametrize("key", ["x", "House-Of", "a:b"])
def test_xdata_gives_single_names_and_places(key: str) -> None:
    """biblatex's manual calls them granular: a field, or one of its list, of another entry."""
    text = PARTS.replace("%s", key)
    (read,) = parse_bibtex(text).entries
    assert [one.name for one in read.facts.authors] == ["Ann Bee", "Eve Foe"]
    said = dict(read.facts.publication)
    assert (said["publisher"], said["location"]) == ("A Press", "Bern and Rome")
    assert said["note"] == f"xdata={key}-note"
    assert ("publisher", "A Press") in read.borrowed
    assert parse_bibtex(gathered([SourceEntry("a", read.whole)])).entries[0].facts == read.facts
    renamed = with_references(text, {key.casefold(): "new"})
    assert renamed == text.replace(f"{key}-", "new-")
    (orphan,) = parse_bibtex("@misc{o, title = {xdata=gone-title}}").entries
    assert orphan.problems == ("its crossref 'gone' is not an entry of the file",)


def test_when_a_page_was_visited_is_known_and_written_again() -> None:
    text = "@online{k, title={Rust}, url={https://rust-lang.org}, urldate={2024-01-02}}"
    assert facts(text).publication == (("urldate", "2024-01-02"),)
    assert "urldate       = {2024-01-02}" in to_bibtex([Paper(1, "k", facts(text), added="")])


def test_a_year_is_what_is_printed_of_it() -> None:
    assert facts(r"@misc{k, title={T}, year={{\noopsort{1990}}2001}}").year == 2001


def test_comments_between_fields_hide_nothing_but_themselves() -> None:
    text = """@misc{k, % first
  title = {T}, % odd
  author = {Roe, R}, % year = {1999},
  % note = {hidden},
  year = {2020},
  note = {100 % x},  % and, {more
  % last
}"""
    found = facts(text)
    assert (found.title, found.authors, found.year) == ("T", (Author("R Roe"),), 2020)
    assert found.publication == (("note", "100 % x"),)


def test_repeated_keys_and_fields_are_problems_and_lose_nothing() -> None:
    library = parse_bibtex(
        "@misc{a, title={1}, title={2}}\n@misc{A, title={3}}\n@misc{, title={4}}"
    )
    assert [one.citekey for one in library.entries] == ["a", "A", None]
    assert [one.facts.title for one in library.entries] == ["1", "3", "4"]
    assert library.entries[0].problems == ("it has a field twice: the first one is used",)
    assert library.entries[1].problems == ("its key 'A' is also that of the entry on line 1",)
    assert library.entries[2].problems == ()


def test_what_is_no_entry_is_reported_with_its_line() -> None:
    library = parse_bibtex(
        "@misc{a, title={lost brace\n\n@misc{b, title={ok}}\n\n@article\n{c, title={T}}\n"
        "@set{s, entryset={a,b}}\n@comment{@misc{d, title={hidden}}}\n@misc{e, title}\n"
    )
    assert [one.citekey for one in library.entries] == ["b", "c"]
    assert [(piece.line, piece.text[:9]) for piece in library.skipped] == [
        (1, "@misc{a, "),
        (7, "@set{s, e"),
        (9, "@misc{e, "),
    ]


@pytest.mark.parametrize(
    ("field", "is_told"),
    [
        ('title = "A "quoted" word"', True),
        ("title = Some words", True),
        ("title = {T} trailing", True),
        ('title = {T} # " and " # x # 3', False),
        ('title = "{"}T"', False),
        ("title = x", False),
        ("title = ", True),
    ],
)
def test_a_field_at_which_bibtex_stops_is_told(field: str, is_told: bool) -> None:
    (entry,) = parse_bibtex(f"@string{{x = {{y}}}}\n@misc{{a, {field}, year = 2000}}").entries
    assert [problem.split("'")[1] for problem in entry.problems] == ["title"] * is_told


@pytest.mark.parametrize(
    ("text", "fields", "after_a_gap"),
    [
        ("@misc{a, title={T} author={A}, year=1}", ["title", "author", "year"], ["author"]),
        (
            "@misc{a, title={T}\n  year = 2001\n  note = {N}\n}",
            ["title", "year", "note"],
            ["year", "note"],
        ),
        ('@misc{a, title = "T of {U}"\n\tauthor = "A"}', ["title", "author"], ["author"]),
        ("@misc{a1 title = {T x = {y} z = 1}, note = {1 x = 3}}", ["title", "note"], ["title"]),
    ],
)
def test_a_field_without_a_comma_before_it_is_read_and_told(
    text: str, fields: list[str], after_a_gap: list[str]
) -> None:
    (entry,) = parse_bibtex(text).entries
    assert [name for name, _ in entry.fields] == fields
    assert [problem.split("'")[1] for problem in entry.problems] == after_a_gap


def test_a_file_with_conflict_markers_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"main\.bib.*line 2"):
        parse_bibtex("\n<<<<<<< HEAD\n@misc{a}\n=======\n>>>>>>> x\n", file="main.bib")
    assert parse_bibtex("=======\n@misc{a}").skipped == ()


PIECES = [
    *("@misc{", "@string{", "@comment{", "@", "{", "}", "(", ")", '"', ",", "=", "#", "\n"),
    *("crossref", "title", "a", "é", " ", "%", "\\", "\r"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_makes_it_fail_and_every_entry_is_where_it_says(text: str) -> None:
    for read in parse_bibtex(text).entries:
        assert text[slice(*read.span)] == read.raw
        assert text.count("\n", 0, read.span[0]) + 1 == read.line
