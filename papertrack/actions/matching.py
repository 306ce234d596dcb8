"""Which entry of a document is which of those seen last time.

Rows get moved, sorted, retitled and renumbered; their papers stay the same. Every rule is tried
on all entries before the next weaker one: the same key and title in the same category, the same
key and title, the same key in the same category, the same key, a common identifier, the same title
where only one entry has it. An entry that was unlinked earlier is matched by its title only if none
in the file had it. A paper that the document lists twice with the same title has two entries,
matched in their order.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from papertrack.documents.model import Entry
from papertrack.store.documents import StoredEntry
from papertrack.text import title_key

_NUMBER = re.compile(r"#[0-9]+\Z")

_Names = Sequence[Hashable]


def match_entries(stored: Sequence[StoredEntry], entries: Sequence[Entry]) -> dict[int, int]:
    """Positions in ``entries`` → positions in ``stored``, for those that are the same."""
    matches: dict[int, int] = {}
    # Entries that the file had last time go before those unlinked earlier.
    candidates = sorted(range(len(stored)), key=lambda position: not stored[position].text)
    title_counts = Counter(_title(entry.fields.title) for entry in entries)
    counts = {
        is_in_file: Counter(
            _title(entry.base.get("title")) for entry in stored if entry.text or not is_in_file
        )
        for is_in_file in (True, False)
    }

    def sole_title(entry: StoredEntry) -> _Names:
        key = _title(entry.base.get("title"))
        return [key] if key and counts[bool(entry.text)][key] == title_counts[key] == 1 else []

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
    return matches


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
    if before.category in categories or not categories:
        return [replace(before, text="")]
    first, *others = (replace(before, text="", category=path) for path in categories)
    return [first, *(replace(other, id=None) for other in others)]
