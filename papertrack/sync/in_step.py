"""Documents that are in step with the library: nothing is read, and nothing written.

A file is the one that was read last if its bytes are; what the library did since then its journal
says. Where that may concern the document in any way, the file is read, as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from papertrack import __version__
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.records import Skipped
from papertrack.store.documents import (
    RegisteredDocument,
    find_document,
    papers_in_file,
    papers_without_entry,
)
from papertrack.store.files.versions import (
    InStep,
    entry_counts,
    forget_in_step,
    is_settled,
    notes_in_entries,
    papers_changed,
    present_revision,
    read_in_step,
    write_in_step,
)
from papertrack.store.files.written_files import digest_of
from papertrack.store.index import remember_note
from papertrack.store.store import Store
from papertrack.sync.format import Entries, Format
from papertrack.sync.history import History
from papertrack.sync.report import DocumentExport, ImportReport
from papertrack.sync.way_back import remember_in_step, would_go_back


def keep_read(store: Store, document_id: int, document: Format, known: Entries) -> None:
    """Keep that an import took all that a file says, of which ``known`` is remembered."""
    if not is_settled(store, document_id):
        forget_in_step(store, document_id)
        return
    digest, report = digest_of(document.data), _report_of(document, known, document.data)
    reader, now = _reader_of(document.path), present_revision(store)
    write_in_step(store, document_id, InStep(digest, reader, now, False, report))


def keep_written(
    store: Store, document_id: int, before: Format, now: Format, known: Entries, data: bytes
) -> None:
    """Keep that an export made ``data`` of a file, and left nothing to be written or told; unless
    the file said what no import had taken."""
    last, reader = read_in_step(store, document_id), _reader_of(now.path)
    was_read = last and (last.digest, last.reader) == (digest_of(before.data), reader)
    if last is None or not was_read or not is_settled(store, document_id):
        forget_in_step(store, document_id)
        return
    is_all_known = all(
        item.number in known and known[item.number].base == item.values for item in now.items
    )
    at = present_revision(store) if is_all_known else last.at
    report = _report_of(now, known, data)
    write_in_step(store, document_id, InStep(digest_of(data), reader, at, is_all_known, report))


def import_in_step(store: Store, library: Library, path: Path, name: str) -> ImportReport | None:
    """Return what an import comes to that finds nothing new; None if that is not certain."""
    with store.transaction():
        registered = find_document(store, name)
        known = _find_known(store, registered, path) if registered else None
        if registered is None or known is None:
            return None
        entries, papers = entry_counts(store, registered.id)
        if not entries or _is_concerned(store, registered.id, known):
            return None
        _follow(store, registered.id, known)
        for note in notes_in_entries(store, registered.id) if registered.kind == "markdown" else ():
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
        if known is None or _is_concerned(store, registered.id, known):
            return None
        if not _follow(store, registered.id, known):
            return None
    return DocumentExport(registered.path, path, "", (), (), is_written=False)


def _follow(store: Store, document_id: int, known: InStep) -> bool:
    """Keep that nothing since concerned a file; return whether it says what the library says."""
    now = present_revision(store)
    if now == known.at:
        return known.is_written
    is_written = known.is_written and not would_go_back(store, document_id, known.digest)
    if not store.is_trial:
        write_in_step(store, document_id, replace(known, at=now, is_written=is_written))
        if is_written:
            remember_in_step(store, document_id)
    return is_written


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
        "sections": [list(path) for path in document.sections],
        "skipped": [one._asdict() for one in told.skipped],
        "notices": [one._asdict() for one in told.notices],
        "mentioned": told.mentioned,
    }


def _skipped(found: Sequence[dict[str, Any]]) -> tuple[Skipped, ...]:
    return tuple(Skipped(**one) for one in found)


def _find_known(store: Store, registered: RegisteredDocument, path: Path) -> InStep | None:
    """Return what is known of a file, if nobody changed it since and nothing waits in it."""
    known = read_in_step(store, registered.id)
    if known is None or known.reader != _reader_of(path) or not is_settled(store, registered.id):
        return None
    is_same = {known.digest, registered.digest} == {digest_of(read_file(path))}
    return known if is_same else None


def _is_concerned(store: Store, document_id: int, known: InStep) -> bool:
    """Return whether anything that the library did since may be of consequence: to papers that the
    document has, or had, or may get."""
    papers = papers_changed(store, known.at, document_id)
    if not papers:
        return False
    if None in papers or papers_in_file(store, document_id, {one for one in papers if one}):
        return True
    if History(store, document_id).removed:
        return True  # What was taken out may come back.
    sections = map(tuple, known.report["sections"])
    return any(papers_without_entry(store, path) for path in sections)


MAX_INDEXED = 1_000_000
"""Bytes of a note file that the search looks at."""


def index_note(store: Store, library: Library, name: str) -> None:
    """Let the search know what the note says now. A file outside the library is not read."""
    path = path_of_name(library, name)
    if not path.resolve().is_relative_to(library.root.resolve()) or not path.is_file():
        return
    text = read_file(path)[:MAX_INDEXED].decode("utf-8", errors="replace")
    with store.action("note"):
        remember_note(store, name, text)
