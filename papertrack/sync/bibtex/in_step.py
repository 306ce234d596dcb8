"""Files of BibTeX that are in step with the library: of these nothing is read, nothing written.

A file is the one that was read last if its bytes are. Whatever the library did since then to a
paper of the file, or to what is known of the file, has it looked at as a whole again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from papertrack.library.files import read_file
from papertrack.store.documents import (
    EntryState,
    RegisteredDocument,
    StoredEntry,
    entries_of,
    find_document,
    papers_in_file,
    update_entries,
)
from papertrack.store.files.in_step import (
    Change,
    InStep,
    changes_since,
    forget_in_step,
    is_settled,
    present_revision,
    read_in_step,
    write_in_step,
)
from papertrack.store.files.versions import was_another_then
from papertrack.store.files.written_files import digest_of
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import FIELDS, paper_values
from papertrack.sync.format import Entries, Told
from papertrack.sync.in_step import (
    has_removed,
    is_as_known,
    keep_up,
    nothing_read,
    nothing_written,
    reader_of,
)
from papertrack.sync.report import DocumentExport, ImportReport
from papertrack.sync.threeway import Values

_FEW = 200
"""Papers of a file up to which it pays to compare what the library says of them alone."""


class Found(NamedTuple):
    """A file as it was just read, or written, and what every reading of it tells."""

    path: Path
    data: bytes
    told: Told
    encoding: str
    entries: Entries
    dialect: str

    def said(self) -> dict[str, object]:
        return {
            "encoding": self.encoding,
            "dialect": self.dialect,
            "entries": len(self.entries),
            "papers": len({entry.paper_id for entry in self.entries.values()}),
            "skipped": [one._asdict() for one in self.told.skipped],
            "notices": [one._asdict() for one in self.told.notices],
        }


def keep_read(store: Store, document_id: int, found: Found, *, is_first: bool) -> None:
    """Keep that an import took all that a file says, and what it tells at every reading.

    A file that is taken for the first time says all that it is to say: what the library knows more
    of its papers by then is no change of theirs. Later, what an import takes changes papers, and
    is looked at with what else changed since the last export.
    """
    if not is_settled(store, document_id):
        forget_in_step(store, document_id)
        return
    before = read_in_step(store, document_id)
    digest, reader = digest_of(found.data), reader_of(found.path)
    now = present_revision(store)
    written_at = before.written_at if before else now if is_first else None
    write_in_step(store, document_id, InStep(digest, reader, now, written_at, (), found.said()))


def keep_written(
    store: Store, document_id: int, before: bytes, found: Found, *, is_done: bool
) -> None:
    """Keep that an export left nothing to be written, and what it wrote over a file that held
    ``before``; forget what is known of a file that it wrote in part, or that was not read."""
    known, digest = read_in_step(store, document_id), digest_of(found.data)
    was_read = known is not None and (known.digest, known.reader) == (
        digest_of(before),
        reader_of(found.path),
    )
    is_whole = is_done or found.data == before
    if known is None or not was_read or not is_whole or not is_settled(store, document_id):
        forget_in_step(store, document_id)
    elif is_done:
        told = known.told if found.data == before else found.said()
        now = present_revision(store)
        write_in_step(store, document_id, replace(known, digest=digest, written_at=now, told=told))


def import_in_step(store: Store, path: Path, name: str) -> ImportReport | None:
    """What an import comes to that finds nothing new; None if that is not certain."""
    with store.transaction():
        registered = find_document(store, name)
        known = _find_known(store, registered, path) if registered else None
        if registered is None or known is None:
            return None
        changes = changes_since(store, known.read_at)
        if changes is None or any(_concerns_reading(one, registered.id) for one in changes):
            return None
        keep_up(store, registered.id, known, changes, is_export=False)
    count, papers = known.told["entries"], known.told["papers"]
    return nothing_read(name, known, entries=count, papers=papers)


class Concerned(NamedTuple):
    """What an export has to look at in a file that is as it was."""

    known: InStep
    changes: Sequence[Change]
    """What the library changed since."""
    entries: list[StoredEntry]
    """Those of the papers that it changed."""


def find_concerned(store: Store, registered: RegisteredDocument, path: Path) -> Concerned | None:
    """What may have to say something else than the file does; None if it may be anything."""
    known = _find_known(store, registered, path)
    if known is None or known.written_at is None:
        return None
    changes = changes_since(store, known.written_at)
    entries = None if changes is None else _entries_changed(store, changes, registered.id)
    if changes is None or entries is None:
        return None
    return Concerned(known, changes, entries)


def export_in_step(
    store: Store, registered: RegisteredDocument, path: Path
) -> DocumentExport | None:
    """What an export comes to that has nothing to write; None if that is not certain."""
    with nullcontext() if store.is_trial else store.transaction():
        concerned = find_concerned(store, registered, path)
        if concerned is None:
            return None
        known, changes = concerned.known, concerned.changes
        entries = _as_now(store, concerned.entries)
        if entries is None:
            return None
        if changes and was_another_then(store, registered.id, known.digest):
            return None
        if entries and not store.is_trial:
            # What no file holds, such as a rating, is remembered as by an export that writes.
            with store.action("export", registered.path, can_undo=False):
                update_entries(store, entries)
        keep_up(store, registered.id, known, changes, is_export=True)
    return nothing_written(registered, path)


def _find_known(store: Store, registered: RegisteredDocument, path: Path) -> InStep | None:
    """What is known of the file, if nobody changed it since and nothing waits to come back."""
    known = read_in_step(store, registered.id)
    if known is None or registered.kind != "bibtex":
        return None
    is_same = is_as_known(store, registered, known, read_file(path), reader_of(path))
    # An entry that went with its paper may come back with it.
    return known if is_same and not has_removed(store, registered.id) else None


def _entries_changed(
    store: Store, changes: Sequence[Change], document_id: int
) -> list[StoredEntry] | None:
    """The entries of the papers that these changes are about; None if they may be about more, or
    are about so many that these are compared with the file."""
    papers = set()
    for change in changes:
        if _is_elsewhere(change, document_id):
            continue
        if change.paper_id is None:
            return None
        papers.add(change.paper_id)
    in_file = papers_in_file(store, document_id, papers)
    return entries_of(store, document_id, in_file) if len(in_file) <= _FEW else None


def _as_now(store: Store, entries: Sequence[StoredEntry]) -> list[StoredEntry] | None:
    """The entries of which the library says otherwise now what their file does not hold, such as
    a pass, as it says it; None if any of them has something to say in the file."""
    papers = {entry.paper_id for entry in entries if entry.paper_id is not None}
    values = {paper.id: paper_values(paper) for paper in get_papers(store, sorted(papers))}
    if not all(_says_the_same(entry, values.get(entry.paper)) for entry in entries):
        return None
    now = [entry._replace(library=values[entry.paper]) for entry in entries]
    return [entry for entry, before in zip(now, entries, strict=True) if entry != before]


def _says_the_same(entry: StoredEntry, values: Values | None) -> bool:
    """Whether the library says of an entry, as far as a file holds that, what it said when both
    were in step."""
    is_linked = entry.state is EntryState.LINKED and values is not None
    return is_linked and FIELDS.exported(entry.library) == FIELDS.exported(values or {})


def _concerns_reading(change: Change, document_id: int) -> bool:
    """Whether an import of entries that did not change may come to something else by this change:
    it takes nothing from them, whatever the library says of their papers now, unless something
    else than an export did it to what is known of the entries or their file."""
    if change.verb == "export":
        return False
    if change.table == "documents":
        return change.key == f"[{document_id}]"
    return change.table == "entries" and change.document_id in (None, document_id)


def _is_elsewhere(change: Change, document_id: int) -> bool:
    """Whether a change is about another document, about nothing that has to do with files, or
    what an import or export noted of the file itself, such as its digest."""
    if change.table == "documents":
        return change.verb in ("import", "export") or change.key != f"[{document_id}]"
    if change.table == "entries":
        return change.document_id not in (None, document_id)
    return change.table == "topics" or (
        change.table == "categories" and change.operation == "insert"
    )
