"""Compare two author lists, however they are written."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from papertrack.identifiers.derived import OTHERS, parts_of
from papertrack.matching.words import is_spelled_alike, script_of, sound_of
from papertrack.records import Author
from papertrack.text import fold

_ADDITIONS = re.compile(r"(?<!\s)\s+[0-9]{4}$|(?<![\s,;])[\s,;]+et\.?\s+al\b\.?\s*$", re.IGNORECASE)
"""The number by which DBLP distinguishes people of the same name, and *et al.*"""
_GROUP = re.compile(r"\b(?:collaborations?|consortium|team|group|network|project|initiative)\b")
_GROUP_FILLERS = re.compile(r"\b(?:the|for|of|and|on|behalf)\b|[^\w\s]")
_MIN_LETTERS = 2
"""A shorter family name is an initial or part of a broken name."""
_LONG_NAME = 6
"""From this length on, two plain names may be two spellings of one name.

*Samarskii* and *Samarskij* are; *Khan* and *Han*, *Xu* and *Xue* are not.
"""
_SHORT_NAME = 4
"""Whole names of at most this length identify nobody: ``W. E``."""
_ENOUGH_IN_COMMON = 3
"""This many common authors are enough, even without the first author."""
_MIN_OF_SHORTER, _MIN_OF_LONGER = 0.5, 0.75
"""The shares that are enough; of the longer list only if nothing but title and authors agrees."""
_ALIKE = 0.55
"""The likeness of *Aleksei* and *Alexey*."""
_MOST_COMPARED = 200
"""The most names that are compared with one: a file can have thousands of one family name."""


@dataclass(frozen=True)
class Person:
    """A name in normal form: ``D. Kingma`` and ``Kingma, Diederik P.`` are equal."""

    family: str
    initial: str
    """The first letter of the given name; empty if unknown."""
    spelling: str = field(default="", compare=False)
    """The family name as the source spells it, with accents."""
    given: str = field(default="", compare=False)
    """The first given name, if known."""

    @cached_property
    def sound(self) -> str:
        """A search key for all spellings of the name; other names may share it."""
        return sound_of(self.spelling, self.family)

    def may_be(self, other: Person) -> bool:
        """Return whether two names may be of the same person, by family name and initial."""
        if self.family != other.family and not self._is_spelled_as(other):
            return False
        initials = {self.initial, other.initial} - {""}
        is_in_two_scripts = len({*map(script_of, initials)}) > 1
        return len(initials) < 2 or (is_in_two_scripts and is_spelled_alike(*initials))

    def may_have_given_name_of(self, other: Person) -> bool:
        """Return whether both given names may be the same: initials, short forms, spellings."""
        short, long = sorted((self.given, other.given), key=len)
        letters = iter(long)
        is_short_form = all(letter in letters for letter in short)
        if is_short_form or len(short) < _MIN_LETTERS or not (short + long).isascii():
            return True
        # Imported here because only names that differ pay for it.
        from rapidfuzz.distance import OSA

        # *Wei* and *Wen* are two names.
        return len(short) >= _LONG_NAME - 1 and OSA.normalized_similarity(short, long) >= _ALIKE

    def is_turned(self, other: Person) -> bool:
        """Return whether family and given name are swapped."""
        is_whole = min(len(self.given), len(other.given)) >= _MIN_LETTERS
        return is_whole and (self.family, self.given) == (other.given, other.family)

    def _is_spelled_as(self, other: Person) -> bool:
        """Return whether the family names are spellings of the same name."""
        is_plain = (self.spelling + other.spelling).isascii()
        is_long = not is_plain or min(len(self.family), len(other.family)) >= _LONG_NAME
        is_alike = self.sound == other.sound and is_long
        return is_alike and is_spelled_alike(self.spelling, other.spelling)


class Common(NamedTuple):
    """What two author lists have in common."""

    of_shorter: float
    of_longer: float
    number: int
    has_first: bool
    """Whether the first author of the shorter list is in the other."""
    is_of_groups: bool = False
    """Whether collaborations were compared, whose papers often have similar titles."""
    other_given_names: int = 0
    """How many common authors have another full given name: *Jane* is not *John*."""

    @property
    def is_enough(self) -> bool:
        """Whether both may be of the same work; one other given name may be a nickname."""
        has_enough = self.has_first or self.number >= _ENOUGH_IN_COMMON
        is_plausible = self.other_given_names < 2 or self.has_same_given_names
        return self.of_shorter >= _MIN_OF_SHORTER and has_enough and is_plausible

    @property
    def has_same_given_names(self) -> bool:
        """Whether most common authors may have the same given names."""
        return 2 * self.other_given_names <= self.number

    @property
    def is_nearly_all(self) -> bool:
        """Whether both are of the same work if only the titles agree as well."""
        return self.is_enough and self.of_longer >= _MIN_OF_LONGER and self.has_same_given_names

    @property
    def is_same(self) -> bool:
        """Whether both lists have the same people."""
        return self.of_shorter == self.of_longer == 1 and not self.is_of_groups


def people_of(authors: Sequence[Author]) -> tuple[Person, ...]:
    """Return the people of an author list in order, without *et al.* and groups."""
    return _split(tuple(authors))[0]


def is_cut(authors: Sequence[Author]) -> bool:
    """Return whether an author list says that there are more, or names a group."""
    has_others = any(re.search(r"\b(?:others|et\.?\s+al)\b\.?\s*$", a.name, re.I) for a in authors)
    return has_others or bool(_split(tuple(authors))[1])


def compare_authors(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """Compare two author lists; return None if they cannot be compared."""
    (people, groups), (other_people, other_groups) = _split(tuple(authors)), _split(tuple(others))
    if (groups or other_groups) and not (people and other_people):
        # A collaboration counts for its members.
        share = float(not groups.isdisjoint(other_groups))
        is_known = groups and other_groups
        return Common(share, share, int(share), share > 0, is_of_groups=True) if is_known else None
    if not people or not other_people:
        return _compare_whole_names(authors, others)
    short, long = sorted((people, other_people), key=len)
    pairs = _matching_pairs(short, long)
    scripts = ({script_of(person.family) for person in people} for people in (short, long))
    if not pairs and set.isdisjoint(*scripts):
        return None
    renamed = sum(not (a.may_have_given_name_of(b) or a.is_turned(b)) for a, b in pairs)
    shares = len(pairs) / len(short), len(pairs) / len(long)
    has_first = bool(pairs) and pairs[0][0] is short[0]
    return Common(*shares, len(pairs), has_first, other_given_names=renamed)


def _matching_pairs(short: Sequence[Person], long: Sequence[Person]) -> list[tuple[Person, Person]]:
    """Return each person with the same one of the other list; nobody is matched twice."""
    by_name: dict[Hashable, dict[int, Person]] = {}
    for place, person in enumerate(long):
        for name in _names(person):
            by_name.setdefault(name, {})[place] = person
    pairs = []
    for person in short:
        near = (by_name.get(name, {}).items() for name in _names(person)[:3])
        places = [
            place
            for place, other in islice(chain.from_iterable(near), _MOST_COMPARED)
            if person.may_be(other) or person.is_turned(other)
        ]
        if places:
            alike = (place for place in places if person.may_have_given_name_of(long[place]))
            place = next(alike, places[0])
            pairs.append((person, long[place]))
            for name in _names(long[place]):
                by_name[name].pop(place, None)
    return pairs


def _names(person: Person) -> tuple[Hashable, ...]:
    """Return the names by which a person is found, the whole name first, and the given one last."""
    return (person.family, person.given), person.family, person.sound, person.given


def _compare_whole_names(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """Compare full names as they are, if family names such as *E* are as short as initials.

    Return None if no name is in both lists, or if a name is only initials.
    """
    short, long = sorted(([fold(a.name) for a in people] for people in (authors, others)), key=len)
    count = len({*short} & {*long})
    if not count or not all(len(name) > _SHORT_NAME for name in short):
        return None
    return Common(count / len(short), count / len(long), count, short[0] in long)


@lru_cache(maxsize=4096)
def _split(authors: tuple[Author, ...]) -> tuple[tuple[Person, ...], frozenset[str]]:
    """Return the people and the groups of an author list."""
    people, groups = [], set()
    for author in authors:
        name = _ADDITIONS.sub("", author.name)
        if name.casefold() in OTHERS:
            continue
        if _GROUP.search(folded := fold(name)):
            groups.add(" ".join(sorted(_GROUP_FILLERS.sub(" ", _GROUP.sub(" ", folded)).split())))
        elif len((person := _person(name, author.family)).family) >= _MIN_LETTERS:
            people.append(person)
    return tuple(people), frozenset(groups)


@lru_cache(maxsize=4096)  # The same people stand in a user's files again and again.
def _person(name: str, family: str | None) -> Person:
    last, first, _ = parts_of(Author(name, family=family))
    words = fold(last).replace(".", " ").split()
    all_given = fold(first).strip(" .'")
    spelling = last if last.isalpha() else re.split(r"[\s.\-‐‑–]+", last.strip(" .-"))[-1]
    given = next(iter(first.replace(".", " ").split()), "")
    # Keep only the initial of ``JR`` and ``J.-P.``.
    given = fold(given[:1] if given.isupper() else given).replace("-", "").replace(" ", "")
    return Person(words[-1] if words else "", all_given[:1], spelling, given)
