"""Whether two lists of authors are of one work: both are folded in the same way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from papertrack.records import Author
from papertrack.same_work.people import Person, people_of
from papertrack.text import fold

_NUMBER = re.compile(r"\s+[0-9]{4}$")
"""By which DBLP tells people of one name apart."""
_GROUP = re.compile(r"\b(?:collaborations?|consortium|team|group|network|project|initiative)\b")
_SMALL = re.compile(r"\b(?:the|for|of|and|on|behalf|et al)\b|[^\w\s]")
_SHORT = 4
"""Letters of a whole name that tell nobody: ``W. E``."""
_ENOUGH = 0.5
"""The share of the shorter list that the other one has."""
_MANY = 3
"""So many in common are enough, also without the first author."""
_WHOLE_NAME = 2
"""Letters of a first name that is no initial."""
_RESPELLED = 5
"""Letters from which on a first name may have two spellings: *Wei* and *Wen* are two names."""
_NAMED_ALIKE = 0.55
"""The likeness of *Aleksei* and *Alexey*."""
_OF_LONGER = 0.75
"""The share of the longer list, where nothing but title and authors speaks for it."""


class Common(NamedTuple):
    """What two lists of authors have in common."""

    of_shorter: float
    of_longer: float
    number: int
    has_first: bool
    """Whether the first author of one is among the others."""
    is_of_groups: bool = False
    """Whether collaborations stand for their members, who publish much in one mould."""
    otherwise: int = 0
    """How many of those in common have another given name in full: *Jane* is not *John*."""

    @property
    def is_enough(self) -> bool:
        """Whether they may be of one work. One other given name may be a nickname."""
        is_known = self.has_first or self.number >= _MANY
        is_called_so = self.otherwise < 2 or self._are_called_so
        return self.of_shorter >= _ENOUGH and is_known and is_called_so

    @property
    def _are_called_so(self) -> bool:
        return 2 * self.otherwise <= self.number

    @property
    def is_nearly_all(self) -> bool:
        """Whether they are of one work even if only the title says so."""
        return self.is_enough and self.of_longer >= _OF_LONGER and self._are_called_so

    @property
    def is_same(self) -> bool:
        """Whether each of either list is in the other one, by name."""
        return self.of_shorter == self.of_longer == 1 and not self.is_of_groups

    @property
    def is_all(self) -> bool:
        """Whether all of the shorter list are in the other one."""
        return self.of_shorter == 1


def in_common(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """What two lists have in common; None where one is empty, or none of them can be compared."""
    lists = [_split(tuple(some)) for some in (authors, others)]
    if any(groups for _, groups in lists) and not all(people for people, _ in lists):
        return _of_groups(lists[0][1], lists[1][1])
    (people, _), (strangers, _) = lists
    if not people or not strangers:
        return _of_whole_names(authors, others)
    short, long = sorted((people, strangers), key=len)
    if not any(one.is_comparable(other) for one in short for other in long):
        return None
    left = list(long)
    taken = [(one, other) for one in short if (other := _take(one, left))]
    otherwise = sum(not _may_be_called(one.given, other.given) for one, other in taken)
    has_first = any(short[0].may_be(other) for other in long)
    count = len(taken)
    shares = count / len(short), count / len(long)
    return Common(*shares, count, has_first, otherwise=otherwise)


def _of_whole_names(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """What lists of names have in common that are too short to be told from initials, *Weinan E*:
    those that are the same to the letter; None if none is."""
    short, long = sorted(([fold(one.name) for one in some] for some in (authors, others)), key=len)
    count = len({*short} & {*long})
    if not count or not all(len(name) > _SHORT for name in short):
        return None
    return Common(count / len(short), count / len(long), count, short[0] in long)


def _take(one: Person, left: list[Person]) -> Person | None:
    """Who of those that are left may be this one; who is found is nobody else."""
    fitting = [other for other in left if one.may_be(other)]
    if not fitting:
        return None
    called = (other for other in fitting if _may_be_called(one.given, other.given))
    found = next(called, fitting[0])
    left.remove(found)
    return found


def _may_be_called(one: str, other: str) -> bool:
    """Whether two first names may be one: initials, shortened or spelled in two ways."""
    short, long = sorted((one, other), key=len)
    if len(short) < _WHOLE_NAME or not (short + long).isascii():
        return True
    left = iter(long)
    if all(letter in left for letter in short):
        return True
    # Imported here because only names that differ pay for it.
    from rapidfuzz.distance import OSA

    return len(short) >= _RESPELLED and OSA.normalized_similarity(short, long) >= _NAMED_ALIKE


@lru_cache(maxsize=4096)
def _split(authors: tuple[Author, ...]) -> tuple[tuple[Person, ...], frozenset[str]]:
    """The people of a list, and the groups."""
    named = [one._replace(name=_NUMBER.sub("", one.name)) for one in authors]
    groups = [one for one in named if _GROUP.search(fold(one.name))]
    people = [one for one in named if one not in groups]
    return people_of(people), frozenset(_group(one.name) for one in groups)


def _group(name: str) -> str:
    return " ".join(sorted(_SMALL.sub(" ", _GROUP.sub(" ", fold(name))).split()))


def _of_groups(groups: frozenset[str], others: frozenset[str]) -> Common | None:
    """A collaboration stands for its members, where the other list has it too."""
    if not groups or not others:
        return None
    found = len(groups & others)
    share = float(bool(found))
    return Common(share, share, found, bool(found), is_of_groups=True)
