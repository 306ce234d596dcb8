"""Making a library: its folder with the settings, and the empty database in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from papertrack.library import FIRST_SETTINGS, Library, create_library, has_database
from papertrack.library.files import NotAllowed, remove_leftovers
from papertrack.library.trust import trust
from papertrack.store.store import Store


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; what is there of it already stays as it is.

    Raises PapertrackError when it cannot be made, or not be noted that it is the reader's own.
    """
    remove_leftovers(folder)
    library, _ = create_library(folder)
    # A killed run may have made the settings, and nothing else: no stranger's say anything.
    if not has_database(library) and _are_first(library):
        # Before the database, which tells the next run that all was done. Where nobody may note
        # it, the library is made all the same, and asked about later.
        with suppress(NotAllowed):
            trust(library, {})
    Store.create(library.database, now=now).close()
    return library


def _are_first(library: Library) -> bool:
    """Whether the settings say what those of a new library say."""
    try:
        return library.settings_path.read_text(encoding="utf-8") in (FIRST_SETTINGS, "")
    except (OSError, UnicodeDecodeError):
        return False
