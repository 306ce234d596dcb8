"""What the screens look like, as plain text compared with files beside this one.

``UPDATE_SCREENS=1 pytest tests/tui/test_screens.py`` writes the files anew; look at the change.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.records import Link, Reading
from papertrack.store import states
from papertrack.store.categories import put_in_category
from papertrack.store.store import Store

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]

SCREENS = Path(__file__).parent / "screens"
# name, size, query, keys
CASES = [
    ("wide", (112, 24), "", ["j", "s", "d"]),
    ("narrow", (80, 24), "", ["j", "s", "d", "v"]),
    ("tiny", (40, 12), "", ["j", "s"]),
    ("paper", (112, 40), "2601.03993", ["enter"]),
]
# name, size, keys, keys that lead back
LOOKS = [
    ("statistics", (80, 40), ["w"], ["q"]),
    ("help", (80, 52), ["question_mark"], ["q"]),
    ("help-narrow", (40, 20), ["question_mark"], ["q"]),
    ("no-match", (80, 16), ["slash", *"zzz", "enter"], ["escape", "g"]),
    ("labels-dialog", (80, 24), ["t", "down"], ["escape"]),
    ("pass-dialog", (80, 24), ["1"], []),
]


@pytest.fixture
def a_library(fill: Fill, store: Store) -> list[int]:
    ids = fill(6)
    read = fill(2, decision="saved", start=6, links=(Link("code", "https://github.com/a/b"),))
    with store.action("read"):
        for paper_id, number, day in [(read[0], 1, "05"), (read[1], 1, "07"), (read[1], 2, "08")]:
            reading = Reading(number, f"2026-01-{day}T08:14:00+00:00", 30, 1, "Overlap is it.")
            states.record_pass(store, paper_id, reading)
        put_in_category(store, [read[1]], ("LLM", "Serving"))
        states.add_tags(store, [read[1]], ["moe"])
        states.take_in_hand(store, read[0])
    return ids


@pytest.mark.parametrize(("name", "size", "query", "keys"), CASES, ids=[case[0] for case in CASES])
async def test_a_screen_looks_as_it_did(
    open_tui: Open,
    a_library: list[int],
    name: str,
    size: tuple[int, int],
    query: str,
    keys: list[str],
) -> None:
    async with open_tui(size=size, query=query) as tui:
        await tui.press(*keys)
        await compare(name, tui)


async def test_a_screen_looks_as_it_did_after_others(open_tui: Open, a_library: list[int]) -> None:
    async with open_tui(size=(80, 24)) as tui:
        for name, size, keys, back in LOOKS:
            await tui.resize(*size)
            await tui.press(*keys)
            await compare(name, tui)
            await tui.press(*back)


async def test_an_empty_library_says_how_to_fill_it(open_tui: Open) -> None:
    async with open_tui(size=(80, 16)) as tui:
        await compare("empty-library", tui)


async def test_an_empty_inbox_says_where_to_go_on(open_tui: Open, fill: Fill) -> None:
    fill(2, decision="saved")
    async with open_tui(size=(80, 16)) as tui:
        await tui.press("[")
        await compare("empty-inbox", tui)


async def test_a_terminal_without_unicode_gets_ascii_in_the_same_columns(
    open_tui: Open, a_library: list[int]
) -> None:
    async with open_tui(size=(80, 24), is_ascii=True) as tui:
        await tui.press("s", "1")
        text = tui.text()
        assert text.isascii()
        await compare("ascii", tui)


async def test_resizing_keeps_cursor_and_columns(open_tui: Open, a_library: list[int]) -> None:
    async with open_tui(size=(112, 30)) as tui:
        await tui.press("j", "j")
        for size in [(40, 12), (20, 6), (200, 60), (80, 24)]:
            await tui.resize(*size)
            assert tui.cursor_id == a_library[2]
            assert all(len(line) <= size[0] for line in tui.text().splitlines())


async def test_a_test_waits_for_a_change_of_size_however_late_it_comes(
    open_tui: Open, a_library: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_tui(size=(112, 30)) as tui:
        soon = tui.app.set_timer
        monkeypatch.setattr(
            tui.app, "set_timer", lambda delay, *rest, **more: soon(delay + 0.3, *rest, **more)
        )
        await tui.resize(40, 12)
        assert len(tui.text().splitlines()) == 12


async def test_every_theme_can_show_it(open_tui: Open, a_library: list[int]) -> None:
    async with open_tui() as tui:
        for theme in ("textual-light", "textual-dark", "ansi-light"):
            tui.app.theme = theme
            await tui.press("j")
            assert "A roofline model" in tui.text()


async def test_without_colour_the_glyphs_still_tell(
    open_tui: Open, a_library: list[int], monkeypatch: pytest.MonkeyPatch, library: Library
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_tui() as tui:
        await tui.press("s", "d", "j")
        strips = tui.app.screen._compositor.render_strips()
        colours = {s.style.color for strip in strips for s in strip if s.style and s.style.color}
        assert all(c.triplet is None or len(set(c.triplet)) == 1 for c in colours)
        assert "★" in tui.text()
        assert "✗" in tui.text()


async def compare(name: str, tui: Sitting) -> None:
    """The screen, once it has come to rest, is as in the file."""
    path = SCREENS / f"{name}.txt"
    if os.environ.get("UPDATE_SCREENS"):
        SCREENS.mkdir(exist_ok=True)
        path.write_text(tui.text() + "\n", encoding="utf-8")
    expected = path.read_text(encoding="utf-8")
    await tui.settle()
    assert tui.text() + "\n" == expected
