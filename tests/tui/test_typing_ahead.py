"""Keys that are typed faster than the screen follows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from papertrack.tui import host, key_queue

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


async def test_keys_that_are_held_for_long_are_told_why_until_they_are_free(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "_SLOW_SECONDS", 0.001)
    ids = fill(2)
    may_end, ended = threading.Event(), list[bool]()
    async with open_tui() as tui:
        try:
            tui.app.perform(lambda _: may_end.wait(60), ended.append, holds_keys=True)
            tui.type_ahead("d")
            await tui.until(lambda: "This takes a moment …" in tui.toasts())
            assert tui.state(ids[0]) == ("inbox", 0)
        finally:
            may_end.set()
        await tui.settle()
        assert ended == [True]
        assert tui.toasts() == []
        assert tui.state(ids[0]) == ("discarded", 0)


async def test_a_morning_is_the_same_where_every_answer_takes_longer_than_expected(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_queue, "_OVERDUE_SECONDS", 0.0001)
    ids = fill(42)
    async with open_tui() as tui:
        for key in MORNING:
            tui.type_ahead(key)
            await asyncio.sleep(0.001)
        await tui.settle()
        assert_morning_is_done(tui.store, ids)
