"""Whether two lists of authors name the same people, however each of them is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from papertrack.identifiers.derived import OTHERS, parts_of
from papertrack.matching.words import is_spelled_alike, may_begin_alike, script_of, sound_of
from papertrack.records import Author
from papertrack.text import fold

_NUMBER = re.compile(r"(?<!\s)\s+[0-9]{4}$")
"""By which DBLP tells people of one name apart."""
_AND_OTHERS = re.compile(r"(?<![\s,;])[\s,;]+et\.?\s+al\b\.?\s*$", re.IGNORECASE)
_GROUP = re.compile(r"\b(?:collaborations?|consortium|team|group|network|project|initiative)\b")
_SMALL = re.compile(r"\b(?:the|for|of|and|on|behalf)\b|[^\w\s]")
_LETTERS = 2
"""Letters that a name has at least: less is what is left of a broken one, or an initial."""
_LONG = 6
"""Letters from which on two plain names may be two spellings of one: *Samarskii* and *Samarskij*
are, *Khan* and *Han*, *Xu* and *Xue* are two names."""
_SHORT = 4
"""Letters of a whole name that tell nobody: ``W. E``."""
_MANY = 3
"""So many in common are enough, also without the first author."""
_OF_SHORTER, _OF_LONGER = 0.5, 0.75
"""The shares of the lists that are enough; of the longer one where nothing but title and authors
speaks for one work."""
_ALIKE = 0.55
"""The likeness of *Aleksei* and *Alexey*."""
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
        """Whether two names may be one person's, by family and initial."""
        if self.family != other.family and not self._is_spelled_as(other):
            return False
        return not self.initial or not other.initial or may_begin_alike(self.initial, other.initial)

    def may_be_called(self, other: Person) -> bool:
        """Whether two first names may be one: initials, shortened or spelled in two ways."""
        short, long = sorted((self.given, other.given), key=len)
        if len(short) < _LETTERS or not (short + long).isascii():
            return True
        left = iter(long)
        if all(letter in left for letter in short):
            return True
        # Imported here because only names that differ pay for it.
        from rapidfuzz.distance import OSA

        # *Wei* and *Wen* are two names.
        return len(short) >= _LONG - 1 and OSA.normalized_similarity(short, long) >= _ALIKE

    def is_turned(self, other: Person) -> bool:
        """Whether the same two names stand the other way round, the family's first."""
        is_whole = min(len(self.given), len(other.given)) >= _LETTERS
        return is_whole and (self.family, self.given) == (other.given, other.family)

    def _is_spelled_as(self, other: Person) -> bool:
        one, two = self.written, other.written
        if self.sound != other.sound:
            return False
        if one.isascii() and two.isascii():
            # Long ones with the same consonants are worth a closer look.
            plain = [name.translate(_VOWELS) for name in (self.family, other.family)]
            if min(len(self.family), len(other.family)) < _LONG or plain[0] != plain[1]:
                return False
        return is_spelled_alike(one, two)


class Common(NamedTuple):
    """What two lists of authors have in common."""

    of_shorter: float
    of_longer: float
    number: int
    has_first: bool
    """Whether the first author of the shorter list is among the others."""
    is_of_groups: bool = False
    """Whether collaborations stand for their members, who publish much in one mould."""
    otherwise: int = 0
    """How many of those in common have another given name in full: *Jane* is not *John*."""

    @property
    def is_enough(self) -> bool:
        """Whether they may be of one work. One other given name may be a nickname."""
        is_known = self.has_first or self.number >= _MANY
        is_called_so = self.otherwise < 2 or self.is_called_so
        return self.of_shorter >= _OF_SHORTER and is_known and is_called_so

    @property
    def is_called_so(self) -> bool:
        """Whether most of those in common may have the same given names."""
        return 2 * self.otherwise <= self.number

    @property
    def is_nearly_all(self) -> bool:
        """Whether they are of one work even if only the title says so."""
        return self.is_enough and self.of_longer >= _OF_LONGER and self.is_called_so

    @property
    def is_same(self) -> bool:
        """Whether each of either list is in the other one, by name."""
        return self.of_shorter == self.of_longer == 1 and not self.is_of_groups


def people_of(authors: Sequence[Author]) -> tuple[Person, ...]:
    """The people of a list of authors, in its order; who is only counted is left out."""
    return _parted(tuple(authors))[0]


def is_cut(authors: Sequence[Author]) -> bool:
    """Whether a list says that there are others, or names a group of them."""
    names = [one.name for one in authors]
    is_said = any(name.casefold() in OTHERS or _AND_OTHERS.search(name) for name in names)
    return is_said or bool(_parted(tuple(authors))[1])


def in_common(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """What two lists have in common; None where one is empty, or none of them can be compared."""
    (people, groups), (strangers, further) = _parted(tuple(authors)), _parted(tuple(others))
    if (groups or further) and not (people and strangers):
        return _of_groups(groups, further)
    if not people or not strangers:
        return _of_whole_names(authors, others)
    short, long = sorted((people, strangers), key=len)
    taken = _taken(short, long)
    if not taken and {script_of(one.family) for one in short}.isdisjoint(
        script_of(other.family) for other in long
    ):
        return None
    otherwise = sum(
        not (short[one].may_be_called(long[place]) or short[one].is_turned(long[place]))
        for one, place in taken
    )
    shares = len(taken) / len(short), len(taken) / len(long)
    has_first = bool(taken) and taken[0][0] == 0
    return Common(*shares, len(taken), has_first, otherwise=otherwise)


def _taken(short: Sequence[Person], long: Sequence[Person]) -> list[tuple[int, int]]:
    """Who of one list is who of the other one, by their places; who is found is nobody else.

    Alike ones are looked at once: collaborations have thousands of members.
    """
    alike: dict[tuple[Person, str, str], list[int]] = {}
    for place in reversed(range(len(long))):
        one = long[place]
        alike.setdefault((one, one.written, one.given), []).append(place)
    named: dict[str, dict[tuple[Person, str, str], None]] = {}
    for key in alike:
        for name in (key[0].family, key[0].sound, key[0].given):
            named.setdefault(name, {})[key] = None
    taken = []
    for number, one in enumerate(short):
        keys = {k: None for name in (one.family, one.sound) for k in named.get(name, ())}
        fitting = [
            key[0] for key in keys if alike[key] and (one.may_be(key[0]) or one.is_turned(key[0]))
        ]
        if fitting:
            found = next(filter(one.may_be_called, fitting), fitting[0])
            taken.append((number, alike[found, found.written, found.given].pop()))
    return taken


def _of_whole_names(authors: Sequence[Author], others: Sequence[Author]) -> Common | None:
    """What lists of names have in common that are too short to differ from initials, *Weinan E*:
    those that are the same to the letter; None if none is."""
    short, long = sorted(([fold(one.name) for one in some] for some in (authors, others)), key=len)
    count = len({*short} & {*long})
    if not count or not all(len(name) > _SHORT for name in short):
        return None
    return Common(count / len(short), count / len(long), count, short[0] in long)


def _of_groups(groups: frozenset[str], others: frozenset[str]) -> Common | None:
    """A collaboration stands for its members, where the other list has it too."""
    if not groups or not others:
        return None
    found = len(groups & others)
    share = float(bool(found))
    return Common(share, share, found, bool(found), is_of_groups=True)


@lru_cache(maxsize=4096)
def _parted(authors: tuple[Author, ...]) -> tuple[tuple[Person, ...], frozenset[str]]:
    """The people of a list, and its groups."""
    people, groups = [], set()
    for author in authors:
        name = _AND_OTHERS.sub("", _NUMBER.sub("", author.name))
        if name.casefold() in OTHERS:
            continue
        if _GROUP.search(folded := fold(name)):
            groups.add(" ".join(sorted(_SMALL.sub(" ", _GROUP.sub(" ", folded)).split())))
        elif len((person := _person(name, author.family)).family) >= _LETTERS:
            people.append(person)
    return tuple(people), frozenset(groups)


@lru_cache(maxsize=4096)  # The same people stand in a reader's files again and again.
def _person(name: str, family: str | None) -> Person:
    last, first, _ = parts_of(Author(name, family=family))
    words = fold(last).replace(".", " ").split()
    given = fold(first).strip(" .'")
    written = last if last.isalpha() else re.split(r"[\s.\-‐‑–]+", last.strip(" .-"))[-1]
    called = next(iter(first.replace(".", " ").split()), "")
    # Of ``JR`` and ``J.-P.`` the initial.
    called = fold(called[:1] if called.isupper() else called).replace("-", "").replace(" ", "")
    return Person(words[-1] if words else "", given[:1], written, called)
