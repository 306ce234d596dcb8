"""Four watches at once while somebody decides in the terminal UI."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

from papertrack.library import Library
from papertrack.store.store import Store
from papertrack.store.watch.topics import add_topic
from tests.fake_arxiv import FakeArxiv
from tests.tui.conftest import Open, clock, fill, library, open_tui, store
from tests.watch.announced_days import announce, ordinary_day

__all__ = ["clock", "fill", "library", "open_tui", "store"]
"""Fixtures of the terminal UI that the test here uses too."""

MONDAY = date(2026, 11, 16)
_PATIENCE_SECONDS = 600


async def test_four_watches_beside_the_terminal_ui_lose_nothing_and_ask_nothing_twice(
    open_tui: Open,
    fill: Callable[..., list[int]],
    library: Library,
    store: Store,
    fake_arxiv: FakeArxiv,
    forked_papertrack: Path,
) -> None:
    announce(fake_arxiv.calendar, MONDAY, ordinary_day(MONDAY))
    fake_arxiv.calendar.today = MONDAY
    with store.action("topic"):
        add_topic(store, "decoding", "speculative", arxiv_categories=("cs.LG", "cs.CL"))
    ids = fill(40)
    environ = {
        **os.environ,
        **fake_arxiv.environment,
        "PAPERTRACK_ARXIV_INTERVAL_SECONDS": "0",
        "PAPERTRACK_ARXIV_OFFLINE": "false",
        "PAPERTRACK_NOW": f"{MONDAY}T03:17:00-05:00",
    }
    command = (forked_papertrack, "--library", library.root, "-q", "watch")
    async with open_tui() as tui, asyncio.timeout(_PATIENCE_SECONDS):
        pipe = asyncio.subprocess.PIPE
        watches = [
            await asyncio.create_subprocess_exec(*command, env=environ, stderr=pipe)
            for _ in range(4)
        ]
        ends = asyncio.gather(*(watch.communicate() for watch in watches))
        keys = 0
        while not ends.done() or keys < 10:
            if keys < len(ids):
                tui.type_ahead("s")
                keys += 1
            await asyncio.sleep(0.02)
        assert [error for _, error in ends.result()] == [b""] * 4
        assert [watch.returncode for watch in watches] == [0] * 4
        await tui.settle()
        assert tui.toasts() == []
        saved = "SELECT count(*) FROM paper_states WHERE decision = 'saved'"
        assert store.connection.execute(saved).fetchone() == (keys,)
        found = "SELECT count(*) FROM papers WHERE id > ?"
        assert store.connection.execute(found, (max(ids),)).fetchone() == (1,)
    asked = [request.path for request in fake_arxiv.asked()]
    assert len(asked) == len(set(asked)) > 1
