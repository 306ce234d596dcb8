"""Headings that were renamed in a file: the categories they stand for get the new name too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from papertrack.documents.markdown.model import Document
from papertrack.store.categories import Path, documents_with, find_category
from papertrack.store.documents import StoredEntry
from papertrack.store.store import Store
from papertrack.store.watch.topics import rename_with_topics

Renamed = tuple[Path, Path]


def find_renamed(
    pairs: Sequence[Renamed], before: Collection[Path], now: Collection[Path]
) -> list[Renamed]:
    """Old and new paths of the headings that go by another name, outer ones first.

    ``pairs`` are the section of each entry, last time and now; ``before`` and ``now`` are all
    sections. The old one is gone, the new one was not there, and most entries of each are those
    of the other: else rows were moved, or sections joined or split.
    """
    moved = Counter(pairs)
    left, came = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    found: set[Renamed] = set()
    for (old, new), number in moved.items():
        is_same = number * 2 > max(left[old], came[new])
        if old and new and is_same and _is_replaced((old, new), before, now):
            found.add(_outermost((old, new), before, now))
    nested = [(old, new) for old, new in found if new[: len(old)] != old]
    return sorted(nested, key=lambda pair: len(pair[0]))


def _outermost(pair: Renamed, before: Collection[Path], now: Collection[Path]) -> Renamed:
    """The heading above both that was renamed, if it is one and not these themselves."""
    old, new = pair
    while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
        if _is_replaced((old, new), before, now):
            pair = (old, new)
    return pair


def _is_replaced(pair: Renamed, before: Collection[Path], now: Collection[Path]) -> bool:
    """Whether the old section is gone, and the new one was not there."""
    old, new = pair
    return not _has(now, old) and not _has(before, new)


def _has(sections: Collection[Path], path: Path) -> bool:
    return any(section[: len(path)] == path for section in sections)


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
    if all(old == new for old, new in pairs):
        return list(stored), []
    before = {entry.category for entry in stored if entry.is_in_file}
    now = {section.path for section in document.sections}
    renamed, followed = [], []
    for pair in find_renamed(pairs, before, now):
        if set(documents_with(store, pair[0])) > {name}:
            continue
        is_there, is_taken = _are_categories(store, pair)
        if is_there and not is_taken:
            rename_with_topics(store, *pair)
            renamed.append(pair)
        if is_there != is_taken:
            followed.append(pair)
    return [_following(entry, followed) for entry in stored], renamed


def _are_categories(store: Store, pair: Renamed) -> tuple[bool, bool]:
    old, new = pair
    return find_category(store, old) is not None, find_category(store, new) is not None


def _following(entry: StoredEntry, followed: Sequence[Renamed]) -> StoredEntry:
    for old, new in followed:
        if entry.category[: len(old)] == old:
            entry = replace(entry, category=new + entry.category[len(old) :])
    return entry
