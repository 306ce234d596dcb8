"""No single key loses what was typed or recorded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.widgets import Input

from papertrack.actions import programs
from papertrack.library import Library
from papertrack.library.surroundings import lock_holder
from papertrack.records import Reading
from papertrack.store import states
from papertrack.store import store as stores
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.tui.dialogs import AskDialog, PassDialog

from .conftest import Open

Fill = Callable[..., list[int]]

HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
held.execute("ROLLBACK")
"""


@pytest.fixture
def read_paper(fill: Fill, store: Store) -> int:
    """A paper whose first pass says how long it took and what stayed."""
    (paper_id,) = fill(1, decision="saved")
    with store.action("read"):
        reading = Reading(1, "2026-01-05T08:00:00+00:00", 40, 1, "Overlap is it.")
        states.record_pass(store, paper_id, reading)
    return paper_id


async def test_undo_asks_before_it_goes_further_back_than_this_sitting(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("d")
    async with open_tui() as tui:
        await tui.press("s", "u")
        assert not isinstance(tui.app.screen, AskDialog)
        await tui.press("u")
        assert "before it" in tui.question()
        await tui.press("n")
        assert tui.state(ids[0]) == ("discarded", 0)
        await tui.press("u", "y")
        assert tui.state(ids[0]) == ("inbox", 0)
        await tui.press("u", "enter")
        assert [tui.state(paper_id) for paper_id in ids] == [("inbox", 0)] * len(ids)


async def test_a_pass_that_says_more_is_taken_back_only_after_a_question(
    open_tui: Open, read_paper: int
) -> None:
    async with open_tui(query="is:saved") as tui:
        await tui.press("1")
        assert "40 minutes, “Overlap is it.”" in tui.question()
        await tui.press("n")
        assert get_paper(tui.store, read_paper).readings[0].takeaway == "Overlap is it."
        await tui.press("1", "y")
        assert get_paper(tui.store, read_paper).readings == ()
        await tui.press("u")
        assert get_paper(tui.store, read_paper).readings[0].minutes == 40


async def test_a_pass_and_its_takeaway_typed_ahead_are_not_taken_back_by_the_same_key(
    open_tui: Open, fill: Fill
) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        for key in ("1", "t", *"fast", "enter", "enter", "1"):
            tui.type_ahead(key)
        await tui.settle()
        assert [r.takeaway for r in get_paper(tui.store, paper_id).readings] == ["fast"]
        assert isinstance(tui.app.screen, AskDialog)


async def test_escape_keeps_a_takeaway_as_a_draft(open_tui: Open, fill: Fill) -> None:
    first, _ = fill(2)
    async with open_tui() as tui:
        await tui.press("1", "t", *"half", "escape")
        assert not isinstance(tui.app.screen, PassDialog)
        assert get_paper(tui.store, first).readings[0].takeaway is None
        assert tui.app.session.unsaved_texts() == ["A takeaway that was not saved: half"]
        await tui.press("j", "k", "1")
        assert "half" in tui.text()
        await tui.press("t", *"way", "enter", "enter")
        (reading,) = get_paper(tui.store, first).readings
        assert reading.takeaway == "halfway"
        assert tui.app.session.unsaved_texts() == []
        await tui.press("u")
        assert get_paper(tui.store, first).readings[0].takeaway is None


async def test_a_takeaway_that_is_being_typed_is_told_when_the_program_is_ended(
    open_tui: Open, fill: Fill
) -> None:
    fill(1)
    async with open_tui() as tui:
        await tui.press("1", "t", *"half")
        assert tui.app.session.unsaved_texts() == ["A takeaway that was not saved: half"]
        await tui.press(*"way", "enter", "enter")
        assert tui.app.session.unsaved_texts() == []
        await tui.press("u", "1", "escape")
        assert tui.app.session.unsaved_texts() == []


async def test_escape_keeps_the_minutes_of_a_pass_too(open_tui: Open, fill: Fill) -> None:
    (first,) = fill(1)
    async with open_tui() as tui:
        await tui.press("1", "m", *"45", "escape")
        assert get_paper(tui.store, first).readings[0].minutes is None
        await tui.press("1")
        assert isinstance(tui.app.screen, PassDialog)
        assert "45" in tui.text()
        await tui.press("enter")
        assert get_paper(tui.store, first).readings[0].minutes == 45


async def test_a_digit_is_a_rating_and_what_is_there_is_shown(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        await tui.press("r", "4")
        assert get_paper(tui.store, paper_id).rating == 4
        assert "★★★★·" in tui.text()
        await tui.press("r")
        assert "Rating, now ★★★★" in tui.text()
        await tui.press("enter")
        assert get_paper(tui.store, paper_id).rating == 4
        await tui.press("r", "0")
        assert get_paper(tui.store, paper_id).rating is None


async def test_a_locked_library_keeps_the_keys_in_their_order_and_says_whose_lock_it_is(
    open_tui: Open, fill: Fill, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "BUSY_TIMEOUT_SECONDS", 0.3)
    ids = fill()
    async with open_tui() as tui:
        command = [sys.executable, "-c", HOLDER, str(library.database)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdout.readline()
            for key in ("s", "d", "s"):
                tui.type_ahead(key)
            if Path("/proc/locks").exists():
                await tui.until(lambda: tui.app.session.process_with_lock() is not None)
                tui.app.poll()
                assert f"process {other.pid}" in tui.text()
            other.stdin.write("\n")
            other.stdin.flush()
            other.wait()
        await tui.settle()
        assert [tui.state(i)[0] for i in ids[:4]] == ["saved", "discarded", "saved", "inbox"]
        assert tui.toasts() == []


def test_a_lock_is_somebody_elses_only_on_the_same_file(tmp_path: Path) -> None:
    database = tmp_path / "papertrack.db"
    database.touch()
    number = database.stat().st_ino
    other = f"2: POSIX  ADVISORY  WRITE 999999999 08:01:{number + 1} 10 20"
    assert lock_holder(database, other) is None
    held = f"1: POSIX  ADVISORY  WRITE 999999999 08:01:{number} 1073741825 1073741825"
    assert lock_holder(database, f"{other}\n{held}") == "another program (process 999999999)"
    assert lock_holder(database, "") is None


async def test_a_note_stays_linked_to_its_paper_after_undo(
    open_tui: Open, fill: Fill, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (paper_id,) = fill(1)
    monkeypatch.setattr(
        programs, "run_editor", lambda path, environ, is_terminal: path.write_text("Mine.\n")
    )
    async with open_tui() as tui:
        tui.app.suspend = nullcontext
        await tui.press("e", "u")
        assert isinstance(tui.app.screen, AskDialog)
        await tui.press("n")
        (name,) = get_paper(tui.store, paper_id).notes
        assert (library.root / name).read_text() == "Mine.\n"


REFUSED = {
    "E": (["down"] * 3 + ["enter"], "20x5"),
    "A": ([], "nonsense"),
    "M": ([], "nobody2020"),
    "F": ([], "'"),
    ":": ([], "nobody2020"),
    "T": (["enter"], 'decoding: title:("broken'),
    "Z": (["end", "up", "enter"], "2020-01-01"),
}
"""Keys that ask for a line: those that lead to it, and what is none."""


async def test_what_is_refused_can_be_mended_where_it_was_typed(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        for key, (way, typed) in REFUSED.items():
            await tui.press(key, *way)
            await tui.type(typed)
            await tui.press("enter")
            assert tui.app.screen.query_one(Input).value == typed, key
            assert tui.fault()
            assert tui.cursor_id == ids[0]
            assert tui.toasts() == []
            while tui.app.screen is not tui.screen:
                await tui.press("escape")


async def test_what_was_typed_and_left_comes_back_with_an_arrow_key(
    open_tui: Open, fill: Fill
) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press("x")
        await tui.type("a long reason")
        await tui.press("escape", "j", "x")
        assert tui.app.screen.query_one(Input).value == ""
        assert "what you typed before" in tui.text()
        await tui.press("up")
        assert tui.app.screen.query_one(Input).value == "a long reason"


async def test_a_reason_is_shown_and_stays_until_it_is_taken_out(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    with store.action("discard"):
        states.decide(store, ids[0], "discarded", "not mine")
    async with open_tui(query="is:discarded") as tui:
        await tui.press("d")
        assert get_paper(store, ids[0]).decision_reason == "not mine"
        await tui.press("x")
        assert tui.app.screen.query_one(Input).value == "not mine"
        await tui.press("enter")
        assert get_paper(store, ids[0]).decision_reason == "not mine"
        await tui.press("x", "ctrl+u", "enter")
        assert get_paper(store, ids[0]).decision_reason is None


async def test_papers_that_were_discarded_for_several_reasons_keep_them(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill(2)
    with store.action("discard"):
        for paper_id, why in zip(ids, ("weak", "known"), strict=True):
            states.decide(store, paper_id, "discarded", why)
    async with open_tui(query="is:discarded") as tui:
        await tui.press("V", "x", "enter")
        assert [get_paper(store, one).decision_reason for one in ids] == ["weak", "known"]


async def test_a_field_can_be_emptied(open_tui: Open, fill: Fill, store: Store) -> None:
    ids = fill(1, venue="MLSys")
    async with open_tui() as tui:
        await tui.press("E", "down", "down", "enter", "ctrl+u", "enter")
        assert get_paper(store, ids[0]).facts.venue is None
