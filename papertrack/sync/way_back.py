"""The way back: earlier versions of a document, by what had been done when it was so.

Undone, an edit leaves the library as it was when the file said so: then the file gets the text
again that it had, and each entry is remembered as it was then. That is exact however many edits
came together, but only for a file that nobody else wrote since; whatever else is taken back, single
entries give (see ``history``), which come from the same versions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papertrack.store.database import to_json
from papertrack.store.documents import EntryState, StoredEntry, entry_ids
from papertrack.store.files.versions import (
    add_moment,
    are_too_many,
    done_now,
    forget_older,
    is_of_moment,
    keep_version,
    newest_version,
    texts_of,
    version_of,
)
from papertrack.store.files.written_files import digest_of
from papertrack.store.store import Store
from papertrack.sync.format import Entries, Format
from papertrack.sync.history import History, entry_of, text_of
from papertrack.sync.items import Category, Item

Texts = tuple[list[str], list[str]]
"""The lines of a document, and what is remembered of its items, in order."""


def texts_now(store: Store, document_id: int, document: Format, known: Entries) -> Texts:
    """Return what a document is whose items are ``known``, as they are stored."""
    ids = entry_ids(store, document_id)
    entries = [_plain(item, known.get(item.number), ids) for item in document.items]
    return document.text.splitlines(keepends=True), entries


def _plain(item: Item, entry: StoredEntry | None, ids: Mapping[tuple[str, Category], int]) -> str:
    if entry is None:
        return to_json(None)
    entry = entry._replace(id=ids.get((entry.key, entry.category), entry.id))
    words = None if item.words == entry.text else item.words
    return to_json([*entry[:-2], entry.refused, entry.held_in, words])


def keep_read_version(
    store: Store, document_id: int, data: bytes, texts: Texts, action_id: int
) -> None:
    """Keep what a document is that was read in an action.

    Whether the file then says what the library says only an export knows: of one that is as it was
    it is so if it was so before the action.
    """
    newest, digest = newest_version(store, document_id), digest_of(data)
    is_same = newest is not None and newest.digest == digest
    before = done_now(store, without=action_id)
    is_in_step = newest is None or not is_same or is_of_moment(store, newest, before)
    number = _kept(store, document_id, digest, texts, is_ours=is_same)
    if is_in_step:
        add_moment(store, number, done_now(store))


def keep_seen_version(
    store: Store, document_id: int, document: Format, stored: Sequence[StoredEntry]
) -> None:
    """Keep what a document is that an export finds, if it is not what was kept last: another hand
    may have written it, and what is ``stored`` of its entries may be otherwise since."""
    newest, digest = newest_version(store, document_id), digest_of(document.data)
    is_same = newest is not None and newest.digest == digest
    known = {number: stored[at] for number, at in document.matches_written(stored).items()}
    if not is_same:
        for number, entry in known.items():
            item = document.items[number]
            now = entry._replace(key=item.key, category=item.category, text=item.text)
            known[number] = now._replace(base=item.values)
    entries = [_plain(item, known.get(item.number), {}) for item in document.items]
    texts = document.text.splitlines(keepends=True), entries
    _kept(store, document_id, digest, texts, is_ours=is_same)


def keep_written_version(store: Store, document_id: int, data: bytes, texts: Texts) -> None:
    """Keep what a document is that an export wrote."""
    number = _kept(store, document_id, digest_of(data), texts, is_ours=True)
    add_moment(store, number, done_now(store))


def _kept(store: Store, document_id: int, digest: str, texts: Texts, *, is_ours: bool) -> int:
    number = keep_version(store, document_id, digest, texts, is_ours=is_ours)
    if are_too_many(store, document_id):
        forget_older(store, document_id, History(store, document_id).versions)
    return number


def go_back(
    store: Store,
    document_id: int,
    document: Format,
    stored: Sequence[StoredEntry],
) -> tuple[Format, Sequence[StoredEntry]] | None:
    """Return a document as it was when the library held what it holds now, and what is then to be
    remembered: of each item in order, then of what was taken out by hand. None where it was never
    otherwise, or where another hand wrote since."""
    if any(entry.state is EntryState.WANTED for entry in stored):
        return None
    newest, then = (
        newest_version(store, document_id),
        version_of(store, document_id, done_now(store)),
    )
    if newest is None or then is None or newest.digest != digest_of(document.data):
        return None
    entries = [entry_of(text) for text in texts_of(store, then.entries)]
    known = [entry for entry in entries if entry is not None]
    if then.id == newest.id or len(known) < len(entries):
        return None
    again = document.with_text(text_of(store, then))
    if len(again.items) != len(known) or digest_of(again.encoded()) != then.digest:
        return None
    away = [entry for entry in stored if entry.state is EntryState.UNLINKED]
    return again, [*_with_numbers(known, stored), *away]


def _with_numbers(
    entries: Sequence[StoredEntry], stored: Sequence[StoredEntry]
) -> list[StoredEntry]:
    """Return entries of then with the numbers that they have now: their own, or those of what
    stands in their place since."""
    there = {entry.id for entry in stored}
    own = {entry.id for entry in entries} & there
    others = {
        (entry.key, entry.category, entry.paper_id): entry.id
        for entry in stored
        if entry.id not in own and entry.state is not EntryState.UNLINKED
    }
    return [
        entry
        if entry.id in there
        else entry._replace(id=others.pop((entry.key, entry.category, entry.paper_id), None))
        for entry in entries
    ]
