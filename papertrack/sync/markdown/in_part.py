"""Writing reading marks in a README of which only the sections that hold them are read.

Whatever else is to be written, or is not exactly as it was remembered, needs all of the file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import astuple, dataclass, replace
from itertools import pairwise

from papertrack.differences import unified_diff
from papertrack.documents.encoding import decode_document, encode_document
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.pieces import Piece
from papertrack.documents.markdown.read.excerpt import (
    Excerpt,
    has_usual_marks,
    read_excerpt,
    take_excerpt,
)
from papertrack.store.documents import (
    RegisteredDocument,
    StoredEntry,
    read_entries_between,
    register_document,
    update_entries,
)
from papertrack.store.files.in_step import entry_counts, present_revision, write_in_step
from papertrack.store.files.written_files import digest_of
from papertrack.sync.asking import Asking
from papertrack.sync.changes import Change, Set
from papertrack.sync.format import Entries, Format
from papertrack.sync.history import History
from papertrack.sync.items import Item
from papertrack.sync.markdown.in_step import Concerned, Place, find_concerned
from papertrack.sync.markdown.matching import stem_of
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.plan import Planner
from papertrack.sync.replacing import replace_document
from papertrack.sync.report import DocumentExport
from papertrack.sync.stamps import stamp_of
from papertrack.sync.versions import Edited
from papertrack.sync.write import Export

MOST_ENTRIES = 200
"""Entries to look at; for more the whole file is read."""
Maker = Callable[[ReadDocument], Format]


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a document that is read."""

    text: str
    """Of the whole document."""
    encoding: str
    pieces: list[Piece]
    """Of the whole document."""
    excerpt: Excerpt
    read: Document
    """The excerpt as it was read."""
    document: Format
    stored: list[StoredEntry]

    def is_as_remembered(self) -> bool:
        """Whether the entries are those that were read of the whole document."""
        items = self.document.items
        return len(items) == len(self.stored) and all(map(_is_same, items, self.stored))

    def changed(self, results: Entries) -> list[StoredEntry]:
        """What is to be remembered otherwise than before."""
        known = {entry.id: entry for entry in self.stored}
        return [entry for entry in results.values() if entry != known[entry.id]]

    def made_of(self, edited: str) -> str | None:
        """The text of the whole document with the excerpt as edited; None where more than marks
        changed, or these do not tell any more how all are written."""
        is_usual = has_usual_marks(self.read.parse_again(edited))
        return self.excerpt.put_back(self.text, edited) if is_usual else None

    def is_mark(self, change: Change) -> bool:
        """Whether a change is about a reading mark that has a place of its own."""
        if not isinstance(change, Set) or change.field != "passes":
            return False
        entry = self.read.entries[change.number]
        mark = entry.anatomy.mark
        return entry.shape == "row" or (mark is not None and mark.kind.is_slot)


def _read_part(
    place: Place, registered: RegisteredDocument, concerned: Concerned, make: Maker
) -> _Part | None:
    """Read the pieces of the document that hold the entries concerned."""
    pieces = [Piece(*values) for values in concerned.known.told["pieces"]]
    chosen = _choose(pieces, concerned.positions)
    if chosen is None:
        return None
    text, encoding = decode_document(concerned.data)
    excerpt = take_excerpt(text, pieces, chosen)
    document = read_excerpt(excerpt, text, registered.settings)
    read = ReadDocument(place.path, concerned.data, encoding, document, ())
    stored = _stored_in(place, registered, pieces, chosen)
    return _Part(text, encoding, pieces, excerpt, document, make(read), stored)


def _choose(pieces: Sequence[Piece], positions: Sequence[int]) -> set[int] | None:
    """Which pieces hold these entries; None where reading all of the document is to be preferred,
    or needed."""
    if not pieces or len(positions) > MOST_ENTRIES:
        return None
    firsts = [piece.first for piece in pieces]
    chosen = {bisect_right(firsts, position) - 1 for position in positions}
    return chosen if all(pieces[number].is_own for number in chosen) else None


def _stored_in(
    place: Place, registered: RegisteredDocument, pieces: Sequence[Piece], chosen: set[int]
) -> list[StoredEntry]:
    """What is remembered of the entries in these pieces, in order."""
    count, _ = entry_counts(place.store, registered.id)
    ranges = list(pairwise([*(piece.first for piece in pieces), count]))
    return [
        entry
        for number in sorted(chosen)
        for entry in read_entries_between(place.store, registered.id, *ranges[number])
    ]


def _is_same(item: Item, stored: StoredEntry) -> bool:
    now = (stem_of(item.key), item.category, item.text)
    then = (stem_of(stored.key), stored.category, stored.text)
    return now == then and item.values == stored.base


def export_in_part(
    place: Place, registered: RegisteredDocument, make: Maker
) -> DocumentExport | None:
    """Write what changed in the entries concerned; None, and nothing is done, if that takes more
    than reading marks of a file that is as it was. ``make`` makes a document of its part."""
    store = place.store
    action = store.action("export", registered.path, can_undo=False)
    with nullcontext() if store.is_trial else action:
        concerned = find_concerned(place, registered)
        part = None if concerned is None else _read_part(place, registered, concerned, make)
        if concerned is None or part is None or not part.is_as_remembered():
            return None
        made = _make(place, registered, part)
        if made is None:
            return None
        edited = _edited(place, registered, concerned, part, made)
        if not edited.is_as_it_was():
            return None
        lost: tuple[str, ...] = ()
        if not store.is_trial:
            digest, lost = _keep(place, registered, concerned, part, made)
            edited.keep(digest)
    is_written = made.text != part.text and not store.is_trial
    diff = unified_diff(part.text, made.text, f"a/{registered.path}", f"b/{registered.path}")
    return DocumentExport(
        registered.path, place.path, diff, made.refused, (), is_written, not_kept=lost
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A document with its marks written."""

    text: str
    """Of the whole document."""
    pieces: list[Piece]
    entries: list[StoredEntry]
    """Those to be remembered otherwise than before."""
    history: History
    refused: tuple[str, ...]


def _make(place: Place, registered: RegisteredDocument, part: _Part) -> _Made | None:
    """Write the marks; None if that takes more than them."""
    asking = Asking(place.store, registered.path, None)
    history = History(place.store, registered.id)
    plan = Planner(place.store, part.document, history, asking).make_plan(part.stored, ())
    if asking.conflicts or not all(map(part.is_mark, plan.changes)):
        return None
    written = part.document.write(plan, history)
    results, _ = Export(place.store, registered, part.document, asking).settle(plan, written)
    text = part.made_of(written.document.text)
    if written.refused or text is None or len(results) != len(part.stored):
        return None
    pieces = part.excerpt.moved(part.pieces, written.document.text)
    return _Made(text, pieces, part.changed(results), history, tuple(dict.fromkeys(plan.refused)))


def _edited(
    place: Place, registered: RegisteredDocument, concerned: Concerned, part: _Part, made: _Made
) -> Edited:
    known = {entry.id: entry for entry in (*part.stored, *made.entries)}
    stamps = {number: stamp_of(part.document.fields, entry) for number, entry in known.items()}
    digest = digest_of(concerned.data)
    return Edited(place.store, registered.id, digest, part.text, made.text, stamps)


def _keep(
    place: Place, registered: RegisteredDocument, concerned: Concerned, part: _Part, made: _Made
) -> tuple[str, tuple[str, ...]]:
    """Write the file, and keep that it is in step; all else of it is as it was. Return the digest
    of its bytes, and what it could not keep."""
    store, data = place.store, concerned.data
    lost: tuple[str, ...] = ()
    made.history.write()
    if made.text != part.text:
        data = encode_document(made.text, part.encoding)
        lost = replace_document(store, registered.path, place.path, concerned.data, data)
    update_entries(store, made.entries)
    digest = digest_of(data)
    register_document(
        store, registered.path, registered.kind, title=registered.title, digest=digest
    )
    told = concerned.known.told | {"pieces": [astuple(piece) for piece in made.pieces]}
    known = replace(concerned.known, digest=digest, waiting=(), told=told)
    write_in_step(store, registered.id, replace(known, written_at=present_revision(store)))
    return digest, lost
