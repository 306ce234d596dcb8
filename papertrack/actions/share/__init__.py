"""Share a library through git: one text file per paper, which git merges.

This module has what every command of a shared library does first. It imports little: reading and
writing records takes longer to import than a short command takes to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.errors import PapertrackError
from papertrack.library import PAPERS, SETTINGS_FILE, TABLES, Library, read_stamps
from papertrack.library.files import safe_path
from papertrack.store import records as db
from papertrack.store.documents import read_documents
from papertrack.store.store import Store

if TYPE_CHECKING:
    from papertrack.actions.share.records import ImportedChanges

FOLDERS = (PAPERS, "notes", "exports")
"""The folders that are shared."""


def connect(store: Store, library: Library, environ: Mapping[str, str]) -> None:
    """Make the store write records of its changes, if the library is shared."""

    def write(changed: Store, paper_ids: Iterable[int]) -> None:
        from papertrack.actions.share.records import write_changed

        write_changed(changed, library, environ, paper_ids)

    store.on_change = write if db.is_shared(store) else None


def import_changes(
    store: Store, library: Library, environ: Mapping[str, str], *, confirms: bool = False
) -> ImportedChanges | None:
    """Import what others changed in the files since the last import, as one action.

    Removals of many papers wait until the user ``confirms`` them. Returns None if no file
    changed. Raises StoreError and UsageError.
    """
    connect(store, library, environ)
    if read_stamps(library) == db.known_stamps(store):
        return None
    from papertrack.actions.share.records import ChangeImport, private_kinds

    return ChangeImport(store, library, private_kinds(store, library, environ), confirms).run()


def refuse_links(library: Library, documents: Iterable[str] = ()) -> None:
    """Refuse links and unexpected files where papertrack reads and writes.

    A plain `git pull` can create them. Raises PapertrackError; follows and changes nothing.
    """
    for name in (*(f"{name}/." for name in FOLDERS), *TABLES, SETTINGS_FILE, *documents):
        try:
            safe_path(library.root, name)
        except OSError as error:
            raise PapertrackError(
                f"{error.filename} is a link, or not a plain file or folder, in a library that "
                "others can write. It was not followed, and nothing was read or written there. "
                "Restore it with git, and run this again."
            ) from None


def inside_documents(store: Store) -> list[str]:
    """Return the registered documents in the library's folder."""
    names = [document.path for document in read_documents(store)]
    return [name for name in names if not Path(name).is_absolute()]
