"""Putting back what exports took out of a document: the same lines at the same place.

A paper that was removed and restored, or moved and moved back, has its row again as it was, with
all that the library does not know of: remarks, sub-items, link definitions, its neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.entry_edits import without_entries
from papertrack.documents.markdown.write.taking import (
    Piece,
    as_it_is_now,
    from_plain,
    piece_of_entry,
    put_back,
    to_plain,
)
from papertrack.library import Library
from papertrack.records import Identifier
from papertrack.store.documents import (
    EntryState,
    RemovedEntry,
    StoredEntry,
    papers_without_entry,
    read_removed_entries,
    write_removed_entries,
)
from papertrack.store.lookup import find_papers, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.markdown.items import items_of
from papertrack.sync.markdown.matching import match_entries, stem_of
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import entry_values


@dataclass(frozen=True, slots=True)
class PutBack:
    """A document with what came back, and what is remembered of its entries then."""

    read: ReadDocument
    stored: list[StoredEntry]
    returned: frozenset[int]
    """The ids of the removed entries that came back."""


@dataclass(frozen=True, slots=True)
class _Return:
    """One removed entry that the library wants in its old category again."""

    removed: RemovedEntry
    paper_id: int
    position: int | None
    """Where in the stored entries the paper's row is that moves back; None for one to restore."""
    pieces: tuple[Piece, ...]


def put_back_entries(
    store: Store, library: Library, read: ReadDocument, stored: list[StoredEntry], document_id: int
) -> PutBack:
    """Put back the entries whose papers are in their old category again, and move back those that
    an export moved. What cannot come back as it was is left to be written anew."""
    removed = read_removed_entries(store, document_id)
    unchanged = PutBack(read, stored, frozenset())
    if not removed:
        return unchanged
    matches = match_entries(stored, items_of(read.document, library, read.path))
    returns = list(_find_returns(store, read, stored, matches, removed))
    if not returns:
        return unchanged
    places = {position: number for number, position in matches.items()}
    leaving = [places[r.position] for r in returns if r.position is not None]
    text, gone = without_entries(read.document, leaving)
    returns = [r for r in returns if r.position is None or places[r.position] in gone]
    start = read.parse_again(text) if gone else read.document
    if len(start.entries) != len(read.document.entries) - len(gone):
        return unchanged
    document, done = _restored(read, start, returns)
    if len(done) < len(returns) and gone:
        return unchanged  # A row was cut out whose place is not found.
    names = Counter(map(_name, read.document.entries))
    if not names <= Counter(map(_name, document.entries)):
        return unchanged
    return PutBack(
        replace(read, document=document),
        _with_returned(library, read, document, stored, done),
        frozenset(r.removed.id for r in done if r.removed.id is not None),
    )


def remember_removed(
    store: Store,
    document_id: int,
    taken: Sequence[tuple[tuple[Piece, ...], StoredEntry]],
    returned: Collection[int] = (),
) -> None:
    """Remember entries with the pieces they were, later than all that was taken out before; forget
    those with the ids ``returned``."""
    old = [int(p["order"]) for r in read_removed_entries(store, document_id) for p in r.pieces]
    first = max(old, default=-1) + 1
    removed = [
        RemovedEntry(
            replace(entry, paper_id=None, id=None, state=EntryState.REMOVED),
            [to_plain(replace(piece, order=first + piece.order)) for piece in pieces],
        )
        for pieces, entry in taken
        if pieces
    ]
    write_removed_entries(store, document_id, removed, returned)


def remember_deleted(
    store: Store, document_id: int, stored: Sequence[StoredEntry], deleted: Sequence[StoredEntry]
) -> None:
    """Remember entries that were deleted in the file, and are to be put back: from among
    ``stored``, all that the file had, in its order."""
    known = [entry for entry in stored if entry.is_in_file]
    texts = [(entry.key, entry.text) for entry in known]
    places = {entry.id: position for position, entry in enumerate(known)}
    taken = [((piece_of_entry(texts, places[entry.id]),), entry) for entry in deleted]
    remember_removed(store, document_id, taken)


def _find_returns(
    store: Store,
    read: ReadDocument,
    stored: Sequence[StoredEntry],
    matches: dict[int, int],
    removed: Sequence[RemovedEntry],
) -> Iterator[_Return]:
    entries = read.document.entries
    by_hand = {stem_of(e.key) for number, e in enumerate(entries) if number not in matches}
    waiting: dict[tuple[str, ...], list[int]] = {}
    used: set[int] = set()
    for one in removed:
        category = one.entry.category
        if category not in waiting:
            waiting[category] = papers_without_entry(store, category)
        paper_id = _paper_of(store, one.entry, waiting[category])
        if paper_id is None:
            paper_id = _paper_of_further(store, one.entry, [stored[n] for n in matches.values()])
        if paper_id is None or stem_of(one.entry.key) in by_hand:
            continue
        pieces = tuple(from_plain(piece) for piece in one.pieces)
        moving = _moving(store, read, stored, matches, paper_id, used)
        if moving is not None:
            number, position = moving
            used.add(position)
            now = read.document.text[slice(*entries[number].span)]
            pieces = tuple(as_it_is_now(piece, one.entry.text, now) for piece in pieces)
            yield _Return(one, paper_id, position, pieces)
        else:
            yield _Return(one, paper_id, None, pieces)


def _paper_of(store: Store, entry: StoredEntry, waiting: Sequence[int]) -> int | None:
    """The paper that has no row in the entry's category, and is what the entry is about."""
    identifiers = [Identifier(*pair) for pair in entry.base.get("identifiers", ())]
    owners = [owner for owner in find_papers(store, identifiers).values() if owner in waiting]
    if owners or identifiers:
        return next(iter(owners), None)
    title = entry.base.get("title") or ""
    same = [p.id for p in get_papers(store, waiting) if (p.facts.title or "") == title]
    return same[0] if same and (title or len(same) == 1) else None


def _paper_of_further(
    store: Store, entry: StoredEntry, present: Sequence[StoredEntry]
) -> int | None:
    """The paper in the entry's category that had further rows there, of which this one is gone."""
    stem = stem_of(entry.key)
    if stem == entry.key:
        return None
    rows = [e for e in present if (stem_of(e.key), e.category) == (stem, entry.category)]
    if not rows or len(rows) >= int(entry.key.removeprefix(f"{stem}#")):
        return None
    owner = rows[0].paper_id
    is_in_it = owner is not None and entry.category in get_paper(store, owner).categories
    return owner if is_in_it else None


def _moving(
    store: Store,
    read: ReadDocument,
    stored: Sequence[StoredEntry],
    matches: dict[int, int],
    paper_id: int,
    used: set[int],
) -> tuple[int, int] | None:
    """The row of the paper, as (index, position), that is where the paper is no more."""
    held = get_paper(store, paper_id).categories
    for number, position in matches.items():
        before = stored[position]
        if before.paper_id == paper_id and before.is_in_file and position not in used:
            shown = read.document.entries[number].category
            if before.category not in held and shown == before.category:
                return number, position
    return None


def _restored(
    read: ReadDocument, start: Document, returns: Sequence[_Return]
) -> tuple[Document, list[_Return]]:
    """The document with all that can come back as it was, and what that is."""
    left = list(returns)
    while left:
        pieces = sorted(
            ((piece, one) for one in left for piece in one.pieces),
            key=lambda pair: -pair[0].order,
        )
        text, lost = put_back(start, [piece for piece, _ in pieces])
        document = read.parse_again(text)
        found = Counter((stem_of(e.key), e.category) for e in document.entries)
        found.subtract((stem_of(e.key), e.category) for e in start.entries)
        failed = [one for number, (_, one) in enumerate(pieces) if number in lost]
        for one in left:
            name = (stem_of(one.removed.entry.key), one.removed.entry.category)
            found[name] -= 1
            if found[name] < 0:
                failed.append(one)
        if not failed:
            return document, left
        left = [one for one in left if one not in failed]
    return start, []


def _with_returned(
    library: Library,
    read: ReadDocument,
    document: Document,
    stored: Sequence[StoredEntry],
    done: Sequence[_Return],
) -> list[StoredEntry]:
    result = list(stored)
    said: dict[tuple[str, tuple[str, ...]], list[Entry]] = {}
    for entry in document.entries:
        said.setdefault((stem_of(entry.key), entry.category), []).append(entry)
    for one in done:
        was = one.removed.entry
        if one.position is not None:
            result[one.position] = replace(result[one.position], category=was.category)
            continue
        # Both sides were in step on what the lines say, or the removal would have been asked about.
        same = said[stem_of(was.key), was.category]
        again = next((e for e in same if e.fields.title == was.base.get("title")), same[0])
        base = entry_values(again, library, read.path)
        result.append(replace(was, paper_id=one.paper_id, base=base, state=EntryState.LINKED))
    return result


def _name(entry: Entry) -> tuple[object, ...]:
    return entry.identifiers or (entry.fields.title,)
