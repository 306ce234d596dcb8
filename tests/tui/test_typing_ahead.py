"""Keys that are typed faster than the screen follows."""

from __future__ import annotations

from collections.abc import Callable

from .conftest import Open
from .test_morning import MORNING, assert_morning_is_done

Fill = Callable[..., list[int]]


async def test_a_morning_typed_in_one_go_is_the_same(open_tui: Open, fill: Fill) -> None:
    ids = fill(42)
    async with open_tui() as tui:
        for key in MORNING:
            tui.type_ahead(key)
        await tui.settle()
        assert_morning_is_done(tui.store, ids)
