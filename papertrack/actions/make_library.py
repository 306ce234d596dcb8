"""Making a library: its folder with the settings, and the empty database in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from papertrack.library import Library, create_library
from papertrack.store.store import Store


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; what is there of it already stays as it is.

    Raises PapertrackError or StoreError when it cannot be made.
    """
    library, _ = create_library(folder)
    Store.create(library.database, now=now).close()
    return library
