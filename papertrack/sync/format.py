"""The base class of document formats, through which sync reads and edits documents.

There are two formats: READMEs (``sync.markdown``) and .bib files (``sync.bibtex``). Import, export
and undo know nothing else about them.
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
    """The paper that an import linked to a new item of the document."""

    paper_id: int
    before: Paper | None
    """The paper before the import; None if it is new."""
    open: frozenset[str] = frozenset()
    """Fields with an unresolved conflict."""


@dataclass(slots=True)
class ImportNotes:
    """What a format reports about an import of its document."""

    skipped: list[Skipped] = field(default_factory=list)
    notices: list[Skipped] = field(default_factory=list)
    mentioned: int = 0
    """The number of works that the text mentions outside its entries."""
    joined: list[JoinedEntries] = field(default_factory=list)
    renamed: list[tuple[Category, Category]] = field(default_factory=list)


@dataclass(slots=True)
class Written:
    """A document after an export has edited it."""

    document: Format
    placed: Mapping[int, Item]
    """The items of the new text, by position in the plan's ``kept``."""
    added: Sequence[tuple[Add, Item]] = ()
    refused: list[Refused] = field(default_factory=list)
    refused_of_added: Sequence[tuple[Add, str | None, str]] = ()
    """Values that new entries have no place for: the addition, the field, and the reason.

    The field is None if the reason is about the entry as a whole.
    """
    lost: Sequence[str] = ()
    """Sentences about content that the edit removed from the document."""


Entries = Mapping[int, StoredEntry]
"""The stored entry of each item, by item number."""


class Format(ABC):
    """A document as read from its file.

    Subclasses implement a format. Methods that are not abstract have a default for formats that do
    not need them.
    """

    kind: DocumentKind
    source: str
    """The source recorded for fields that come from documents of this format."""
    fields: Fields
    name: str
    """The document's path: relative to the library, or absolute if it lies outside."""
    path: Path
    data: bytes
    text: str
    is_as_known: bool = False
    """Whether the file still has the bytes that were last read or written."""
    encoding: str = "utf-8"
    title: str | None = None
    items: Sequence[Item]
    sections: Sequence[Category] = ()
    """The sections to which items can be added."""
    notes: ImportNotes

    def register(self, store: Store, data: bytes) -> int:
        """Register the file, whose content is ``data``, as a document; return its id."""
        return documents.register_document(
            store, self.name, self.kind, title=self.title, digest=digest_of(data)
        )

    @abstractmethod
    def library_values(self, paper: Paper) -> Values:
        """Return the library's values of a paper for the fields that items can have."""

    def with_entry_wording(self, items: Sequence[Item], values: Values) -> Values:
        """Return the library's ``values``, with the items' wording where both mean the same."""
        return values

    @abstractmethod
    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """Match the items with the entries stored at the last sync.

        Returns positions in ``stored`` by item number. New items are missing.
        """

    def max_passes(self, items: Sequence[Item]) -> int | None:
        """Return the highest number of passes that the items' marks can show; None for any."""
        return None

    def is_unchanged(self, item: Item, before: StoredEntry) -> bool:
        """Return whether the item has the values it had at the last sync."""
        return item.values == before.base

    def find_reparsed(self, item: Item, before: StoredEntry) -> set[str]:
        """Return the fields parsed differently than last time, although the text is the same."""
        return set()

    def owner(self, item: Item, before: StoredEntry) -> int | None:
        """Return the paper that the item's identifiers or key belong to.

        An item linked to another paper is then linked to this one. Returns None to keep the link;
        an identifier of another paper is then a conflict.
        """
        return None

    def is_elsewhere(self, paper: Paper) -> bool:
        """Return whether a known paper keeps its categories when an entry of it comes back."""
        return False

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """Prepare the import: apply renamed headings, for example.

        Returns ``stored`` with the changes that follow.
        """
        return stored

    @abstractmethod
    def link(self, items: Sequence[Item], resolver: Resolver) -> Sequence[Linked]:
        """Find or add the papers of new items, and fill in what the papers lack.

        Returns one result for each item, in order.
        """

    def keep(self, item: Item, paper_id: int) -> None:  # noqa: B027
        """Store more about a changed item with its paper, such as its original text."""

    def end_import(self, entries: Entries) -> None:  # noqa: B027
        """Finish the import, after all items are linked; ``entries`` are their stored entries."""

    def repeated_notes(self, entries: Entries, data: bytes) -> ImportNotes:
        """Return the notes that the next import repeats if nothing changes until then.

        The file then contains ``data``, and the library stores these ``entries``.
        """
        return ImportNotes(skipped=self.notes.skipped, mentioned=self.notes.mentioned)

    @abstractmethod
    def with_text(self, text: str) -> Format:
        """Return this document with another text."""

    def with_tables(self, resolver: Resolver) -> tuple[Format, Sequence[str]]:
        """Update the generated tables in the document.

        Returns the document, and sentences about tables that could not be updated.
        """
        return self, ()

    @abstractmethod
    def encoded(self) -> bytes:
        """Return the text as the bytes of the file."""

    def matches_written(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        """Match as ``matches`` does, for a file that the user has not edited since."""
        return self.matches(stored)

    def unedited_values(self, paper: Paper) -> Values:
        """Return a paper's values of fields that are exported only if the user edited them."""
        return {}

    @abstractmethod
    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[Format, Sequence[StoredEntry]]:
        """Restore removed or moved entries whose papers belong in their old places again.

        Returns the document with these entries, and the entries to store for it.
        """

    def begin_export(self, present: Sequence[StoredEntry]) -> None:  # noqa: B027
        """Prepare the export; ``present`` are the stored entries of the file's items."""

    def accepts(self, item: Item, before: StoredEntry, paper: Paper, name: str, value: Any) -> bool:
        """Return whether to write a value that changed in the library to this item."""
        return True

    @abstractmethod
    def write(self, plan: Plan, history: History) -> Written:
        """Make the plan's changes; entries with former values get their text from ``history``."""

    def end_export(self, added: Sequence[Paper]) -> None:  # noqa: B027
        """Finish the export, after the file is written with the ``added`` papers."""


Reader = Callable[[RegisteredDocument | None], Format]
"""Reads a document from its file; the argument is None for an unregistered document."""
