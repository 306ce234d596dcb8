"""Tags, categories, removal and merging, each in one action."""

import pytest

from papertrack.actions.organise import merge_two_papers, move_papers
from papertrack.actions.reading import (
    read_queue,
    set_decision,
    take_papers_in_hand,
    unmark_pass,
)
from papertrack.errors import NotFoundError, UsageError
from papertrack.records import Reading
from papertrack.store.states import record_pass, set_passes
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, Desk


def test_a_move_leaves_every_other_category(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(PAGED)], ("Memory",), is_added=True)
    done = move_papers(desk.store, [desk.id(PAGED)], ("LLM", "KV Cache"))
    (moved,) = done.papers
    assert moved.categories_before == ["Memory", "Serving"]
    assert moved.categories == ["LLM/KV Cache"]
    assert done.is_new_category


def test_a_move_from_one_category_keeps_the_others(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(PAGED)], ("Memory",), is_added=True)
    move_papers(desk.store, [desk.id(PAGED)], ("Cache",), source=("Memory",))
    assert desk.paper(PAGED).categories == (("Cache",), ("Serving",))
    with pytest.raises(NotFoundError, match="not in the category Memory"):
        move_papers(desk.store, [desk.id(PAGED)], ("Cache",), source=("Memory",))
    with pytest.raises(UsageError):
        move_papers(desk.store, [desk.id(PAGED)], ("A",), source=("B",), is_added=True)


BARE = Reading(1)
DATED = Reading(1, "2026-01-01", takeaway="Pages.")


@pytest.mark.parametrize(
    ("kept", "merged", "told"),
    [
        ([BARE], [BARE], [BARE]),
        ([DATED], [DATED], [DATED]),
        ([BARE], [DATED], [DATED]),
        ([DATED], [BARE], [DATED]),
        ([DATED], [Reading(1, "2026-01-02")], [DATED, Reading(1, "2026-01-02")]),
        ([BARE], [Reading(2)], [BARE, Reading(2)]),
    ],
)
def test_a_merged_paper_tells_of_no_pass_twice(
    desk: Desk, kept: list[Reading], merged: list[Reading], told: list[Reading]
) -> None:
    for paper, readings in ((PAGED, kept), (ORCA, merged)):
        with desk.store.action("pass"):
            set_passes(desk.store, desk.id(paper), 0)
            for one in readings:
                record_pass(desk.store, desk.id(paper), one)
    before = desk.papers()
    merge_two_papers(desk.store, desk.id(PAGED), desk.id(ORCA))
    assert sorted(desk.paper(PAGED).readings, key=str) == sorted(told, key=str)
    desk.store.undo()
    assert desk.papers() == before


def test_readings_that_say_the_same_are_one_to_tell_and_to_take_back(desk: Desk) -> None:
    paper = desk.id(PAGED)
    with desk.store.action("pass"):
        set_passes(desk.store, paper, 0)
    for reading in (BARE, BARE, DATED):  # As after merges on two devices.
        with desk.store.action("pass"):
            record_pass(desk.store, paper, reading)
    assert list(desk.paper(PAGED).readings) == [BARE, DATED]
    unmark_pass(desk.store, [paper], 1)
    assert list(desk.paper(PAGED).readings) == [BARE]
    unmark_pass(desk.store, [paper], 1)
    assert desk.paper(PAGED).readings == ()


def test_a_merged_paper_is_decided_and_in_hand_as_the_stronger_of_the_two_was(desk: Desk) -> None:
    kept, merged = desk.id(CHUNKED), desk.id(DRAFT)
    set_decision(desk.store, [kept], "discarded", reason="read the other version")
    take_papers_in_hand(desk.store, [merged], limit=5)
    merge_two_papers(desk.store, kept, merged)
    paper = desk.paper(CHUNKED)
    assert (paper.decision, paper.decision_reason) == ("saved", None)
    assert [row.id for row in read_queue(desk.store, limit=5).in_hand] == [kept]
    desk.store.undo()
    assert desk.paper(CHUNKED).decision_reason == "read the other version"
    assert [row.id for row in read_queue(desk.store, limit=5).in_hand] == [merged]


def test_a_merged_paper_was_added_when_the_first_of_the_two_was(desk: Desk) -> None:
    kept, merged = desk.id(CHUNKED), desk.id(DRAFT)
    with desk.store.action("add"):
        desk.store.execute("UPDATE papers SET added = '2020-01-02' WHERE id = ?", (merged,))
    before = desk.paper(CHUNKED).added
    merge_two_papers(desk.store, kept, merged)
    assert desk.paper(CHUNKED).added == "2020-01-02"
    desk.store.undo()
    assert desk.paper(CHUNKED).added == before != "2020-01-02"


def test_a_merged_paper_keeps_the_topics_that_found_either(desk: Desk) -> None:
    with desk.store.action("topic"):
        (topic,) = desk.store.connection.execute(
            "INSERT INTO topics (name, query, added) VALUES ('moe', 'moe', '2026') RETURNING id"
        ).fetchone()
        desk.store.connection.execute(
            "INSERT INTO paper_topics VALUES (?, ?, 'title', 1.0, '2026')", (desk.id(DRAFT), topic)
        )
    merge_two_papers(desk.store, desk.id(CHUNKED), desk.id(DRAFT))
    assert desk.paper(CHUNKED).topics == ("moe",)
