"""Whether two lists of authors name the same people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from papertrack.identifiers.derived import OTHERS, parts_of
from papertrack.records import Author
from papertrack.text import fold

_LETTERS = 2
"""Letters that a name has at least: less is what is left of a broken one."""


@dataclass(frozen=True, slots=True)
class Person:
    """A name as it is compared: ``D. Kingma`` and ``Kingma, Diederik P.`` are one."""

    family: str
    initial: str
    """Of the first given name; empty where none is known."""

    def may_be(self, other: Person) -> bool:
        """Whether two names may be one person's."""
        if self.family != other.family:
            return False
        return not self.initial or not other.initial or self.initial == other.initial


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
    return Person(words[-1] if words else "", given[:1])


def share_in_common(people: Sequence[Person], others: Sequence[Person]) -> float | None:
    """Return what share of the shorter list the other one has; None where one is not known.

    A name that stands the other way round, the family's first, is the same.
    """
    if not people or not others:
        return None
    short, long = sorted((people, others), key=len)
    return sum(any(one.may_be(other) for other in long) for one in short) / len(short)
