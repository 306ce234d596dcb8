"""The results of importing or exporting one file, and the choice of files to export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from papertrack.errors import NotFoundError, PapertrackError
from papertrack.library import Library
from papertrack.library.paths import name_of_file
from papertrack.records import Paper, Reading, Skipped
from papertrack.store.documents import DocumentKind, RegisteredDocument, read_documents
from papertrack.store.store import Store
from papertrack.sync.threeway import Conflict


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A reading with details, such as minutes, that an import removed with its mark."""

    citekey: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class JoinedEntries:
    """Entries of a .bib file that share one paper, or belong to a paper of the library."""

    citekey: str
    lines: tuple[int, ...]
    is_known: bool
    """Whether the library already had the paper."""
    keys: tuple[str, ...] = ()
    """The keys of the entries; `merge --undo` makes one of them a separate paper again."""


@dataclass(frozen=True, slots=True)
class Reread:
    """A value of a paper that is parsed differently than before, although the text is the same."""

    citekey: str
    line: int
    """The line of the entry, counted from 1."""
    field: str
    before: Any
    after: Any


class SkippedItem(NamedTuple):
    """An item of another tool that was not imported; has the fields of ``Skipped``, and more."""

    line: int
    """Its number among the skipped items, counted from 1."""
    reason: str
    text: str
    item: str
    """Its key in the other tool."""


@dataclass(frozen=True, slots=True)
class Merged:
    """An item of another tool that was merged with others into one paper."""

    item: str
    title: str
    citekey: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of importing one file."""

    file: str
    """The file's path: relative to the library, or absolute outside of it; ``-`` for stdin."""
    papers_new: int = 0
    papers_changed: int = 0
    papers_unchanged: int = 0
    """The number of papers in the file that the import did not change."""
    entries: int = 0
    skipped: tuple[Skipped | SkippedItem, ...] = ()
    """Text that was not understood or looks mis-decoded, and items that were not imported."""
    conflicts: tuple[Conflict, ...] = ()
    deleted: tuple[str, ...] = ()
    """Citation keys of papers whose entry is no longer in the file."""
    is_registered: bool = False
    """Whether the file is registered now: not stdin, and not a file with repaired encoding."""
    is_first: bool = False
    """Whether this is the first import of the file on this machine."""
    notices: tuple[Skipped, ...] = ()
    """Oddities in text that was imported, such as a key used twice."""
    mentioned: int = 0
    """The number of works mentioned outside entries, in prose and footnotes."""
    encoding: str = "utf-8"
    taken_back: tuple[TakenBack, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """Categories renamed with their headings: the old and the new path."""
    joined: tuple[JoinedEntries, ...] = ()
    """Entries of a .bib file that did not become a new paper each."""
    reread: tuple[Reread, ...] = ()
    """Values that this version parses differently, and that the import stored."""
    newly_read: int = 0
    """The number of entries that an earlier version missed in the same text."""
    no_longer_read: tuple[str, ...] = ()
    """Citation keys of papers whose text is still there but is no longer parsed as an entry.

    The papers stay in the library.
    """
    items: int | None = None
    """The number of items in another tool's library: imported, merged and skipped ones.

    None for a document.
    """
    imported: int = 0
    merged_items: int = 0
    merged: tuple[Merged, ...] = ()
    """The items that this import merged for the first time."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The numbers of other things imported, by kind: collections, tags, notes, topics, …"""
    categories: tuple[str, ...] = ()
    """The paths of the other tool's collections."""
    told: tuple[str, ...] = ()
    """Sentences for the user."""

    @property
    def has_changes(self) -> bool:
        """Return whether the import changed or found anything."""
        papers = self.papers_new or self.papers_changed or self.deleted or self.no_longer_read
        return bool(papers or self.conflicts or self.renamed)


def holds_thoughts(reading: Reading) -> bool:
    """Return whether a reading has minutes or a takeaway, which no mark in a file can restore."""
    return bool(reading.minutes or reading.takeaway)


def find_taken_back(paper: Paper, passes_left: int) -> list[TakenBack]:
    """Return the detailed readings that are lost if a paper has only ``passes_left`` passes.

    A reading has details if its date, minutes or takeaway is known.
    """
    return [
        TakenBack(paper.citekey, reading)
        for reading in paper.readings
        if reading.pass_number > passes_left and (reading.at or holds_thoughts(reading))
    ]


@dataclass(frozen=True, slots=True)
class DocumentExport:
    """The result of exporting one document."""

    file: str
    """The document's path: relative to the library, or absolute outside of it."""
    path: Path
    diff: str
    """A unified diff; empty if nothing changes."""
    refused: tuple[str, ...]
    """Sentences about changes that the document has no place for."""
    conflicts: tuple[Conflict, ...]
    is_written: bool
    error: PapertrackError | None = None
    """The error because of which the document was left unchanged."""
    not_kept: tuple[str, ...] = ()
    """Sentences about content, dates or file attributes that were lost by the export."""

    @property
    def has_changes(self) -> bool:
        """Return whether the export changes the file."""
        return bool(self.diff)

    @property
    def lines_added(self) -> int:
        """The number of lines added; a changed line counts as one removed and one added."""
        return sum(line.startswith("+") for line in self.diff.splitlines()[2:])

    @property
    def lines_removed(self) -> int:
        return sum(line.startswith("-") for line in self.diff.splitlines()[2:])


def choose_documents(
    store: Store, library: Library, paths: Sequence[Path], kind: DocumentKind = "markdown"
) -> list[RegisteredDocument]:
    """Return the registered documents of a kind, or only those at ``paths``.

    Raises NotFoundError if there is no such document at one of the paths.
    """
    documents = read_documents(store, kind)
    if not paths:
        return documents
    by_name = {document.path: document for document in documents}
    for path in paths:
        if name_of_file(library, path) not in by_name:
            raise NotFoundError(
                f"{path} is not a document of this library. "
                f"`papertrack import {path}` makes it one."
            )
    return [by_name[name_of_file(library, path)] for path in dict.fromkeys(paths)]
