"""Earlier versions of a document, and which of them says what the library says again.

Undone, an edit leaves the library as it was when the file said so: then the file gets the text
again that it had. That is exact however many edits came together, but only for a file that nobody
else wrote since; whatever else is taken back is for the history of single entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papertrack.documents.deltas import applied, delta
from papertrack.store.documents import (
    EntryState,
    StoredEntry,
)
from papertrack.store.files.versions import (
    Moment,
    Version,
    add_moment,
    add_version,
    moment_now,
    newest_version,
    undone_now,
    versions_of,
)
from papertrack.store.files.written_files import digest_of
from papertrack.store.store import Store
from papertrack.sync.format import Entries, Format
from papertrack.sync.history import History
from papertrack.sync.items import Item
from papertrack.sync.present import Present
from papertrack.sync.stamps import (
    Waiting,
    base_told,
    entry_told,
    is_unknown,
    paper_of,
    said_in,
    stamp_of,
    told_of,
    waiting_of,
    with_base,
)
from papertrack.sync.threeway import Values, leave_as_before


class State(NamedTuple):
    """A document at one time."""

    digest: str
    text: str
    stamps: list[str]
    """Those of its entries, in order."""
    done: tuple[str, ...] = ()
    """What had been done when the document was so."""

    def parts(self) -> tuple[list[str], list[str]]:
        """Its lines and its stamps."""
        return _lines(self.text), self.stamps


def state_of(document: Format, data: bytes, known: Entries) -> State:
    """Return what a document is whose file holds ``data``, and whose items are ``known``."""
    stamps = [_stamp(document, item, known.get(item.number)) for item in document.items]
    return State(digest_of(data), document.text, stamps)


def _stamp(document: Format, item: Item, entry: StoredEntry | None) -> str:
    stamp = stamp_of(document.fields, entry)
    # How an entry of a list is read hangs on those around it; the others stand for themselves.
    if entry is None or is_unknown(stamp) or not document.fields.is_listing:
        return stamp
    return stamp if entry.base == item.values else with_base(stamp, entry.base)


def last_text(store: Store, document_id: int) -> str | None:
    """Return what a document was when it was last read or written; None where that is not known."""
    newest = newest_version(store, document_id)
    lines = applied((), newest.lines) if newest else ()
    return "".join(lines) or None


def keep_read_version(store: Store, document_id: int, now: State) -> None:
    """Keep what a document is that was read; of one that others wrote, nothing older."""
    newest, moment = newest_version(store, document_id), moment_now(store)
    if newest is None or newest.digest != now.digest:
        add_version(store, document_id, now.digest, moment, now.parts())
    else:
        # What was undone is still to be written.
        _add(store, document_id, newest, now.text, now, Moment(newest.undone, moment.done))


def keep_version(store: Store, document_id: int, before: Format, now: State) -> None:
    """Keep what a document is that was written, and was ``before`` when it was read."""
    newest, moment = newest_version(store, document_id), moment_now(store)
    if newest is None or newest.digest != digest_of(before.data):
        add_version(store, document_id, now.digest, moment, now.parts())
    else:
        _add(store, document_id, newest, before.text, now, moment)


def _add(
    store: Store, document_id: int, newest: Version, text: str, now: State, moment: Moment
) -> None:
    """Keep a version that comes after the ``newest``, of which this is the ``text``."""
    stamps = applied((), newest.entries)
    if (newest.digest, stamps, newest.undone) == (now.digest, now.stamps, moment.undone):
        add_moment(store, document_id, newest, moment)
        return
    way_back = delta(_lines(now.text), _lines(text)), delta(now.stamps, stamps)
    add_version(store, document_id, now.digest, moment, now.parts(), way_back)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def earlier_states(store: Store, document_id: int, digest: str, text: str) -> Iterator[State]:
    """Yield what a document was, from now on backwards; nothing of a file that others wrote."""
    lines, stamps = _lines(text), list[str]()
    for number, version in enumerate(versions_of(store, document_id)):
        if not number and version.digest != digest:
            return
        lines = applied(lines, version.lines) if number else lines
        stamps = applied(stamps, version.entries)
        yield State(version.digest, "".join(lines), stamps, version.done)


def was_undone(store: Store, document_id: int) -> bool:
    """Whether anything was undone, or done again, since a version was kept."""
    newest = newest_version(store, document_id)
    return newest is not None and newest.undone != undone_now(store)


def find_right(store: Store, document_id: int, document: Format, present: Present) -> State | None:
    """Return the last version of a document that says what the library says now, or of several the
    last of when the library held just what it holds, else the one with the most entries: another
    one may be of when papers were gone that came back. None if that is the present version, or
    there is none."""
    if any(entry.state is EntryState.WANTED for entry in present.stored):
        return None
    wanted, (done,) = present.wanted(), moment_now(store).done
    states = earlier_states(store, document_id, digest_of(document.data), document.text)
    right = (
        (number, state)
        for number, state in enumerate(states)
        if (done in state.done or wanted.issubset(map(said_in, state.stamps)))
        and present.are_right(state.stamps, is_as_then=done in state.done)
    )
    number, found = max(
        right,
        key=lambda one: (True, 0) if done in one[1].done else (False, len(one[1].stamps)),
        default=(0, None),
    )
    return found if number else None


class Back(NamedTuple):
    """A document as it was."""

    document: Format
    stored: Sequence[StoredEntry]
    """What is then to be remembered: of each item in order, then of what was taken out by hand."""
    is_as_then: bool
    """Whether the library holds just what it held then, so that nothing is left to write."""


def go_back(
    store: Store,
    document_id: int,
    document: Format,
    stored: Sequence[StoredEntry],
    history: History,
) -> Back | None:
    """Return a document as it was when it said what the library says again; None if it never did,
    or nothing was undone since it was read or written last."""
    if not was_undone(store, document_id):
        return None
    present = Present(store, document, stored)
    state = find_right(store, document_id, document, present)
    again = None if state is None else document.with_text(state.text)
    if state is None or again is None or len(again.items) != len(state.stamps):
        return None
    if digest_of(again.encoded()) != state.digest:
        return None
    entries = _entries_then(present, again, state.stamps)
    _note(document, again, stored, entries, history)
    away = [entry for entry in stored if entry.state is EntryState.UNLINKED]
    is_as_then = not set(moment_now(store).done).isdisjoint(state.done)
    return Back(again, [*entries, *away], is_as_then)


def _entries_then(present: Present, again: Format, stamps: Sequence[str]) -> list[StoredEntry]:
    """Return what is to be remembered of the items that are there again."""
    told = list(zip(again.items, stamps, strict=True))
    linked = [(item, paper_of(stamp)) for item, stamp in told if not is_unknown(stamp)]
    rows, owners = _rows_of(present, linked), {item.number: owner for item, owner in linked}
    return [
        _unlinked_then(present, stamp)
        if is_unknown(stamp)
        else _entry_then(
            item,
            owners[item.number],
            present.said[owners[item.number]],
            stamp,
            rows.get(item.number),
        )
        for item, stamp in told
    ]


def _unlinked_then(present: Present, stamp: str) -> StoredEntry:
    """What is to be remembered again of an entry whose paper was gone, or whose text waited."""
    then = entry_told(stamp)
    name = then.key, then.category, then.paper_id
    same = (one for one in present.stored if (one.key, one.category, one.paper_id) == name)
    return then._replace(id=next((one.id for one in same), None))


def _rows_of(present: Present, owned: Sequence[tuple[Item, int]]) -> dict[int, StoredEntry]:
    """Return which entry of now each item is, those first that stayed where they are."""
    left = {owner: list(present.rows.get(owner, ())) for _, owner in owned}
    found: dict[int, StoredEntry] = {}
    for may_be_moved in (False, True):
        for item, owner in owned:
            place = item.key, item.category
            rows = (r for r in left[owner] if may_be_moved or (r.key, r.category) == place)
            if item.number not in found and (row := next(rows, None)):
                found[item.number] = row
                left[owner].remove(row)
    return found


def _entry_then(
    item: Item, paper_id: int, said: Values, stamp: str, row: StoredEntry | None
) -> StoredEntry:
    entry, waiting = item.entry_of(paper_id, dict(said)), waiting_of(stamp)
    if row is not None and not told_of(stamp):
        then = {name: row.library[name] for name in row.refused if name in row.library}
        held_in = row.held_in if waiting.held_in is None else waiting.held_in
        waiting = Waiting(row.refused | waiting.refused, then | waiting.then, (), held_in)
    # What the file has no place for goes on waiting for one.
    refused = {name: value for name, value in waiting.refused.items() if said.get(name) == value}
    for name in refused:
        leave_as_before(entry.library, name, waiting.then)
    base = base_told(stamp) or entry.base
    number = None if row is None else row.id
    return entry._replace(id=number, base=base, refused=refused, held_in=waiting.held_in)


def waiting_again(
    store: Store, document_id: int, was: Format, data: bytes, document: Format, known: Entries
) -> Entries:
    """Return what is known of the items of a document that held ``data`` before, and then said the
    same, but for what waits of them: that is what waited then. ``was`` is the present one."""
    if not was_undone(store, document_id):
        return known
    now, (done,) = state_of(document, data, known), moment_now(store).done
    said = list(map(said_in, now.stamps))
    same = (
        state
        for state in earlier_states(store, document_id, digest_of(was.data), was.text)
        if state.digest == now.digest and list(map(said_in, state.stamps)) == said
    )
    then = max(same, key=lambda state: done in state.done, default=now)
    stamps = {one.number: stamp for one, stamp in zip(document.items, then.stamps, strict=True)}
    is_as_then = done in then.done
    return {
        number: _waiting_as(stamps[number], entry, is_as_then=is_as_then)
        for number, entry in known.items()
    }


def _waiting_as(stamp: str, entry: StoredEntry, *, is_as_then: bool) -> StoredEntry:
    """Return an entry of which waits what the stamp tells, if it tells that. Its paper may be in
    other categories now, unless the library holds just what it held then."""
    if is_unknown(stamp) or not told_of(stamp):
        return entry
    library, waiting = entry.library | entry.refused, waiting_of(stamp)
    for name in waiting.refused:
        leave_as_before(library, name, waiting.then)
    held_in = waiting.held_in if is_as_then else entry.held_in
    return entry._replace(library=library, refused=waiting.refused, held_in=held_in)


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
