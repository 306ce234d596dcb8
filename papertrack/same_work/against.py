"""What speaks against two descriptions being of one work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from papertrack.same_work.description import ALIKE, Pair
from papertrack.same_work.forms import NOUNS, Form, may_be_one
from papertrack.same_work.titles import Likeness
from papertrack.text import plural

EXCLUSIVE = {
    "arxiv": "arXiv ids",
    "doi": "DOIs",
    "acl": "ACL ids",
    "openreview": "OpenReview ids",
}
"""Schemes of which a work has one: two different ones are two works, or two publications."""
YEARS_OF_PRINT = 3
"""Years that may lie between a preprint and its publication; reprints come later."""
_YEARS_OF_IDENTIFIER = 10
"""The same where both have one identifier: what is old is put on arXiv too."""
_MADE_ANEW: tuple[Form, ...] = ("data", "program")
_DATED: tuple[Form, ...] = ("report", *_MADE_ANEW, "other")
"""Of these another year is another work: a report is of each, a program has versions."""


class Objection(NamedTuple):
    """Something that speaks against it."""

    reason: str
    is_final: bool
    """Whether nothing outweighs it."""


def objections(pair: Pair) -> Iterator[Objection]:
    """Yield all that speaks against two descriptions being of one work."""
    for look in (_people, _titles, *_LOOKS):
        yield from look(pair)


def _titles(pair: Pair) -> Iterator[Objection]:
    if pair.titles.against:
        yield Objection(pair.titles.against, is_final=True)


def _forms(pair: Pair) -> Iterator[Objection]:
    one, other = pair.one.form, pair.other.form
    if not may_be_one(one, other):
        yield Objection(f"{NOUNS[one]} and {NOUNS[other]}", is_final=True)


def _degrees(pair: Pair) -> Iterator[Objection]:
    types = pair.one.type, pair.other.type
    if pair.forms == {"thesis"} and types[0] != types[1] and "thesis" not in types:
        yield Objection(f"{types[0]} and {types[1]}", is_final=True)


def _versions(pair: Pair) -> Iterator[Objection]:
    one, other = pair.one.version, pair.other.version
    if one == other:
        return
    if one and other:
        yield Objection(f"versions {one} and {other}", is_final=True)
    elif not pair.is_registered or not pair.forms.isdisjoint(_MADE_ANEW):
        yield Objection(f"only one is version {one or other}", is_final=False)


def _editions(pair: Pair) -> Iterator[Objection]:
    one, other = (some.printed.get("edition") for some in (pair.one, pair.other))
    if one != other and "whole" in pair.forms and (pair.years or (one and other)):
        yield Objection("another edition", is_final=True)


def _places(pair: Pair) -> Iterator[Objection]:
    """Volumes, pages and the like, in one venue; an identifier outweighs one that differs."""
    is_outweighed = pair.is_registered and pair.likeness in ALIKE
    if len(pair.places_differing) > (pair.places_agreed if is_outweighed else 0):
        told = ", ".join(pair.places_differing)
        yield Objection(f"printed elsewhere: {told}", is_final=pair.is_same_venue is not False)


def _people(pair: Pair) -> Iterator[Objection]:
    # A collaboration may stand for its members.
    if pair.share == 0 and not (pair.is_registered and pair.likeness is Likeness.SAME):
        yield Objection("no author in common", is_final=True)


def _years(pair: Pair) -> Iterator[Objection]:
    if pair.years > _years_allowed(pair):
        is_dated = len(pair.forms) == 1 and pair.forms.issubset(_DATED)
        yield Objection(f"{plural(pair.years, 'year')} apart", is_final=is_dated)


def _years_allowed(pair: Pair) -> int:
    """Return how many years may lie between two descriptions of one work."""
    if pair.is_registered and pair.forms.isdisjoint(_MADE_ANEW):
        return _YEARS_OF_IDENTIFIER if pair.likeness in ALIKE else YEARS_OF_PRINT
    if pair.is_preprint_and_print:
        return YEARS_OF_PRINT
    return 1 if pair.is_on_arxiv and not pair.one.is_published else 0


def _identifiers(pair: Pair) -> Iterator[Objection]:
    for scheme, noun in EXCLUSIVE.items():
        one, other = pair.one.values(scheme), pair.other.values(scheme)
        if one and other and one.isdisjoint(other):
            yield Objection(f"different {noun}", is_final=False)


_LOOKS = _forms, _degrees, _years, _versions, _editions, _places, _identifiers
