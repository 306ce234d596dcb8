"""Another process writes to the same library while the screen is open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest

from papertrack.library import Library
from papertrack.store import states
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from papertrack.store.watch.ranks import Rank, keep_ranks
from papertrack.tui.screens import library as library_screen
from papertrack.tui.screens.statistics import StatisticsScreen

from .conftest import Open, facts_of

Fill = Callable[..., list[int]]
_PATIENCE_SECONDS = 300

WRITER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from papertrack.store import states
from papertrack.store.store import Store
with Store.open(Path(sys.argv[1]), now=lambda: datetime.now(UTC)) as store:
    print("ready", flush=True)
    number = 0
    while not Path(sys.argv[2]).exists():
        with store.action("tag"):
            states.add_tags(store, [int(sys.argv[3])], [f"n{number}"])
        number += 1
        time.sleep(0.02)
    print(number)
"""


@pytest.mark.parametrize(
    ("keys", "is_gone", "left"),
    [
        pytest.param(("u",), True, [("saved", 0), ("inbox", 0)], id="it, once the reason is gone"),
        pytest.param(("u", "u"), False, [("inbox", 0), ("inbox", 2)], id="then what was before"),
    ],
)
async def test_after_a_refusal_undo_takes_back(
    open_tui: Open,
    fill: Fill,
    store: Store,
    keys: Sequence[str],
    is_gone: bool,
    left: list[tuple[str, int]],
) -> None:
    first, second = fill(2)
    async with open_tui() as tui:
        await tui.press("s", "1")
        with store.action("pass"):
            states.set_passes(store, second, 2)
        await tui.press("u")
        assert "Undo that one first" in tui.toasts()[-1]
        if is_gone:
            store.undo()
        await tui.press(*keys)
        assert [tui.state(one) for one in (first, second)] == left


async def test_no_key_is_lost_while_another_process_writes(
    open_tui: Open, fill: Fill, library: Library, store: Store
) -> None:
    ids = fill(100)
    stop = library.root / "stop"
    command = [sys.executable, "-c", WRITER, str(library.database), str(stop), str(ids[-1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            async with open_tui() as tui, asyncio.timeout(_PATIENCE_SECONDS):
                while not tui.screen.papers.ids:  # The library was busy when it was opened.
                    await asyncio.sleep(0.01)
                keys = ["s", "d"] * 40 + ["j", "k"] * 40 + ["g", "G"] * 20
                for key in (*keys, "w"):
                    tui.type_ahead(key)
                # Keys are taken in their order: after the last one's screen, all are done.
                while not isinstance(tui.app.screen, StatisticsScreen):
                    await asyncio.sleep(0.01)
                await tui.press("q", "u")
                decisions = [tui.state(i)[0] for i in ids[:79]]
                assert decisions == (["saved", "discarded"] * 40)[:79]
                assert (tui.cursor_id, tui.state(ids[79])) == (ids[79], ("inbox", 0))
                await tui.press("d")
                (undone,) = tui.toasts()
                assert undone.startswith("Undone: ")
        finally:
            stop.touch()
        number = int(other.stdout.readline())
    papers = [get_paper(store, i) for i in ids[:80]]
    assert [p.decision for p in papers] == ["saved", "discarded"] * 40
    assert len(get_paper(store, ids[-1]).tags) == number > 0


async def test_what_others_add_shows_up_and_the_cursor_stays(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("d", "j")
        with store.action("watch"):
            new = add_paper(
                store,
                facts_of(30, announced="2026-02-01T08:00:00+00:00"),
                source="t",
                decision="inbox",
            )
        tui.app.poll()
        await tui.settle()
        assert tui.screen.papers.ids == [ids[0], new, *ids[1:]]
        assert tui.cursor_id == ids[2]
        assert "Inbox 6" in tui.text()


async def test_what_is_ranked_anew_moves_under_nobodys_hand(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("s", "s")
        with store.action("watch"):
            keep_ranks(store, [Rank(paper_id, float(paper_id), (), ()) for paper_id in ids])
        tui.app.poll()
        await tui.settle()
        assert tui.screen.papers.ids == ids
        await tui.press(*"s" * (len(ids) - 2))
        assert {tui.state(paper_id)[0] for paper_id in ids} == {"saved"}
        await tui.press("u", "u")
        tui.screen.action_refresh()
        await tui.settle()
        assert tui.screen.papers.ids == [ids[5], ids[4]]


async def test_a_paper_removed_by_others_leaves_the_list(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("j")
        with store.action("rm"):
            store.connection.execute("DELETE FROM papers WHERE id = ?", (ids[0],))
        tui.app.poll()
        await tui.settle()
        assert tui.screen.papers.ids == ids[1:]
        assert tui.cursor_id == ids[1]


async def test_a_locked_library_is_waited_for_without_blocking(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    async with open_tui() as tui:
        store.connection.execute("BEGIN EXCLUSIVE")
        await tui.pilot.press("s", "s", "j", "]")
        store.connection.execute("ROLLBACK")
        await tui.settle()
        assert [tui.state(i)[0] for i in ids[:3]] == ["saved", "saved", "inbox"]
        await tui.press("t", "escape")


async def test_a_library_that_is_locked_at_the_start_opens_on_the_inbox_all_the_same(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = fill()
    first_view, looks = library_screen.first_view, iter([True])

    def look_later(store: Store) -> object:
        return None if next(looks, False) else first_view(store)

    monkeypatch.setattr(library_screen, "first_view", look_later)
    async with open_tui() as tui, asyncio.timeout(_PATIENCE_SECONDS):
        while not tui.screen.papers.ids:
            await asyncio.sleep(0.01)
        await tui.settle()
        assert tui.screen.papers.ids == ids
        assert "Inbox 6" in tui.text()
