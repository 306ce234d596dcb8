"""A sitting makes the backup of its day, as a command that writes does."""

from __future__ import annotations

import os
from collections.abc import Callable

from papertrack.library import Library

from .conftest import START, Open


async def test_a_sitting_that_wrote_leaves_a_backup_and_one_that_looked_none(
    open_tui: Open, fill: Callable[..., list[int]], library: Library
) -> None:
    fill()
    day_before = START.timestamp() - 2 * 24 * 60 * 60
    os.utime(library.settings_path, (day_before, day_before))
    async with open_tui() as tui:
        await tui.press("j")
    assert not library.backups.exists()
    for _ in range(2):
        async with open_tui() as tui:
            await tui.press("s")
        assert len(list(library.backups.iterdir())) == 1
