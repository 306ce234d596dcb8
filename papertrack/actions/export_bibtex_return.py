"""Putting back the entries of a .bib file that went with their papers, when those are there again:
in their own words, where they were."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from papertrack.actions.import_bibtex_files import ReadBib, entry_keys
from papertrack.actions.import_bibtex_values import entry_values, fingerprint, paper_values
from papertrack.sources.bibtex import TakenEntry, parse_bibtex, put_back_entries, taken_entry
from papertrack.store.documents import RemovedEntry, StoredEntry, read_removed_entries
from papertrack.store.lookup import find_by_citekey, get_paper
from papertrack.store.store import Store


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
    return RemovedEntry(replace(before, key=keys[number], id=None), [asdict(taken)])


def return_entries(
    store: Store, read: ReadBib, document_id: int, present: Collection[int | None]
) -> Returned:
    """The file with the entries of papers that were removed and came back.

    ``present`` are the papers that have an entry. What cannot be read as it was does not return.
    """
    found = list(_find_returns(store, read, document_id, present))
    if not found:
        return Returned(read)
    entries = read.bib.entries
    taken = [_from_plain(one.entry.key, one.pieces[0]) for one, _ in reversed(found)]
    text = put_back_entries(read.text, entries, entry_keys(entries), taken)
    bib = parse_bibtex(text, file=str(read.path))
    by_key = dict(zip(entry_keys(bib.entries), bib.entries, strict=True))
    is_read = all(one.entry.key in by_key for one, _ in found)
    if not is_read or len(bib.entries) != len(entries) + len(found):
        return Returned(read)
    stored = []
    for one, paper_id in found:
        entry = by_key[one.entry.key]
        base, text_now = entry_values(entry), fingerprint(entry)
        stored.append(replace(one.entry, paper_id=paper_id, text=text_now, base=base))
    ids = tuple(one.id for one, _ in found if one.id is not None)
    return Returned(replace(read, text=text, bib=bib), tuple(stored), ids)


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
        title = paper_values(get_paper(store, paper_id)).get("title")
        if title == removed.entry.library.get("title"):  # Else another one that was given the key.
            yield removed, paper_id


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
