"""Making a library: its folder with the settings, and the empty database in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from papertrack.errors import PapertrackError
from papertrack.library import Library, create_library
from papertrack.library.trust import trust
from papertrack.store.store import Store


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; what is there of it already stays as it is.

    Raises PapertrackError or StoreError when it cannot be made.
    """
    library, is_made = create_library(folder)
    is_new = is_made and not library.database.exists()
    Store.create(library.database, now=now).close()
    if is_new:
        # Where nobody can note it, the library is made all the same, and asked about later.
        with suppress(PapertrackError):
            trust(library, {})
    return library
