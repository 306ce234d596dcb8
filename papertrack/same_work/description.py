"""What is said of a work in one place, and what two such descriptions have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from papertrack.identifiers.derived import is_telling
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.same_work.forms import Form, form_of
from papertrack.same_work.people import Person, people_of, share_in_common
from papertrack.same_work.places import Printed, is_same_venue, printed_at, version_of
from papertrack.same_work.titles import Compared, Likeness, compare_titles
from papertrack.text import title_key

ADDRESS = "url"
"""The scheme of identifiers that only name a place."""
_WORDS = 3
"""Words that a title has at least to be another one than what a work is called for short."""
ALIKE = (Likeness.SAME, Likeness.CUT, Likeness.SLIP)
"""Titles that may be written for one."""


@dataclass(frozen=True)
class Description:
    """What is said of a work in one place: an entry, a row, a paper of the library."""

    title: str | None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    type: str | None = None
    """As BibTeX or biblatex has it."""
    venue: str | None = None
    publication: tuple[tuple[str, str], ...] = ()
    identifiers: frozenset[Identifier] = frozenset()
    key: str | None = None
    """The citekey under which it stands, if its reader gave it."""

    @classmethod
    def of(cls, facts: PaperFacts, key: str | None = None) -> Description:
        """Return what a source says of a work."""
        return cls(
            *(facts.title, facts.authors, facts.year, facts.published_type, facts.venue),
            facts.publication,
            frozenset(facts.identifiers),
            key,
        )

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Its authors as they are compared."""
        return people_of(self.authors)

    @cached_property
    def form(self) -> Form:
        """What kind of work it is said to be."""
        return form_of(self.type, self.publication)

    @cached_property
    def printed(self) -> Printed:
        """Where it was printed."""
        return printed_at(self.publication)

    @cached_property
    def version(self) -> str | None:
        """Of a program or of data; that of a preprint makes no other work of it."""
        return None if self.values("arxiv") else version_of(self.publication)

    @cached_property
    def is_published(self) -> bool:
        """Whether it has come out, rather than being a preprint or a page."""
        if self.form in ("any", "article"):
            return self.venue is not None or self.type in ("inproceedings", "conference")
        return True

    def values(self, scheme: str) -> set[str]:
        """Its identifiers of one scheme."""
        return {one.value for one in self.identifiers if one.scheme == scheme}


@dataclass(frozen=True)
class Pair:
    """Two descriptions, and what they have in common."""

    one: Description
    other: Description
    has_key: bool = False
    """Whether they stand under one citekey."""

    @cached_property
    def titles(self) -> Compared:
        """How the titles are related."""
        return compare_titles(self.one.title, self.other.title)

    @cached_property
    def shared(self) -> frozenset[Identifier]:
        """The identifiers of both."""
        return self.one.identifiers & self.other.identifiers

    @cached_property
    def share(self) -> float | None:
        """The share of the shorter list of authors that the other one has; None if one is not
        known, or in letters that tell nothing of the other's."""
        return share_in_common(self.one.people, self.other.people)

    @cached_property
    def is_registered(self) -> bool:
        """Whether they have an identifier in common that is more than an address."""
        return any(one.scheme != ADDRESS for one in self.shared)

    @property
    def is_in_two_scripts(self) -> bool:
        """Whether titles or authors are in scripts of which one tells nothing of the other."""
        titles = self.one.title and self.other.title and self.likeness is Likeness.UNKNOWN
        return bool(titles or (self.share is None and self.one.people and self.other.people))

    @property
    def likeness(self) -> Likeness:
        """How far the titles are alike."""
        return self.titles.likeness

    @property
    def is_telling(self) -> bool:
        """Whether the title tells what it names: not *Introduction*."""
        return is_telling(title_key(self.one.title or ""))

    @property
    def has_short_title(self) -> bool:
        """Whether one title is a name of a word or two, as lists have them."""
        titles = (self.one.title or "", self.other.title or "")
        return min(len(title.split()) for title in titles) < _WORDS

    @property
    def years(self) -> int:
        """How many lie between them; none where one is not known."""
        if not self.one.year or not self.other.year:
            return 0
        return abs(self.one.year - self.other.year)

    @property
    def is_preprint_and_print(self) -> bool:
        """Whether only one of them has come out."""
        return self.one.is_published != self.other.is_published

    @property
    def is_on_arxiv(self) -> bool:
        """Whether one of them is known to be on arXiv."""
        return bool(self.one.values("arxiv") or self.other.values("arxiv"))

    @cached_property
    def is_same_venue(self) -> bool | None:
        """Whether they came out in one venue; None where one has none."""
        return is_same_venue(self.one.venue, self.other.venue)

    @cached_property
    def forms(self) -> frozenset[Form]:
        """What kinds of work they are said to be."""
        return frozenset((self.one.form, self.other.form))

    @cached_property
    def places_agreed(self) -> int:
        """How many pieces of where they were printed are the same."""
        return len(self._places()) - len(self.places_differing)

    @cached_property
    def places_differing(self) -> list[str]:
        """The pieces of where they were printed that differ, told."""
        return list(self._told_apart())

    @property
    def is_same_page(self) -> bool:
        """Whether they were printed on one page of one volume, where only one work begins."""
        is_there = "pages" in self._places() and self.places_agreed > 1
        return is_there and not self.places_differing

    def _places(self) -> list[str]:
        return sorted(self.one.printed.keys() & self.other.printed.keys() - {"edition"})

    def _told_apart(self) -> Iterator[str]:
        for name in self._places():
            one, other = self.one.printed[name], self.other.printed[name]
            if one != other:
                yield f"{name} {one} and {other}"
