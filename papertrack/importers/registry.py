"""The registry of importers, which finds the tool that a file or folder comes from.

Each importer recognizes its files by magic bytes, schema and content, never by a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError
from papertrack.importers.database import foreign_database, is_database
from papertrack.importers.model import Found, Source, read_head

_TEXT_CHECK_BYTES = 1024
"""Bytes that show whether a file is text."""


class Importer(NamedTuple):
    """The importer for one kind of file or folder of another tool."""

    name: str
    """Its name in messages."""
    module: str
    """The module with its functions ``is_…`` and ``read_…``."""
    kind: str
    """The ending of these function names."""
    begins: re.Pattern[bytes]
    """What such a file begins with. An importer is only loaded for files that match."""

    def is_of(self, candidate: Found) -> bool:
        """Return whether a file or folder is of this kind."""
        if not candidate.is_folder and not self.begins.match(candidate.head):
            return False
        return bool(getattr(self._module, f"is_{self.kind}")(candidate))

    def read(self, candidate: Found) -> Source:
        """Return all that it contains. Raises DocumentError if it is damaged."""
        source: Source = getattr(self._module, f"read_{self.kind}")(candidate)
        return source

    @property
    def _module(self) -> object:
        return import_module(f"papertrack.importers.{self.module}")


# Text may begin with encoding marks and any blanks, which are not printable ASCII, and which may
# fill the bytes that are checked.
_JSON = re.compile(rb"[^!-~]*(?:[\[{]|\Z)")

IMPORTERS: Sequence[Importer] = (
    Importer("Zotero's CSV", "references", "zotero_csv", re.compile(rb"[^!-~]*\"Key\"")),
    Importer("papis", "papis", "papis", re.compile(rb"[^#|<@-]")),
    Importer("CSL-JSON", "references", "csl", _JSON),
    Importer("RIS", "references", "ris", re.compile(rb"[^!-~]*(?:TY|T?\Z)")),
    Importer("PubMed's nbib", "references", "nbib", re.compile(rb"[^!-~]*(?:PMID|P?M?I?\Z)")),
    Importer("a browser's bookmarks", "links", "bookmarks", re.compile(rb"\s*<!DOCTYPE", re.I)),
    Importer("PDFs", "pdfs", "pdfs", re.compile(rb"(?s:.){0,1024}%PDF-")),
    Importer("a list of ids or addresses", "links", "ids", re.compile(rb"[^!-~]*(?:[^@{\s]|\Z)")),
)
"""All importers but that of Zotero's databases, the most specific first."""

_MENDELEY = ("Documents", "DocumentContributors", "DocumentFolders", "Folders")
_PAPERLIB = frozenset(("title", "authors", "pubTime", "publication"))


def can_be_imported() -> str:
    """Return the end of the message that refuses a file."""
    formats = ", ".join(["a library of Zotero", *(importer.name for importer in IMPORTERS)])
    return f"papertrack imports READMEs, .bib files, files from `export --json`, {formats}"


def read_source(path: Path) -> Source | None:
    """Return the contents of a file or folder of another tool; None if it may be a document.

    Raises DocumentError for unknown folders and databases, for damaged files, and for files that
    their tool must export in another format. Raises NotFoundError and PapertrackError for files
    that cannot be read.
    """
    try:
        source = _read(Found(path))
    except RecursionError:  # Before Python 3.12, to list a folder takes a call for each level.
        raise DocumentError(f"{path} has too many levels of folders. Name one below it.") from None
    if source is not None:
        source.counts = source.counts or source.counted()
    return source


def _read(candidate: Found) -> Source | None:
    path = candidate.path
    database = path / "zotero.sqlite" if candidate.is_folder else path
    if database.is_file() and is_database(read_head(database, 16)):
        return _read_database(database)
    for importer in IMPORTERS:
        if importer.is_of(candidate):
            return importer.read(candidate)
    if tool := _tool_of_json(candidate):
        raise _export_first(path, tool)
    if candidate.is_folder:
        raise DocumentError(
            f"{path} is a folder without anything that papertrack can import. {can_be_imported()}."
        )
    if not _is_text(candidate.head[:_TEXT_CHECK_BYTES]):
        raise DocumentError(f"{path} is not a text file. {can_be_imported()}.")
    return None


def _read_database(path: Path) -> Source:
    with foreign_database(path) as database:
        from papertrack.importers.zotero.items import source_of
        from papertrack.importers.zotero.rows import NEEDED, read_rows

        if database.has(*NEEDED):
            return source_of(read_rows(database), path.parent)
        if database.has(*_MENDELEY):
            raise _export_first(path, "Mendeley's database")
    raise DocumentError(
        f"{path} is a database of a program that papertrack does not know. {can_be_imported()}."
    )


def _tool_of_json(candidate: Found) -> str | None:
    """Return the tool that wrote a JSON file which it should export in another format."""
    if not _JSON.match(candidate.head):
        return None
    data = candidate.json
    if isinstance(data, dict):
        data = data.get("items") or data.get("papers") or data.get("PaperEntity")
    first = data[0] if isinstance(data, list) and data else None
    if isinstance(first, dict) and isinstance(first.get("data"), dict):  # As Zotero sends it.
        first = first["data"]
    names = set(first) if isinstance(first, dict) else set()
    if "itemType" in names:
        return "Better BibTeX's JSON"
    return "Paperlib's JSON" if names >= _PAPERLIB else None


def _export_first(path: Path, tool: str) -> DocumentError:
    return DocumentError(
        f"{path} is {tool}, which papertrack does not read. Nothing was imported. Export BibTeX or "
        "RIS there and import that file: docs/coming-from.md says how."
    )


def _is_text(head: bytes) -> bool:
    """Return whether the first bytes may be text, also in UTF-16 without a mark."""
    if b"\0" not in head:
        return True
    try:
        return bool(decode_bib(head)[0])
    except DocumentError:
        return False
