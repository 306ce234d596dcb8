"""The way back: earlier versions of a document, by what had been done when it was so.

Undone, an edit leaves the library as it was when the file said so: then the file gets the text
again that it had, and each entry is remembered as it was then. That is exact however many edits
came together, but only for a file that nobody else wrote since; whatever else is taken back is for
the history of single entries.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from papertrack.records import Paper
from papertrack.store.database import to_json
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.files.versions import (
    add_moment,
    done_now,
    is_of_moment,
    keep_version,
    newest_version,
    texts_of,
    version_of,
)
from papertrack.store.files.written_files import digest_of
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.format import Entries, Format
from papertrack.sync.history import History

Texts = tuple[list[str], list[str]]
"""The lines of a document, and what is remembered of its items, in order."""


def texts_now(document: Format, known: Entries) -> Texts:
    """Return what a document is whose items are ``known``."""
    entries = [_plain(known.get(item.number)) for item in document.items]
    return document.text.splitlines(keepends=True), entries


def _plain(entry: StoredEntry | None) -> str:
    return to_json(entry and [*entry[:-2], entry.refused, entry.held_in])


def _entry(text: str) -> StoredEntry | None:
    if (told := json.loads(text)) is None:
        return None
    entry = StoredEntry(*told)
    held_in = None if entry.held_in is None else tuple(map(tuple, entry.held_in))
    return entry._replace(
        category=tuple(entry.category), state=EntryState(entry.state), held_in=held_in
    )


def last_text(store: Store, document_id: int) -> str | None:
    """Return what a document was when it was last read or written; None where that is not known."""
    newest = newest_version(store, document_id)
    return None if newest is None else "".join(texts_of(store, newest.lines)) or None


def keep_read_version(
    store: Store, document_id: int, data: bytes, texts: Texts, action_id: int
) -> None:
    """Keep what a document is that was read in an action; of one that others wrote, nothing older.

    Whether the file then says what the library says only an export knows: of one that is as it was
    it is so if it was so before the action.
    """
    newest, digest = newest_version(store, document_id), digest_of(data)
    is_same = newest is not None and newest.digest == digest
    before = done_now(store, without=action_id)
    is_in_step = newest is None or not is_same or is_of_moment(store, newest, before)
    number = keep_version(store, document_id, digest, texts, is_next=is_same)
    if is_in_step:
        add_moment(store, number, done_now(store))


def keep_written_version(
    store: Store, document_id: int, before: bytes, data: bytes, texts: Texts
) -> None:
    """Keep what a document is that was written over ``before``."""
    newest = newest_version(store, document_id)
    is_next = newest is not None and newest.digest == digest_of(before)
    number = keep_version(store, document_id, digest_of(data), texts, is_next=is_next)
    add_moment(store, number, done_now(store))


def remember_in_step(store: Store, document_id: int, digest: str) -> None:
    """Remember that a document with these bytes has nothing to write now, if they are those of its
    newest version."""
    newest = newest_version(store, document_id)
    if newest is not None and newest.digest == digest:
        add_moment(store, newest.id, done_now(store))


def would_go_back(store: Store, document_id: int, digest: str) -> bool:
    """Return whether a document held other bytes than these when all was done that is done now,
    and nothing else: then those are what it is to hold again."""
    then = version_of(store, document_id, done_now(store))
    return then is not None and then.digest != digest


def go_back(
    store: Store,
    document_id: int,
    document: Format,
    stored: Sequence[StoredEntry],
    history: History,
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
    entries = [_entry(text) for text in texts_of(store, then.entries)]
    known = [entry for entry in entries if entry is not None]
    if then.id == newest.id or len(known) < len(entries):
        return None
    again = document.with_text("".join(texts_of(store, then.lines)))
    if len(again.items) != len(known) or digest_of(again.encoded()) != then.digest:
        return None
    ids = [entry.paper_id for entry in known if entry.paper_id is not None]
    papers = {paper.id: paper for paper in get_papers(store, sorted(set(ids)))}
    if not all(_is_right(document, entry, papers) for entry in known):
        return None
    numbered = _with_numbers(known, stored)
    _note(document, again, stored, numbered, history)
    away = [entry for entry in stored if entry.state is EntryState.UNLINKED]
    return again, [*numbered, *away]


def _is_right(document: Format, entry: StoredEntry, papers: dict[int, Paper]) -> bool:
    """Return whether an entry that was in step then says what the library says: something may
    have waited to be written when the file was only read."""
    if entry.state is not EntryState.LINKED:
        return True
    paper = papers.get(entry.paper)
    if paper is None:
        return False
    fields = document.fields
    says = fields.exported(entry.library | entry.refused)
    is_there = entry.category in ((), *paper.categories) or entry.held_in == paper.categories
    return is_there and says == fields.exported(document.library_values(paper))


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


def _note(
    document: Format,
    again: Format,
    stored: Sequence[StoredEntry],
    entries: Sequence[StoredEntry],
    history: History,
) -> None:
    """Let the history know that a document is again what it was: some entries are edited, some
    back, and some gone, which may be wanted back one by one."""
    now = {
        stored[position].id: (stored[position], document.items[number])
        for number, position in document.matches_written(stored).items()
    }
    for item, entry in zip(again.items, entries, strict=True):
        if entry.id in now:
            history.note_edited(*now[entry.id], item.words)
    left = {entry.id for entry in entries}
    gone = [entry for number, (entry, _) in now.items() if number not in left]
    for entry, hunks in again.hunks_of_deleted(document.text, stored, gone):
        history.note_removed(entry, hunks)
    names = {(entry.key, entry.category) for entry in entries}
    history.note_returned(
        one for one in history.removed if (one.entry.key, one.entry.category) in names
    )
