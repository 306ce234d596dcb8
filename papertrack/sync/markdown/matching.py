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
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item, Names, Rule, match_by
from papertrack.text import title_key

_NUMBER = re.compile(r"#[0-9]+\Z")

_DIGITS = re.compile(r"[0-9]+")
_NEARLY = 0.8
"""From which likeness on a title in the same place is the same title, corrected."""
_COMPARED = 200
"""Letters of titles that are compared for likeness, which takes their square."""


def match_entries(stored: Sequence[StoredEntry], items: Sequence[Item]) -> dict[int, int]:
    """Number of an item → position in ``stored``, for those that are the same."""
    titles = Counter(title_key(item.title or "") for item in items)
    named = {
        is_in_file: Counter(_title_of(e) for e in stored if e.is_in_file or not is_in_file)
        for is_in_file in (True, False)
    }

    def sole_title(entry: StoredEntry) -> Names:
        key = _title_of(entry)
        return [key] if key and named[entry.is_in_file][key] == titles[key] == 1 else []

    by_title: Rule = (sole_title, lambda item: [title_key(item.title or "")])
    return match_by((*_RULES, by_title), stored, items)


def match_edited(stored: Sequence[StoredEntry], items: Sequence[Item]) -> dict[int, int]:
    """As ``match_entries``, where the file may have been edited by hand."""
    matches = match_entries(stored, items)
    taken = set(matches.values())
    named = Counter(_title_of(entry) for entry in stored if entry.is_in_file)
    # One of several that went by one name, and now has its own, is another thing.
    sole = {n for n, entry in enumerate(stored) if named[_title_of(entry)] == 1}
    noted = _noted_once(stored, items, sole - taken)

    def by_note(item: Item) -> Iterator[int]:
        position = next((noted[note] for note in item.values["note"] if note in noted), None)
        if position is None:
            return
        if not (item.identifiers and stored[position].base.get("identifiers")):
            yield position

    def by_place(item: Item) -> Iterator[int]:
        """Where an item that only its title tells of was, if it stayed beside one that is matched:
        below the one above it, or above the one below."""
        above = matches.get(item.number - 1) if item.number else -1
        below = matches.get(item.number + 1)
        beside = [] if above is None else [above + 1]
        beside += [] if below is None else [below - 1]
        for position in beside if not item.identifiers else ():
            if position in sole and _is_corrected(stored[position], item):
                yield position

    for places_of in (by_note, by_place):
        for item in items:
            free = (one for one in places_of(item) if one not in taken)
            position = None if item.number in matches else next(free, None)
            if position is not None:
                matches[item.number] = position
                taken.add(position)
    return matches


_RULES: tuple[Rule, ...] = (
    (
        lambda e: [(stem_of(e.key), e.base.get("title"), e.category)],
        lambda e: [(stem_of(e.key), e.title, e.category)],
    ),
    (lambda e: [(stem_of(e.key), e.base.get("title"))], lambda e: [(stem_of(e.key), e.title)]),
    (lambda e: [(stem_of(e.key), e.category)], lambda e: [(stem_of(e.key), e.category)]),
    (lambda e: [stem_of(e.key)], lambda e: [stem_of(e.key)]),
    (
        lambda e: [tuple(pair) for pair in e.base.get("identifiers", ())],
        lambda e: [(i.scheme, i.value) for i in e.identifiers],
    ),
)


def _noted_once(
    stored: Sequence[StoredEntry], items: Sequence[Item], free: Collection[int]
) -> dict[str, int]:
    """The notes that one entry had and one has, and which of the ``free`` positions had each."""
    had = [(n, note) for n, e in enumerate(stored) if e.is_in_file for note in _notes_of(e)]
    then = Counter(note for _, note in had)
    now = Counter(note for item in items for note in item.values["note"])
    return {note: n for n, note in had if n in free and then[note] == now[note] == 1}


def _notes_of(entry: StoredEntry) -> list[str]:
    return list(entry.base.get("note", ()))


def _is_corrected(before: StoredEntry, item: Item) -> bool:
    """Whether an item may be what had this title but for some letters, and no identifiers."""
    is_there = before.is_in_file and before.category == item.category
    if not is_there or before.base.get("identifiers"):
        return False
    old, new = (each[:_COMPARED] for each in (_title_of(before), title_key(item.title or "")))
    if _DIGITS.findall(old) != _DIGITS.findall(new):
        return False
    return difflib.SequenceMatcher(None, old, new, autojunk=False).ratio() >= _NEARLY


def stem_of(key: str) -> str:
    """An entry's key without the number that tells it from others for the same thing."""
    return _NUMBER.sub("", key)


def _title_of(entry: StoredEntry) -> str:
    return title_key(entry.base.get("title") or "")
