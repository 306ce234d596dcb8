"""Which of many papers are worth comparing: no pair of all pairs. Pure.

The time grows as that of sorting. Two titles that are one but for a slip begin alike or end alike,
so that they stand near each other in the order of their first letters or in that of their last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from papertrack.matching.titles import LONG
from papertrack.matching.words import script_of, sound_of
from papertrack.text import fold

_WINDOW = 6
"""Papers are compared with so many that follow them in each order."""
_PART = 4
"""Titles share this part of the shorter one's letters, at the beginning or at the end."""
_ALIKE = 80
"""rapidfuzz's ratio, of 100, under which two titles are not worth a closer look."""
_ALIKE_IN_SOUND = 60
"""The same for titles in one script that leave the same when what is spelled otherwise is gone."""
_END = "\0"
"""Stands behind a name, so that no other one begins with it."""

Pair = tuple[int, int]
"""Two papers' numbers, the smaller one first."""


class Titled(NamedTuple):
    """As much of a paper as tells which others are worth comparing with it."""

    id: int
    title: str
    title_key: str
    """See ``text.title_key``; not empty."""
    author: str | None
    """The first one's name."""


def near_pairs(papers: Sequence[Titled]) -> set[Pair]:
    """The pairs whose titles may be one title: in two spellings, or nearly the same; of those with
    one beginning or end the neighbours, among all and among those with the same first author."""
    # Imported here because most commands never compare.
    from rapidfuzz.fuzz import ratio

    pairs = set(_of_one_sound(papers, ratio))
    keys = [paper.title_key for paper in papers]
    families = [fold(paper.author or "").rpartition(" ")[2] + _END for paper in papers]
    for names in ([_END] * len(papers), families):
        for written in (keys, [key[::-1] for key in keys]):
            order = sorted(zip(names, written, papers, strict=True), key=_name_and_key)
            pairs.update(_alike(order, ratio))
    return pairs


def neighbours(group: Sequence[int]) -> Iterator[Pair]:
    """The pairs of a group of which nothing but their order tells which are near each other."""
    for at, one in enumerate(group):
        for other in group[at + 1 : at + 1 + _WINDOW]:
            yield min(one, other), max(one, other)


_Placed = tuple[str, str, Titled]
"""A paper with what it is ordered by: a name, and its title's key from one end or the other."""


def _name_and_key(placed: _Placed) -> str:
    return placed[0] + placed[1]  # One text is compared faster than two.


def _alike(order: Sequence[_Placed], ratio: Callable[..., float]) -> Iterator[Pair]:
    """The neighbours in an order with one name that begin alike, and look alike as a whole;
    ``ratio`` is rapidfuzz's."""
    for at, (name, key, paper) in enumerate(order, start=1):
        beginning = key[: len(key) // _PART]
        for other_name, other_key, other in order[at : at + _WINDOW]:
            if other_name != name or not other_key.startswith(beginning):
                break  # As is every later one.
            if _may_be_one(key, other_key, ratio):
                yield min(paper.id, other.id), max(paper.id, other.id)


def _may_be_one(one: str, other: str, ratio: Callable[..., float]) -> bool:
    """Whether two titles, by their keys, are worth a closer look."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if long.startswith(short) or long.endswith(short):
        return True
    return ratio(short[:LONG], long[:LONG], score_cutoff=_ALIKE) > 0


def _of_one_sound(papers: Sequence[Titled], ratio: Callable[..., float]) -> Iterator[Pair]:
    """Those whose titles may be one in two spellings."""
    by_sound: dict[str, list[Titled]] = {}
    for paper in papers:
        by_sound.setdefault(sound_of(paper.title, paper.title_key), []).append(paper)
    for group in by_sound.values():
        for at, one in enumerate(group):
            for other in group[at + 1 : at + 1 + _WINDOW]:
                if _may_be_spellings(one, other, ratio):
                    yield one.id, other.id


def _may_be_spellings(one: Titled, other: Titled, ratio: Callable[..., float]) -> bool:
    """Whether two titles that sound alike are worth a closer look; those that are the same stand
    beside each other in every order."""
    keys = one.title_key[:LONG], other.title_key[:LONG]
    if keys[0] == keys[1]:
        return False
    is_one_script = script_of(one.title) == script_of(other.title)
    return not is_one_script or ratio(*keys, score_cutoff=_ALIKE_IN_SOUND) > 0
