"""Whether two lists of authors name the same people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from papertrack.identifiers.derived import OTHERS, parts_of
from papertrack.records import Author
from papertrack.same_work.spelling import (
    Script,
    is_spelled_alike,
    may_begin_alike,
    script_of,
    sound_of,
)
from papertrack.text import fold

_LETTERS = 2
"""Letters that a name has at least: less is what is left of a broken one."""
_LONG = 6
"""Letters from which on two plain names may be two spellings of one: *Samarskii* and *Samarskij*
are, *Khan* and *Han*, *Xu* and *Xue* are two names."""
_VOWELS = str.maketrans("", "", "aeiouyj")


@dataclass(frozen=True)
class Person:
    """A name as it is compared: ``D. Kingma`` and ``Kingma, Diederik P.`` are one."""

    family: str
    initial: str
    """Of the first given name; empty where none is known."""
    written: str = field(default="", compare=False)
    """The family's name as it was written, with its accents."""
    given: str = field(default="", compare=False)
    """The first given name, as far as it is known."""

    @cached_property
    def sound(self) -> str:
        """By which the name is found in each of its spellings; others too."""
        return sound_of(self.written, self.family)

    def may_be(self, other: Person) -> bool:
        """Whether two names may be one person's."""
        if self.family != other.family and not self._is_spelled_as(other):
            return False
        return not self.initial or not other.initial or may_begin_alike(self.initial, other.initial)

    @property
    def script(self) -> Script:
        """That of the family's name."""
        return script_of(self.family)

    def is_comparable(self, other: Person) -> bool:
        """Whether two names that differ are two people's: of different scripts they may not be."""
        return self.script == other.script

    def _is_spelled_as(self, other: Person) -> bool:
        one, two = self.written, other.written
        if self.sound != other.sound:
            return False
        is_plain = one.isascii() and two.isascii()
        if is_plain and not _may_be_two_schemes(self.family, other.family):
            return False
        return is_spelled_alike(one, two)


def _may_be_two_schemes(one: str, other: str) -> bool:
    """Whether two plain names are worth a closer look: long ones with the same consonants."""
    is_long = min(len(one), len(other)) >= _LONG
    return is_long and one.translate(_VOWELS) == other.translate(_VOWELS)


def people_of(authors: Iterable[Author]) -> tuple[Person, ...]:
    """The people of a list of authors, in its order; who is only counted is left out."""
    named = (one for one in authors if one.name.casefold() not in OTHERS)
    people = (_person(one.name, one.family) for one in named)
    return tuple(one for one in people if len(one.family) >= _LETTERS)


@lru_cache(maxsize=4096)  # The same people stand in a reader's files again and again.
def _person(name: str, family: str | None) -> Person:
    last, first, _ = parts_of(Author(name, family=family))
    words = fold(last).replace(".", " ").split()
    given = fold(first).strip(" .'")
    written = last if last.isalpha() else re.split(r"[\s.\-‐‑–]+", last.strip(" .-"))[-1]
    family = words[-1] if words else ""
    return Person(family, given[:1], written, _first_name(first))


def _first_name(given: str) -> str:
    """The first of the given names in plain letters; of ``JR`` and ``J.-P.`` the initial."""
    first = next(iter(given.replace(".", " ").split()), "")
    return fold(first[:1] if first.isupper() else first).replace("-", "")


def share_in_common(people: Sequence[Person], others: Sequence[Person]) -> float | None:
    """Return what share of the shorter list the other one has; None where one is not known, or
    none of them can be compared.

    A name that stands the other way round, the family's first, is the same.
    """
    short, long = sorted((people, others), key=len)
    named = _by_name(long)
    found = sum(
        any(one.may_be(other) for name in (one.family, one.sound) for other in named.get(name, ()))
        for one in short
    )
    if not found and {one.script for one in short}.isdisjoint(other.script for other in long):
        return None
    return found / len(short)


def _by_name(people: Iterable[Person]) -> dict[str, Iterable[Person]]:
    """The people by what all that may be one of them have in common, alike ones once:
    collaborations have thousands of members."""
    named: dict[str, dict[tuple[Person, str], Person]] = {}
    for person in people:
        for name in (person.family, person.sound):
            named.setdefault(name, {})[person, person.written] = person
    return {name: those.values() for name, those in named.items()}
