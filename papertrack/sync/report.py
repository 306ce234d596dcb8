"""What the import or export of one file came to, and which files there are."""

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
    """A reading that the library knew more of than the file, and that the file takes back."""

    citekey: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class JoinedEntries:
    """Entries of a .bib file that are one paper, or that are one the library had."""

    citekey: str
    lines: tuple[int, ...]
    is_known: bool
    """Whether the library had the paper before."""
    keys: tuple[str, ...] = ()
    """The entries' own keys; `split` gives each but the paper's a paper of its own."""


@dataclass(frozen=True, slots=True)
class Reread:
    """A value of a paper that is read otherwise than before, of text that nobody changed."""

    citekey: str
    line: int
    """The entry's, counted from 1."""
    field: str
    before: Any
    after: Any


class SkippedItem(NamedTuple):
    """An item of another tool that was not taken, as ``Skipped``."""

    line: int
    """Its number among those."""
    reason: str
    text: str
    item: str
    """Its name in its source."""


@dataclass(frozen=True, slots=True)
class Merged:
    """An item of another tool that is one paper with others."""

    item: str
    title: str
    citekey: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What the import of one file came to."""

    file: str
    """The document's name: relative to the library, or absolute outside; ``-`` for stdin."""
    papers_new: int = 0
    papers_changed: int = 0
    papers_unchanged: int = 0
    """Papers with an entry in the file that the import did not change."""
    entries: int = 0
    skipped: tuple[Skipped | SkippedItem, ...] = ()
    """What was not understood, or looks mis-decoded."""
    conflicts: tuple[Conflict, ...] = ()
    deleted: tuple[str, ...] = ()
    """Citekeys of papers whose entry is no longer in the file."""
    is_registered: bool = False
    """Whether the file is registered now: not stdin, and not one whose encoding was repaired."""
    is_first: bool = False
    """Whether the file was not registered before."""
    notices: tuple[Skipped, ...] = ()
    """What is odd and was read all the same, such as a key used twice."""
    mentioned: int = 0
    """Works that prose and footnotes name, which are no entries."""
    encoding: str = "utf-8"
    taken_back: tuple[TakenBack, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """Categories that go by the new name of their heading: before and after."""
    joined: tuple[JoinedEntries, ...] = ()
    """Of a .bib file: entries that did not become a new paper each."""
    reread: tuple[Reread, ...] = ()
    """What a newer papertrack reads otherwise, and the library has taken."""
    newly_read: int = 0
    """Entries of a file with the same bytes as last time that were not read then."""
    no_longer_read: tuple[str, ...] = ()
    """Citekeys of papers whose text, still there, is no longer taken for an entry: they stay."""
    items: int | None = None
    """Of another tool's library, by its own count: imported, merged and skipped ones sum up to it.
    None for a document, whose entries are its items."""
    imported: int = 0
    merged_items: int = 0
    merged: tuple[Merged, ...] = ()
    """What of these is merged for the first time."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many of everything else were imported: collections, tags, notes, topics, …"""
    categories: tuple[str, ...] = ()
    """The paths of the source's tree."""
    told: tuple[str, ...] = ()
    """Sentences about what the reader should know."""

    @property
    def has_changes(self) -> bool:
        """Whether there was anything to do."""
        papers = self.papers_new or self.papers_changed or self.deleted or self.no_longer_read
        return bool(papers or self.conflicts or self.renamed)


def holds_thoughts(reading: Reading) -> bool:
    """Whether a reading says what no file's mark could say again."""
    return bool(reading.minutes or reading.takeaway)


def find_taken_back(paper: Paper, passes_left: int) -> list[TakenBack]:
    """Return the paper's readings of higher passes that have details, such as minutes."""
    return [
        TakenBack(paper.citekey, reading)
        for reading in paper.readings
        if reading.pass_number > passes_left and (reading.at or holds_thoughts(reading))
    ]


@dataclass(frozen=True, slots=True)
class DocumentExport:
    """What the export of one document came to."""

    file: str
    """The document's name: relative to the library, or absolute outside."""
    path: Path
    diff: str
    """A unified diff; empty when nothing changes."""
    refused: tuple[str, ...]
    """Sentences about changes that the document has no place for."""
    conflicts: tuple[Conflict, ...]
    is_written: bool
    error: PapertrackError | None = None
    """Why the document was left as it is; the others were exported."""
    not_kept: tuple[str, ...] = ()
    """What the file could not keep when it was replaced, as sentences."""

    @property
    def has_changes(self) -> bool:
        """Whether the file says something else than the library wants it to."""
        return bool(self.diff)

    @property
    def lines_added(self) -> int:
        """A changed line counts as one removed and one added."""
        return sum(line.startswith("+") for line in self.diff.splitlines()[2:])

    @property
    def lines_removed(self) -> int:
        return sum(line.startswith("-") for line in self.diff.splitlines()[2:])


def choose_documents(
    store: Store, library: Library, paths: Sequence[Path], kind: DocumentKind = "markdown"
) -> list[RegisteredDocument]:
    """The registered documents of this kind, or those at ``paths``. Raises NotFoundError."""
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
