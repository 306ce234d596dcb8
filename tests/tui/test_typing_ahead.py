"""Keys that are typed faster than the screen follows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from papertrack.tui import answering

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


async def test_a_morning_is_the_same_where_every_answer_takes_longer_than_expected(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "_OVERDUE_SECONDS", 0.0001)
    ids = fill(42)
    async with open_tui() as tui:
        for key in MORNING:
            tui.type_ahead(key)
            await asyncio.sleep(0.001)
        await tui.settle()
        assert_morning_is_done(tui.store, ids)
