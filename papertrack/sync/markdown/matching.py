"""Which entry of a document is which of those seen last time.

Rows get moved, sorted, retitled and renumbered; their papers stay the same. Every rule is tried on
all entries before the next weaker one: the same key and title in the same category, first of the
same text, the same key and title, the same text, the same key in the same category, the same key, a
common identifier, the same title where only one entry has it. An entry that was unlinked earlier is
matched by its title only if none in the file had it. A paper that the document lists twice with the
same title has two entries, matched in their order. An entry without an identifier, whose title
alone tells what it is, is known after the title was corrected by a note that no other entry has, or
by its place. So is one of which more or less text is read than last time.

An address that entries with different titles share tells none of them: each is known by address and
title together, and after its title was changed by its place between entries that stayed.

Headings that were renamed by hand give their categories the new names.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import and_

from papertrack.documents.markdown.model import Document
from papertrack.store.categories import documents_with, find_category
from papertrack.store.documents import StoredEntry
from papertrack.store.store import Store
from papertrack.store.watch.topics import rename_with_topics
from papertrack.sync.items import Category, Item, Names, Rule, match_by
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
_FAR = 1 << 40
"""A position that no entry has."""
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


def match_in_order(
    stays: Sequence[int], matches: Mapping[int, int], others: Collection[int], count: int
) -> dict[int, int]:
    """Number of an item → position, for entries that nothing names any more after an export, which
    leaves those that stay in their order: ``stays`` are their positions in it.

    ``matches`` are those that are known, and ``others`` those of the ``count`` items that came or
    moved.
    """
    found: dict[int, int] = {}
    known = {position: number for number, position in matches.items()}
    following = 0
    for position in stays:
        while following in others:
            following += 1
        if position not in known and following not in matches:
            known[position], found[following] = following, position
        following = known.get(position, _FAR) + 1
    return {number: position for number, position in found.items() if number < count}


def match_edited(stored: Sequence[StoredEntry], items: Sequence[Item]) -> dict[int, int]:
    """As ``match_entries``, where the file may have been edited by hand."""
    edited = _Edited(stored, items, match_entries(stored, items))
    for places_of in (edited.by_note, edited.by_place, edited.by_address):
        edited.match(places_of)
    return edited.matches


class _Edited:
    """Which entry is which by what is left where others are known."""

    def __init__(
        self, stored: Sequence[StoredEntry], items: Sequence[Item], matches: dict[int, int]
    ) -> None:
        self.stored, self.items, self.matches = stored, items, matches
        self.taken = set(matches.values())
        named = Counter(_title_of(entry) for entry in stored if entry.is_in_file)
        # One of several that went by one name, and now has its own, is another thing.
        self.sole = {n for n, entry in enumerate(stored) if named[_title_of(entry)] == 1}
        self.noted = _noted_once(stored, items, self.sole - self.taken)
        self.last = sum(entry.is_in_file for entry in stored)

    def match(self, places_of: Callable[[Item], Iterator[int]]) -> None:
        for item in self.items:
            if item.number not in self.matches:
                position = next((one for one in places_of(item) if one not in self.taken), None)
                if position is not None:
                    self.matches[item.number] = position
                    self.taken.add(position)

    def by_note(self, item: Item) -> Iterator[int]:
        noted = (self.noted[note] for note in item.values["note"] if note in self.noted)
        for position in islice(noted, 1):
            if not (item.identifiers and self.stored[position].base.get("identifiers")):
                yield position

    def by_place(self, item: Item) -> Iterator[int]:
        """Where an item was of which a title alone tells, or other text was read, if it stayed
        beside one that is matched: below the one above it, or above the one below."""
        above, below = self._around(item, -_FAR)
        for position in (above + 1, below - 1):
            if 0 <= position < len(self.stored) and self._is_same(position, item):
                yield position

    def _is_same(self, position: int, item: Item) -> bool:
        before = self.stored[position]
        if _is_part(before, item):
            return True
        is_titled = position in self.sole and not item.identifiers
        return is_titled and _is_corrected(before, item)

    def by_address(self, item: Item) -> Iterator[int]:
        """Where an item was that has another title at the same address, alone between entries that
        stayed."""
        above, below = self._around(item, self.last)
        if below == above + 2 and _is_retitled(self.stored[above + 1], item):
            yield above + 1

    def _around(self, item: Item, last: int) -> tuple[int, int]:
        """Return the positions of the items above and below an item; far away where they are not
        known."""
        above = self.matches.get(item.number - 1, _FAR) if item.number else -1
        is_last = item.number + 1 == len(self.items)
        return above, last if is_last else self.matches.get(item.number + 1, -_FAR)


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
        # Of rows with one title each is known by its text: one of them may be gone.
        same(lambda one: [(stem_of(one.key), title(one), one.category, one.text)]),
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
    had = [
        (n, note) for n, e in enumerate(stored) if e.is_in_file for note in e.base.get("note", ())
    ]
    then = Counter(note for _, note in had)
    now = Counter(note for item in items for note in item.values["note"])
    return {note: n for n, note in had if n in free and then[note] == now[note] == 1}


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
    rest = _rest(before.text, old)
    return rest is not None and rest == _rest(item.text, new)


def _rest(text: str, title: str) -> str | None:
    """What a text says beside the title; None where that is not found in it."""
    before, found, after = text.partition(title or "\0")
    return before + after if found else None


def _likeness(one: str, other: str) -> float:
    texts = one[:_COMPARED], other[:_COMPARED]
    return difflib.SequenceMatcher(None, *texts, autojunk=False).ratio()


def stem_of(key: str) -> str:
    """An entry's key without the number that tells it from others for the same thing."""
    return _NUMBER.sub("", key)


def number_of(key: str) -> int:
    """Which of the entries for the same thing one with this key is, counted from 1."""
    number = _NUMBER.search(key)
    return int(number[0][1:]) if number else 1


def work_of(entry: StoredEntry | Item) -> tuple[str, str]:
    """What names an entry's work in its document: an address only together with the title."""
    stem = stem_of(entry.key)
    return stem, _title_of(entry) if stem.startswith(_PLACE) else ""


def _title_of(entry: StoredEntry | Item) -> str:
    title = entry.base.get("title") if isinstance(entry, StoredEntry) else entry.title
    return title_key(title or "")


Renamed = tuple[Category, Category]


def find_renamed(
    pairs: Sequence[Renamed], before: Collection[Category], now: Collection[Category]
) -> list[Renamed]:
    """Old and new paths of the headings that go by another name, outer ones first.

    ``pairs`` are the section of each entry, last time and now; ``before`` and ``now`` are all
    sections. The old one is gone, the new one was not there, and most entries of each are those
    of the other: else rows were moved, or sections joined or split.
    """
    left, came = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    found = {
        _outermost((old, new), before, now)
        for (old, new), number in Counter(pairs).items()
        if old and new and number * 2 > max(left[old], came[new])
        if _is_replaced((old, new), before, now)
    }
    above = {outer for pair in found for outer in _above(pair) if _is_replaced(outer, before, now)}
    found |= {outer for outer in above if _holds_the_same(outer, pairs)}
    nested = [(old, new) for old, new in found if new[: len(old)] != old]
    return sorted(nested, key=lambda pair: (len(pair[0]), pair))


def _outermost(pair: Renamed, before: Collection[Category], now: Collection[Category]) -> Renamed:
    """The heading above both that was renamed, if it is one and not these themselves."""
    old, new = pair
    while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
        if _is_replaced((old, new), before, now):
            pair = (old, new)
    return pair


def _above(pair: Renamed) -> list[Renamed]:
    """The headings above two of the same depth that go by other names too."""
    old, new = pair
    depths = range(1, len(old)) if len(old) == len(new) else ()
    return [(old[:depth], new[:depth]) for depth in depths if old[depth - 1] != new[depth - 1]]


def _holds_the_same(pair: Renamed, pairs: Sequence[Renamed]) -> bool:
    """Whether most entries at or below either heading are those of the other."""
    of_old = [old[: len(pair[0])] == pair[0] for old, _ in pairs]
    of_new = [new[: len(pair[1])] == pair[1] for _, new in pairs]
    both = sum(map(and_, of_old, of_new))
    return bool(both * 2 > max(sum(of_old), sum(of_new)))


def _is_replaced(pair: Renamed, before: Collection[Category], now: Collection[Category]) -> bool:
    """Whether the old section is gone, and the new one was not there."""
    old, new = pair
    is_left = any(path[: len(old)] == old for path in now)
    return not is_left and all(path[: len(new)] != new for path in before)


def follow_headings(
    store: Store,
    name: str,
    document: Document,
    stored: Sequence[StoredEntry],
    matches: Mapping[int, int],
) -> tuple[list[StoredEntry], list[Renamed]]:
    """Rename the categories whose headings were renamed in a file, with all that is in them.

    Papers that wait there for their row get it, and topics go on to find the place. ``matches``
    are those of the document's entries with the ``stored``. Returns these under their new names,
    and what was renamed. A category that another document lists keeps its name.
    """
    pairs = [(stored[m].category, document.entries[n].category) for n, m in matches.items()]
    before = {entry.category for entry in stored if entry.is_in_file}
    now = {section.path for section in document.sections}
    renamed: list[Renamed] = []
    followed: list[Renamed] = []
    for old, new in find_renamed(pairs, before, now):
        pair = _followed(old, followed), new
        if set(documents_with(store, old)) > {name}:
            continue
        is_there, is_taken = (find_category(store, path) is not None for path in pair)
        if is_there and not is_taken:
            rename_with_topics(store, *pair)
            renamed.append(pair)
        if is_there != is_taken:
            followed.append(pair)
    following = [e._replace(category=_followed(e.category, followed)) for e in stored]
    return following, renamed


def _followed(path: Category, followed: Sequence[Renamed]) -> Category:
    """What a category is called once the headings above it have their new names."""
    for old, new in followed:
        if path[: len(old)] == old:
            path = new + path[len(old) :]
    return path
