"""The pages of text: help, log, why, statistics, and a note as it was written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papertrack.library import Library
from papertrack.store.store import Store
from papertrack.tui.screens.pages import Page

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]


def top(tui: Sitting) -> int:
    page = tui.app.screen
    assert isinstance(page, Page)
    return page._pane.scroll_offset.y


@pytest.mark.parametrize("key", ["question_mark", "w"])
async def test_the_keys_that_read_a_paper_read_a_page(open_tui: Open, fill: Fill, key: str) -> None:
    fill(1)
    async with open_tui(size=(80, 12)) as tui:
        await tui.press("1", "escape", key)
        seen = [top(tui)]
        for pressed in ("j", "space", "backspace", "k", "ctrl+d", "ctrl+u", "G", "g"):
            await tui.press(pressed)
            seen.append(top(tui))
        page = tui.app.screen
        assert isinstance(page, Page)
        height = page._pane.size.height
        end = page._pane.max_scroll_y
        assert seen == [0, 1, height, 1, 0, height // 2, 0, end, 0]


async def test_a_search_in_help_that_finds_no_key_says_so(open_tui: Open, fill: Fill) -> None:
    fill(1)
    async with open_tui() as tui:
        await tui.press("question_mark", "slash", *"zebra", "enter")
        assert "No key matches zebra" in tui.text()
        await tui.press("slash", "enter")
        assert "Save for the next pass" in tui.text()


@pytest.mark.parametrize("way", [["L"], ["enter"]])
async def test_what_was_taken_back_is_told_as_taken_back(
    open_tui: Open, fill: Fill, store: Store, way: list[str]
) -> None:
    ids = fill(1)
    with store.action("rate", "by another program"):
        store.connection.execute("UPDATE paper_states SET rating = 3 WHERE paper_id = ?", ids)
    async with open_tui(size=(160, 50)) as tui:
        await tui.press("1", "enter", "u", *way)
        assert "(undone)" in tui.text()
        assert "rate: by another program" in tui.text()
        await tui.press("q", "s", "L")
        lines = tui.text().splitlines()
        assert [
            line.endswith("(undone)") for line in lines if "pass 1" in line and "Undone" not in line
        ] == [True]
        assert not any(line.endswith("(undone)") for line in lines if "save" in line)


async def test_a_note_keeps_its_indented_lists_and_code(
    open_tui: Open, fill: Fill, store: Store, library: Library
) -> None:
    ids = fill(1)
    (library.root / "notes").mkdir(exist_ok=True)
    text = "# Note\n\n- outer\n  - inner\n\n```\nif x:\n    y = 1\n```\n"
    (library.root / "notes" / "a.md").write_text(text)
    with store.action("note"):
        store.insert("notes (paper_id, path)", (ids[0], "notes/a.md"))
    async with open_tui(size=(112, 60)) as tui:
        await tui.press("enter")
        lines = tui.text().splitlines()
        column = {
            word: next(line.index(word) for line in lines if word in line)
            for word in ("outer", "inner", "if x", "y = 1")
        }
        assert column["inner"] > column["outer"]
        assert column["y = 1"] == column["if x"] + 4
