"""What the screen does without, so that keys and starts cost little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import get_args

import pytest

from papertrack.library import Library
from papertrack.queries.parser import parse_query
from papertrack.records import Decision, Reading
from papertrack.store import states
from papertrack.store.listing import find_ids
from papertrack.store.store import Store
from papertrack.tui.screens import library as library_screen
from papertrack.tui.screens import list_screen
from papertrack.tui.session import Session
from papertrack.tui.views import VIEWS, Selection
from papertrack.tui.widgets import KeyLine

from .conftest import START, Open

Fill = Callable[..., list[int]]


async def test_keys_are_named_whole_or_not_at_all_and_help_always(
    open_tui: Open, fill: Fill
) -> None:
    fill(1)
    async with open_tui(size=(40, 12)) as tui:
        assert tui.text().splitlines()[-1] == "s Save  d Discard  x Discard why  ? Help"
        await tui.resize(12, 12)
        assert tui.text().splitlines()[-1] == " ? Help"


async def test_a_click_on_a_key_presses_it(open_tui: Open, fill: Fill) -> None:
    ids = fill(2)
    async with open_tui() as tui:
        await tui.pilot.click(KeyLine, offset=(11, 0))
        await tui.settle()
        assert tui.state(ids[0]) == ("discarded", 0)
        await tui.pilot.click(KeyLine, offset=(2, 0))
        await tui.settle()
        assert tui.state(ids[1]) == ("saved", 0)


async def test_the_next_view_but_one_is_read_as_soon_as_the_reader_moves(
    open_tui: Open, fill: Fill, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_screen, "_BIG_LIST", 2)
    monkeypatch.setattr(list_screen, "_LONG_LIST", 2)
    monkeypatch.setattr(library_screen, "READ_AHEAD_SECONDS", 10_000)
    ids = fill(4, decision="saved")
    with store.action("read"):
        for paper_id in ids[:2]:
            states.record_pass(store, paper_id, Reading(1))
    async with open_tui() as tui:
        await tui.press("[", "[")
        assert tui.screen.selection.view is VIEWS[-1]
        await tui.press("]", "]")
        assert tui.screen.selection.view.name == "first"
        await tui.until(
            lambda: {"first", "second"} <= {one.view.name for one in tui.screen._long_lists}
        )


async def test_a_long_list_is_read_again_only_when_something_has_changed(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_screen, "_LONG_LIST", 2)
    ids = fill(3)
    read: list[str] = []
    find = Selection.find_ids

    def noting(selection: Selection, store: Store) -> list[int]:
        read.append(selection.view.name)
        return find(selection, store)

    monkeypatch.setattr(Selection, "find_ids", noting)
    async with open_tui() as tui:
        await tui.until(lambda: tui.screen._others_version is not None)
        await tui.press("[", "]")
        read.clear()
        await tui.press("[", "]")
        assert tui.screen.papers.ids == ids
        assert read == []
        await tui.press("d", "[", "]")
        assert tui.screen.papers.ids == ids[1:]
        # Nor is it remembered as it was when it was long.
        await tui.press("d", "[", "]")
        assert tui.screen.papers.ids == ids[2:]
        assert "inbox" not in {one.view.name for one in tui.screen._long_lists}


async def test_a_search_that_nobody_waits_for_ends(library: Library, store: Store) -> None:
    def count_for_ever(store: Store) -> int:
        with_no_end = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT count(*) FROM n"""
        return int(str(store.select_value(with_no_end)))

    session = Session(library, lambda: START, {})
    try:
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(session.search(count_for_ever), 0.01)
        found = session.search(lambda store: store.select_value("SELECT 1"))
        assert await asyncio.wait_for(found, 60) == 1
    finally:
        session.close()


def test_a_view_shows_the_papers_of_its_states_which_are_those_that_its_query_finds(
    store: Store, fill: Fill
) -> None:
    first = 0
    for decision in get_args(Decision):
        for passes in range(4):
            for paper_id in fill(2, decision=decision, start=first):
                with store.action("read"):
                    for number in range(passes):
                        states.record_pass(store, paper_id, Reading(number + 1))
            first += 2
    for view in VIEWS:
        of_states = Selection(view, "", view.order).find_ids(store)
        assert of_states == find_ids(store, parse_query(view.query), order=view.order)
        assert set(map(partial(states_of, store), of_states)) == set(view.states)


def states_of(store: Store, paper_id: int) -> tuple[str, int]:
    asked = "SELECT decision, passes_done FROM paper_states WHERE paper_id = ?"
    decision, passes_done = store.execute(asked, (paper_id,)).fetchone()
    return decision, passes_done
