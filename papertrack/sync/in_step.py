"""Find documents that are in step with the library, and need not be read or written.

A file is in step if it has the bytes that were last read or written, and the journal has no action,
undo or redo since. Imports and exports record it.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

from papertrack import __version__
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.records import Skipped
from papertrack.store import documents
from papertrack.store.documents import InStep, RegisteredDocument
from papertrack.store.index import remember_note
from papertrack.store.journal import revision
from papertrack.store.store import Store
from papertrack.store.written_files import digest_of
from papertrack.sync.report import DocumentExport, ImportReport


def import_in_step(
    store: Store, library: Library, registered: RegisteredDocument, path: Path
) -> ImportReport | None:
    """Return the report of an import without changes; None if there may be some."""
    with store.transaction():
        in_step = _find_in_step(store, registered, path)
        if in_step is None or not in_step.report["entries"]:
            return None
        report = in_step.report
        for note in report.pop("notes"):
            index_note(store, library, note)
    for name in ("skipped", "notices"):
        report[name] = tuple(Skipped(**line) for line in report[name])
    return ImportReport(file=registered.path, is_registered=True, **report)


def export_in_step(
    store: Store, registered: RegisteredDocument, path: Path
) -> DocumentExport | None:
    """Return the result of an export that changes nothing; None if the file must be read."""
    with nullcontext() if store.is_trial else store.transaction():
        in_step = _find_in_step(store, registered, path)
    if in_step is None or not in_step.is_written:
        return None
    return DocumentExport(registered.path, path, "", (), (), is_written=False)


def _find_in_step(store: Store, registered: RegisteredDocument, path: Path) -> InStep | None:
    """Return the stored state of a file if neither it nor the library has changed."""
    in_step = find_unchanged(store, registered.id, path)
    if in_step is None:
        return None
    is_same = {in_step.digest, registered.digest} == {digest_of(read_file(path))}
    return in_step if is_same else None


def find_unchanged(store: Store, document_id: int, path: Path) -> InStep | None:
    """Return the recorded state of a document if the library has not changed since."""
    in_step = last_read(store, document_id, path)
    return in_step if in_step and in_step.at == revision(store) else None


def last_read(store: Store, document_id: int, path: Path) -> InStep | None:
    """Return the recorded state of a document if this version of papertrack recorded it."""
    in_step = documents.read_in_step(store, document_id)
    return in_step if in_step and in_step.reader == reader_of(path) else None


REPORT_FORM = 2
"""The form of recorded reports; those of another form are not used."""


def reader_of(path: Path) -> str:
    """Return a digest of papertrack's version and the path, on which parsing depends."""
    # Links to notes are relative to this path; it is not resolved, because they are not either.
    where = os.path.abspath(path)  # noqa: PTH100
    return digest_of(f"{__version__}\n{REPORT_FORM}\n{where}".encode("utf-8", "surrogatepass"))


MAX_INDEXED = 1_000_000
"""The number of bytes of a note that are indexed."""


def index_note(store: Store, library: Library, name: str) -> None:
    """Update the search index with a note's text.

    Skips files outside the library, git's and papertrack's own, as a README may link to any file.
    """
    path = path_of_name(library, name)
    if not library.holds(path) or library.keeps(path) or not path.is_file():
        return
    text = read_file(path)[:MAX_INDEXED].decode("utf-8", errors="replace")
    with store.action("note"):
        remember_note(store, name, text)
