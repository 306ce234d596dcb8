"""OAI-PMH and DataCite, the sources while the query API is away, and the TeX they carry."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.latex.decode import decode_letters
from papertrack.records import Author, Identifier
from papertrack.sources import arxiv_oai
from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.arxiv_oai import ArxivOai
from papertrack.sources.datacite import DataCite, parse_datacite
from papertrack.sources.failures import BadAnswer, Refused, SourceFailure
from papertrack.sources.source import Source, SourceRecord, split_authors
from papertrack.sources.transport import Door
from tests.corpus import in_turn
from tests.fake_arxiv import FakeArxiv
from tests.fake_arxiv.answers import oai, oai_error
from tests.timing import assert_seconds

CORPUS = os.environ.get("PAPERTRACK_CORPUS")
OAI, DATACITE = ArxivOai(), DataCite()
IDS = ["2401.00007", "2402.00011", "2403.00013", "2405.00019", "2406.00023", "hep-th/9901001"]


def paper(arxiv_id: str) -> Identifier:
    return Identifier("arxiv", arxiv_id)


def fetch(source: Source, door: Door, arxiv_id: str) -> SourceRecord:
    (record,) = source.fetch([paper(arxiv_id)], door).values()
    assert record
    return record


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"Paulo Andr\'e", "Paulo André"),
        (r"G\"odel, G\"{o}del, G{\"o}del", "Gödel, Gödel, Gödel"),
        (r"na\"{\i}ve na\"\i ve", "naïve naïve"),
        (r"Erd\H{o}s \v{C}apek \c{c}a \c ca", "Erdős Čapek ça ça"),
        (r"{\L}ukasz \AA ngstr\"om stra{\ss}e \o re", "Łukasz Ångström straße øre"),
        (r"$\'e \alpha$ and \'e", r"$\'e \alpha$ and é"),
        (r"a -- b ``c'' 5\% \& \emph{d} \\", r"a -- b ``c'' 5\% \& \emph{d} \\"),
        (r"costs \$5 and \'{a}", r"costs \$5 and á"),
        (r"\alpha \unknown{x} \'", r"\alpha \unknown{x} \'"),
        ("no TeX ~ {here}", "no TeX ~ {here}"),
    ],
)
def test_accents_become_letters_and_all_else_stays(tex: str, text: str) -> None:
    assert decode_letters(tex) == text


@given(st.text(alphabet=r"\{}$'\"ev cHio ~é", max_size=60))
def test_mathematics_and_plain_text_survive_the_conversion(text: str) -> None:
    converted = decode_letters(text)
    if "\\" not in text:
        assert converted == text
    assert decode_letters(f"$ {converted.replace('$', '')} $").startswith("$ ")


@pytest.mark.parametrize(
    "unit", ["\\", "$", "\\$", "{", "\\'{", "{\\'", "\\'\\i", "$\\", "\\'" + "a" * 9]
)
def test_hostile_tex_is_read_in_linear_time(unit: str) -> None:
    text = unit * (500_000 // len(unit))
    assert_seconds(2, lambda: decode_letters(text))


@pytest.mark.parametrize(
    ("line", "authors"),
    [
        ("Ada Ba, Cy De", [("Ada Ba", None), ("Cy De", None)]),
        ("Ada Ba and Cy De", [("Ada Ba", None), ("Cy De", None)]),
        ("Ada Ba, Cy De, and Ed Fo", [("Ada Ba", None), ("Cy De", None), ("Ed Fo", None)]),
        ("Ada Ba (MIT, CSAIL), Cy De", [("Ada Ba", "MIT, CSAIL"), ("Cy De", None)]),
        ("Ada Ba (MIT (CSAIL)), Cy De", [("Ada Ba", "MIT (CSAIL)"), ("Cy De", None)]),
        (
            "Ada Ba (1), Cy De (1 and 2) ((1) MIT, (2) ETH, Zurich)",
            [("Ada Ba", "MIT"), ("Cy De", "MIT; ETH, Zurich")],
        ),
        ("Ada Ba, Jr., Cy De III", [("Ada Ba Jr.", None), ("Cy De III", None)]),
        (
            "The X Collaboration: Ada Ba, Cy De",
            [("The X Collaboration", None), ("Ada Ba", None), ("Cy De", None)],
        ),
        (r"Zo\"e \v{C}apek", [("Zoë Čapek", None)]),
        ("王小明, 佐藤 花子 (東京大学)", [("王小明", None), ("佐藤 花子", "東京大学")]),
        ("Ada Ba (unclosed, Cy De", [("Ada Ba (unclosed", None), ("Cy De", None)]),
        ("Sandy Anders, Andy Sand", [("Sandy Anders", None), ("Andy Sand", None)]),
        ("", []),
    ],
)
def test_a_line_of_authors_is_taken_apart(line: str, authors: list[tuple[str, str | None]]) -> None:
    assert split_authors(line) == tuple(Author(*author) for author in authors)


@given(st.text(alphabet="AbÇ ,;:()12.&\ue000", max_size=80))
def test_no_letter_outside_parentheses_is_lost(line: str) -> None:
    authors = split_authors(line)
    if "(" not in line:
        letters = [char for author in authors for char in author.name if char.isalpha()]
        assert letters == [char for char in line if char.isalpha()]


def test_a_megabyte_of_parentheses_is_taken_apart_in_no_time() -> None:
    for unit in ("(", ")", "()", "((", "a(b", ", ", " and "):
        assert_seconds(1, lambda text=unit * 100_000: split_authors(text))


# --- OAI-PMH ---------------------------------------------------------------------------------


def test_oai_says_the_same_as_the_api(door: Door) -> None:
    for from_api in ArxivApi().fetch(list(map(paper, IDS)), door).values():
        assert from_api
        from_oai = fetch(OAI, door, from_api.identifier.value)
        for field in from_api.facts._fields:
            if field != "licence":  # The API does not tell it.
                ours, theirs = getattr(from_oai.facts, field), getattr(from_api.facts, field)
                assert ours == theirs, (from_api.identifier, field)


def test_oai_tells_the_licence_and_every_version(door: Door) -> None:
    record = fetch(OAI, door, "2406.00023")
    assert record.facts.version == 10
    assert record.facts.licence == "http://creativecommons.org/licenses/by/4.0/"
    assert record.facts.submitted == "2024-01-10T00:00:00+00:00"
    assert record.facts.updated == "2024-10-10T00:00:00+00:00"


def test_an_id_that_oai_does_not_know_is_missing(door: Door) -> None:
    unknown = paper("2401.00999")
    assert OAI.fetch([unknown], door) == {unknown: None}


def test_a_harvest_goes_through_all_pages(door: Door, fake_arxiv: FakeArxiv) -> None:
    pages = list(arxiv_oai.fetch_since(door, "cs", date(2024, 3, 1)))
    found = [record.identifier.value for page in pages for record in page.records]
    expected = [w.arxiv_id for w in fake_arxiv.shelf.known.values() if w.versions[-1] > "2024-03"]
    assert sorted(found) == sorted(expected)
    assert len(pages) > 3
    assert pages[-1].resumption_token is None
    assert pages[0].responded == fake_arxiv.calendar.today


def test_a_harvest_without_changes_is_one_empty_page(door: Door) -> None:
    (page,) = arxiv_oai.fetch_since(door, "cs", date(2030, 1, 1))
    assert page.records == ()


def test_a_harvest_that_repeats_its_token_ends(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("oai", "endless-token")
    with pytest.raises(BadAnswer, match="does not end"):
        list(arxiv_oai.fetch_since(door, "cs", date(2024, 3, 1)))
    assert len(fake_arxiv.asked()) <= 3


def test_a_token_that_has_expired_is_an_error_after_the_pages_before_it(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    pages = arxiv_oai.fetch_since(door, "cs", date(2024, 3, 1))
    next(pages)
    fake_arxiv.fail("oai", "expired-token")
    with pytest.raises(BadAnswer, match="badResumptionToken"):
        next(pages)


def test_a_deleted_record_is_neither_read_nor_unreadable() -> None:
    header = '<header status="deleted"><identifier>oai:arXiv.org:2401.00001</identifier></header>'
    page = arxiv_oai.parse_oai(oai(f"<ListRecords><record>{header}</record></ListRecords>").body)
    assert (page.records, page.unreadable) == ((), 0)


RAW = """<GetRecord><record><header><identifier>oai:arXiv.org:1603.05976</identifier></header>
<metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>1603.05976</id>
<version version="v1"><date>Fri, 18 Mar 2016 20:00:00 GMT</date></version>
<version version="v2"><date>Fri, 1 Apr 2016 20:00:00 GMT</date></version>
<title>A title</title><authors>P. Erd\\H{o}s Jr (Lab)</authors><categories>math.NT</categories>
<abstract>  An abstract.</abstract></arXivRaw></metadata></record></GetRecord>"""


def test_a_record_is_read_with_its_versions() -> None:
    (record,) = arxiv_oai.parse_oai(oai(RAW).body).records
    assert record.facts.version == 2
    assert record.facts.authors == (Author("P. Erdős Jr", "Lab"),)
    assert record.facts.submitted == "2016-03-18T20:00:00+00:00"
    assert record.facts.updated == "2016-04-01T20:00:00+00:00"


@pytest.mark.parametrize("lost", ["<title>A title</title>", "v1", "arXivRaw"])
def test_a_record_that_lacks_something_is_unreadable(lost: str) -> None:
    page = arxiv_oai.parse_oai(oai(RAW.replace(lost, "other")).body)
    assert (page.records, page.unreadable) == ((), 1)


@pytest.mark.parametrize("body", [b"<feed/>", oai("<Identify/>").body, oai("").body])
def test_xml_that_holds_no_records_is_no_answer(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        arxiv_oai.parse_oai(body)


@pytest.mark.parametrize("code", ["badArgument", "cannotDisseminateFormat", "badVerb"])
def test_an_error_of_the_protocol_is_named(code: str) -> None:
    with pytest.raises(BadAnswer, match=code):
        arxiv_oai.parse_oai(oai_error(code, "why").body)


def test_another_paper_than_asked_is_no_answer(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = fake_arxiv.shelf.known["2401.00007"]
    monkeypatch.setattr(fake_arxiv.shelf, "find", lambda asked: other)
    with pytest.raises(BadAnswer):
        fetch(OAI, door, "2402.00011")


# --- DataCite --------------------------------------------------------------------------------


def test_datacite_says_what_it_knows(door: Door) -> None:
    record = fetch(DATACITE, door, "2402.00011")
    assert record.facts.version is None
    assert record.source == "datacite"
    facts = record.facts
    assert facts.title == "Bounds for $a<b$ & $c>d$ when $\\alpha_{i} \\ll 1$ <in brackets>"
    assert facts.authors == (Author("Priya R. O'Neil"),)
    assert facts.identifiers == (
        Identifier("arxiv", "2402.00011"),
        Identifier("doi", "10.1234/example.2024.17"),
    )
    assert facts.arxiv_categories == ("math.CO", "math.PR")
    assert facts.submitted == "2024-02-02T12:00:00Z"
    assert facts.licence == "http://creativecommons.org/licenses/by/4.0/"
    assert facts.comment is None


def test_an_old_id_is_found_at_datacite(door: Door) -> None:
    record = fetch(DATACITE, door, "hep-th/9901001")
    assert record.facts.primary_category == "hep-th"


def test_a_paper_that_datacite_does_not_know_may_exist_and_another_doi_of_it_does_not(
    door: Door,
) -> None:
    unknown, doi = paper("2401.00999"), Identifier("doi", "10.5281/zenodo.999")
    assert DATACITE.fetch([unknown], door) == {}
    assert DATACITE.fetch([doi], door) == {doi: None}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"data": {"attributes": {"doi": "10.1/x", "titles": [], "creators": []}}}',
        b'{"data": {"attributes": {"doi": 7, "titles": [{"title": "t"}]}}}',
        b'{"data": {"attributes": {"doi": "10.1/x", "titles": [{"title": "t"}],'
        b' "creators": [{"name": "n"}]}}}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_json_that_is_no_record_of_the_paper_is_an_error(body: bytes) -> None:
    with pytest.raises(BadAnswer, match=r"api\.datacite\.org answered 200"):
        parse_datacite(body, paper("2401.00007"))


@in_turn(
    service=["oai", "datacite"],
    fault=["rate", "busy", "forbidden", "server-error", "html", "cut", "empty", "doctype"],
)
def test_each_fault_of_a_fallback_is_a_typed_error(
    door: Door, fake_arxiv: FakeArxiv, service: str, fault: str
) -> None:
    fake_arxiv.fail(service, fault)
    source = OAI if service == "oai" else DATACITE
    with pytest.raises(SourceFailure, match=fake_arxiv.host(service)) as failure:
        fetch(source, door, "2401.00007")
    assert isinstance(failure.value, Refused) == (
        fault in ("rate", "busy", "forbidden", "server-error")
    )


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_every_recorded_oai_answer_in_another_format_is_unreadable() -> None:
    for path in sorted((Path(CORPUS or "") / "arxiv-oai").glob("*.xml")):
        body = path.read_bytes()
        page = arxiv_oai.parse_oai(body)
        count = body.count(b"<record>") + body.count(b"<record ")
        assert (page.records, page.unreadable) == ((), count), path.name


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_answers_of_other_repositories_are_empty_or_an_error() -> None:
    for path in sorted((Path(CORPUS or "") / "arxiv-oai" / "generic-oai-pmh").glob("*.xml")):
        try:
            assert arxiv_oai.parse_oai(path.read_bytes()).records == ()
        except BadAnswer:
            continue
