"""Which entry of a document is which of those seen last time, by rules from strong to weak."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from papertrack.store.documents import StoredEntry
from papertrack.sync.format import Item
from papertrack.text import title_key

Names = Sequence[Hashable]
Rule = tuple[Callable[[StoredEntry], Names], Callable[[Item], Names]]
"""What names an entry of last time, and what names one of now: a common name means the same."""


def match_by(
    rules: Sequence[Rule], stored: Sequence[StoredEntry], items: Sequence[Item]
) -> dict[int, int]:
    """Number of an item → position in ``stored`` of what it was, for those that are the same.

    Every rule is tried on all items before the next weaker one, and of entries with the same name
    those that the file had last time go before those unlinked earlier.
    """
    matches: dict[int, int] = {}
    taken: set[int] = set()
    candidates = sorted(range(len(stored)), key=lambda position: not stored[position].is_in_file)
    for names_of_stored, names_of_item in rules:
        waiting: dict[Hashable, deque[int]] = {}
        for position in candidates:
            if position not in taken:
                for name in names_of_stored(stored[position]):
                    waiting.setdefault(name, deque()).append(position)
        for item in items if waiting else ():
            if item.number not in matches:
                found = _take(waiting, names_of_item(item), taken)
                if found is not None:
                    matches[item.number] = found
                    taken.add(found)
    return matches


def _take(waiting: dict[Hashable, deque[int]], names: Names, taken: set[int]) -> int | None:
    for name in names:
        positions = waiting.get(name, deque())
        while positions:
            position = positions.popleft()
            if position not in taken:
                return position
    return None


def names_of_title(title: str | None) -> Names:
    """A title as it is compared; nothing when there is none."""
    key = title_key(title) if title else ""
    return [key] if key else []
