"""The list that is changed: read with what its reader set about it, and written as it was."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from papertrack.actions.document_settings import get_document
from papertrack.documents.encoding import encode_document
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import Library
from papertrack.library.paths import BIBTEX_SUFFIXES
from papertrack.store.store import Store
from papertrack.sync.markdown.reading import ReadDocument, read_document

__all__ = ["ReadDocument", "encoded", "read_list"]


def read_list(path: Path, store: Store | None, library: Library | None) -> ReadDocument:
    """Return a README, with its settings where a library feeds it.

    Raises UsageError for a .bib file, and as ``read_document``.
    """
    if path.suffix.lower() in BIBTEX_SUFFIXES:
        raise UsageError(f"{path}: `propose` is for READMEs.")
    settings = {}
    if store is not None and library is not None:
        with suppress(NotFoundError):
            settings = dict(get_document(store, library, path).settings)
    return read_document(path, settings)


def encoded(read: ReadDocument, text: str) -> bytes:
    """Return the bytes of an edited text, in the encoding of the list."""
    return encode_document(text, read.encoding)
