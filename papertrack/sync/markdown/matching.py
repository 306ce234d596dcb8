"""Which entry of a document is which of those seen last time.

Rows get moved, sorted, retitled and renumbered; their papers stay the same. Every rule is tried
on all entries before the next weaker one: the same key and title in the same category, the same
key and title, the same text, the same key in the same category, the same key, a common identifier,
the same title where only one entry has it. An entry that was unlinked earlier is matched by its
title only if none in the file had it. A paper that the document lists twice with the same title has
two entries, matched in their order. An entry without an identifier, whose title alone tells what it
is, is known after the title was corrected by a note that no other entry has, or by its place. So is
one of which more or less text is read than last time.

An address that entries with different titles share tells none of them: each is known by address and
title together, and after its title was changed by its place between entries that stayed.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Item, Names, Rule, match_by
from papertrack.text import title_key

_NUMBER = re.compile(r"#[0-9]+\Z")
_PLACE = "url:"
"""The start of keys that only name a place."""
_DIGITS = re.compile(r"[0-9]+")
_NEARLY = 0.8
"""From which likeness on a title in the same place is the same title, corrected."""
_RATHER = 0.5
"""The same where the address and the entries around it are the same too."""
_TEXT = 20
"""Letters from which on a piece of an entry's text tells which one it was."""
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
    return match_by((*_rules(_shared(stored, items)), by_title), stored, items)


def _shared(stored: Sequence[StoredEntry], items: Sequence[Item]) -> set[str]:
    """The addresses, as keys, that entries with different titles have, last time or now."""
    shared: set[str] = set()
    for entries in (stored, items):
        titles: dict[str, str] = {}
        for entry in entries:
            stem, title = stem_of(entry.key), _title_of(entry)
            if stem.startswith(_PLACE) and titles.setdefault(stem, title) != title:
                shared.add(stem)
    return shared


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
        """Where an item was of which a title alone tells, or other text was read, if it stayed
        beside one that is matched: below the one above it, or above the one below."""
        above = matches.get(item.number - 1) if item.number else -1
        below = matches.get(item.number + 1)
        beside = [] if above is None else [above + 1]
        beside += [] if below is None else [below - 1]
        for position in beside:
            is_titled = position in sole and not item.identifiers
            before = stored[position] if 0 <= position < len(stored) else None
            if before and (_is_part(before, item) or (is_titled and _is_corrected(before, item))):
                yield position

    last = sum(entry.is_in_file for entry in stored)

    def by_address(item: Item) -> Iterator[int]:
        """Where an item was that has another title at the same address, alone between entries that
        stayed."""
        above = matches.get(item.number - 1) if item.number else -1
        below = matches.get(item.number + 1) if item.number + 1 < len(items) else last
        if above is not None and below == above + 2 and _is_retitled(stored[above + 1], item):
            yield above + 1

    for places_of in (by_note, by_place, by_address):
        for item in items:
            free = (one for one in places_of(item) if one not in taken)
            position = None if item.number in matches else next(free, None)
            if position is not None:
                matches[item.number] = position
                taken.add(position)
    return matches


def _rules(shared: Collection[str]) -> tuple[Rule, ...]:
    """What names entries, the surest first, where the ``shared`` keys name several works."""

    def stems(entry: StoredEntry | Item) -> list[str]:
        return [stem for stem in (stem_of(entry.key),) if stem not in shared]

    def title(entry: StoredEntry | Item) -> object:
        return entry.base.get("title") if isinstance(entry, StoredEntry) else entry.title

    def ids(pairs: Iterable[tuple[str, str]]) -> Names:
        return [pair for pair in pairs if ":".join(pair) not in shared]

    def same(names_of: Callable[[StoredEntry | Item], Names]) -> Rule:
        return names_of, names_of

    return (
        same(lambda one: [(stem_of(one.key), title(one), one.category)]),
        same(lambda one: [(stem_of(one.key), title(one))]),
        # The same text may be read otherwise than last time.
        same(lambda one: [(one.text, one.category)]),
        same(lambda one: [one.text]),
        same(lambda one: [(stem, one.category) for stem in stems(one)]),
        same(stems),
        (
            lambda entry: ids(tuple(pair) for pair in entry.base.get("identifiers", ())),
            lambda item: ids((i.scheme, i.value) for i in item.identifiers),
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
    old, new = _title_of(before), _title_of(item)
    if _DIGITS.findall(old[:_COMPARED]) != _DIGITS.findall(new[:_COMPARED]):
        return False
    return _likeness(old, new) >= _NEARLY


def _is_part(before: StoredEntry, item: Item) -> bool:
    """Whether an entry is read with more or less of the text around it than last time."""
    shorter, longer = sorted((before.text.strip(), item.text.strip()), key=len)
    return before.is_in_file and len(shorter) >= _TEXT and shorter in longer


def _is_retitled(before: StoredEntry, item: Item) -> bool:
    """Whether an item may be what had another title at this address: the titles are like each
    other, or all else of the texts is the same."""
    is_there = before.is_in_file and before.category == item.category
    if not is_there or stem_of(before.key) != stem_of(item.key):
        return False
    if _likeness(_title_of(before), _title_of(item)) >= _RATHER:
        return True
    old, new = before.base.get("title") or "", item.title or ""
    is_told = bool(old and new) and old in before.text and new in item.text
    return is_told and before.text.replace(old, "", 1) == item.text.replace(new, "", 1)


def _likeness(one: str, other: str) -> float:
    texts = one[:_COMPARED], other[:_COMPARED]
    return difflib.SequenceMatcher(None, *texts, autojunk=False).ratio()


def stem_of(key: str) -> str:
    """An entry's key without the number that tells it from others for the same thing."""
    return _NUMBER.sub("", key)


def work_of(entry: StoredEntry | Item) -> tuple[str, str]:
    """What names an entry's work in its document: an address only together with the title."""
    stem = stem_of(entry.key)
    return stem, _title_of(entry) if stem.startswith(_PLACE) else ""


def _title_of(entry: StoredEntry | Item) -> str:
    title = entry.base.get("title") if isinstance(entry, StoredEntry) else entry.title
    return title_key(title or "")
