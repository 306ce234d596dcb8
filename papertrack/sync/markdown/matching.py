"""Match the entries of a document to those stored at the last sync.

Users move, sort, retitle and renumber rows, whose papers stay the same. Each rule is tried on all
entries before the next weaker one. The rules are: same key, title and category, first with the same
text; same key and title; same text; same key and category; same key; a common identifier; same
title, if only one entry has it. An unlinked entry is matched by its title only if no entry in the
file had it. Two entries of one paper with the same title are matched in their order.

After these rules, an entry without an identifier is matched by a note that only it has, or by its
position if its title was corrected. An entry of which more or less text is parsed than last time is
matched by its position too.

A URL that entries with different titles share identifies none of them. Such an entry is matched by
URL and title together or, if its title changed, by its position between unchanged entries.

A heading that was renamed by hand renames its category.
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
"""The prefix of keys that are URLs."""
_DIGITS = re.compile(r"[0-9]+")
_NEARLY = 0.8
"""The least similarity of a title to a corrected one at the same position."""
_RATHER = 0.5
"""The least similarity if the URL and the neighboring entries are the same too."""
_TEXT = 20
"""The fewest characters of text that identify an entry."""
_FAR = 1 << 40
"""A position that no entry has."""
_COMPARED = 200
"""The most characters of titles that are compared; the time grows with their square."""


def match_entries(stored: Sequence[StoredEntry], items: Sequence[Item]) -> dict[int, int]:
    """Match items with stored entries by the rules; return positions in ``stored`` by number."""
    titles = Counter(title_key(item.title or "") for item in items)
    counts = {
        is_in_file: Counter(_title_of(e) for e in stored if e.is_in_file or not is_in_file)
        for is_in_file in (True, False)
    }

    def sole_title(entry: StoredEntry) -> Names:
        key = _title_of(entry)
        return [key] if key and counts[entry.is_in_file][key] == titles[key] == 1 else []

    by_title: Rule = (sole_title, lambda item: [title_key(item.title or "")])
    return match_by((*_rules(_shared(stored, items)), by_title), stored, items)


def _shared(stored: Sequence[StoredEntry], items: Sequence[Item]) -> set[str]:
    """Return the keys of URLs that entries with different titles share, stored or in the file."""
    shared: set[str] = set()
    for entries in (stored, items):
        titles: dict[str, str] = {}
        for entry in entries:
            stem, title = stem_of(entry.key), _title_of(entry)
            if stem.startswith(_PLACE) and titles.setdefault(stem, title) != title:
                shared.add(stem)
    return shared


def match_edited(stored: Sequence[StoredEntry], items: Sequence[Item]) -> dict[int, int]:
    """Match as ``match_entries`` does, then by note and position, for a file edited by hand."""
    edited = _Edited(stored, items, match_entries(stored, items))
    for places_of in (edited.by_note, edited.by_place, edited.by_address):
        edited.match(places_of)
    return edited.matches


class _Edited:
    """Matches the entries that the rules left, by their notes, positions and URLs."""

    def __init__(
        self, stored: Sequence[StoredEntry], items: Sequence[Item], matches: dict[int, int]
    ) -> None:
        self.stored, self.items, self.matches = stored, items, matches
        self.taken = set(matches.values())
        counts = Counter(_title_of(entry) for entry in stored if entry.is_in_file)
        # If one of several entries with the same title has another title now, it is another work.
        self.sole = {n for n, entry in enumerate(stored) if counts[_title_of(entry)] == 1}
        self.noted = _noted_once(stored, items, self.sole - self.taken)
        self.last = sum(entry.is_in_file for entry in stored)

    def match(self, places_of: Callable[[Item], Iterator[int]]) -> None:
        """Match each remaining item with the first free position that ``places_of`` yields."""
        for item in self.items:
            if item.number not in self.matches:
                position = next((p for p in places_of(item) if p not in self.taken), None)
                if position is not None:
                    self.matches[item.number] = position
                    self.taken.add(position)

    def by_note(self, item: Item) -> Iterator[int]:
        """Yield the position of an entry with a note that only it had and only this item has.

        Yields nothing if both have identifiers, which then differ.
        """
        noted = (self.noted[note] for note in item.values["note"] if note in self.noted)
        for position in islice(noted, 1):
            if not (item.identifiers and self.stored[position].base.get("identifiers")):
                yield position

    def by_place(self, item: Item) -> Iterator[int]:
        """Yield the positions next to a matched neighbor of entries that the item may be.

        That is the case if its title was corrected and it has no identifier, or if more or less of
        its text is parsed than last time.
        """
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
        """Yield the position of a retitled entry with the item's URL, between its neighbors."""
        above, below = self._around(item, self.last)
        if below == above + 2 and _is_retitled(self.stored[above + 1], item):
            yield above + 1

    def _around(self, item: Item, last: int) -> tuple[int, int]:
        """Return the positions of the items before and after; far away if they are not matched."""
        above = self.matches.get(item.number - 1, _FAR) if item.number else -1
        is_last = item.number + 1 == len(self.items)
        return above, last if is_last else self.matches.get(item.number + 1, -_FAR)


def _rules(shared: Collection[str]) -> tuple[Rule, ...]:
    """Return the matching rules, strongest first; keys in ``shared`` identify no entry."""

    def stems(entry: StoredEntry | Item) -> list[str]:
        return [stem for stem in (stem_of(entry.key),) if stem not in shared]

    def title(entry: StoredEntry | Item) -> object:
        return entry.base.get("title") if isinstance(entry, StoredEntry) else entry.title

    def ids(pairs: Iterable[tuple[str, str]]) -> Names:
        return [pair for pair in pairs if ":".join(pair) not in shared]

    def same(names_of: Callable[[StoredEntry | Item], Names]) -> Rule:
        return names_of, names_of

    return (
        # Rows with one title are identified by their texts: one of them may be gone.
        same(lambda e: [(stem_of(e.key), title(e), e.category, e.text)]),
        same(lambda e: [(stem_of(e.key), title(e), e.category)]),
        same(lambda e: [(stem_of(e.key), title(e))]),
        # The same text may be parsed differently than last time.
        same(lambda e: [(e.text, e.category)]),
        same(lambda e: [e.text]),
        same(lambda e: [(stem, e.category) for stem in stems(e)]),
        same(stems),
        (
            lambda entry: ids(tuple(pair) for pair in entry.base.get("identifiers", ())),
            lambda item: ids((i.scheme, i.value) for i in item.identifiers),
        ),
    )


def _noted_once(
    stored: Sequence[StoredEntry], items: Sequence[Item], free: Collection[int]
) -> dict[str, int]:
    """Return positions in ``free`` by note, for notes that one entry had and one item has."""
    had = [
        (n, note) for n, e in enumerate(stored) if e.is_in_file for note in e.base.get("note", ())
    ]
    then = Counter(note for _, note in had)
    now = Counter(note for item in items for note in item.values["note"])
    return {note: n for n, note in had if n in free and then[note] == now[note] == 1}


def _is_corrected(before: StoredEntry, item: Item) -> bool:
    """Return whether an item's title may be a correction of an entry without identifiers."""
    is_there = before.is_in_file and before.category == item.category
    if not is_there or before.base.get("identifiers"):
        return False
    old, new = _title_of(before), _title_of(item)
    if _DIGITS.findall(old[:_COMPARED]) != _DIGITS.findall(new[:_COMPARED]):
        return False
    return _likeness(old, new) >= _NEARLY


def _is_part(before: StoredEntry, item: Item) -> bool:
    """Return whether more or less of an entry's text is parsed than last time."""
    shorter, longer = sorted((before.text.strip(), item.text.strip()), key=len)
    return before.is_in_file and len(shorter) >= _TEXT and shorter in longer


def _is_retitled(before: StoredEntry, item: Item) -> bool:
    """Return whether an item may be the entry that had another title at its URL.

    The titles must be alike, or the rest of the text the same.
    """
    is_there = before.is_in_file and before.category == item.category
    if not is_there or stem_of(before.key) != stem_of(item.key):
        return False
    if _likeness(_title_of(before), _title_of(item)) >= _RATHER:
        return True
    old, new = before.base.get("title") or "", item.title or ""
    text_without_title = _rest(before.text, old)
    return text_without_title is not None and text_without_title == _rest(item.text, new)


def _rest(text: str, title: str) -> str | None:
    """Return a text without its title; None if the title is not in it."""
    before, match, after = text.partition(title or "\0")
    return before + after if match else None


def _likeness(left: str, right: str) -> float:
    texts = left[:_COMPARED], right[:_COMPARED]
    return difflib.SequenceMatcher(None, *texts, autojunk=False).ratio()


def stem_of(key: str) -> str:
    """Return an entry's key without the number that tells it from entries of the same work."""
    return _NUMBER.sub("", key)


def number_of(key: str) -> int:
    """Return the number of an entry among those of the same work, from 1."""
    number = _NUMBER.search(key)
    return int(number[0][1:]) if number else 1


def work_of(entry: StoredEntry | Item) -> tuple[str, str]:
    """Return what identifies an entry's work in its document: a URL only with the title."""
    stem = stem_of(entry.key)
    return stem, _title_of(entry) if stem.startswith(_PLACE) else ""


def _title_of(entry: StoredEntry | Item) -> str:
    title = entry.base.get("title") if isinstance(entry, StoredEntry) else entry.title
    return title_key(title or "")


Renamed = tuple[Category, Category]


def find_renamed(
    pairs: Sequence[Renamed], before: Collection[Category], now: Collection[Category]
) -> list[Renamed]:
    """Return the old and new paths of renamed headings, outer ones first.

    ``pairs`` are the sections of each entry, last time and now; ``before`` and ``now`` are all
    sections. A section is renamed if the old one is gone, the new one is new, and they share most
    entries. Otherwise rows were moved, or sections joined or split.
    """
    old_counts, new_counts = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    renamed = {
        _outermost((old, new), before, now)
        for (old, new), number in Counter(pairs).items()
        if old and new and number * 2 > max(old_counts[old], new_counts[new])
        if _is_replaced((old, new), before, now)
    }
    above = {outer for p in renamed for outer in _above(p) if _is_replaced(outer, before, now)}
    renamed |= {outer for outer in above if _holds_the_same(outer, pairs)}
    nested = [(old, new) for old, new in renamed if new[: len(old)] != old]
    return sorted(nested, key=lambda pair: (len(pair[0]), pair))


def _outermost(pair: Renamed, before: Collection[Category], now: Collection[Category]) -> Renamed:
    """Return the outermost renamed headings above a pair of paths, or else the pair itself."""
    old, new = pair
    while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
        if _is_replaced((old, new), before, now):
            pair = (old, new)
    return pair


def _above(pair: Renamed) -> list[Renamed]:
    """Return the pairs of headings above two paths of the same depth that differ in name too."""
    old, new = pair
    depths = range(1, len(old)) if len(old) == len(new) else ()
    return [(old[:depth], new[:depth]) for depth in depths if old[depth - 1] != new[depth - 1]]


def _holds_the_same(pair: Renamed, pairs: Sequence[Renamed]) -> bool:
    """Return whether most entries at or below two headings are the same."""
    of_old = [old[: len(pair[0])] == pair[0] for old, _ in pairs]
    of_new = [new[: len(pair[1])] == pair[1] for _, new in pairs]
    shared = sum(map(and_, of_old, of_new))
    return bool(shared * 2 > max(sum(of_old), sum(of_new)))


def _is_replaced(pair: Renamed, before: Collection[Category], now: Collection[Category]) -> bool:
    """Return whether the old section is gone and the new one is new."""
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
    """Rename the categories whose headings were renamed.

    All papers in them are moved along, and topics keep their category. A category that another
    document lists keeps its name. ``matches`` are the positions in ``stored`` by the number of the
    document's entries. Returns the stored entries with their new categories, and the renamed paths.
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
    """Return a category's path after these headings were renamed."""
    for old, new in followed:
        if path[: len(old)] == old:
            path = new + path[len(old) :]
    return path
