"""READMEs that are in step with the library: of these nothing is read, and nothing written.

A file is the one that was read last if its bytes are; what the library did since then its journal
says. Whatever may be of consequence for a file is looked at as a whole again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from papertrack.documents.markdown.pieces import Piece
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.store.documents import (
    RegisteredDocument,
    find_document,
    papers_in_file,
    papers_without_entry,
    positions_of,
)
from papertrack.store.files.in_step import (
    Change,
    InStep,
    Revision,
    changes_since,
    entry_counts,
    forget_in_step,
    is_settled,
    notes_in_entries,
    present_revision,
    read_in_step,
    write_in_step,
)
from papertrack.store.files.versions import was_another_then
from papertrack.store.store import Store
from papertrack.sync.format import Told
from papertrack.sync.in_step import (
    has_removed,
    is_as_known,
    keep_up,
    nothing_read,
    nothing_written,
    reader_of,
)
from papertrack.sync.items import Category
from papertrack.sync.notes import index_note
from papertrack.sync.report import DocumentExport, ImportReport

MOST_WAITING = 500
"""Papers; more are compared with all others."""
_OF_NO_ENTRY = {
    *("originals", "suggestions", "different", "topics", "paper_topics", "citekey_aliases"),
}
"""Tables that say nothing of what a README shows."""
_OF_NO_FILE = _OF_NO_ENTRY | {
    *("paper_states", "readings", "tags", "notes", "links", "authors", "paper_categories"),
}
"""Tables that an import of entries that did not change does not ask."""
_OF_PLACES = ("papers", "paper_states", "paper_categories", "categories")
"""Tables that say which papers are to be listed where."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which file of which library is meant."""

    store: Store
    library: Library
    path: Path

    def reader(self) -> str:
        """What reads the file: the code, and where the file stands, which its links to notes are
        seen from."""
        return reader_of(self.path, self.library.root)


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds, and what reading it has to tell."""

    digest: str
    encoding: str
    told: Told
    sections: Sequence[Category]
    pieces: Sequence[Piece] = ()
    """Its parts, if a part tells how marks are written in all of it."""

    def said(self) -> dict[str, Any]:
        """What a run tells that reads nothing, as plain JSON."""
        return {
            "encoding": self.encoding,
            "sections": [list(path) for path in self.sections],
            "pieces": [astuple(piece) for piece in self.pieces],
            "skipped": [one._asdict() for one in self.told.skipped],
            "notices": [one._asdict() for one in self.told.notices],
            "mentioned": self.told.mentioned,
        }


def keep_read(place: Place, document_id: int, found: Found, linked: Collection[int] | None) -> None:
    """Keep that an import took all that a file says.

    ``linked`` are the papers that it found in the library, of a file that was not fed before.
    """
    store = place.store
    if not is_settled(store, document_id):
        forget_in_step(store, document_id)
        return
    now = present_revision(store)
    written_at: Revision | None = now
    waiting = tuple(linked or ())
    if linked is None:
        written_at, waiting = _written_before(store, document_id, found)
    if len(waiting) > MOST_WAITING or _is_any_missing(store, found.sections):
        written_at, waiting = None, ()
    known = InStep(found.digest, place.reader(), now, written_at, waiting, found.said())
    write_in_step(store, document_id, known)


def _written_before(
    store: Store, document_id: int, found: Found
) -> tuple[Revision | None, tuple[int, ...]]:
    """When a file was written last, and what waits since; None if what is new may matter."""
    before = read_in_step(store, document_id)
    if before is None:
        return None, ()
    is_edited = before.digest != found.digest and has_removed(store, document_id)
    return (None if is_edited else before.written_at), before.waiting


def keep_written(
    place: Place, document_id: int, old_digest: str, found: Found, *, is_done: bool
) -> None:
    """Keep that an export wrote a file, and with ``is_done`` left nothing to be written or told.

    What was not taken from the file before, when it was ``old_digest``, is still to be imported.
    """
    store, reader = place.store, place.reader()
    before = read_in_step(store, document_id)
    was_read = before and (before.digest, before.reader) == (old_digest, reader)
    if before is None or not was_read or not is_settled(store, document_id):
        forget_in_step(store, document_id)
        return
    known = replace(before, digest=found.digest, told=found.said())
    if is_done:
        known = replace(known, written_at=present_revision(store), waiting=())
    write_in_step(store, document_id, known)


def _is_any_missing(store: Store, sections: Sequence[Category]) -> bool:
    """Whether a paper is in one of these categories without an entry there."""
    return any(papers_without_entry(store, path) for path in sections)


def _find_known(place: Place, registered: RegisteredDocument, data: bytes) -> InStep | None:
    """What is known of a file that holds ``data``, if nobody changed it since."""
    known = read_in_step(place.store, registered.id)
    if known and is_as_known(place.store, registered, known, data, place.reader()):
        return known
    return None


def import_in_step(place: Place, name: str) -> ImportReport | None:
    """What an import comes to that finds nothing new; None if that is not certain."""
    store = place.store
    with store.transaction():
        registered = find_document(store, name)
        if registered is None or registered.kind != "markdown":
            return None
        known = _find_known(place, registered, read_file(place.path))
        entries, papers = entry_counts(store, registered.id)
        if known is None or not entries or not _is_nothing_to_take(place, registered, known):
            return None
        for note in notes_in_entries(store, registered.id):
            if "://" not in note:
                index_note(store, place.library, note)
    return nothing_read(name, known, entries=entries, papers=papers)


def _is_nothing_to_take(place: Place, registered: RegisteredDocument, known: InStep) -> bool:
    """Whether what the library did since is of no consequence for an import of the same bytes."""
    store = place.store
    changes = changes_since(store, known.read_at)
    if changes is None or any(_concerns_reading(one, registered.id) for one in changes):
        return False
    keep_up(store, registered.id, known, changes, is_export=False)
    return True


def _concerns_reading(change: Change, document_id: int) -> bool:
    """Whether an import of what did not change may come to something else by this change."""
    if change.verb == "export" and change.table in ("entries", "documents"):
        return False  # It wrote what the library says.
    if change.table == "papers":
        return not change.keeps("title_key")
    if change.table == "field_sources":
        return change.key.endswith(',"title"]')  # Titles that a source says tell how to read.
    if change.table == "entries" and not change.keeps("base", "title"):
        return True  # Titles tell works at one address apart.
    return change.table not in _OF_NO_FILE and not _is_elsewhere(change, document_id)


def _is_elsewhere(change: Change, document_id: int) -> bool:
    """Whether a change is about another document alone, or about a category made anew."""
    if change.table == "categories":
        return change.operation == "insert"
    if change.table == "documents":
        return change.key != f"[{document_id}]"
    return change.table == "entries" and change.document_id not in (None, document_id)


@dataclass(frozen=True, slots=True)
class Concerned:
    """What an export has to look at in a file that is as it was: the entries of few papers."""

    known: InStep
    data: bytes
    positions: list[int]
    """Where these entries are in the file, in order."""
    changes: Sequence[Change]
    """What the library changed since."""


def find_concerned(place: Place, registered: RegisteredDocument) -> Concerned | None:
    """What may have to say something else than the file does; None if it may be anything."""
    data = read_file(place.path)
    known = _find_known(place, registered, data)
    if known is None or known.written_at is None:
        return None
    changes = changes_since(place.store, known.written_at)
    if changes is None:
        return None
    papers = _find_papers(place, registered, known, changes)
    if papers is None:
        return None
    positions = positions_of(place.store, registered.id, papers)
    return Concerned(known, data, positions, changes)


def _find_papers(
    place: Place, registered: RegisteredDocument, known: InStep, changes: Sequence[Change]
) -> set[int] | None:
    """The papers whose entries are concerned; None if more than these may be."""
    papers = _papers_to_compare(changes, registered.id)
    if papers is None:
        return None
    concerned = papers_in_file(place.store, registered.id, papers | set(known.waiting))
    placed = {change.paper_id for change in changes if _tells_place(change)}
    is_more = placed & concerned or (placed and _is_any_to_come(place, registered, known))
    return None if is_more else concerned


def _tells_place(change: Change) -> bool:
    """Whether a change may make a paper one to be listed elsewhere."""
    if change.table == "paper_states":
        return not change.keeps("decision")
    if change.table == "entries":
        # What the reader took out of a file is wanted back, or that was undone.
        return change.verb not in ("import", "export") and not change.keeps("state")
    return change.table in _OF_PLACES and not (change.table == "papers" and change.keeps("id"))


def _is_any_to_come(place: Place, registered: RegisteredDocument, known: InStep) -> bool:
    """Whether a paper may get an entry, anew or again."""
    sections = [tuple(path) for path in known.told["sections"]]
    return has_removed(place.store, registered.id) or _is_any_missing(place.store, sections)


def _papers_to_compare(changes: Sequence[Change], document_id: int) -> set[int] | None:
    """The papers of which an entry may have something to say anew; None if it may be any."""
    papers = {
        change.paper_id
        for change in changes
        if change.table not in _OF_NO_ENTRY and not _is_elsewhere(change, document_id)
    }
    return None if None in papers else {paper for paper in papers if paper is not None}


def export_in_step(place: Place, registered: RegisteredDocument) -> DocumentExport | None:
    """What an export comes to that has nothing to write; None if that is not certain."""
    store = place.store
    with nullcontext() if store.is_trial else store.transaction():
        concerned = find_concerned(place, registered)
        if concerned is None or concerned.positions:
            return None
        known, changes = concerned.known, concerned.changes
        if changes and was_another_then(store, registered.id, known.digest):
            return None
        keep_up(store, registered.id, known, changes, is_export=True)
    return nothing_written(registered, place.path)
