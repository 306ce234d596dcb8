"""Documents that are in step with the library: nothing is read, and nothing written.

A file is in step if its bytes are those that were read or written last, and the journal tells of
nothing that was done, undone or redone since.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from papertrack import __version__
from papertrack.library import Library, is_of_repository
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.records import Skipped
from papertrack.store import documents
from papertrack.store.documents import InStep, RegisteredDocument
from papertrack.store.index import remember_note
from papertrack.store.journal import revision
from papertrack.store.store import Store
from papertrack.store.written_files import digest_of
from papertrack.sync.format import Entries, Format
from papertrack.sync.report import DocumentExport, ImportReport


def keep_read(store: Store, document_id: int, document: Format, known: Entries) -> None:
    """Keep that an import took all that a file says, of which ``known`` is remembered."""
    if not documents.is_settled(store, document_id):
        documents.write_in_step(store, document_id, None)
        return
    digest, report = digest_of(document.data), _report_of(document, known, document.data)
    now = InStep(digest, _reader_of(document.path), revision(store), False, report)
    documents.write_in_step(store, document_id, now)


def keep_written(
    store: Store, document_id: int, before: Format, now: Format, known: Entries, data: bytes
) -> None:
    """Keep that an export made ``data`` of a file, and left nothing to write or report; unless
    the file said what no import had taken."""
    last, reader = documents.read_in_step(store, document_id), _reader_of(now.path)
    was_read = last and (last.digest, last.reader) == (digest_of(before.data), reader)
    is_all_known = all(
        item.number in known and known[item.number].base == item.values for item in now.items
    )
    if not was_read or not is_all_known or not documents.is_settled(store, document_id):
        documents.write_in_step(store, document_id, None)
        return
    report = _report_of(now, known, data)
    kept = InStep(digest_of(data), reader, revision(store), True, report)
    documents.write_in_step(store, document_id, kept)


def import_in_step(store: Store, library: Library, path: Path, name: str) -> ImportReport | None:
    """Return what an import comes to that finds nothing new; None if that is not certain."""
    with store.transaction():
        registered = documents.find_document(store, name)
        known = _find_known(store, registered, path) if registered else None
        if registered is None or known is None:
            return None
        entries, papers = documents.entry_counts(store, registered.id)
        if not entries:
            return None
        notes = documents.notes_in_entries(store, registered.id)
        for note in notes if registered.kind == "markdown" else ():
            if "://" not in note:
                index_note(store, library, note)
    return ImportReport(
        file=name,
        papers_new=0,
        papers_changed=0,
        papers_unchanged=papers,
        entries=entries,
        skipped=_skipped(known.report["skipped"]),
        conflicts=(),
        deleted=(),
        is_registered=True,
        is_first=False,
        notices=_skipped(known.report["notices"]),
        mentioned=known.report["mentioned"],
        encoding=known.report["encoding"],
    )


def export_in_step(
    store: Store, registered: RegisteredDocument, path: Path
) -> DocumentExport | None:
    """Return what an export comes to that has nothing to write; None if that is not certain."""
    with nullcontext() if store.is_trial else store.transaction():
        known = _find_known(store, registered, path)
    if known is None or not known.is_written:
        return None
    return DocumentExport(registered.path, path, "", (), (), is_written=False)


def _find_known(store: Store, registered: RegisteredDocument, path: Path) -> InStep | None:
    """Return what is known of a file, if nothing happened to it or the library since."""
    known = documents.read_in_step(store, registered.id)
    if known is None or known.reader != _reader_of(path) or known.at != revision(store):
        return None
    is_same = {known.digest, registered.digest} == {digest_of(read_file(path))}
    return known if is_same else None


def _reader_of(path: Path) -> str:
    """Return what reads a file: this version, and from where, for its links to notes."""
    # Not resolved, as names of files are not.
    where = os.path.abspath(path)  # noqa: PTH100
    return digest_of(f"{__version__}\n{where}".encode("utf-8", "surrogatepass"))


def _report_of(document: Format, known: Entries, data: bytes) -> dict[str, Any]:
    """Return what an import reports that need not read the file, as plain JSON."""
    told = document.told_again(known, data)
    return {
        "encoding": document.encoding,
        "skipped": [one._asdict() for one in told.skipped],
        "notices": [one._asdict() for one in told.notices],
        "mentioned": told.mentioned,
    }


def _skipped(found: Sequence[dict[str, Any]]) -> tuple[Skipped, ...]:
    return tuple(Skipped(**one) for one in found)


MAX_INDEXED = 1_000_000
"""Bytes of a note file that the search looks at."""


def index_note(store: Store, library: Library, name: str) -> None:
    """Let the search know what the note says now. A file outside the library is not read, nor one
    of git's: what a README calls a note may be published."""
    path = path_of_name(library, name)
    real, root = path.resolve(), library.root.resolve()
    is_inside = real.is_relative_to(root) and not is_of_repository(real.relative_to(root))
    if not is_inside or not path.is_file():
        return
    text = read_file(path)[:MAX_INDEXED].decode("utf-8", errors="replace")
    with store.action("note"):
        remember_note(store, name, text)
