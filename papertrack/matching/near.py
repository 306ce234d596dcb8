"""Which of many papers are worth comparing: no pair of all pairs. Pure.

The time grows as that of sorting. Two titles that are one but for a slip begin alike or end alike,
so that they stand near each other in the order of their first letters or in that of their last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

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

_T = TypeVar("_T")
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

    by_sound: dict[str, list[Titled]] = {}
    for paper in papers:
        by_sound.setdefault(sound_of(paper.title, paper.title_key), []).append(paper)
    pairs = {
        (one.id, other.id)
        for group in by_sound.values()
        for one, other in _windows(group)
        # Those that are the same stand beside each other in every order.
        if one.title_key[:LONG] != other.title_key[:LONG]
        and (
            script_of(one.title) != script_of(other.title)
            or ratio(one.title_key[:LONG], other.title_key[:LONG]) >= _ALIKE_IN_SOUND
        )
    }
    keys = [paper.title_key for paper in papers]
    # What is behind a name sees to it that no other one begins with it.
    families = [fold(paper.author or "").rpartition(" ")[2] + "\0" for paper in papers]
    for names in ([""] * len(papers), families):
        for written in (keys, [key[::-1] for key in keys]):
            order = sorted(
                zip(names, written, papers, strict=True), key=lambda row: row[0] + row[1]
            )
            for (name, key, one), (other_name, other_key, other) in _windows(order):
                is_begun = other_key.startswith(key[: len(key) // _PART])
                if name == other_name and is_begun and _may_be_one(key, other_key, ratio):
                    pairs.add((min(one.id, other.id), max(one.id, other.id)))
    return pairs


def neighbours(group: Sequence[int]) -> Iterator[Pair]:
    """The pairs of a group of which nothing but their order tells which are near each other."""
    return ((min(pair), max(pair)) for pair in _windows(group))


def _windows(row: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Each with those that follow it."""
    for at, one in enumerate(row):
        for other in row[at + 1 : at + 1 + _WINDOW]:
            yield one, other


def _may_be_one(one: str, other: str, ratio: Callable[..., float]) -> bool:
    """Whether two titles, by their keys, are worth a closer look."""
    short, long = sorted((one, other), key=len)
    if long.startswith(short) or long.endswith(short):
        return True
    return ratio(short[:LONG], long[:LONG], score_cutoff=_ALIKE) > 0
