"""What the screen does without, so that keys and starts cost little."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.records import Reading
from papertrack.store import states
from papertrack.store.store import Store
from papertrack.tui.screens import library as library_screen
from papertrack.tui.screens import list_screen
from papertrack.tui.session import Session
from papertrack.tui.views import VIEWS
from papertrack.tui.widgets import KeyLine

from .conftest import START, Open

Fill = Callable[..., list[int]]


async def test_keys_are_named_whole_or_not_at_all_and_help_always(
    open_tui: Open, fill: Fill
) -> None:
    fill(1)
    async with open_tui(size=(40, 12)) as tui:
        assert tui.text().splitlines()[-1] == "s Save d Discard 1 1st pass 2 2nd ? Help"
        await tui.resize(12, 12)
        assert tui.text().splitlines()[-1] == "? Help"


async def test_a_click_on_a_key_presses_it(open_tui: Open, fill: Fill) -> None:
    ids = fill(2)
    async with open_tui() as tui:
        await tui.pilot.click(KeyLine, offset=(10, 0))
        await tui.settle()
        assert tui.state(ids[0]) == ("discarded", 0)
        await tui.pilot.click(KeyLine, offset=(2, 0))
        await tui.settle()
        assert tui.state(ids[1]) == ("saved", 0)


async def test_the_views_beside_are_read_ahead_where_they_are_big(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_screen, "_BIG", 2)
    monkeypatch.setattr(library_screen, "READ_AHEAD_SECONDS", 0.001)
    fill(3)
    fill(2, decision="saved", start=3)
    fill(1, decision="discarded", start=5)
    async with open_tui() as tui:
        big = tui.screen._big
        # The inbox itself was read; Second, which is two keys away, was not, nor what is small.
        await tui.until(lambda: len(big) == 3)
        assert {one.view.name for one in big} == {"inbox", "first", "all"}
        assert VIEWS[2].name == "second"


async def test_the_next_view_but_one_is_read_as_soon_as_the_reader_moves(
    open_tui: Open, fill: Fill, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_screen, "_BIG", 2)
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
        await tui.until(lambda: {"first", "second"} <= {one.view.name for one in tui.screen._big})


@pytest.mark.parametrize(
    ("text", "environ", "has"),
    [
        ("# reading.in_hand = 5\n", {}, False),
        ("", {"PAPERTRACK_LIBRARY": "/x", "PAPERTRACK_NOW": "2026-01-01"}, False),
        ('[arxiv]\ncontact = "me@example.org"\n', {}, True),
        ("no settings [", {}, True),
        ("", {"PAPERTRACK_READING_IN_HAND": "3"}, True),
    ],
)
def test_settings_that_nobody_made_are_not_read(
    library: Library, tmp_path: Path, text: str, environ: dict[str, str], has: bool
) -> None:
    library.settings_path.write_text(text, encoding="utf-8")
    session = Session(library, lambda: START, {"XDG_CONFIG_HOME": str(tmp_path), **environ})
    try:
        assert session.has_settings is has
        assert session.known_in_hand() == (None if has else 5)
        assert session.given_settings is None
    finally:
        session.close()
