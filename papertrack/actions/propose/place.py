"""Where in a list a work belongs: the section that is named, or that of the works most like it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt

from papertrack.category_paths import CategoryPath, parse_path
from papertrack.documents.markdown.model import Document
from papertrack.errors import UsageError
from papertrack.text import fold

_LIKENESS = 0.18
"""From which on two titles are about the same: below it one shared word decides."""
_NEAREST = 3
"""How many entries of a section speak for it."""
_WORD = re.compile(r"[a-z0-9]{3,}|[\u4e00-\u9fff]{2}")
_EMPTY = frozenset(
    "the and for with from via are can using towards toward into over how what why based "
    "learning model models large language neural network networks approach method new".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """A section, and why a work belongs there."""

    category: CategoryPath
    like: tuple[str, ...] = ()
    """The titles that are most like the work's, of a section that nobody named."""


def find_named(document: Document, name: str) -> list[CategoryPath]:
    """Return the categories that a name may mean: as it is written, or else by its last part."""
    try:
        wanted = tuple(map(fold, parse_path(name)))
    except UsageError:
        return []
    exact = _ending(document, wanted, is_whole=True)
    return exact or _ending(document, wanted) or _ending(document, (fold(name),))


def _ending(
    document: Document, wanted: CategoryPath, *, is_whole: bool = False
) -> list[CategoryPath]:
    """Return the categories whose folded names end so, or are just these."""
    folded = {path: tuple(map(fold, path)) for path in document.categories}
    ends = [path for path in folded if folded[path][-len(wanted) :] == wanted]
    return [path for path in ends if folded[path] == wanted] if is_whole else ends


def find_nearest(document: Document, title: str) -> Place | None:
    """Return the section whose works are most like a title; None where none is near.

    A list with a single section has no other place.
    """
    categories = {entry.category for entry in document.entries}
    if len(categories) == 1:
        return Place(next(iter(categories)))
    likeness = _all_alike(document, title)
    best = max(categories, key=lambda path: _support(document, path, likeness), default=())
    near = _nearest(document, best, likeness)
    if not near or likeness[near[0]] < _LIKENESS:
        return None
    return Place(best, tuple(document.entries[index].fields.title for index in near[:2]))


def _all_alike(document: Document, title: str) -> list[float]:
    """Return how alike each entry's title is to this one."""
    words = [_words(entry.fields.title) for entry in document.entries]
    counts = Counter(word for each in words for word in each)
    weights = {word: log(1 + len(words) / count) for word, count in counts.items()}
    return [_likeness(_words(title), each, weights) for each in words]


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(title))) - _EMPTY


def _likeness(one: Iterable[str], other: Iterable[str], weights: dict[str, float]) -> float:
    """Return how alike two titles are, from 0 to 1: what they share, by how rare it is."""
    first, second = (sum(weights.get(word, 1.0) ** 2 for word in each) for each in (one, other))
    shared = sum(weights.get(word, 1.0) ** 2 for word in frozenset(one) & frozenset(other))
    return shared / sqrt(first * second) if shared else 0.0


def _nearest(document: Document, path: CategoryPath, likeness: Sequence[float]) -> list[int]:
    held = [entry.index for entry in document.entries if entry.category == path]
    return [i for i in sorted(held, key=lambda index: -likeness[index]) if likeness[i]][:_NEAREST]


def _support(document: Document, path: CategoryPath, likeness: Sequence[float]) -> float:
    return sum(likeness[index] for index in _nearest(document, path, likeness))
