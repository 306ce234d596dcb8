"""The three passes: recorded with what is known, taken back one by one."""

import pytest

from papertrack.actions.reading import mark_pass, take_papers_in_hand, unmark_pass
from papertrack.errors import NotFoundError, UsageError
from papertrack.records import Reading
from papertrack.store.papers import edit_paper
from papertrack.store.states import papers_in_hand
from tests.actions.conftest import CHUNKED, Desk


def test_a_pass_keeps_all_that_is_known_of_it(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    with desk.store.action("enrich"):
        edit_paper(desk.store, paper, "version", 3, source="arxiv-api")
    (mark,) = mark_pass(
        desk.store, [paper], 2, at="2026-01-03", minutes=40, takeaway="stalls\nvanish"
    ).papers
    assert (mark.passes_before, mark.passes_done) == (0, 2)
    assert desk.paper(CHUNKED).readings == (Reading(2, "2026-01-03", 40, 3, "stalls vanish"),)


@pytest.mark.parametrize("at", ["2026-01-05", "2026-01-05T23:59"])
def test_all_of_today_has_come(desk: Desk, at: str) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1, at=at)
    (reading,) = desk.paper(CHUNKED).readings
    assert reading.at is not None
    assert reading.at.startswith(at)


def test_taking_a_pass_back_leaves_the_lower_ones(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    mark_pass(desk.store, [paper], 1)
    mark_pass(desk.store, [paper], 3)
    (mark,) = unmark_pass(desk.store, [paper], 3).papers
    assert (mark.passes_before, mark.passes_done) == (3, 1)
    with pytest.raises(NotFoundError, match="No pass 2"):
        unmark_pass(desk.store, [paper], 2)


def test_after_its_last_pass_a_paper_is_no_longer_in_hand(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    take_papers_in_hand(desk.store, [paper], limit=5)
    mark_pass(desk.store, [paper], 2)
    assert papers_in_hand(desk.store) == [paper]
    mark_pass(desk.store, [paper], 3)
    assert papers_in_hand(desk.store) == []


@pytest.mark.parametrize(
    ("pass_number", "options"),
    [
        (4, {}),
        (0, {}),
        (1, {"minutes": 0}),
        (1, {"minutes": -5}),
        (1, {"at": "yesterday"}),
        (1, {"at": "2026-13-01"}),
        (1, {"at": "2026-01-06"}),
        (1, {"at": "2026-01-06T00:01"}),
        (1, {"at": "9999-12-31T23:59-12:00"}),
    ],
)
def test_an_impossible_pass_changes_nothing(
    desk: Desk, pass_number: int, options: dict[str, object]
) -> None:
    with pytest.raises(UsageError):
        mark_pass(desk.store, [desk.id(CHUNKED)], pass_number, **options)  # type: ignore[arg-type]
    assert desk.paper(CHUNKED).readings == ()
