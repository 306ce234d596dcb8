"""What the engine of syncing knows of a document: its items, its fields, and how it is changed.

READMEs and .bib files are two formats (``sync.markdown``, ``sync.bibtex``). All that the engine
does, from the first import to putting back what was removed, it does through what is said here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papertrack.records import Paper, Skipped
from papertrack.store import documents
from papertrack.store.documents import DocumentKind, RegisteredDocument, StoredEntry
from papertrack.store.store import Store
from papertrack.store.written_files import digest_of
from papertrack.sync.history import History
from papertrack.sync.items import Add, Category, Item, Plan, Refused, Resolver
from papertrack.sync.report import JoinedEntries
from papertrack.sync.threeway import Fields, Values


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
class ImportNotes:
    """What a format has to tell of an import, beside what the engine knows."""

    skipped: list[Skipped] = field(default_factory=list)
    notices: list[Skipped] = field(default_factory=list)
    mentioned: int = 0
    """Works that are named in passing, and are no entries."""
    joined: list[JoinedEntries] = field(default_factory=list)
    renamed: list[tuple[Category, Category]] = field(default_factory=list)


@dataclass(slots=True)
class Written:
    """A document with the changes made."""

    document: Format
    placed: Mapping[int, Item]
    """Position in the plan's ``kept`` → the item that it is now."""
    added: Sequence[tuple[Add, Item]] = ()
    refused: list[Refused] = field(default_factory=list)
    refused_of_added: Sequence[tuple[Add, str | None, str]] = ()
    """What was added, the field that it has no place for, and the sentence."""
    lost: Sequence[str] = ()
    """Sentences about what the document said and does not say any more."""


Entries = Mapping[int, StoredEntry]
"""What is remembered of each item, by its number."""


class Format(ABC):
    """A document that was read from its file, in its format.

    What a format does not have to tell or to do is left as it is here.
    """

    kind: DocumentKind
    source: str
    """The source of fields that such a document gave."""
    fields: Fields
    name: str
    """The document's name: relative to the library, or absolute outside."""
    path: Path
    data: bytes
    text: str
    is_as_known: bool = False
    """Whether the file's bytes are those that were read or written last."""
    encoding: str = "utf-8"
    title: str | None = None
    items: Sequence[Item]
    sections: Sequence[Category] = ()
    """Where items can be added."""
    notes: ImportNotes

    def register(self, store: Store, data: bytes) -> int:
        """Make the file, which holds ``data``, a document of the library; return its id."""
        return documents.register_document(
            store, self.name, self.kind, title=self.title, digest=digest_of(data)
        )

    @abstractmethod
    def library_values(self, paper: Paper) -> Values:
        """What the library says of a paper, as far as an item could say it."""

    def with_entry_wording(self, items: Sequence[Item], values: Values) -> Values:
        """What the library says, in the words of the items that say the same otherwise."""
        return values

    @abstractmethod
    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """Number of an item → position in ``stored`` of what it was last time."""

    def max_passes(self, items: Sequence[Item]) -> int | None:
        """How many passes the marks of these items can tell apart; None for all."""
        return None

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        """Whether the item says what it said when it was last in step."""
        return item.values == before.base

    def reread(self, item: Item, before: StoredEntry) -> set[str]:
        """The fields that are read otherwise than last time, though nobody has edited the item."""
        return set()

    def owner(self, item: Item) -> int | None:
        """The paper that the item is about by its identifiers, whatever it was before; None where
        an entry keeps its paper, and an identifier of another one is asked about."""
        return None

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """Follow what changed about the document as a whole; return ``stored`` as it is then."""
        return stored

    @abstractmethod
    def link(self, items: Sequence[Item], resolver: Resolver) -> Sequence[Linked]:
        """Find the items' papers, or make them, and complete them by what the items say."""

    def keep(self, item: Item, paper_id: int) -> None:  # noqa: B027
        """Keep with the paper what else the format wants to know of an item that changed."""

    def end_import(self, entries: Entries) -> None:  # noqa: B027
        """Do what is left once the library has all items, with these stored entries."""

    def repeated_notes(self, entries: Entries, data: bytes) -> ImportNotes:
        """Return the notes of the next reading of the file, if it has ``data`` and these stored
        entries."""
        return ImportNotes(skipped=self.notes.skipped, mentioned=self.notes.mentioned)

    @abstractmethod
    def with_text(self, text: str) -> Format:
        """The same file with another text."""

    def with_tables(self, resolver: Resolver) -> tuple[Format, Sequence[str]]:
        """The same file with the tables up to date that are kept in it, and sentences about those
        that cannot be."""
        return self, ()

    @abstractmethod
    def encoded(self) -> bytes:
        """The text as it stands in the file."""

    def matches_written(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """As ``matches``, where nobody but an export wrote."""
        return self.matches(stored)

    def unedited_values(self, paper: Paper) -> Values:
        """What the library knows of the fields that it says only when the reader edited them."""
        return {}

    @abstractmethod
    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[Format, Sequence[StoredEntry]]:
        """The document with the entries that come back as they were, and what is then stored."""

    def begin_export(self, present: Sequence[StoredEntry]) -> None:  # noqa: B027
        """Look at the entries that the file has, before any is compared."""

    def accepts(self, item: Item, before: StoredEntry, paper: Paper, name: str, value: Any) -> bool:
        """Whether the item is the place for a value that changed in the library."""
        return True

    @abstractmethod
    def write(self, plan: Plan, history: History) -> Written:
        """Make the plan's changes; what the history knows is written as it was."""

    def end_export(self, added: Sequence[Paper]) -> None:  # noqa: B027
        """Do what is left once the file is written."""


Reader = Callable[[RegisteredDocument | None], Format]
"""What reads a document again, by what the library knows of it."""
