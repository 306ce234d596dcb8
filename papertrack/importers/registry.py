"""Which tool a file or folder is of: the registry of importers. Each claims what it finds by magic,
schema and content, never by a name."""

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

_TELLING = 1024
"""Bytes that tell a text from what is none."""


class Importer(NamedTuple):
    """One kind of file or folder of another tool."""

    name: str
    """As the reader knows it."""
    module: str
    """Where its functions ``is_…`` and ``read_…`` are."""
    kind: str
    """How the names of those end."""
    begins: re.Pattern[bytes]
    """What such a file begins with. Most files are none of another tool's: no importer is loaded to
    look at what begins otherwise."""

    def is_of(self, found: Found) -> bool:
        """Whether what was found is of this kind."""
        if not found.is_folder and not self.begins.match(found.head):
            return False
        return bool(getattr(self._loaded, f"is_{self.kind}")(found))

    def read(self, found: Found) -> Source:
        """All that it holds. Raises DocumentError for what is damaged."""
        source: Source = getattr(self._loaded, f"read_{self.kind}")(found)
        return source

    @property
    def _loaded(self) -> object:
        return import_module(f"papertrack.importers.{self.module}")


# Text may begin with marks of its encoding and blanks of any kind: bytes that are no ASCII signs.
# Of those there may be more than are looked at.
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
"""All that is known beside Zotero's databases, the surest first."""

_MENDELEY = ("Documents", "DocumentContributors", "DocumentFolders", "Folders")
_PAPERLIB = frozenset(("title", "authors", "pubTime", "publication"))


def can_be_imported() -> str:
    """The end of the sentence that refuses a file."""
    known = ", ".join(["a library of Zotero", *(importer.name for importer in IMPORTERS)])
    return f"papertrack imports READMEs, .bib files, files from `export --json`, {known}"


def read_source(path: Path) -> Source | None:
    """What is at a path, if it is another tool's; None for a file that may be a document.

    Raises DocumentError for a folder or a database of which nothing is known, for what is damaged,
    and for what its tool has to export otherwise; NotFoundError and PapertrackError for what cannot
    be read.
    """
    source = _read(Found(path))
    if source is not None:
        source.counts = source.counts or source.counted()
    return source


def _read(found: Found) -> Source | None:
    path = found.path
    database = path / "zotero.sqlite" if found.is_folder else path
    if database.is_file() and is_database(read_head(database, 16)):
        return _read_database(database)
    for importer in IMPORTERS:
        if importer.is_of(found):
            return importer.read(found)
    if tool := _exported_by(found):
        raise _to_be_exported(path, tool)
    if found.is_folder:
        raise DocumentError(
            f"{path} is a folder without anything that papertrack can import. {can_be_imported()}."
        )
    if not _is_text(found.head[:_TELLING]):
        raise DocumentError(f"{path} is not a text file. {can_be_imported()}.")
    return None


def _read_database(path: Path) -> Source:
    with foreign_database(path) as database:
        from papertrack.importers.zotero.items import source_of
        from papertrack.importers.zotero.rows import NEEDED, read_rows

        if database.has(*NEEDED):
            return source_of(read_rows(database), path.parent)
        if database.has(*_MENDELEY):
            raise _to_be_exported(path, "Mendeley's database")
    raise DocumentError(
        f"{path} is a database of a program that papertrack does not know. {can_be_imported()}."
    )


def _exported_by(found: Found) -> str | None:
    """What a file of JSON is that papertrack does not read, where its tool exports what it does."""
    if not _JSON.match(found.head):
        return None
    told = found.json
    if isinstance(told, dict):
        told = told.get("items") or told.get("papers") or told.get("PaperEntity")
    first = told[0] if isinstance(told, list) and told else None
    if isinstance(first, dict) and isinstance(first.get("data"), dict):  # As Zotero answers.
        first = first["data"]
    names = set(first) if isinstance(first, dict) else set()
    if "itemType" in names:
        return "Better BibTeX's JSON"
    return "Paperlib's JSON" if names >= _PAPERLIB else None


def _to_be_exported(path: Path, tool: str) -> DocumentError:
    return DocumentError(
        f"{path} is {tool}, which papertrack does not read. Nothing was imported. Export BibTeX or "
        "RIS there and import that file: docs/coming-from.md says how."
    )


def _is_text(head: bytes) -> bool:
    """Whether what a file begins with may be a text, in UTF-16 too, with or without a mark."""
    if b"\0" not in head:
        return True
    try:
        return bool(decode_bib(head)[0])
    except DocumentError:
        return False
