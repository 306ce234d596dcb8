"""The query API: recorded shapes, batches, and every fault as a typed error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import arxiv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.actions.online.fetching import fetch_records
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources.arxiv_api import ApiError, ArxivApi, fetch_page
from papertrack.sources.exchange import Response
from papertrack.sources.failures import (
    BadAnswer,
    CoolingDown,
    Refused,
    SourceFailure,
    TimedOut,
    TooLarge,
    Unreachable,
    WrongHost,
)
from papertrack.sources.source import SourceRecord, paragraphs
from papertrack.sources.transport import Door, Endpoints
from papertrack.text import clean
from tests.fake_arxiv import FakeArxiv, Work

GOLDEN = Path(__file__).parent / "golden"
CORPUS = os.environ.get("PAPERTRACK_CORPUS")
ID = "2401.00007"


def papers(*arxiv_ids: str) -> tuple[Identifier, ...]:
    return tuple(Identifier("arxiv", arxiv_id) for arxiv_id in arxiv_ids)


class Fetched(NamedTuple):
    records: list[SourceRecord]
    missing: tuple[Identifier, ...]


def fetch_papers(door: Door, arxiv_ids: Sequence[str]) -> Fetched:
    answers = ArxivApi().fetch(papers(*arxiv_ids), door)
    missing = tuple(identifier for identifier, record in answers.items() if record is None)
    return Fetched(list(filter(None, answers.values())), missing)


class Saying:
    """A door at which every request is answered by the same bytes."""

    endpoints = Endpoints()

    def __init__(self, body: bytes, status: int) -> None:
        self.body, self.status = body, status

    def get(self, url: str, **how: object) -> Response:
        return Response(self.status, url, "application/atom+xml", self.body, {})


def read(body: bytes, status: int = 200) -> tuple[SourceRecord, ...]:
    """The papers of one answer."""
    return fetch_page(Saying(body, status), arxiv.Search(), 1).records  # type: ignore[arg-type]


def test_an_entry_becomes_exactly_these_facts() -> None:
    records = read((GOLDEN / "api-entry.xml").read_bytes())
    assert records == (
        SourceRecord(
            Identifier("arxiv", "2401.00007"),
            PaperFacts(
                title="Café bounds for $a<b$ & more, over two lines",
                identifiers=(Identifier("arxiv", "2401.00007"), Identifier("doi", "10.1234/ex.17")),
                authors=(Author("Zoë Čapek", "Lab One; Lab Two"), Author("王小明")),
                abstract="We bound what was unbounded, if $x < y$.\n\nA second paragraph.",
                submitted="2024-01-01T09:00:00+00:00",
                updated="2024-03-04T10:30:00+00:00",
                version=3,
                primary_category="cs.LG",
                arxiv_categories=("cs.LG", "math.CO"),
                comment="12 pages, 3 figures",
                journal_ref="J. Ex. 12 (2024)",
                is_withdrawn=False,
            ),
            "arxiv-api",
        ),
        SourceRecord(
            Identifier("arxiv", "hep-th/9901001"),
            PaperFacts(
                title="Strings, long ago",
                identifiers=(Identifier("arxiv", "hep-th/9901001"),),
                authors=(Author("A. B. Cde"),),
                abstract="An old identifier.",
                submitted="1999-01-01T10:00:00+00:00",
                updated="1999-01-01T10:00:00+00:00",
                version=1,
                primary_category="hep-th",
                arxiv_categories=("hep-th",),
                comment="This paper has been withdrawn by the author",
                is_withdrawn=True,
            ),
            "arxiv-api",
        ),
    )


def test_what_is_asked_comes_back_whole(door: Door, fake_arxiv: FakeArxiv) -> None:
    ids = ["2401.00007", "2402.00011", "2403.00013", "2404.00017", "2407.00029", "hep-th/9901001"]
    fetched = fetch_papers(door, ids)
    assert [record.identifier.value for record in fetched.records] == ids
    assert fetched.missing == ()
    facts = {record.identifier.value: record.facts for record in fetched.records}
    assert len(facts["2404.00017"].authors) == 3000
    assert len(facts["2407.00029"].abstract or "") > 1_900_000
    assert facts["2402.00011"].title == fake_arxiv.shelf.known["2402.00011"].title
    assert facts["2402.00011"].abstract == fake_arxiv.shelf.known["2402.00011"].abstract
    assert facts["2403.00013"].authors[1] == Author("佐藤 花子", "東京大学")


def test_a_hundred_papers_take_two_requests(door: Door, fake_arxiv: FakeArxiv) -> None:
    ids = [f"2410.{number:05}" for number in range(1, 101)]
    parts = fetch_records(door, dict.fromkeys(papers(*ids)))
    assert [identifier.value for part in parts for identifier in part] == ids
    assert ["max_results=50" in request.path for request in fake_arxiv.asked()] == [True, True]


def test_unknown_ids_and_texts_that_are_none_are_missing(door: Door, fake_arxiv: FakeArxiv) -> None:
    fetched = fetch_papers(door, ["2401.00007", "2401.00999", "2413.00001", "x", ""])
    assert [record.identifier.value for record in fetched.records] == ["2401.00007"]
    assert fetched.missing == papers("2413.00001", "x", "", "2401.00999")
    assert "2413" not in fake_arxiv.asked()[0].path


@pytest.mark.parametrize("ids", [("2401.00007",), ("2401.00007", "2402.00011")])
def test_an_empty_answer_proves_nothing(
    door: Door, fake_arxiv: FakeArxiv, ids: tuple[str, ...]
) -> None:
    fake_arxiv.fail("api", "nothing")
    fetched = fetch_papers(door, ids)
    assert fetched == ([], ())


def test_the_current_version_is_fetched(door: Door) -> None:
    (record,) = fetch_papers(door, ["2406.00023"]).records
    assert record.facts.version == 10
    assert record.facts.updated == "2024-10-10T00:00:00+00:00"
    assert record.facts.submitted == "2024-01-10T00:00:00+00:00"


def test_an_id_that_arxiv_rejects_does_not_fail_the_rest(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fake_arxiv.server.ID", r"(?!2402)[0-9]{4}\.[0-9]{5}")
    fetched = fetch_papers(door, ["2401.00007", "2402.00011", "2403.00013"])
    assert [record.identifier.value for record in fetched.records] == ["2401.00007", "2403.00013"]
    assert fetched.missing == papers("2402.00011")
    assert len(fake_arxiv.asked()) == 2


def test_a_withdrawal_and_a_new_version_are_seen(door: Door, fake_arxiv: FakeArxiv) -> None:
    (record,) = fetch_papers(door, ["2405.00019"]).records
    assert record.facts.is_withdrawn
    old = fake_arxiv.shelf.known[ID]
    fake_arxiv.shelf.put(
        Work(
            **{
                **vars(old),
                "title": "Retitled",
                "versions": (*old.versions, "2025-01-01T00:00:00Z"),
            }
        )
    )
    (record,) = fetch_papers(door, [ID]).records
    assert (record.facts.version, record.facts.title) == (3, "Retitled")


def test_batches_before_a_failure_are_kept(door: Door, fake_arxiv: FakeArxiv) -> None:
    works = papers(*(f"2410.{number:05}" for number in range(1, 101)))
    parts = fetch_records(door, dict.fromkeys(works))
    assert len(next(parts)) == 50
    for service in ("api", "oai", "datacite"):
        fake_arxiv.fail(service, "rate")
    with pytest.raises(Refused):
        next(parts)


FAULTS: dict[str, type[SourceFailure]] = {
    "rate": Refused,
    "rate-200": Refused,
    "busy": Refused,
    "forbidden": Refused,
    "server-error": Refused,
    "html": BadAnswer,
    "html-as-xml": BadAnswer,
    "plain-as-xml": BadAnswer,
    "empty": BadAnswer,
    "redirect-https": WrongHost,
    "redirect-foreign": WrongHost,
    "redirect-file": WrongHost,
    "redirect-loop": WrongHost,
    "feed-error": BadAnswer,
    "total-zero": BadAnswer,
    "total-hundred": BadAnswer,
    "total-garbage": BadAnswer,
    "cut": BadAnswer,
    "short-of-length": BadAnswer,
    "short-of-chunks": BadAnswer,
    "drip": TimedOut,
    "silent": TimedOut,
    "reset": Unreachable,
    "bomb": TooLarge,
    "latin-1": BadAnswer,
    "nul": BadAnswer,
    "vertical-tab": BadAnswer,
    "doctype": BadAnswer,
    "nested": BadAnswer,
}


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "feed-error"])
def test_each_fault_is_a_typed_error_that_names_the_host(
    open_door: Callable[[], Door],
    fake_arxiv: FakeArxiv,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    deadline = 0.3 if fault in ("drip", "silent") else 30
    defaults = {**Door.get.__kwdefaults__, "deadline": deadline}
    monkeypatch.setattr(Door.get, "__kwdefaults__", defaults)
    fake_arxiv.fail("api", fault)
    with pytest.raises(FAULTS[fault]) as failure:
        fetch_papers(open_door(), [ID, "2402.00011"])
    message = str(failure.value)
    assert fake_arxiv.host("api") in message
    assert "Try again " in message
    # A deadline may pass before the status is known.
    if failure.value.status and FAULTS[fault] is not TimedOut:
        assert str(failure.value.status) in message
    if failure.value.retry_at:
        with pytest.raises(CoolingDown):
            fetch_papers(open_door(), [ID])
        # On a busy machine the deadline may pass before the request is on its way.
        assert len(fake_arxiv.asked()) <= 1


@pytest.mark.parametrize("fault", ["no-id", "no-published", "no-author", "bad-date", "foreign-id"])
def test_an_entry_that_lacks_something_is_unclear_and_harms_no_other(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("api", fault)
    ids = ["2401.00007", "2402.00011", "2403.00013"]
    fetched = fetch_papers(door, ids)
    kept = [record.identifier.value for record in fetched.records]
    assert kept == ([] if fault == "no-author" else ids[1:])
    assert fetched.missing == ()
    for record in fetched.records:
        assert record.facts.authors
        assert record.facts.submitted


@pytest.mark.parametrize("fault", ["bom", "utf-16"])
def test_an_encoding_that_xml_declares_is_read(
    door: Door, fake_arxiv: FakeArxiv, fault: str
) -> None:
    fake_arxiv.fail("api", fault)
    (record,) = fetch_papers(door, [ID]).records
    assert record.facts.authors[1].name == "Łukasz Ångström"


def test_the_package_prints_nothing_about_odd_entries(
    capfd: pytest.CaptureFixture[str],
) -> None:
    body = (GOLDEN / "api-entry.xml").read_bytes()
    link = b'<link href="https://arxiv.org/pdf/2401.00007v3" rel="related" title="pdf"/>'
    assert len(read(body.replace(b"<summary>", link + b"<summary>"))) == 2
    assert capfd.readouterr() == ("", "")


def test_times_are_kept_in_utc(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("api", "other-zone")
    (record,) = fetch_papers(door, [ID]).records
    assert record.facts.submitted == "2024-01-01T09:00:00+00:00"


def test_papers_that_were_not_asked_for_are_no_answer(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake_arxiv.shelf, "find", lambda asked: fake_arxiv.shelf.known[ID])
    with pytest.raises(BadAnswer, match=f"not requested, such as {ID}"):
        fetch_papers(door, ["2402.00011"])


def test_an_error_entry_with_status_200_is_an_error() -> None:
    from tests.fake_arxiv.answers import api_error

    body = api_error("incorrect id format for abc").body
    for status in (200, 400):
        with pytest.raises(ApiError, match="incorrect id format for abc") as error:
            read(body, status)
        assert error.value.status == status


@given(st.binary(max_size=200))
def test_any_bytes_are_records_or_a_typed_error(noise: bytes) -> None:
    golden = (GOLDEN / "api-entry.xml").read_bytes()
    for body in (noise, golden + noise, golden[: len(noise) * 12] + noise):
        try:
            records = read(body)
        except BadAnswer:
            continue
        assert len(records) == 2


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_paragraphs_lose_no_word(text: str) -> None:
    assert clean(paragraphs(text)).split() == clean(text).split()


RECORDED_ERRORS = {
    "arxiv-docs-user-manual-error.xml": ApiError,
    "arxiv-search-docs-3.xml": ApiError,
    "arxiv-search-docs-5.xml": BadAnswer,  # It says 6 and holds 1: the docs print it abridged.
    "arxivpy-id_abc_s0_m100_b79c8dcf6bc3.http400.xml": ApiError,
    "pubs-INVALIDID.http400.xml": ApiError,
}


def _recorded() -> list[Path]:
    return sorted((Path(CORPUS) / "arxiv-api").glob("*.xml")) if CORPUS else []


@pytest.mark.corpus
def test_the_hard_cases_among_real_records_come_through_unharmed(
    real_arxiv: FakeArxiv, tmp_path: Path
) -> None:
    cases = (Path(CORPUS or "") / "arxiv-metadata" / "records-sample.jsonl").read_text().split("\n")
    works = [real_arxiv.shelf.known[json.loads(line)["id"]] for line in cases if line]
    door = Door(
        tmp_path, Endpoints(**real_arxiv.urls), contact=None, version="1", interval_seconds=0
    )
    asked = dict.fromkeys(papers(*(work.arxiv_id for work in works)))
    records = [record for part in fetch_records(door, asked) for record in part.values()]
    assert len(real_arxiv.asked()) == -(-len(works) // ArxivApi.ids_per_request)
    for work, record in zip(works, records, strict=True):
        assert record
        facts = record.facts
        assert record.identifier.value == work.arxiv_id
        assert facts.title == clean(work.title)
        assert (facts.abstract or "").split() == clean(work.abstract).split()
        assert [author.name for author in facts.authors] == [clean(a) for a, _ in work.authors]
        assert facts.arxiv_categories == work.categories


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_every_recorded_body_gives_its_records_or_its_error() -> None:
    from lxml import etree

    atom = {"a": "http://www.w3.org/2005/Atom"}
    assert len(_recorded()) > 30
    for path in _recorded():
        body = path.read_bytes()
        status = 400 if "http400" in path.name else 200
        if path.name in RECORDED_ERRORS:
            with pytest.raises(RECORDED_ERRORS[path.name]):
                read(body, status)
            continue
        entries = etree.fromstring(body).findall("a:entry", atom)
        records = read(body, status)
        assert [
            f"{r.identifier.value}v{r.facts.version}".removesuffix("vNone") for r in records
        ] == [(entry.findtext("a:id", "", atom)).partition("/abs/")[2] for entry in entries], (
            path.name
        )
        for record, entry in zip(records, entries, strict=True):
            facts = record.facts
            assert facts.title == clean(entry.findtext("a:title", "", atom))
            assert [author.name for author in facts.authors] == [
                clean(name.text or "") for name in entry.findall("a:author/a:name", atom)
            ]
            summary = entry.findtext("a:summary", "", atom)
            assert facts.abstract
            assert facts.abstract.split() == clean(summary).split()
            assert facts.primary_category == facts.arxiv_categories[0]
            assert (facts.submitted or "9") <= (facts.updated or "")
