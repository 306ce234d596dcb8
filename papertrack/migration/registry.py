"""Which tool a file or folder is of: the registry of importers. Each claims what it finds by magic,
schema and content, never by a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import DocumentError
from papertrack.migration.found import Found, looked_at
from papertrack.migration.model import Source

CAN_BE_IMPORTED = (
    "What can be imported: READMEs, .bib files, what `export --json` wrote, and a library of Zotero"
)
"""The end of the sentence that refuses a file."""


class Importer(NamedTuple):
    """One kind of file of another tool."""

    name: str
    """As the reader knows it."""
    claims: Callable[[Found], bool]
    """Whether it is of this kind."""
    read: Callable[[Found], Source]
    """All that it holds. Raises DocumentError."""


def _is_zotero(found: Found) -> bool:
    from papertrack.migration.zotero.rows import NEEDED

    return found.database is not None and found.database.has(*NEEDED)


def _read_zotero(found: Found) -> Source:
    from papertrack.migration.zotero.reader import source_of
    from papertrack.migration.zotero.rows import read_rows

    assert found.database is not None
    return source_of(read_rows(found.database), found.folder)


IMPORTERS: Sequence[Importer] = (Importer("Zotero", _is_zotero, _read_zotero),)


def read_source(path: Path) -> Source | None:
    """What is at a path, if it is another tool's; None for a file that may be a document.

    Raises DocumentError for a folder or a database of which nothing is known, and for what is
    damaged; NotFoundError and PapertrackError for what cannot be read.
    """
    with looked_at(path) as found:
        for importer in IMPORTERS:
            if importer.claims(found):
                return importer.read(found)
        if found.database is not None:
            raise DocumentError(
                f"{path} is a database of a program that papertrack does not know. "
                f"{CAN_BE_IMPORTED}."
            )
        if found.is_folder:
            raise DocumentError(f"{path} is a folder in which nothing is known. {CAN_BE_IMPORTED}.")
    return None
