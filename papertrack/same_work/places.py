"""Where a work was published: whether two descriptions say the same place, or two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from papertrack.same_work.words import tokens_of
from papertrack.text import fold

_PLACES = ("volume", "number", "pages", "eid", "chapter")
_OTHER_NAMES = {"issue": "number", "articleno": "eid"}
_NAMES_OF_PLACES = frozenset("vol volume no nr number issue band bd heft tome chapter ch".split())
_FIRST_PAGE = re.compile(r"[0-9]+(?::[0-9]+)?|[^\W_]+")
_VERSION = re.compile(
    r"(?:\b(?:version|ver|release|rel|v)\b\.?\s*|\bv)([0-9]+(?:\.[0-9]+)*)", re.IGNORECASE
)
_PLAIN_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_SAYS_VERSION = ("note", "howpublished", "number", "type", "series")
_ALIKE = 85
"""rapidfuzz's score, of 100, from which two names of a venue are one."""
_SMALL_WORDS = frozenset("of the and for in on a an to de la des et und der die".split())

Printed = Mapping[str, str]


def printed_at(publication: Iterable[tuple[str, str]]) -> Printed:
    """Volume, number, first page, chapter and edition, as far as they are told, to compare."""
    told: dict[str, str] = {}
    for name, value in publication:
        name = _OTHER_NAMES.get(name, name)
        if name in (*_PLACES, "edition"):
            told.setdefault(name, _compared(name, value))
    return {name: value for name, value in told.items() if value}


def _compared(name: str, value: str) -> str:
    """``XII`` is 12, the pages ``431–456`` are 431, the 2nd edition is 2, ``58 (9)`` is 58."""
    if name == "pages":
        found = _FIRST_PAGE.search(fold(value))
        return found.group().lstrip("0") if found else ""
    words = [word for word in tokens_of(value.upper()) if word not in _NAMES_OF_PLACES]
    numbers = [word for word in words if word.isdecimal()]
    # A report's number is all of it: TM-12 is not TM-13.
    is_number = name == "edition" or words[:1] == numbers[:1]
    return numbers[0] if numbers and is_number else " ".join(words)


def version_of(publication: Iterable[tuple[str, str]]) -> str | None:
    """The version that is described: of the field for it, else as a note tells it."""
    fields = dict(publication)
    if own := _PLAIN_VERSION.search(fields.get("version", "")):
        return _short(own.group())
    found = (_VERSION.search(fields.get(name, "")) for name in _SAYS_VERSION)
    return next((_short(match[1]) for match in found if match), None)


def _short(version: str) -> str:
    """``1.0`` is version 1."""
    return re.sub(r"(?:\.0)+$", "", version)


@lru_cache(maxsize=4096)
def is_same_venue(one: str | None, other: str | None) -> bool | None:
    """Whether two names are of one venue, also cut short; None if one is missing."""
    if not one or not other:
        return None
    # Imported here because only works that look alike pay for it.
    from rapidfuzz import fuzz

    words, others = _name_words(one), _name_words(other)
    if fuzz.token_set_ratio(" ".join(words), " ".join(others)) >= _ALIKE:
        return True
    if _abbreviates(words, others) or _abbreviates(others, words):
        return True
    return _initials(one, others) or _initials(other, words)


def _name_words(venue: str) -> list[str]:
    return [word for word in tokens_of(venue) if word not in _SMALL_WORDS and not word.isdecimal()]


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Whether each word begins one of the other's, in their order: ``j mach learn res``."""
    left = iter(long)
    return len(short) > 1 and all(any(word.startswith(cut) for word in left) for cut in short)


def _initials(venue: str, words: list[str]) -> bool:
    """Whether a name in capitals stands for the words: ``EMNLP``, ``NAACL-HLT``."""
    capitals = ("".join(filter(str.isupper, word)) for word in venue.split())
    return any(_stands_for(name.casefold(), words) for name in capitals if len(name) >= 3)


def _stands_for(name: str, words: list[str]) -> bool:
    left = iter(word[0] for word in words)
    return name in words or all(letter in left for letter in name)
