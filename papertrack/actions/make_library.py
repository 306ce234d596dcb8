"""Make a library, with its folders, settings and empty database, and open libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from papertrack.errors import UsageError
from papertrack.foreign_database import leftovers_of
from papertrack.library import FIRST_SETTINGS, Library, create_library, has_database
from papertrack.store.store import Store
from papertrack.text import plural


@dataclass(frozen=True, slots=True)
class Made:
    """A library that was made, or existed."""

    library: str
    is_new: bool
    is_shared: bool
    """Whether it is now shared."""
    problem: str

    def sentences(self) -> Iterator[str]:
        if self.is_new:
            yield (
                f"Made a library in {self.library}. Next: `papertrack import README.md`, "
                "or `papertrack add 2309.06180`."
            )
        else:
            yield f"{self.library} is a library already. Nothing to do."
        if self.problem:
            yield self.problem
        if self.is_shared:
            yield "It is shared."


@dataclass(frozen=True, slots=True)
class Demo:
    """A sample library."""

    library: str
    papers_new: int
    folder: str
    """Its path as the reader typed it."""

    def sentences(self) -> Iterator[str]:
        papers = plural(self.papers_new, "paper")
        imported = f": {papers} imported from its README.md" if self.papers_new else ""
        yield f"Made a sample library in {self.folder}{imported}."


def make_library(folder: Path, *, now: Callable[[], datetime]) -> Library:
    """Make a library in a folder; parts that exist stay as they are.

    Raises PapertrackError when it cannot be made, or cannot be recorded as the reader's own.
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
    """Open the store of a library, which may be a stranger's. Raises the errors of
    ``Store.open``."""
    is_own = True
    if leftovers_of(library.database):
        from papertrack.library.trust import is_trusted

        is_own = is_trusted(library)
    opened = Store.open if is_own else Store.open_untrusted
    store = opened(library.database, now=now)
    store.pdf_folders = library.pdf_folders
    return store


def _are_first(library: Library) -> bool:
    """Return whether the settings are those of a new library."""
    from papertrack.library.settings_in_force import read_settings_text  # Who makes one pays.

    with suppress(UsageError):
        return read_settings_text(library.settings_path) in (FIRST_SETTINGS, "")
    return False
