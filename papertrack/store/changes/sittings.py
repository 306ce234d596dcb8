"""In which sitting an action was done: undo takes back another one's only when it is told to.

A sitting is a terminal, from its start to its end or the end of the day. What is done there is
known to whoever sits before it; what a timer, another terminal or last week did is not.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from papertrack.store.database import Database

LASTS = timedelta(hours=24)
"""What was done longer ago has been forgotten, though the terminal is still open."""


@cache
def current_sitting() -> str:
    """A name for the terminal session that this process belongs to, on this start of the system."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        boot = ""  # Only Linux tells: elsewhere the number alone stands for the session.
    session = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    return f"{boot}:{session}"


def note_sitting(db: Database, action_id: int) -> None:
    """Remember that an action was done in this sitting, if the one before it was not."""
    if find_sitting(db, action_id) != current_sitting():
        db.insert("sittings (action_id, sitting)", (action_id, current_sitting()))


def find_sitting(db: Database, action_id: int) -> str | None:
    """In which sitting an action was done; None of those before that was noted."""
    found = db.select_value(
        "SELECT sitting FROM sittings WHERE action_id <= ? ORDER BY action_id DESC", (action_id,)
    )
    return None if found is None else str(found)


def is_recent(at: str, now: datetime) -> bool:
    """Whether what was done at this time (ISO 8601) may be of a sitting that lasts."""
    return now.astimezone() - datetime.fromisoformat(at) < LASTS
