"""What is no longer seen is not kept: sittings are long."""

from __future__ import annotations

import gc
from collections.abc import Callable

from textual.strip import Strip

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]


def _lines() -> int:
    gc.collect()
    return sum(isinstance(one, Strip) for one in gc.get_objects())


async def _open_and_close(tui: Sitting, times: int) -> None:
    for _ in range(times):
        for key in ("enter", "J", "q"):
            await tui.press(key)
            tui.text()


async def test_papers_that_were_opened_leave_few_lines_behind(open_tui: Open, fill: Fill) -> None:
    fill(3)
    async with open_tui() as tui:
        await _open_and_close(tui, 2)
        before = _lines()
        await _open_and_close(tui, 5)
        # Two papers are drawn at each opening, some 600 lines with their parts.
        assert _lines() - before < 5 * 300
