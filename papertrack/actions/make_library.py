"""Making a library, its folder with the settings and the empty database in it, and opening one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from papertrack.foreign_database import leftovers_of
from papertrack.library import FIRST_SETTINGS, Library, create_library, has_database
from papertrack.store.store import Store


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; what is there of it already stays as it is.

    Raises PapertrackError when it cannot be made, or not be noted that it is the reader's own.
    """
    # Imported here, as by ``open_library``: most commands make no library and open their own.
    from papertrack.library.files import NotAllowed, remove_leftovers
    from papertrack.library.trust import trust

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


def open_library(library: Library, *, now: Callable[[], datetime]) -> Store:
    """Open the store of a library, which may be a stranger's. Raises what ``Store.open`` raises."""
    if leftovers_of(library.database):
        from papertrack.library.trust import is_trusted

        if not is_trusted(library):
            return Store.open_untrusted(library.database, now=now)
    return Store.open(library.database, now=now)


def _are_first(library: Library) -> bool:
    """Whether the settings say what those of a new library say."""
    try:
        return library.settings_path.read_text(encoding="utf-8") in (FIRST_SETTINGS, "")
    except (OSError, UnicodeDecodeError):
        return False
