"""Reading beside other writers, for a front end that stays open: no wait, and news of changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from papertrack.store.store import Store, readable_errors

T = TypeVar("T")


def set_patience(store: Store, seconds: float) -> None:
    """How long this connection waits for another process's lock before it gives up."""
    store.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def when_free(store: Store, read: Callable[[], T]) -> T | None:
    """What ``read`` returns, or None when another process holds the library just now.

    Raises StoreError for any other trouble with the file.
    """
    with readable_errors(store.path):
        try:
            return read()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                return None
            raise


def data_version(store: Store) -> int:
    """A number that changes whenever another connection has written (PRAGMA data_version)."""
    version = store.select_value("PRAGMA data_version")
    return int(version)
