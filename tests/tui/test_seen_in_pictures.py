"""What was seen to be wrong in pictures of the screens."""

from __future__ import annotations

from collections.abc import Callable

from papertrack.store.store import Store

from .conftest import Open

Fill = Callable[..., list[int]]


async def test_where_it_is_narrow_nothing_that_counts_is_cut(open_tui: Open, fill: Fill) -> None:
    fill(1)
    async with open_tui(size=(40, 12)) as tui:
        assert tui.text().splitlines()[0] == " Inbox 1  1st  2nd  3rd  Done  All"
        # The order that holds is in sight where orders are chosen.
        await tui.press("S")
        await tui.pilot.pause()
        assert "by rank" in tui.text()
        await tui.press("end")
        assert "by id" in tui.text()
        await tui.press("escape", "U")
        words = tui.text().replace("▌", " ").split()
        assert set("There is nothing to redo: any new change ends redo, even".split()) <= set(words)


async def test_the_head_of_single_lines_names_columns_and_nothing_else(
    open_tui: Open, fill: Fill
) -> None:
    fill(2)
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("l")
        assert tui.text().splitlines()[1].split() == ["Id", "Title"]


async def test_a_related_paper_that_shares_no_word_of_its_title_has_no_brackets(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    fill(2, abstract="Entirely about caches of keys and values in memory.")
    async with open_tui() as tui:
        await tui.press("N")
        assert "A roofline model" in tui.text()
        assert "()" not in tui.text()


async def test_fields_to_edit_stand_in_columns(open_tui: Open, fill: Fill) -> None:
    fill(1)
    async with open_tui() as tui:
        await tui.press("E")
        lines = tui.text().splitlines()
        starts = {
            line.index(value) - line.index(name)
            for name, value in (("title", "Ring"), ("authors", "Mei"), ("arxiv", "2601"))
            for line in lines
            if f" {name}  " in line
        }
        assert len(starts) == 1


async def test_the_palette_begins_with_verbs_and_names_the_key_that_help_names(
    open_tui: Open, fill: Fill
) -> None:
    fill(1)
    async with open_tui() as tui:
        await tui.press("ctrl+p")
        assert "save: Save for the next pass" in tui.text()
        await tui.type("undo: undo the last")
        assert "[u]" in tui.text()
        await tui.press("escape", "ctrl+p")
        await tui.type("theme")
        assert "theme: Change the current theme" in tui.text()


async def test_a_window_with_long_texts_takes_the_room_of_a_wide_screen(
    open_tui: Open, fill: Fill
) -> None:
    fill(1, title="On the exchange of keys and values behind computation " * 2)
    for width, window in ((112, 96), (80, 64)):
        async with open_tui(size=(width, 30)) as tui:
            for keys in (["E"], ["enter"]):
                await tui.press(*keys)
                assert tui.app.screen.query_one("#window").outer_size.width == window
            await tui.press("escape", "r")
            assert tui.app.screen.query_one("#window").outer_size.width == 64
