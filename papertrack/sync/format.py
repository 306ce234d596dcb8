"""What the engine of syncing knows of a document: its items, its fields, and how it is changed.

READMEs and .bib files are two formats (``sync.markdown``, ``sync.bibtex``). All that the engine
does, from the first import to putting back what was removed, it does through what is said here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Skipped
from papertrack.store.documents import DocumentKind, RegisteredDocument, StoredEntry
from papertrack.sync.asking import Asking
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


class Reader(Protocol):
    """What reads a document anew, by what the library knows of it."""

    def __call__(self, registered: RegisteredDocument | None) -> Format: ...
