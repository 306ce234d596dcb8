"""Putting entries back into a .bib file in their own words, where they were: those that went with
papers that are there again, and those that were deleted in the file and are to come back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from papertrack.documents.bibtex import (
    TakenEntry,
    deleted_entry,
    parse_bibtex,
    put_back_entries,
    taken_entry,
)
from papertrack.store.documents import (
    EntryState,
    FormerText,
    RemovedEntry,
    StoredEntry,
    read_removed_entries,
)
from papertrack.store.lookup import find_by_citekey, get_originals, get_paper
from papertrack.store.store import Store
from papertrack.sync.asking import SCHEMES
from papertrack.sync.bibtex.reading import ReadBib, entry_keys
from papertrack.sync.bibtex.values import entry_values, fingerprint, paper_values
from papertrack.sync.threeway import Values


@dataclass(frozen=True, slots=True)
class Returned:
    """A .bib file with the entries that came back, and what is remembered of those."""

    read: ReadBib
    stored: tuple[StoredEntry, ...] = ()
    ids: tuple[int, ...] = ()
    """Of the removed entries that came back."""


def remembered(
    read: ReadBib, keys: Sequence[str], number: int, before: StoredEntry
) -> RemovedEntry:
    """What to remember of an entry that goes with its paper."""
    taken = taken_entry(read.text, read.bib.entries, keys, number)
    return RemovedEntry(
        replace(before, key=keys[number], id=None, state=EntryState.REMOVED), [asdict(taken)]
    )


def return_entries(
    store: Store,
    read: ReadBib,
    document: tuple[int, str],
    stored: Sequence[StoredEntry],
    present: Collection[int | None],
    former: Mapping[int, Sequence[FormerText]],
) -> Returned:
    """The file with the entries that come back.

    ``document`` is its id and name; ``present`` are the papers that have an entry. What cannot be
    read as it was does not return.
    """
    document_id, name = document
    # Whom the reader unlinked from the file has no entry to come back.
    settled = {*present, *(one.paper_id for one in stored)}
    found = list(_find_returns(store, read, document_id, settled))
    back = [(one.entry, paper_id) for one, paper_id in found]
    taken = [_from_plain(one.entry.key, one.pieces[0]) for one, _ in reversed(found)]
    for before, piece in _find_deleted(store, read, name, stored, present, former):
        back.append((before, before.paper))
        taken.append(piece)
    if not back:
        return Returned(read)
    entries = read.bib.entries
    text = put_back_entries(read.text, entries, entry_keys(entries), taken)
    bib = parse_bibtex(text, file=str(read.path))
    by_key = dict(zip(entry_keys(bib.entries), bib.entries, strict=True))
    is_read = all(before.key in by_key for before, _ in back)
    if not is_read or len(bib.entries) != len(entries) + len(back):
        return Returned(read)
    returned = []
    for before, paper_id in back:
        entry = by_key[before.key]
        base, text_now = entry_values(entry), fingerprint(entry)
        state = EntryState.LINKED
        returned.append(replace(before, paper_id=paper_id, text=text_now, base=base, state=state))
    ids = tuple(one.id for one, _ in found if one.id is not None)
    return Returned(replace(read, text=text, bib=bib), tuple(returned), ids)


def _find_deleted(
    store: Store,
    read: ReadBib,
    name: str,
    stored: Sequence[StoredEntry],
    present: Collection[int | None],
    former: Mapping[int, Sequence[FormerText]],
) -> Iterator[tuple[StoredEntry, TakenEntry]]:
    """Entries that are wanted back and of which the text is known: as the file or an export
    wrote it last."""
    in_use = {*entry_keys(read.bib.entries), *(entry.citekey for entry in read.bib.entries)}
    wanted = {
        number: one
        for number, one in enumerate(stored)
        if one.state is EntryState.WANTED and one.paper_id not in present and one.key not in in_use
    }
    texts: list[str] = []
    for one in wanted.values():
        originals = get_originals(store, one.paper)
        texts += (text for at, text in originals.items() if at.startswith(f"{name}:"))
        texts += (text.replaced_by for text in former.get(one.id or 0, ()))
    if not texts:
        return
    # Read together with the file, whose @strings and parents they may use.
    known = parse_bibtex("\n\n".join([read.text, *texts]), file=str(read.path)).entries
    raws = {fingerprint(entry): entry.raw for entry in known}
    keys = [one.key for one in stored]
    for number, one in wanted.items():
        if one.text in raws:
            yield one, deleted_entry(raws[one.text], keys, number)


def _find_returns(
    store: Store, read: ReadBib, document_id: int, present: Collection[int | None]
) -> Iterator[tuple[RemovedEntry, int]]:
    keys = {*entry_keys(read.bib.entries), *(entry.citekey for entry in read.bib.entries)}
    for removed in read_removed_entries(store, document_id):
        citekey = removed.entry.base.get("citekey", "")
        paper_id = find_by_citekey(store, citekey)
        if paper_id is None or paper_id in present:
            continue
        if citekey in keys or removed.entry.key in keys:
            continue
        now = paper_values(get_paper(store, paper_id))
        if _is_same_paper(now, removed.entry.library):
            yield removed, paper_id


def _is_same_paper(now: Values, then: Values) -> bool:
    """Whether it may be retitled, but is no other one that was given the key."""
    if now.get("title") == then.get("title"):
        return True
    if any(name in now and now[name] == then.get(name) for name in SCHEMES):
        return True
    return all(name in now and now[name] == then.get(name) for name in ("authors", "year"))


def _from_plain(key: str, piece: dict[str, Any]) -> TakenEntry:
    return TakenEntry(
        key=key,
        text=piece["text"],
        end=piece["end"],
        gap_before=piece["gap_before"],
        gap_after=piece["gap_after"],
        previous=tuple(piece["previous"]),
        following=tuple(piece["following"]),
    )
