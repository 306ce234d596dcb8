"""What questions, empty lists and short messages say is so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papertrack.library import Library
from papertrack.library.settings import Reading, Settings
from papertrack.store import states
from papertrack.store.store import Store

from .conftest import Open

Fill = Callable[..., list[int]]


async def test_the_question_before_too_many_are_read_tells_how_many(
    open_tui: Open, fill: Fill
) -> None:
    fill()
    settings = Settings(reading=Reading(in_hand=2))
    async with open_tui(settings=settings) as tui:
        await tui.press("i", "j", "v", "v", "v", "i")
        assert "You would be reading 4 papers" in tui.question()
        await tui.press("n", "escape", "g", "i")
        assert "◆" not in tui.text()


async def test_a_removal_names_its_paper_and_a_merge_names_both(open_tui: Open, fill: Fill) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press("v", "delete")
        assert "Remove “Ring attention without the ring" in tui.question()
        assert "brings it back" in tui.question()
        await tui.press("n", "M")
        assert "marked paper, “Ring attention" in tui.question()
        assert (
            "into “A roofline model for mixtures of experts”, the one under the cursor"
            in tui.question()
        )
        await tui.press("n", "V", "V", "delete")
        assert "Remove 6 papers" in tui.question()
        assert "brings them back" in tui.question()


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["T", "enter", *"flows: title:flow", "enter"], "topic: flows: title:flow"),
        (["F", *"attention", "enter"], "ranking: forgets attention"),
    ],
)
async def test_what_is_nowhere_to_be_seen_is_told(
    open_tui: Open, fill: Fill, keys: list[str], told: str
) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press(*("space" if key == " " else key for key in keys))
        assert told in tui.toasts()[-1]


async def test_undo_of_a_note_says_that_its_file_stays(
    open_tui: Open, fill: Fill, store: Store, library: Library
) -> None:
    ids = fill(1)
    async with open_tui() as tui:
        with store.action("note", "notes/a.md of a"):
            store.insert("notes (paper_id, path)", (ids[0], "notes/a.md"))
        await tui.press("u")
        assert "whose file stays" in tui.question()
        assert "from this session" not in tui.question()


async def test_a_filter_that_finds_nothing_in_all_sends_nobody_to_another_view(
    open_tui: Open, fill: Fill
) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press("I", "enter")
        assert "No match for is:due pass:0 in the library." in tui.text()
        assert "next view" not in tui.text()


async def test_a_list_without_papers_is_not_given_away_for_an_abstract(
    open_tui: Open, fill: Fill
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("a", "space", "equals_sign")
        assert "The library is empty" in tui.text()
        assert tui.toasts() == []
    fill(1)
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("a", "delete", "y")
        assert "Nothing is waiting" in tui.text()


@pytest.mark.parametrize("way", [[], ["enter"]])
async def test_what_another_program_changes_is_shown_beside_the_list_and_on_the_paper(
    open_tui: Open, fill: Fill, store: Store, way: list[str]
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press(*way)
        with store.action("rate"):
            states.rate(store, ids[0], 4)

        def is_shown() -> bool:
            tui.app.poll()
            return "★★★★·" in tui.text()

        await tui.until(is_shown)
