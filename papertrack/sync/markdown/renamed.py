"""Headings that were renamed in a file by hand: their categories get the new names too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from operator import and_

from papertrack.documents.markdown.model import Document
from papertrack.store.categories import documents_with, find_category
from papertrack.store.documents import StoredEntry
from papertrack.store.store import Store
from papertrack.store.watch.topics import rename_with_topics
from papertrack.sync.items import Category

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
    return [_following(entry, followed) for entry in stored], renamed


def _following(entry: StoredEntry, followed: Sequence[Renamed]) -> StoredEntry:
    return entry._replace(category=_followed(entry.category, followed))


def _followed(path: Category, followed: Sequence[Renamed]) -> Category:
    """What a category is called once the headings above it have their new names."""
    for old, new in followed:
        if path[: len(old)] == old:
            path = new + path[len(old) :]
    return path
