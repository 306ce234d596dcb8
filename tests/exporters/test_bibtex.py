import re
from collections.abc import Iterator

import bibtexparser
import pytest
from bibtexparser.model import Entry
from bibtexparser.writer import BibtexFormat
from bibtexparser.writer import write as write_as_bibtexparser

from papertrack.documents.bibtex.fresh import Dialect, entry_of, fields_of, safe_key
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.exporters.bibtex import to_bib_file, to_bibtex
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts
from tests.exporters.papers import HOSTILE, make_paper

DIALECTS: tuple[Dialect, ...] = ("bibtex", "biblatex")


def the_entry(text: str) -> Entry:
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks
    assert not library.comments
    (entry,) = library.entries
    return entry


def fields_of_text(text: str) -> dict[str, str]:
    return {field.key: field.value for field in the_entry(text).fields}


def test_a_preprint_is_written_as_documented() -> None:
    assert to_bibtex([make_paper()]) == (
        "@misc{kwon2023efficient,\n"
        "  title         = {Efficient Memory Management for Large Language Model Serving"
        " with {PagedAttention}},\n"
        "  author        = {Kwon, Woosuk and Li, Zhuohan},\n"
        "  year          = {2023},\n"
        "  eprint        = {2309.06180},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass  = {cs.LG},\n"
        "}\n"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_entries_are_laid_out_as_bibtexparser_lays_them_out(dialect: Dialect) -> None:
    layout = BibtexFormat()
    layout.indent, layout.value_column, layout.trailing_comma = "  ", 16, True
    layout.block_separator = "\n"
    said = (("month", "jan"), ("a-field-with-a-long-name", "x"), ("pages", "1-2"))
    text = to_bibtex(
        [make_paper(publication=said), make_paper(2, "b", title=None)], dialect=dialect
    )
    assert write_as_bibtexparser(bibtexparser.parse_string(text, parse_stack=[]), layout) == text


def test_fields_that_are_asked_for_are_written_besides() -> None:
    entry = the_entry(entry_of(make_paper(abstract="It pays."), extra=("url", "doi", "abstract")))
    assert entry.fields_dict["doi"].value == "10.48550/arXiv.2309.06180"
    assert entry.fields_dict["url"].value == "https://arxiv.org/abs/2309.06180"
    assert entry.fields_dict["abstract"].value == "It pays."
    assert "doi" not in the_entry(entry_of(make_paper(), extra=("url",))).fields_dict


def test_biblatex_has_its_own_type_and_field_names_for_a_preprint() -> None:
    entry = the_entry(entry_of(make_paper(citekey_aliases=("old", "o,ld")), dialect="biblatex"))
    fields = {field.key: field.value for field in entry.fields}
    assert entry.entry_type == "online"
    assert fields["eprinttype"] == "arxiv"
    assert fields["eprintclass"] == "cs.LG"
    assert fields["ids"] == "old,o-ld"
    assert "archivePrefix" not in fields


def test_a_preprint_can_be_set_as_an_article() -> None:
    entry = the_entry(entry_of(make_paper(), preprint_style="article"))
    assert entry.entry_type == "article"
    assert entry.fields_dict["journal"].value == "arXiv preprint arXiv:2309.06180"


def test_a_published_paper_has_its_venue_and_keeps_its_eprint() -> None:
    paper = make_paper(
        identifiers=(Identifier("arxiv", "2309.06180"), Identifier("doi", "10.1145/1_2.3")),
        venue="Proceedings of SOSP & Friends",
        year=2024,
        publication=(
            ("pages", "611–626"),
            ("month", "oct"),
            ("editor", "Jason Flinn and Peter Druschel"),
            ("url", "https://not.this"),
            ("bad name", "x"),
        ),
    )
    entry = the_entry(entry_of(paper))
    assert entry.entry_type == "inproceedings"
    assert {field.key: field.value for field in entry.fields} == {
        "title": "Efficient Memory Management for Large Language Model Serving"
        " with {PagedAttention}",
        "author": "Kwon, Woosuk and Li, Zhuohan",
        "booktitle": r"Proceedings of SOSP \& Friends",
        "year": "2024",
        "pages": "611--626",
        "month": "oct",
        "editor": "Flinn, Jason and Druschel, Peter",
        "eprint": "2309.06180",
        "archivePrefix": "arXiv",
        "primaryClass": "cs.LG",
        "doi": "10.1145/1_2.3",
    }


@pytest.mark.parametrize(
    ("published_type", "venue", "dialect", "expected"),
    [
        (None, "Nature", "bibtex", "article"),
        (None, "NeurIPS 2023", "bibtex", "inproceedings"),
        (None, None, "bibtex", "misc"),
        (None, None, "biblatex", "online"),
        ("phdthesis", "MIT", "bibtex", "phdthesis"),
        ("report", "MIT", "bibtex", "techreport"),
        ("report", "MIT", "biblatex", "report"),
        ("dataset", None, "bibtex", "misc"),
        ("misc", "A workshop", "bibtex", "misc"),
        ("x{y", None, "bibtex", "misc"),
    ],
)
def test_the_type_is_the_known_one_or_the_nearest_that_the_dialect_has(
    published_type: str | None, venue: str | None, dialect: Dialect, expected: str
) -> None:
    paper = make_paper(published_type=published_type, venue=venue)
    assert the_entry(entry_of(paper, dialect=dialect)).entry_type == expected


@pytest.mark.parametrize(
    ("known", "kind", "entry_type", "printed"),
    [
        ("thesis", "mathesis", "mastersthesis", None),
        ("thesis", "phdthesis", "phdthesis", None),
        ("thesis", "bathesis", "phdthesis", "Bachelor's thesis"),
        ("report", "techreport", "techreport", None),
        ("report", "White Paper", "techreport", "White Paper"),
    ],
)
def test_bibtex_prints_no_name_that_only_biblatex_knows(
    known: str, kind: str, entry_type: str, printed: str | None
) -> None:
    paper = make_paper(published_type=known, venue="ETH", publication=(("type", kind),))
    entry = the_entry(entry_of(paper))
    assert entry.entry_type == entry_type
    assert fields_of(paper).get("type") == printed
    assert fields_of(paper, dialect="biblatex")["type"] == kind


@pytest.mark.parametrize(
    ("facts", "year"),
    [
        ({"submitted": "2023-09-12", "year": 2025}, "2025"),
        ({"submitted": "2023-09-12", "year": None}, "2023"),
        ({"submitted": "long ago", "year": None}, None),
        ({"submitted": None, "year": None}, "2023"),
        ({"submitted": "2023-09-12", "venue": "SOSP", "year": 2024}, "2024"),
        ({"submitted": None, "identifiers": (), "year": None}, None),
    ],
)
def test_the_year_is_the_one_that_was_given_and_else_of_version_one(
    facts: dict[str, object], year: str | None
) -> None:
    assert fields_of_text(entry_of(make_paper(**facts))).get("year") == year


def test_a_page_is_a_misc_entry_with_its_address() -> None:
    facts = PaperFacts(
        title="A post", kind="post", links=(Link("paper", "https://a.org/b c?q=%7B{"),)
    )
    assert (
        fields_of_text(entry_of(make_paper(facts=facts)))["url"] == "https://a.org/b%20c?q=%7B%7B"
    )


def test_url_doi_and_eprint_are_verbatim() -> None:
    doi = "10.1002/(sici)1097<1::aid-x_1>3.0.co;2-#&%"
    facts = make_paper(
        identifiers=(Identifier("doi", doi),),
        links=(Link("paper", "https://a.org/x_y#z%20&q=~é}"),),
    )
    fields = fields_of_text(entry_of(facts))
    assert fields["doi"] == doi
    assert fields["url"] == "https://a.org/x_y#z%20&q=~%C3%A9%7D"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_any_field_never_ends_its_entry(text: str, dialect: Dialect) -> None:
    paper = make_paper(
        title=text,
        authors=(Author(text), Author(f"{text} and {text}"), Author(f"A, {text}, C, D")),
        venue=text,
        publication=(("publisher", text), ("pages", text), ("editor", text)),
        identifiers=(Identifier("doi", text), Identifier("arxiv", text)),
        primary_category=text,
        citekey=text,
        citekey_aliases=(text,),
    )
    plain = make_paper(2, "zzz")
    library = bibtexparser.parse_string(to_bibtex([paper, plain], dialect=dialect))
    assert not library.failed_blocks
    assert not library.comments
    assert [entry.key for entry in library.entries] == [safe_key(text), "zzz"]


def test_braces_are_balanced_as_bibtex_counts_them_in_every_hostile_value() -> None:
    for text in HOSTILE:
        for value in fields_of_text(entry_of(make_paper(title=text, venue=text))).values():
            depth = 0
            for brace in re.findall(r"[{}]", value):
                depth += 1 if brace == "{" else -1
                assert depth >= 0, value
            assert depth == 0, value


def test_entries_are_sorted_by_key_and_the_same_papers_give_the_same_bytes() -> None:
    papers = [make_paper(1, "b"), make_paper(2, "A"), make_paper(3, "a")]
    text = to_bibtex(papers)
    assert re.findall(r"@misc\{(\w+),", text) == ["A", "a", "b"]
    assert to_bibtex(reversed(papers)) == text
    assert to_bibtex([]) == ""


def test_single_fields_are_those_of_the_entry_without_delimiters() -> None:
    paper = make_paper(title="{BERT}", venue="SOSP", publication=(("month", "jan"),))
    fields = fields_of(paper)
    assert fields == fields_of_text(entry_of(paper))
    assert fields["month"] == "jan"
    assert fields["title"] == r"{\textbraceleft}{BERT}{\textbraceright}"


def test_a_dblp_record_is_kept_beside_the_papers_own_address() -> None:
    paper = make_paper(
        identifiers=(Identifier("dblp", "conf/nips/X17"), Identifier("doi", "10.1/x"))
    )
    assert fields_of(paper)["biburl"] == "https://dblp.org/rec/conf/nips/X17"


def test_groups_tags_and_files_are_read_back_by_jabrefs_rules() -> None:
    papers = [
        make_paper(
            1, "a1", categories=(("LLM", "Serving"), ("Méthodes",)), tags=("kv, cache", "b")
        ),
        make_paper(2, "b2", categories=(("Old", "Serving"),), tags=()),
    ]
    text = to_bibtex(papers, files={1: ("/pdfs/a;1.pdf",)})
    bib = parse_bibtex(text)
    assert [entry.categories for entry in bib.entries] == [
        (("LLM", "Serving"), ("Méthodes",)),
        (("Old", "Serving"),),
    ]
    fields = dict(bib.entries[0].fields)
    assert fields["keywords"] == "kv cache, b"
    assert fields["file"] == r":/pdfs/a\;1.pdf:PDF"
    assert "file" not in dict(bib.entries[1].fields)
    assert "groups" in to_bibtex(papers, files={})
    assert to_bibtex(papers) == to_bibtex(papers, files=None)
    assert "groups" not in to_bibtex(papers)


def test_new_entries_are_written_without_holding_the_papers() -> None:
    kept: list[int] = []
    most = 0

    class Counted(Paper):
        def __del__(self) -> None:
            kept.remove(self.id)

    def papers() -> Iterator[Paper]:
        nonlocal most
        for number in range(1, 20):
            kept.append(number)
            most = max(most, len(kept))
            yield Counted._make(make_paper()._replace(id=number, citekey=f"key{number}"))

    assert to_bib_file(papers()).count("@misc") == 19
    # What made one and what takes it may hold it still.
    assert most <= 3
