"""What is due, and what was put off."""

from datetime import date, timedelta

import pytest

from papertrack.actions.reading import (
    mark_pass,
    next_paper,
    parse_snooze,
    read_queue,
    set_decision,
    snooze_papers,
)
from papertrack.actions.undo import undo
from papertrack.errors import UsageError
from papertrack.queries.parser import parse_query
from papertrack.records import Identifier, PaperFacts
from papertrack.store.listing import find_ids
from papertrack.store.papers import add_paper, merge_papers
from papertrack.store.store import Store
from tests.actions.conftest import CHUNKED, DRAFT, Desk

TODAY = date(2026, 8, 31)


def due(store: Store) -> list[int]:
    return find_ids(store, parse_query("is:due"), order="id")


def later(desk: Desk, days: int) -> date:
    """Let so many days go by; which day it is then."""
    now = desk.store.now
    desk.store.now = lambda: now() + timedelta(days=days)
    return desk.store.now().date()


def ago(desk: Desk, days: int) -> str:
    return (desk.store.now().date() - timedelta(days=days)).isoformat()


@pytest.fixture
def saved(desk: Desk) -> int:
    with desk.store.action("add"):
        facts = PaperFacts(title="A new one", identifiers=(Identifier("arxiv", "2601.00001"),))
        return add_paper(desk.store, facts, source="test", decision="saved")


def test_due_is_what_was_saved_long_ago_and_what_waits_for_its_next_pass(
    desk: Desk, saved: int
) -> None:
    assert saved not in due(desk.store)
    later(desk, 31)
    assert saved in due(desk.store)
    mark_pass(desk.store, [saved], 1, at=ago(desk, 14))
    assert saved not in due(desk.store)
    later(desk, 1)
    assert saved in due(desk.store)
    mark_pass(desk.store, [saved], 2)
    later(desk, 28)
    assert saved not in due(desk.store)
    later(desk, 1)
    assert saved in due(desk.store)
    mark_pass(desk.store, [saved], 3)
    later(desk, 400)
    assert saved not in due(desk.store)


def test_a_paper_is_due_by_the_day_it_was_saved_not_by_the_day_it_came(desk: Desk) -> None:
    with desk.store.action("add"):
        facts = PaperFacts(title="A new one", identifiers=(Identifier("arxiv", "2601.00001"),))
        paper = add_paper(desk.store, facts, source="test", decision="inbox")
    later(desk, 300)
    assert paper not in due(desk.store)
    set_decision(desk.store, [paper], "saved")
    assert paper not in due(desk.store)
    later(desk, 31)
    assert paper in due(desk.store)
    set_decision(desk.store, [paper], "discarded")
    assert paper not in due(desk.store)


def test_passes_without_a_day_are_not_due(desk: Desk) -> None:
    """As a README marks them: the whole list would be."""
    later(desk, 400)
    read = find_ids(desk.store, parse_query("pass:1 OR pass:2"))
    assert read
    assert not {*read} & {*due(desk.store)}


def test_snoozing_is_an_act_that_undo_takes_back(desk: Desk, saved: int) -> None:
    today = later(desk, 31)
    snooze_papers(desk.store, [saved], today + timedelta(days=9))
    snooze_papers(desk.store, [saved], None)
    assert saved in due(desk.store)
    undo(desk.store, desk.library)
    assert saved not in due(desk.store)
    undo(desk.store, desk.library)
    assert saved in due(desk.store)


def test_a_paper_of_the_inbox_is_saved_by_snoozing_and_one_that_is_discarded_is_not_snoozed(
    desk: Desk,
) -> None:
    paper, today = desk.id(CHUNKED), desk.store.now().date()
    set_decision(desk.store, [paper], "inbox")
    snooze_papers(desk.store, [paper], today + timedelta(days=9))
    assert (desk.paper(CHUNKED).decision, bool(desk.paper(CHUNKED).snoozed_until)) == (
        "saved",
        True,
    )
    set_decision(desk.store, [paper], "discarded")
    assert desk.paper(CHUNKED).snoozed_until is None
    snooze_papers(desk.store, [paper], None)
    assert desk.paper(CHUNKED).decision == "discarded"


def test_next_offers_nothing_that_is_snoozed(desk: Desk) -> None:
    waiting = find_ids(desk.store, parse_query("is:saved pass:0 NOT is:queued"))
    before = read_queue(desk.store, limit=5).waiting
    assert len(waiting) == before > 0
    snooze_papers(desk.store, waiting, desk.store.now().date() + timedelta(days=9))
    assert read_queue(desk.store, limit=5).waiting == 0
    found = next_paper(desk.store, limit=5)
    assert found is None or found.paper.id not in waiting


def test_two_papers_that_become_one_are_snoozed_as_the_one_that_counts(desk: Desk) -> None:
    kept, other, today = desk.id(CHUNKED), desk.id(DRAFT), desk.store.now().date()
    set_decision(desk.store, [kept], "inbox")
    until = today + timedelta(days=9)
    snooze_papers(desk.store, [other], until)
    with desk.store.action("merge"):
        merge_papers(desk.store, kept, other)
    assert desk.paper(CHUNKED).snoozed_until == until.isoformat()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("10d", date(2026, 9, 10)),
        (" 2W ", date(2026, 9, 14)),
        ("1m", date(2026, 9, 30)),
        ("6m", date(2027, 2, 28)),
        ("1y", date(2027, 8, 31)),
        ("2026-12-01", date(2026, 12, 1)),
    ],
)
def test_a_day_is_said_by_itself_or_from_today(text: str, day: date) -> None:
    assert parse_snooze(text, TODAY) == day


@pytest.mark.parametrize("text", ["soon", "", "2026-08-31", "2020-01-01", "0d", "99999y", "12"])
def test_what_says_no_day_to_come_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a day|is not in the future"):
        parse_snooze(text, TODAY)
