"""Which tool a file or folder is of: the registry of importers. Each claims what it finds by magic,
schema and content, never by a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError
from papertrack.importers.found import Found, looked_at
from papertrack.importers.model import Source

_TELLING = 1024
"""Bytes that tell a text from what is none."""


class Importer(NamedTuple):
    """One kind of file of another tool."""

    name: str
    """As the reader knows it."""
    claims: Callable[[Found], bool]
    """Whether it is of this kind."""
    read: Callable[[Found], Source]
    """All that it holds. Raises DocumentError."""
    begins: re.Pattern[bytes] | None
    """What such a file begins with; None where it is a folder or a database. Most files are none of
    another tool's: no importer is loaded to look at what begins otherwise."""

    def is_of(self, found: Found) -> bool:
        """Whether what was found is of this kind."""
        return self._may_claim(found) and self.claims(found)

    def _may_claim(self, found: Found) -> bool:
        if found.is_folder or found.database is not None:
            return True
        return self.begins is not None and self.begins.match(found.head) is not None


def _is_zotero(found: Found) -> bool:
    from papertrack.importers.zotero.rows import NEEDED

    return found.database is not None and found.database.has(*NEEDED)


def _read_zotero(found: Found) -> Source:
    from papertrack.importers.zotero.reader import source_of
    from papertrack.importers.zotero.rows import read_rows

    assert found.database is not None
    return source_of(read_rows(found.database), found.folder)


def _by(module: str, name: str) -> Callable[[Found], Any]:
    """A function of an importer, which is loaded when it is asked."""

    def call(found: Found) -> Any:
        return getattr(import_module(f"papertrack.importers.{module}"), name)(found)

    return call


def _importer(name: str, module: str, kind: str, begins: re.Pattern[bytes] | None) -> Importer:
    """The importer whose module has ``is_…`` and ``read_…`` for a kind."""
    return Importer(name, _by(module, f"is_{kind}"), _by(module, f"read_{kind}"), begins)


# Text may begin with marks of its encoding and blanks of any kind: bytes that are no ASCII signs.
# Of those there may be more than are looked at.
_JSON = re.compile(rb"[^!-~]*(?:[\[{]|\Z)")
_RIS = re.compile(rb"[^!-~]*(?:TY|T?\Z)")
_NBIB = re.compile(rb"[^!-~]*(?:PMID|P?M?I?\Z)")
_IDS = re.compile(rb"[^!-~]*(?:[^@{\s]|\Z)")
_CSV = re.compile(rb"[^!-~]*\"Key\"")
_BOOKMARKS = re.compile(rb"\s*<!DOCTYPE", re.I)
_YAML = re.compile(rb"[^#|<@-]")
_PDF = re.compile(rb"(?s:.){0,1024}%PDF-")

IMPORTERS: Sequence[Importer] = (
    Importer("a library of Zotero", _is_zotero, _read_zotero, None),
    _importer("Better BibTeX JSON", "zotero.json_items", "better_bibtex", _JSON),
    _importer("Mendeley before 1.19", "mendeley", "mendeley", None),
    _importer("Paperlib JSON", "paperlib", "paperlib", _JSON),
    _importer("Zotero's CSV", "paperlib", "zotero_csv", _CSV),
    _importer("papis", "papis", "papis", _YAML),
    _importer("CSL-JSON", "csl", "csl", _JSON),
    _importer("RIS", "tagged", "ris", _RIS),
    _importer("PubMed's nbib", "tagged", "nbib", _NBIB),
    _importer("a browser's bookmarks", "links", "bookmarks", _BOOKMARKS),
    _importer("PDFs", "pdfs", "pdfs", _PDF),
    _importer("a list of ids or addresses", "links", "ids", _IDS),
)
"""All that is known, the surest first."""


def can_be_imported() -> str:
    """The end of the sentence that refuses a file."""
    known = ", ".join(importer.name for importer in IMPORTERS)
    return f"What can be imported: READMEs, .bib files, what `export --json` wrote, {known}"


def read_source(path: Path) -> Source | None:
    """What is at a path, if it is another tool's; None for a file that may be a document.

    Raises DocumentError for a folder or a database of which nothing is known, and for what is
    damaged; NotFoundError and PapertrackError for what cannot be read.
    """
    with looked_at(path) as found:
        for importer in IMPORTERS:
            if importer.is_of(found):
                source = importer.read(found)
                source.counts = source.counts or source.counted()
                return source
        if found.database is not None:
            raise DocumentError(
                f"{path} is a database of a program that papertrack does not know. "
                f"{can_be_imported()}."
            )
        if found.is_folder:
            raise DocumentError(
                f"{path} is a folder in which nothing is known. {can_be_imported()}."
            )
        if not _is_text(found.head[:_TELLING]):
            raise DocumentError(f"{path} is no text. {can_be_imported()}.")
    return None


def _is_text(head: bytes) -> bool:
    """Whether what a file begins with may be a text, in UTF-16 too, with or without a mark."""
    if b"\0" not in head:
        return True
    try:
        return bool(decode_bib(head)[0])
    except DocumentError:
        return False
