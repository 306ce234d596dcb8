"""Keys in the library → what the store says."""

from collections.abc import Callable

from .conftest import Open

Fill = Callable[..., list[int]]


async def test_save_decides_and_moves_on(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("s")
        assert tui.state(ids[0]) == ("saved", 0)
        assert tui.cursor_id == ids[1]
