"""Categories and tags, given and taken by ``t``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.store import Store

from .conftest import Open

Fill = Callable[..., list[int]]


@pytest.fixture
def tagged(fill: Fill, store: Store) -> list[int]:
    """Three papers, the first of which has a tag."""
    ids = fill(3)
    with store.action("tag"):
        store.insert("tags (paper_id, tag)", (ids[0], "moe"))
    return ids


async def test_a_tag_of_some_is_given_to_all_or_taken_from_all_or_left(
    open_tui: Open, tagged: list[int]
) -> None:
    async with open_tui() as tui:
        for toggles, sign, having in ((0, "[-]", 1), (3, "[-]", 1), (1, "[x]", 3), (2, "[ ]", 0)):
            await tui.press("escape", "V", "t", "down", *["space"] * toggles)
            assert f"{sign} #moe" in tui.text()
            await tui.press("enter")
            assert sum("moe" in paper.tags for paper in get_papers(tui.store, tagged)) == having
            if having != 1:
                await tui.press("u")


async def test_what_can_be_no_category_is_told_and_stays_to_be_mended(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(1)
    async with open_tui() as tui:
        await tui.press("t", *"LLM//x", "enter")
        assert "is not a category" in tui.text()
        await tui.press("backspace", "backspace", *"x", "enter")
        assert get_papers(tui.store, ids)[0].categories == (("LLM", "x"),)


async def test_a_new_name_that_is_typed_after_toggling_is_taken_too(
    open_tui: Open, tagged: list[int]
) -> None:
    async with open_tui() as tui:
        await tui.press("G", "t", "down", "space", *"#new", "enter")
        assert sorted(get_papers(tui.store, tagged[2:])[0].tags) == ["moe", "new"]
        await tui.press("u")
        assert "Undone: label +#moe +#new: " in tui.text()


async def test_the_label_that_is_typed_whole_comes_before_those_that_hold_it(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(3)
    async with open_tui() as tui:
        await tui.press("t", *"Systems/LLM", "enter", "j", "t", *"LLM", "down", "down", "space")
        await tui.press("enter", "j", "t", *"LLM", "enter")
        assert get_papers(tui.store, ids[2:])[0].categories == (("LLM",),)


async def test_enter_takes_the_row_of_the_cursor_and_making_one_is_a_row(
    open_tui: Open, fill: Fill
) -> None:
    first, second = fill(2)
    async with open_tui() as tui:
        await tui.press("t", *"Serving", "enter")
        assert get_paper(tui.store, first).categories == (("Serving",),)
        await tui.press("j", "t", *"serv")
        assert "new: serv" in tui.text()
        await tui.press("enter")
        assert get_paper(tui.store, second).categories == (("Serving",),)
        await tui.press("t", *"+kv-cache", "enter")
        assert get_paper(tui.store, second).tags == ("kv-cache",)
