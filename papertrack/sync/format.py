"""What the engine of syncing knows of a document: its items, its fields, and how it is changed.

READMEs and .bib files are two formats (``sync.markdown``, ``sync.bibtex``). All that the engine
does, from the first import to putting back what was removed, it does through what is said here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Skipped
from papertrack.store.documents import DocumentKind, RegisteredDocument, StoredEntry
from papertrack.sync.asking import Asking
from papertrack.sync.history import History
from papertrack.sync.report import JoinedEntries
from papertrack.sync.threeway import Fields, Values

Category = tuple[str, ...]


@dataclass
class Item:
    """One entry of a document as it reads now. Formats add what only they know of it."""

    number: int
    """Its place among the document's items, counted from 0."""
    key: str
    """Which entry of the document it is."""
    line: int
    """Counted from 1."""
    category: Category
    """The section it stands in; empty where there are none."""
    text: str
    """Its own text, or what stands for it."""

    @cached_property
    def values(self) -> Values:
        """What it says, by field, as plain JSON."""
        raise NotImplementedError

    @cached_property
    def facts(self) -> PaperFacts:
        """What it says of the paper itself."""
        raise NotImplementedError

    @property
    def title(self) -> str | None:
        return self.facts.title

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """Its own identifiers, strongest first."""
        return self.facts.identifiers

    @property
    def name(self) -> str:
        """What the reader knows it by when it has no paper."""
        return self.title or self.key

    @property
    def authors(self) -> tuple[Author, ...]:
        return self.facts.authors

    @property
    def links(self) -> tuple[Link, ...]:
        return self.facts.links

    @property
    def read_at(self) -> str | None:
        """The day of its reading mark."""
        return None


@dataclass(frozen=True, slots=True)
class Linked:
    """The paper of an item that the library had not seen in this document."""

    paper_id: int
    before: Paper | None
    """The paper as it was; None when it was made, or when that does not matter."""
    library: Values | None = None
    """What the library says of it from now on; None to ask it when all items are linked."""
    open: frozenset[str] = frozenset()
    """Fields of a conflict that nobody decided."""


@dataclass(slots=True)
class Told:
    """What a format has to tell of an import, beside what the engine knows."""

    skipped: list[Skipped] = field(default_factory=list)
    notices: list[Skipped] = field(default_factory=list)
    joined: list[JoinedEntries] = field(default_factory=list)
    renamed: list[tuple[Category, Category]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Set:
    """Let an item say another value of a field; of a set, one member in place of another."""

    number: int
    """The item's."""
    paper: Paper
    field: str
    value: Any
    """The value, or the member to add; None takes the value, or the member ``instead``, away."""
    instead: Any = None
    """The member that gives way."""

    def applied_to(self, members: Sequence[Any]) -> list[Any]:
        """The members of a set after this change, from those before it."""
        kept = [member for member in members if member not in (self.instead, self.value)]
        return kept if self.value is None else [*kept, self.value]


def values_after(values: Values, sets: Sequence[Set], fields: Fields) -> Values:
    """What an item is to say that says ``values``, whether it has a place for all of it or not."""
    after = dict(values)
    for one in sets:
        is_of_set = one.field in fields.sets
        after[one.field] = one.applied_to(after.get(one.field, [])) if is_of_set else one.value
    return after


@dataclass(frozen=True, slots=True)
class Move:
    """Move an item to another section that the document has."""

    number: int
    paper: Paper
    category: Category


@dataclass(frozen=True, slots=True)
class Remove:
    """Take an item out."""

    number: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add an item for a paper to a section that the document has."""

    paper: Paper
    category: Category


Change = Set | Move | Remove | Add


@dataclass(slots=True)
class Kept:
    """An entry that an export keeps, and what to remember of it once the changes are made."""

    stored: StoredEntry
    """As it is to be remembered, but for what the changed file says."""
    number: int | None = None
    """The item that it is; None when it is not in the file."""
    unsettled: set[str] | None = None
    """Fields where the file waits to be imported, or is in conflict; None to leave it alone."""
    then: Values | None = None
    """What the library said when last in step: still so where a change is refused, so that it is
    made as soon as the document has a place for it."""
    beyond: int | None = None
    """How many passes the document can tell, when the paper has more."""
    is_removed: bool = False


@dataclass(slots=True)
class Plan:
    """The changes of one document, and what to remember once they are made."""

    changes: list[Change] = field(default_factory=list)
    known: list[Change] = field(default_factory=list)
    """Changes that were refused before: if they are again, the reader knows why."""
    refused: list[str] = field(default_factory=list)
    """Sentences about what the document has no place for."""
    kept: list[Kept] = field(default_factory=list)

    @property
    def sets(self) -> dict[int, list[Set]]:
        """The values to set of each item that stays where it is, by its number."""
        leaving = {change.number for change in self.changes if isinstance(change, Move | Remove)}
        sets: dict[int, list[Set]] = {}
        for change in self.changes:
            if isinstance(change, Set) and change.number not in leaving:
                sets.setdefault(change.number, []).append(change)
        return sets


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not made."""

    change: Change
    reason: str
    """A sentence for the user."""


@dataclass(slots=True)
class Written:
    """A document with the changes made."""

    document: Format
    placed: Mapping[int, Item]
    """Position in the plan's ``kept`` → the item that it is now."""
    added: Sequence[tuple[Add, Item]] = ()
    refused: list[Refused] = field(default_factory=list)
    refused_of_added: Sequence[tuple[int, str | None, str]] = ()
    """Number of an item that was added, the field it has no place for, and the sentence."""


class Format(Protocol):
    """A document that was read from its file, in its format."""

    @property
    def kind(self) -> DocumentKind: ...

    @property
    def source(self) -> str:
        """The source of fields that such a document gave."""
        ...

    @property
    def fields(self) -> Fields: ...

    @property
    def name(self) -> str:
        """The document's name: relative to the library, or absolute outside."""
        ...

    @property
    def data(self) -> bytes: ...

    @property
    def encoding(self) -> str: ...

    @property
    def title(self) -> str | None: ...

    @property
    def items(self) -> Sequence[Item]: ...

    @property
    def told(self) -> Told: ...

    def library_values(self, paper: Paper) -> Values:
        """What the library says of a paper, as far as an item could say it."""
        ...

    def max_passes(self, items: Sequence[Item]) -> int | None:
        """How many passes the marks of these items can tell apart; None for all."""
        ...

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """Number of an item → position in ``stored`` of what it was last time."""
        ...

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        """Whether the item says what it said when it was last in step."""
        ...

    def owner(self, item: Item) -> int | None:
        """The paper that the item is about by its identifiers, whatever it was before."""
        ...

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """Follow what changed about the document as a whole; return ``stored`` as it is then."""
        ...

    def link(self, items: Sequence[Item], asking: Asking) -> Sequence[Linked]:
        """Find the items' papers, or make them, and complete them by what the items say."""
        ...

    def keep(self, item: Item, paper_id: int) -> None:
        """Keep with the paper what else the format wants to know of an item that changed."""
        ...

    def want_back(
        self, document_id: int, stored: Sequence[StoredEntry], wanted: Sequence[StoredEntry]
    ) -> Sequence[StoredEntry]:
        """Remember ``wanted``, deleted from among ``stored``; return those to store as such."""
        ...

    def end_import(self) -> None:
        """Do what is left once all is in the library."""
        ...

    @property
    def path(self) -> Path: ...

    @property
    def text(self) -> str: ...

    def encoded(self) -> bytes:
        """The text as it stands in the file."""
        ...

    @property
    def sections(self) -> Sequence[Category]:
        """Where items can be added."""
        ...

    def matches_written(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """As ``matches``, where nobody but an export wrote."""
        ...

    def known(self, paper: Paper) -> Values:
        """What the library knows of the fields that it says only when the reader edited them."""
        ...

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[Format, Sequence[StoredEntry]]:
        """The document with the entries that come back as they were, and what is then stored."""
        ...

    def begin_export(self, present: Sequence[StoredEntry]) -> None:
        """Look at the entries that the file has, before any is compared."""
        ...

    def may_say(
        self, item: Item, before: StoredEntry, paper: Paper, name: str, wanted: Any
    ) -> bool:
        """Whether the item is the place for a value that changed in the library."""
        ...

    def write(self, plan: Plan, history: History) -> Written:
        """Make the plan's changes, and note in the history what was there before."""
        ...

    def end_export(self, added: Sequence[Paper]) -> None:
        """Do what is left once the file is written."""
        ...


class Reader(Protocol):
    """What reads a document anew, by what the library knows of it."""

    def __call__(self, registered: RegisteredDocument | None) -> Format: ...
