"""Enriching in bad weather: nothing is lost or made up, and the message says what to do."""

from __future__ import annotations

import itertools
import multiprocessing
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from papertrack.actions.online.enrich import (
    EnrichedBatch,
    EnrichStopped,
    enrich_papers,
    lock_enrichment,
    select_papers,
)
from papertrack.actions.online.fetching import fetch_in_time, fetch_records
from papertrack.actions.online.network import open_door
from papertrack.errors import PapertrackError, SourceUnavailableError
from papertrack.library import Library, state_folder
from papertrack.library.settings import Arxiv
from papertrack.records import Author, Identifier, Paper
from papertrack.sources.transport import Door
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from tests.enrich.conftest import Clock
from tests.fake_arxiv import FakeArxiv
from tests.fake_arxiv.records import synthesise

Add = Callable[..., int]
Enrich = Callable[..., list[EnrichedBatch]]
Find = Callable[[str], Paper]

EVERYWHERE = """
    rate rate-200 rate-huge busy gateway server-error not-found html html-as-xml plain-as-xml
    empty redirect-foreign redirect-metadata redirect-loop cut broken-gzip
""".split()
OF_THE_API = """
    total-zero total-hundred total-garbage nothing no-entries no-author
""".split()
OF_ONE_ENTRY = ("no-id", "foreign-id", "no-published", "bad-date")


def add_papers(store: Store, add: Add, count: int) -> None:
    """Papers 2301.00001 and so on, in one action."""
    with store.action("add"):
        for number in range(1, count + 1):
            add(f"2301.{number:05}")


def shelve(fake_arxiv: FakeArxiv, number: int, **fields: str) -> None:
    """Let arXiv say other things of a paper than it does."""
    record = synthesise(f"2301.{number:05}")
    assert record
    fake_arxiv.shelf.put(replace(record, **fields))


@pytest.mark.parametrize("fault", EVERYWHERE + OF_THE_API)
def test_no_fault_empties_a_field_or_counts_as_an_answer(
    fault: str, fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    ids = [
        add("2301.00001", title="Kept", authors=(Author("Kept Too"),), abstract="As well."),
        add("2301.00002"),
    ]
    before = get_papers(store, ids)
    fake_arxiv.fail("api", fault)
    for service in ("oai", "datacite"):
        fake_arxiv.fail(service, fault if fault in EVERYWHERE else "busy")
    with pytest.raises(EnrichStopped) as stopped:
        enrich()
    assert get_papers(store, ids) == before
    assert len(select_papers(store, []).to_ask) == 2
    assert str(stopped.value).startswith("0 of 2 papers enriched; 127.0.0.1:")
    assert str(stopped.value).endswith(("Run again then.", "to continue."))


@pytest.mark.parametrize("fault", OF_ONE_ENTRY)
def test_an_unsound_entry_leaves_its_paper_alone_and_the_others_are_stored(
    fault: str, fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    add("2301.00001", title="Kept")
    add("2301.00002")
    before = paper("2301.00001")
    fake_arxiv.fail("api", fault)
    for service in ("oai", "datacite"):
        fake_arxiv.fail(service, "busy")
    with pytest.raises(EnrichStopped, match="1 of 2 papers enriched"):
        enrich()
    assert paper("2301.00001") == before
    assert paper("2301.00002").facts.authors


def test_the_message_names_host_status_and_the_time_of_the_next_try(
    fake_arxiv: FakeArxiv, store: Store, clock: Clock, add: Add, enrich: Enrich
) -> None:
    add_papers(store, add, 60)
    fake_arxiv.fail("oai", "busy")
    fake_arxiv.fail("datacite", "server-error")
    real_ask = fake_arxiv.next_fault

    def second_batch_fails(service: str) -> str | None:
        if service == "api" and len(fake_arxiv.asked("api")) > 1:
            return "rate-seconds"
        return real_ask(service)

    fake_arxiv.next_fault = second_batch_fails  # type: ignore[method-assign]
    with pytest.raises(EnrichStopped) as stopped:
        enrich()
    assert str(stopped.value) == (
        f"50 of 60 papers enriched; {fake_arxiv.host('api')} answered 429 (rate exceeded) and "
        "asks us to wait until 14:02 UTC. Run again then."
    )
    assert stopped.value.retry_at == clock() + timedelta(seconds=120)


def test_the_cool_down_holds_over_a_restart_and_ends(
    fake_arxiv: FakeArxiv, library: Library, store: Store, clock: Clock, add: Add, enrich: Enrich
) -> None:
    for service in ("api", "oai", "datacite"):
        fake_arxiv.fail(service, "rate-seconds", times=1)
    add("2301.00001")
    for _ in range(2):
        with pytest.raises(EnrichStopped, match=r"until 14:02"):
            enrich()
        assert len(fake_arxiv.asked()) == 3
    clock.advance(seconds=121)
    assert len(enrich()) == 1


def test_one_cut_answer_is_asked_for_again(fake_arxiv: FakeArxiv, add: Add, enrich: Enrich) -> None:
    fake_arxiv.fail("api", "cut", times=1)
    add("2301.00001")
    (answer,) = enrich()
    assert answer.papers[0].source == "arxiv-api"
    assert len(fake_arxiv.asked()) == 2


def test_one_broken_record_costs_the_rest_of_its_batch_nothing(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    shelve(fake_arxiv, 1, title="A bell \a rings")
    add_papers(store, add, 120)
    sources = Counter(paper.source for answer in enrich() for paper in answer.papers)
    assert sources == {"arxiv-api": 119, "datacite": 1}
    assert len(fake_arxiv.asked("oai")) == 1
    assert len(fake_arxiv.asked("api")) == 13


def test_several_broken_records_cost_the_rest_of_their_batch_nothing(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    for number in (1, 17, 30, 50):
        shelve(fake_arxiv, number, title="A bell \a rings")
    add_papers(store, add, 50)
    sources = Counter(paper.source for answer in enrich() for paper in answer.papers)
    assert sources == {"arxiv-api": 46, "datacite": 4}


def test_a_long_abstract_that_repeats_itself_keeps_no_paper_from_its_batch(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich, paper: Find
) -> None:
    shelve(fake_arxiv, 1, abstract="All is well and again. " * 90_000)
    fake_arxiv.fail("api", "packed")
    add_papers(store, add, 50)
    enrich()
    assert len(fake_arxiv.asked()) == 1
    assert len(paper("2301.00001").facts.abstract or "") > 2_000_000


def test_what_no_source_can_tell_though_one_tells_of_others_is_not_found(
    fake_arxiv: FakeArxiv, clock: Clock, add: Add, enrich: Enrich
) -> None:
    shelve(fake_arxiv, 1, title="A bell \a rings")
    fake_arxiv.fail("datacite", "html")
    for number in range(1, 5):
        add(f"2301.{number:05}")
    for _ in range(2):
        unknown = [one.identifier.value for answer in enrich() for one in answer.unknown]
        assert unknown == ["2301.00001"]
        assert enrich() == []
        clock.advance(days=1)


def test_what_a_source_could_not_be_asked_about_is_not_called_unknown(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich
) -> None:
    shelve(fake_arxiv, 1, title="A bell \a rings")
    fake_arxiv.fail("datacite", "server-error")
    add("2301.00001")
    add("2301.00002")
    with pytest.raises(EnrichStopped, match="1 of 2"):
        enrich()


def test_an_api_that_answers_nothing_sound_is_left_alone(
    fake_arxiv: FakeArxiv, store: Store, add: Add, enrich: Enrich
) -> None:
    fake_arxiv.fail("api", "html")
    add_papers(store, add, 120)
    assert {paper.source for answer in enrich() for paper in answer.papers} == {"oai"}
    assert len(fake_arxiv.asked("api")) < 10


def test_an_unsure_answer_about_many_is_asked_one_by_one_elsewhere(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich
) -> None:
    fake_arxiv.fail("api", "nothing")
    add("2301.00001")
    add("2301.00999")
    answers = enrich()
    assert [paper.source for answer in answers for paper in answer.papers] == ["oai"]
    assert sum(len(answer.unknown) for answer in answers) == 1


def test_an_empty_answer_about_one_paper_does_not_count_as_unknown(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich, paper: Find
) -> None:
    fake_arxiv.fail("api", "nothing")
    add("2301.00001")
    (answer,) = enrich()
    assert answer.unknown == ()
    assert paper("2301.00001").facts.authors


def test_one_broken_record_does_not_keep_the_others_from_the_fallbacks(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich
) -> None:
    fake_arxiv.fail("api", "rate")
    shelve(fake_arxiv, 1, title="A bell \a rings")
    ids = [f"2301.{number:05}" for number in range(1, 5)]
    for arxiv_id in ids:
        add(arxiv_id)
    sources = {paper.arxiv_id: paper.source for answer in enrich() for paper in answer.papers}
    assert sources == dict(zip(ids, ["datacite", "oai", "oai", "oai"], strict=True))


def test_after_a_403_nobody_is_asked_any_more(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich
) -> None:
    fake_arxiv.fail("api", "forbidden")
    add("2301.00001")
    with pytest.raises(EnrichStopped, match="403"):
        enrich()
    assert [request.service for request in fake_arxiv.asked()] == ["api"]


def test_the_run_after_a_403_leaves_all_of_arxiv_alone(
    fake_arxiv: FakeArxiv, add: Add, enrich: Enrich
) -> None:
    fake_arxiv.fail("api", "forbidden")
    add("2301.00001")
    with pytest.raises(EnrichStopped):
        enrich()
    (answer,) = enrich()
    assert answer.papers[0].source == "datacite"
    assert [request.service for request in fake_arxiv.asked()] == ["api", "datacite"]


def test_without_a_network_each_service_is_tried_once(
    library: Library, clock: Clock, tmp_path: Path
) -> None:
    nowhere = {
        name: "http://127.0.0.1:9/x" for name in Arxiv.__dataclass_fields__ if name.endswith("_url")
    }
    tried: list[str] = []
    door = open_door(library, Arxiv(**nowhere, interval_seconds=0), clock=clock)
    real_get = door.get
    door.get = lambda url, **how: (tried.append(url), real_get(url, **how))[1]  # type: ignore[method-assign,misc]
    works = dict.fromkeys(Identifier("arxiv", f"2301.{n:05}") for n in range(1, 200))
    with pytest.raises(SourceUnavailableError):
        list(fetch_records(door, works))
    assert len(tried) == 3


def test_a_clock_that_jumped_locks_nobody_out(
    fake_arxiv: FakeArxiv, clock: Clock, add: Add, enrich: Enrich
) -> None:
    for service in ("api", "oai", "datacite"):
        fake_arxiv.fail(service, "rate", times=1)
    add("2301.00001")
    clock.advance(days=4000)
    with pytest.raises(EnrichStopped):
        enrich()
    clock.advance(days=-4000)
    assert len(enrich()) == 1


def test_what_does_not_come_in_time_is_left_and_said(door: Door, fake_arxiv: FakeArxiv) -> None:
    fake_arxiv.fail("api", "silent")
    fetched = fetch_in_time(door, [Identifier("arxiv", "2301.00001")], 0.2)
    assert fetched.records == {}
    assert fetched.problem == "arXiv did not answer within 0.2 seconds."


def test_a_refusal_is_said_with_its_host_and_next_try(door: Door, fake_arxiv: FakeArxiv) -> None:
    for service in ("api", "oai", "datacite"):
        fake_arxiv.fail(service, "rate-seconds")
    fetched = fetch_in_time(door, [Identifier("arxiv", "2301.00001")], 10)
    assert fetched.records == {}
    assert fetched.problem is not None
    assert re.search(r"127\.0\.0\.1:\d+ answered 429 .* 14:02 UTC", fetched.problem)


def test_real_addresses_share_one_pace_and_rehearsals_keep_their_own(
    library: Library, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folders = []
    monkeypatch.setattr(
        "papertrack.actions.online.network.Door", lambda folder, *_, **__: folders.append(folder)
    )
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    open_door(library, Arxiv(), clock=clock)
    here = {
        name: "http://127.0.0.1:9/x" for name in Arxiv.__dataclass_fields__ if name.endswith("_url")
    }
    open_door(library, Arxiv(**here), clock=clock)
    assert folders == [state_folder(), library.state_dir]


def test_offline_nothing_is_asked(library: Library, clock: Clock) -> None:
    with pytest.raises(SourceUnavailableError, match=r"arxiv\.offline"):
        open_door(library, Arxiv(offline=True), clock=clock)


INTERVAL = 0.4


def _enrich_alone(root: Path, urls: dict[str, str], start: object) -> None:
    library = Library(root)
    clock = Clock()
    door = open_door(library, Arxiv(**urls, interval_seconds=INTERVAL), clock=clock)
    start.wait()  # type: ignore[attr-defined]
    with (
        Store.open(library.database, now=clock) as store,
        lock_enrichment(library, lambda: None),
    ):
        to_ask = select_papers(store, []).to_ask
        list(enrich_papers(store, door, to_ask))


def test_four_processes_fetch_no_paper_twice_and_keep_the_pace(
    fake_arxiv: FakeArxiv, library: Library, store: Store, add: Add
) -> None:
    add_papers(store, add, 120)
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(4)
    processes = [
        context.Process(target=_enrich_alone, args=(library.root, fake_arxiv.urls, start))
        for _ in range(4)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    requests = fake_arxiv.asked()
    asked = [one for r in requests for one in re.findall(r"2301\.[0-9]{5}", r.path)]
    assert len(asked) == len(set(asked)) == 120
    gaps = [after.at - before.at for before, after in itertools.pairwise(requests)]
    assert all(gap >= INTERVAL * 0.95 for gap in gaps), gaps
    assert select_papers(store, []).to_ask == ()


def test_a_second_enrichment_of_the_library_waits_and_says_so(library: Library) -> None:
    first = lock_enrichment(library, lambda: pytest.fail("nobody else is enriching"))
    first.__enter__()
    said = []

    def on_wait() -> None:
        said.append("waiting")
        first.__exit__(None, None, None)

    with lock_enrichment(library, on_wait):
        assert said == ["waiting"]


def test_a_library_that_cannot_be_written_is_said(library: Library) -> None:
    # A file in the folder's place refuses everybody, also root, whom permissions do not stop.
    library.state_dir.write_text("")
    with (
        pytest.raises(PapertrackError, match="state could not be written"),
        lock_enrichment(library, lambda: None),
    ):
        pass
