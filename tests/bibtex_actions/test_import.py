"""A .bib file comes in: one paper for each work, and nothing of it is lost or guessed."""

import pytest

from papertrack.actions.documents import import_file
from papertrack.actions.online.enrich import enrich_paper
from papertrack.documents.recognize import is_bibtex
from papertrack.errors import DocumentError
from papertrack.matching.judge import Verdict, judge
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources.source import SourceRecord
from papertrack.store.citekeys import Citekeys
from papertrack.store.papers import add_paper, merge_papers
from papertrack.store.versions import get_originals
from papertrack.text import title_key
from tests.bibtex_actions.conftest import REFS, Desk

PREPRINT = """@misc{kwon23, title={Efficient Memory Management}, author={Kwon, Woosuk},
  year={2022}, eprint={2309.06180}, archivePrefix={arXiv}}
"""
PUBLISHED = """@inproceedings{Kwon:SOSP, title={Efficient memory management},
  author={Woosuk Kwon and Zhuohan Li}, booktitle={SOSP}, year={2023}, doi={10.1145/3600006.3613165}}
"""


def test_every_entry_is_a_saved_paper_with_its_own_key(desk: Desk) -> None:
    papers = desk.papers()
    assert [paper.citekey for paper in papers] == ["vaswani", "kwon:paged", "knuth"]
    assert {paper.decision for paper in papers} == {"saved"}
    assert papers[0].facts.venue == "Advances in Neural Information Processing Systems"
    assert papers[1].facts.identifier("arxiv") == "2309.06180"


def test_the_entry_is_kept_as_it_was_written(desk: Desk) -> None:
    (text,) = get_originals(desk.store, desk.id("kwon:paged")).values()
    assert text in REFS
    assert "mynote  = {50% done}" in text


def test_importing_twice_changes_nothing(desk: Desk) -> None:
    actions = "SELECT count(*) FROM actions"
    before = desk.store.connection.execute(actions).fetchone()
    report = desk.import_bib()
    assert not report.has_changes
    assert report.papers_unchanged == report.entries == 3
    assert desk.store.connection.execute(actions).fetchone() == before


@pytest.mark.parametrize("text", [PREPRINT + PUBLISHED, PUBLISHED + PREPRINT])
def test_a_preprint_and_its_publication_are_one_paper(empty_desk: Desk, text: str) -> None:
    report = empty_desk.import_bib(text)
    assert (report.entries, report.papers_new) == (2, 1)
    (paper,) = empty_desk.papers()
    facts = paper.facts
    assert (facts.venue, facts.year, facts.published_type) == ("SOSP", 2023, "inproceedings")
    assert {i.scheme for i in facts.identifiers} == {"arxiv", "doi"}
    assert {paper.citekey, *paper.citekey_aliases} == {"kwon23", "Kwon:SOSP"}


def test_a_published_version_completes_a_paper_of_the_library(empty_desk: Desk) -> None:
    desk = empty_desk
    facts = PaperFacts(title="Efficient Memory Management", year=2022, identifiers=())
    with desk.store.action("add"):
        paper_id = add_paper(desk.store, facts, source="test", decision="inbox")
    desk.edit(desk.papers()[0].citekey, "authors=Woosuk Kwon")
    report = desk.import_bib(PUBLISHED)
    assert (report.papers_new, report.papers_changed) == (0, 1)
    paper = desk.paper("Kwon:SOSP")
    assert paper.id == paper_id
    assert (paper.decision, paper.facts.year, paper.facts.venue) == ("saved", 2023, "SOSP")
    assert paper.citekey == "Kwon:SOSP", "a key that nobody had seen gives way to the file's"


def test_a_field_that_the_reader_edited_is_not_overwritten(empty_desk: Desk) -> None:
    desk = empty_desk
    with desk.store.action("add"):
        facts = PaperFacts(
            title="Memory Management", identifiers=(Identifier("doi", "10.1145/3600006.3613165"),)
        )
        paper_id = add_paper(desk.store, facts, source="test", citekey="mine")
        Citekeys(desk.store).freeze([paper_id])
    desk.edit("mine", "year=2021")
    desk.import_bib(PUBLISHED)
    paper = desk.paper("mine")
    assert (paper.facts.year, paper.facts.venue) == (2021, "SOSP")
    assert paper.citekey_aliases == ("Kwon:SOSP",)


@pytest.mark.parametrize(
    "other",
    [
        "@article{b, title={Scaling Laws for Everything}, author={Doe, Jane}, year={2020}}",
        "@article{b, title={Scaling Laws for Everything Else}, author={Roe, Richard}, year={2020}}",
        "@article{b, title={Scaling Laws for Everything}, author={Roe, Richard}, year={2020},"
        " doi={10.1000/other}}",
        "@article{b, title={Scaling Laws for Everything}, author={Roe, Richard}, year={1999}}",
    ],
    ids=["other authors", "other title", "other DOI", "a reprint"],
)
def test_two_works_stay_two(empty_desk: Desk, other: str) -> None:
    first = (
        "@article{a, title={Scaling Laws for Everything}, author={Roe, Richard}, year={2020},"
        " doi={10.1000/one}}\n"
    )
    assert empty_desk.import_bib(first + other).papers_new == 2


COPIED = (
    "@article{a, title={Sparse Mixtures of Experts}, author={Roe, R}, doi={10.1000/x}}\n"
    "@article{b, title={A History of Cheese}, author={Doe, J}, doi={10.1000/x}}\n"
)


@pytest.mark.parametrize("prefer", [None, "file", "library"])
def test_a_doi_that_the_file_gives_to_two_works_is_told_and_in_no_imports_way(
    empty_desk: Desk, prefer: str | None
) -> None:
    report = empty_desk.import_bib(COPIED, prefer=prefer)
    assert (report.papers_new, report.conflicts) == (2, ())
    (notice,) = report.notices
    assert notice.line == 2
    assert "its doi:10.1000/x also belongs to a in this file" in notice.reason
    assert empty_desk.paper("b").facts.identifiers == ()
    again = empty_desk.import_bib(prefer=prefer)
    assert (again.has_changes, again.notices) == (False, ()), "it is told once"
    assert not empty_desk.export().has_changes
    assert empty_desk.read() == COPIED


def test_a_doi_goes_to_the_work_that_the_mended_file_gives_it_to(empty_desk: Desk) -> None:
    empty_desk.import_bib(COPIED)
    empty_desk.replace("{Roe, R}, doi={10.1000/x}", "{Roe, R}, doi={10.1000/y}")
    assert not empty_desk.import_bib().conflicts
    assert empty_desk.paper("a").facts.identifier("doi") == "10.1000/y"
    assert empty_desk.paper("b").facts.identifier("doi") == "10.1000/x"
    assert not empty_desk.import_bib().has_changes
    assert not empty_desk.export().has_changes


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(("prefer", "owner"), [("file", "cheese"), ("library", "sparse")])
def test_whose_a_doi_is_that_the_file_gives_to_another_paper_can_be_decided(
    empty_desk: Desk, prefer: str, owner: str, is_first: bool
) -> None:
    empty_desk.import_bib(
        "@article{sparse, title={Sparse Mixtures of Experts}, author={Roe, R}, doi={10.1000/x}}\n"
    )
    other = Desk(empty_desk.store, empty_desk.library, empty_desk.bib.with_name("other.bib"))
    text = "@article{cheese, title={A History of Cheese}, author={Doe, J}, doi={10.1000/x}}\n"
    if not is_first:
        (conflict,) = other.import_bib(text).conflicts
        assert conflict.owner == "sparse"
    assert not other.import_bib(text, prefer=prefer).conflicts
    for key in ("sparse", "cheese"):
        has_it = other.paper(key).facts.identifier("doi") == "10.1000/x"
        assert has_it == (key == owner)
    assert not other.import_bib().has_changes


@pytest.mark.parametrize(
    ("url", "is_told"), [("https://sites.", False), ("https://jane.example/notes", True)]
)
def test_one_authors_works_with_one_address_stay_two(
    empty_desk: Desk, url: str, is_told: bool
) -> None:
    empty_desk.import_bib(
        f"@misc{{a, title={{Sparse Mixtures of Experts}}, author={{Doe, Jane}}, url={{{url}}}}}\n"
    )
    other = Desk(empty_desk.store, empty_desk.library, empty_desk.bib.with_name("other.bib"))
    report = other.import_bib(
        f"@misc{{b, title={{A History of Cheese}}, author={{Doe, Jane}}, url={{{url}}}}}\n"
    )
    assert (report.papers_new, report.conflicts) == (1, ())
    assert [notice.reason for notice in report.notices] == (
        [f"its address {url} belongs to a, and can identify only one of them"] if is_told else []
    )
    assert [[link.url for link in p.facts.links] for p in other.papers()] == [[url], [url]]
    assert not other.import_bib().has_changes


def test_a_page_under_a_longer_title_is_one_work(empty_desk: Desk) -> None:
    empty_desk.import_bib("@misc{a, title={vLLM}, url={https://github.com/x/vllm}}\n")
    other = Desk(empty_desk.store, empty_desk.library, empty_desk.bib.with_name("other.bib"))
    report = other.import_bib(
        "@software{b, title={vLLM: Easy and Fast Serving}, url={https://github.com/x/vllm}}\n"
    )
    assert (report.papers_new, report.notices) == (0, ())


def test_merging_the_two_papers_of_one_doi_settles_it(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        "@article{a, title={Sparse Mixtures of Experts}, author={Roe, R}, doi={10.1000/x}}\n"
        "@article{b, title={A History of Cheese}, author={Doe, J}, doi={10.1000/x}}\n"
    )
    with empty_desk.store.action("merge"):
        merge_papers(empty_desk.store, empty_desk.id("a"), empty_desk.id("b"))
    assert not empty_desk.import_bib().conflicts


def test_of_two_papers_with_its_identifiers_an_entry_is_the_one_with_its_title(
    empty_desk: Desk,
) -> None:
    report = empty_desk.import_bib(
        "@article{a, title={On Attention}, author={Roe, R}, doi={10.1000/x}}\n"
        "@misc{b, title={Off Attention}, author={Doe, J}, eprint={2401.00001}}\n"
        "@article{c, title={On Attention}, author={Roe, R}, doi={10.1000/x}, eprint={2401.00001}}\n"
    )
    assert (report.papers_new, report.conflicts) == (2, ())
    (notice,) = report.notices
    assert "its arxiv:2401.00001 also belongs to b in this file" in notice.reason
    assert [i.scheme for i in empty_desk.paper("a").facts.identifiers] == ["doi"]


def test_a_key_used_for_two_works_is_told_and_both_are_kept(empty_desk: Desk) -> None:
    report = empty_desk.import_bib(
        "@misc{k, title={The First of Two}}\n@misc{K, title={The Second of Two}}\n"
    )
    assert [paper.citekey for paper in empty_desk.papers()] == ["k", "Ka"]
    assert any("the library uses Ka" in notice.reason for notice in report.notices)


def test_other_tools_reading_state_is_read(empty_desk: Desk) -> None:
    empty_desk.import_bib(
        """@article{a, title={A}, readstatus={read}, ranking={rank4}, priority={prio1},
          keywords={moe, routing}, groups={Mine}, review={Worth a second look}}
        @comment{jabref-meta: grouping:
        0 AllEntriesGroup:;
        1 StaticGroup:Top\\;0\\;1\\;;
        2 StaticGroup:Mine\\;0\\;1\\;;
        }"""
    )
    paper = empty_desk.paper("a")
    assert (paper.passes_done, paper.rating) == (2, 4)
    assert paper.tags == ("moe", "prio1", "routing")
    assert paper.categories == (("Top", "Mine"),)
    assert paper.facts.description == "Worth a second look"


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16-le-sig"),
        ("gbk", "gb18030"),
    ],
)
def test_the_encoding_is_found_and_told(empty_desk: Desk, encoding: str, told: str) -> None:
    empty_desk.bib.write_bytes("@misc{a, title={深度学习的历史与现状研究}}\n".encode(encoding))
    assert empty_desk.import_bib().encoding == told
    assert empty_desk.paper("a").facts.title == "深度学习的历史与现状研究"


def test_family_names_of_several_words_are_kept(empty_desk: Desk) -> None:
    empty_desk.import_bib("@book{a, title={T}, author={García Márquez, Gabriel}}")
    (author,) = empty_desk.paper("a").facts.authors
    assert (author.name, author.family) == ("Gabriel García Márquez", "García Márquez")


def test_a_hostile_title_is_one_paper_and_clean(empty_desk: Desk) -> None:
    empty_desk.import_bib("@misc{a, title={Evil \x1b]0;x\x07\u202etitle}}\n")
    (paper,) = empty_desk.papers()
    assert paper.facts.title is not None
    assert paper.facts.title.isprintable()
    assert title_key(paper.facts.title).startswith("evil")


def test_a_file_with_conflict_markers_is_refused_unread(empty_desk: Desk) -> None:
    with pytest.raises(DocumentError, match=r"main\.bib .*merge conflict on line 1"):
        empty_desk.import_bib("<<<<<<< HEAD\n@misc{a, title={A}}\n")


def test_new_entries_go_with_one_undo_and_come_back(empty_desk: Desk) -> None:
    entries = [f"@misc{{k{n}, title={{Title {n}}}, note={{{n}}}}}\n" for n in range(5)]
    empty_desk.import_bib("".join(entries))
    assert empty_desk.store.undo() is not None
    assert empty_desk.papers() == []
    assert empty_desk.store.redo() is not None
    assert len(empty_desk.papers()) == 5


MARQUEZ = (
    "@misc{a, title={Solitude in Large Language Models}, eprint={2309.06180},\n"
    "  author={Garc{\\'i}a M{\\'a}rquez, Gabriel and van der Berg, Anna}}\n"
)


def test_arxivs_flat_names_do_not_take_the_family_names_that_a_file_shows(
    empty_desk: Desk,
) -> None:
    empty_desk.import_bib(MARQUEZ)
    flat = (Author("Gabriel Garcia Marquez"), Author("Anna van der Berg"))
    paper = Identifier("arxiv", "2309.06180")
    record = SourceRecord(paper, PaperFacts(authors=flat), "arxiv-api")
    with empty_desk.store.action("enrich"):
        enrich_paper(empty_desk.store, empty_desk.id("a"), record)
    first, second = empty_desk.paper("a").facts.authors
    assert (first.name, first.family) == ("Gabriel García Márquez", "García Márquez")
    assert second.name == "Anna van der Berg"


def test_a_file_shows_the_family_names_of_authors_that_the_library_has(empty_desk: Desk) -> None:
    facts = PaperFacts(
        title="Solitude in Large Language Models",
        identifiers=(Identifier("arxiv", "2309.06180"),),
        authors=(Author("Gabriel Garcia Marquez"), Author("Anna van der Berg")),
    )
    with empty_desk.store.action("add"):
        add_paper(empty_desk.store, facts, source="arxiv-api")
    empty_desk.import_bib(MARQUEZ)
    (paper,) = empty_desk.papers()
    assert [(author.name, author.family) for author in paper.facts.authors] == [
        ("Gabriel Garcia Marquez", "Garcia Marquez"),
        ("Anna van der Berg", None),
    ]


def test_a_key_used_twice_is_that_of_the_first_entry_also_when_its_paper_is_known(
    desk: Desk,
) -> None:
    vaswani = "@misc{same, title={Attention Is All You Need}, author={Vaswani, A}, year={2017}}\n"
    other = "@misc{same, title={Something Else Altogether}, author={Roe, R}, year={2020}}\n"
    second = Desk(desk.store, desk.library, desk.bib.with_name("second.bib"))
    report = second.import_bib(vaswani + other)
    assert (report.papers_new, report.papers_changed) == (1, 1)
    assert desk.id("same") == desk.id("vaswani")
    assert any("its key 'same' belongs to another paper" in one.reason for one in report.notices)
    assert desk.papers()[-1].citekey == "samea"


def test_a_key_used_twice_is_that_of_the_first_entry_also_when_its_work_began_later(
    empty_desk: Desk,
) -> None:
    one = "@misc{%s, title={One Title of Its Own}, author={Roe, R}, year={2020}}\n"
    other = "@misc{k, title={Something Else Altogether}, author={Roe, R}, year={2020}}\n"
    empty_desk.import_bib(one % "first" + other + one % "k")
    assert empty_desk.paper("k").facts.title == "Something Else Altogether"


SHORT = """@article{adam, title={Adam}, author={Kingma, Diederik and Ba, Jimmy}, year={2014}}
@misc{rfc, title={HTTP}, year={2015}}
@misc{untitled, howpublished={By letter}, year={1999}}
@manual{rustbook, title={The Rust Programming Language}, year={2019}}
"""


def elsewhere(desk: Desk) -> Desk:
    """The same library, and a .bib file at another path."""
    return Desk(desk.store, desk.library, desk.bib.with_name("copy.bib"))


def test_an_entrys_own_key_counts_before_the_further_key_of_another_also_for_known_papers(
    empty_desk: Desk,
) -> None:
    first = "title={Gates of Old Towns}, author={Bee, Ann}, year=2001"
    second = "title={Doors and Windows of Houses}, author={Cee, Carl}, year=2003"
    empty_desk.import_bib(f"@misc{{one, {first}}}\n@misc{{two, {second}}}\n")
    other = empty_desk.bib.with_name("other.bib")
    other.write_text(f"@misc{{one, ids={{x}}, {first}}}\n@misc{{x, {second}}}\n")
    report = import_file(empty_desk.store, empty_desk.library, other)
    assert report.papers_new == 0
    assert empty_desk.paper("x").citekey == "two"


def test_a_copy_of_a_file_makes_no_second_paper(empty_desk: Desk) -> None:
    empty_desk.import_bib(SHORT)
    report = elsewhere(empty_desk).import_bib(SHORT)
    assert (report.papers_new, report.notices) == (0, ())
    assert len(empty_desk.papers()) == 4


def test_a_short_title_with_the_same_key_authors_and_year_is_the_same_work(
    empty_desk: Desk,
) -> None:
    empty_desk.import_bib(SHORT)
    copy = "@misc{Adam, title={{ADAM}}, author={D. Kingma and others}, year=2014, keywords={new}}"
    assert elsewhere(empty_desk).import_bib(copy).papers_new == 0
    assert empty_desk.paper("adam").tags == ("new",)


@pytest.mark.parametrize(
    "other",
    [
        "@misc{adam, title={Adam}, author={Doe, Jane}, year={2014}}",
        "@misc{adam, title={Adam}, author={Kingma, Diederik and Ba, Jimmy}, year={2015}}",
        "@misc{kingma, title={Adam}, author={Kingma, Diederik and Ba, Jimmy}, year={2014}}",
        "@misc{rfc, title={HTTP}, year={2015}, note={Another one}}",
        "@misc{untitled, howpublished={By telephone}, year={1999}}",
    ],
)
def test_a_short_title_is_another_work_when_key_authors_or_year_differ(
    empty_desk: Desk, other: str
) -> None:
    empty_desk.import_bib(SHORT)
    assert elsewhere(empty_desk).import_bib(other).papers_new == 1


PRINTED = "title={Letter from the Editor}, author={Doe, Jane}, journal={J. Apples}, "


@pytest.mark.parametrize(
    ("first", "second", "papers"),
    [
        ("year=2001, volume=1", "year=2002, volume=2", 2),
        ("year=2001, volume={1}, number=1", "year=2001, volume={1}, number=2", 2),
        ("year=2001, pages={1--2}", "year=2001, pages={7--8}", 2),
        ("year=2001, pages={1--2}", "year=2001, pages={1-2}, volume=4", 1),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_what_was_printed_elsewhere_under_the_same_title_is_another_work(
    empty_desk: Desk, first: str, second: str, papers: int, at_once: bool
) -> None:
    one, two = f"@article{{a, {PRINTED}{first}}}\n", f"@article{{b, {PRINTED}{second}}}\n"
    if at_once:
        empty_desk.import_bib(one + two)
    else:
        empty_desk.import_bib(one)
        elsewhere(empty_desk).import_bib(two)
    assert len(empty_desk.papers()) == papers


def test_deleting_one_of_two_entries_of_a_work_takes_nothing_from_it(empty_desk: Desk) -> None:
    preprint = "@misc{pre, title={One Work Here}, author={Roe, R}, year={2020}, eprint={2001.00001}, archiveprefix={arXiv}}\n"  # noqa: E501
    printed = "@article{pub, title={One Work Here}, author={Roe, R}, year={2020}, eprint={2001.00001}, archiveprefix={arXiv}, journal={J. of Works}, doi={10.1000/works}}\n"  # noqa: E501
    empty_desk.import_bib(preprint + printed)
    assert len(empty_desk.papers()) == 1
    before = empty_desk.papers()[0].facts
    assert before.venue == "J. of Works"
    empty_desk.import_bib(preprint)
    assert empty_desk.papers()[0].facts == before
    assert not empty_desk.export().is_written


def _reports(number: int, title: str) -> str:
    entries = (
        f"@article{{k{n}, title={{{title}}}, author={{Ada{chr(97 + n % 26)}, A. and Bee{n}, B.}}, "
        f"journal={{J}}, volume={n}, year={1700 + n}}}"
        for n in range(number)
    )
    return "\n".join(entries)


@pytest.mark.parametrize("title", ["Editorial", "The yearly report of an observatory"])
def test_entries_with_one_title_are_not_compared_all_with_all(
    empty_desk: Desk, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    compared = []

    def counted(*pair: object, **options: object) -> Verdict:
        compared.append(pair)
        return judge(*pair, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("papertrack.sync.bibtex.linking.judge", counted)
    report = empty_desk.import_bib(_reports(300, title))
    assert report.papers_new == 300
    assert len(compared) < 600
    again = empty_desk.bib.with_name("again.bib")
    again.write_text(_reports(300, title).replace("{k", "{other"))
    report = import_file(empty_desk.store, empty_desk.library, again)
    assert report.papers_new == (300 if title == "Editorial" else 0)
    assert len(compared) < 1500


def test_only_the_start_of_a_file_is_read_to_tell_its_format() -> None:
    class Counting(str):
        searched = 0

        def find(self, *where: object) -> int:
            Counting.searched += 1
            return super().find(*where)  # type: ignore[arg-type]

    assert is_bibtex(Counting("@book{a, title={A}}\n" * 100))
    assert Counting.searched < 10
