"""Which entry of a document is which of those seen last time.

Rows get moved, sorted, retitled and renumbered; their papers stay the same. Every rule is tried
on all entries before the next weaker one: the same key and title in the same category, the same
key and title, the same key in the same category, the same key, a common identifier, the same title
where only one entry has it. An entry that was unlinked earlier is matched by its title only if none
in the file had it. A paper that the document lists twice with the same title has two entries,
matched in their order. An entry without an identifier, whose title alone tells what it is, is known
after the title was corrected by a note that no other entry has, or by its place.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace

from papertrack.documents.markdown.model import Entry
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.text import title_key

_NUMBER = re.compile(r"#[0-9]+\Z")

_DIGITS = re.compile(r"[0-9]+")
_NEARLY = 0.8
"""From which likeness on a title in the same place is the same title, corrected."""
_COMPARED = 200
"""Letters of titles that are compared for likeness, which takes their square."""

_Names = Sequence[Hashable]


def match_entries(
    stored: Sequence[StoredEntry],
    entries: Sequence[Entry],
    notes: Sequence[Sequence[str]] | None = None,
) -> dict[int, int]:
    """Positions in ``entries`` → positions in ``stored``, for those that are the same.

    ``notes`` are the names of the notes of each of ``entries``, where the file may have been edited
    by hand.
    """
    matches: dict[int, int] = {}
    # Entries that the file had last time go before those unlinked earlier.
    candidates = sorted(range(len(stored)), key=lambda position: not stored[position].is_in_file)
    title_counts = Counter(_title(entry.fields.title) for entry in entries)
    counts = {
        is_in_file: Counter(
            _title(entry.base.get("title"))
            for entry in stored
            if entry.is_in_file or not is_in_file
        )
        for is_in_file in (True, False)
    }

    def sole_title(entry: StoredEntry) -> _Names:
        key = _title(entry.base.get("title"))
        return [key] if key and counts[entry.is_in_file][key] == title_counts[key] == 1 else []

    rules: list[tuple[Callable[[StoredEntry], _Names], Callable[[Entry], _Names]]] = [
        (
            lambda e: [(stem_of(e.key), e.base.get("title"), e.category)],
            lambda e: [(stem_of(e.key), e.fields.title, e.category)],
        ),
        (
            lambda e: [(stem_of(e.key), e.base.get("title"))],
            lambda e: [(stem_of(e.key), e.fields.title)],
        ),
        (lambda e: [(stem_of(e.key), e.category)], lambda e: [(stem_of(e.key), e.category)]),
        (lambda e: [stem_of(e.key)], lambda e: [stem_of(e.key)]),
        (
            lambda e: [tuple(pair) for pair in e.base.get("identifiers", ())],
            lambda e: [(i.scheme, i.value) for i in e.identifiers],
        ),
        (sole_title, lambda e: [_title(e.fields.title)]),
    ]
    for names_of_stored, names_of_entry in rules:
        taken = set(matches.values())
        waiting: dict[Hashable, deque[int]] = {}
        for position in candidates:
            if position not in taken:
                for name in names_of_stored(stored[position]):
                    waiting.setdefault(name, deque()).append(position)
        for number, entry in enumerate(entries):
            if number not in matches:
                found = _take(waiting, names_of_entry(entry), taken)
                if found is not None:
                    matches[number] = found
                    taken.add(found)
    if notes is not None:
        # One of several that went by one name, and now has its own, is another thing.
        sole = {n for n, e in enumerate(stored) if counts[True][_title(e.base.get("title"))] == 1}
        _match_by_note(matches, stored, entries, notes, sole)
        _match_by_place(matches, stored, entries, sole)
    return matches


def _match_by_note(
    matches: dict[int, int],
    stored: Sequence[StoredEntry],
    entries: Sequence[Entry],
    notes: Sequence[Sequence[str]],
    sole: Collection[int],
) -> None:
    then = Counter(
        note for entry in stored if entry.is_in_file for note in entry.base.get("note", ())
    )
    now = Counter(note for names in notes for note in names)
    taken = set(matches.values())
    waiting = {
        note: position
        for position, entry in enumerate(stored)
        if position in sole and position not in taken and entry.is_in_file
        for note in entry.base.get("note", ())
        if then[note] == now[note] == 1
    }
    for number, entry in enumerate(entries):
        position = next((waiting[note] for note in notes[number] if note in waiting), None)
        if number in matches or position is None or position in taken:
            continue
        if not (entry.identifiers and stored[position].base.get("identifiers")):
            matches[number] = position
            taken.add(position)


def _match_by_place(
    matches: dict[int, int],
    stored: Sequence[StoredEntry],
    entries: Sequence[Entry],
    sole: Collection[int],
) -> None:
    """Match entries that nothing but their title tells of, each beside one that is matched."""
    taken = set(matches.values())
    for number, entry in enumerate(entries):
        if number in matches or entry.identifiers:
            continue
        above = matches.get(number - 1) if number else -1
        below = matches.get(number + 1)
        places = (above + 1 if above is not None else -1, below - 1 if below is not None else -1)
        for position in places:
            if position in sole and position not in taken:
                before = stored[position]
                if before.category == entry.category and _is_corrected(before, entry.fields.title):
                    matches[number] = position
                    taken.add(position)
                    break


def _is_corrected(before: StoredEntry, title: str) -> bool:
    """Whether a title may be that of an entry without identifiers, but for some letters."""
    if not before.is_in_file or before.base.get("identifiers"):
        return False
    old, new = (_title(each)[:_COMPARED] for each in (before.base.get("title"), title))
    if _DIGITS.findall(old) != _DIGITS.findall(new):
        return False
    return difflib.SequenceMatcher(None, old, new, autojunk=False).ratio() >= _NEARLY


def stem_of(key: str) -> str:
    """An entry's key without the number that tells it from others for the same thing."""
    return _NUMBER.sub("", key)


def _take(waiting: dict[Hashable, deque[int]], names: _Names, taken: set[int]) -> int | None:
    for name in names:
        positions = waiting.get(name, deque())
        while positions:
            position = positions.popleft()
            if position not in taken:
                return position
    return None


def _title(title: str | None) -> str:
    return title_key(title) if title else ""


def unlinked(before: StoredEntry, categories: Sequence[tuple[str, ...]]) -> list[StoredEntry]:
    """What is remembered of an entry that the reader took out of the file.

    It stands for where the library has the paper: one moved there meanwhile gets no row either.
    """
    before = replace(before, state=EntryState.UNLINKED)
    if before.category in categories or not categories:
        return [before]
    first, *others = (replace(before, category=path) for path in categories)
    return [first, *(replace(other, id=None) for other in others)]
