"""What is no longer seen is not kept: sittings are long, and a key would wait for it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest
from textual._styles_cache import StylesCache
from textual.strip import Strip

from papertrack.tui.toolkit.letting_go import let_go

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]


@pytest.fixture(autouse=True)
def lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a start does, for this test only."""
    for owner, name in ((Strip, "divide"), (StylesCache, "get_inner_outer")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    let_go()


@pytest.fixture
def unswept() -> Iterator[None]:
    """No garbage is looked for but by the test."""
    gc.disable()
    yield
    gc.enable()


def _lines() -> int:
    gc.collect()
    return sum(isinstance(one, Strip) for one in gc.get_objects())


async def _open_and_close(tui: Sitting, times: int) -> None:
    for _ in range(times):
        await tui.press("enter", "J", "q")


async def test_papers_that_were_opened_leave_no_lines_behind(open_tui: Open, fill: Fill) -> None:
    fill(3)
    async with open_tui() as tui:
        await _open_and_close(tui, 2)
        before = _lines()
        await _open_and_close(tui, 5)
        # Another paper is under the cursor by now, whose abstract may have a line more or less.
        assert _lines() < before + 30


@pytest.mark.usefixtures("unswept")
async def test_a_key_that_moves_or_decides_leaves_hardly_any_garbage(
    open_tui: Open, fill: Fill
) -> None:
    fill(6)
    async with open_tui() as tui:
        await tui.press("j", "s")
        gc.collect()
        await tui.press("j", "k", "v", "s", "u")
        assert gc.collect() < 200


def test_a_line_is_cut_where_it_was_cut_before() -> None:
    line = Strip.blank(5)
    assert [part.cell_length for part in line.divide([2, 5])] == [2, 3]
    assert list(line.divide([5])) == list(line.divide([5, 9])) == [line]
