"""What the commands print that are about READMEs, BibTeX and manuscripts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from papertrack.contract.change import Taken
from papertrack.contract.paper import PassReading
from papertrack.contract.shapes import Count, DryRun, InFile, OfPaper, Shape, Text
from papertrack.contract.sharing import Contradiction, Exchanged


class SkippedPiece(InFile):
    """What of a file was not understood, or is odd, with its place."""

    reason: Text
    text: str
    item: Text | None = None
    """Of another tool's library: its name there."""


class MergedItem(OfPaper):
    """An item of another tool that is one paper with others."""

    file: Text
    item: Text
    title: Text


class Conflict(InFile):
    """A field that the file and the library changed to different values."""

    citekey: Text
    field: Text
    base: Any
    file_value: Any
    library_value: Any
    owner: Text | None


class JoinedEntries(Shape):
    file: Text
    citekey: Text
    lines: list[int]
    is_known: bool
    keys: list[Text]


class TakenBack(PassReading):
    file: Text
    citekey: Text


class RenamedCategory(Shape):
    file: Text
    before: list[Text] | Text
    after: list[Text] | Text


class RereadValue(Shape):
    file: Text
    citekey: Text
    line: int
    field: Text
    before: Any
    after: Any


class ImportReport(Taken, DryRun):
    entries: Count
    mentioned: Count
    items: Count
    """What the files hold by their own count: each is imported, merged or skipped."""
    imported: Count
    merged: Count
    """With another item, or with a paper that was there."""
    merged_with: list[MergedItem]
    counts: dict[str, int]
    """Of other tools' libraries: collections, memberships, tags, notes, annotations, …"""
    categories: list[Text]
    """The tree of other tools' collections, by path."""
    skipped: list[SkippedPiece]
    notices: list[SkippedPiece]
    conflicts: list[Conflict]
    joined: list[JoinedEntries]
    deleted: list[Text]
    taken_back: list[TakenBack]
    renamed: list[RenamedCategory]
    reread: list[RereadValue]
    newly_read: Count
    no_longer_read: list[Text]
    files: list[Text]
    encodings: list[Text]


class DocumentExport(Shape):
    file: Text
    lines_added: Count
    lines_removed: Count
    diff: Text | None
    refused: list[Text]
    is_written: bool


class ResolvedFile(Shape):
    """A file that had markers of a merge, of `sync --resolve`."""

    file: Text
    conflicts: Count
    """That were in it."""
    left: list[Text]
    """Contradictions that are in it still, with both sides."""


class SyncReport(ImportReport):
    exports: list[DocumentExport]
    contradictions: list[Contradiction]
    """Between devices, that nobody has settled."""
    git: Exchanged | None
    """Of `--git`, unless it was a dry run."""
    resolved: list[ResolvedFile]


class Finding(InFile):
    """What `check` says of a line."""

    kind: Text
    level: Literal["error", "warning", "note"]
    message: Text
    about: Text
    """The entry, identifier, definition or address: the same wherever that stands."""
    other_line: int | None
    """Of a finding about two, where the other one stands."""


class CheckRecorded(DryRun):
    """What `check --write-baseline` did."""

    file: Text
    findings: Count


class CheckInstalled(DryRun):
    """What `check --install-github` did."""

    file: Text
    workflow: Text
    is_written: bool
    """False where it was there already, and in a dry run."""


class MergedFile(DryRun):
    """What `merge-file` did."""

    file: Text
    conflicts: Count
    is_written: bool


class NotLookedAt(Shape):
    url: Text
    reason: Text


class ProposalOutcome(Shape):
    kind: Literal[
        "added", "removed", "moved", "published", "known", "not-found", "undecided", "refused"
    ]
    reference: Text
    """As it was asked for."""
    title: Text | None
    category: Text | None
    line: int | None
    """In the new text; of what goes, in the old one."""
    text: Text | None
    """Its lines there."""
    reason: Text | None
    """Why there, or why not."""


class Proposal(DryRun):
    """What `propose` would change, or changed."""

    file: Text
    outcomes: list[ProposalOutcome]
    diff: Text | None
    is_written: bool


class ProposalInstalled(DryRun):
    """What `propose --install-github` did."""

    files: list[Text]
    is_written: bool
    """False where all were there already, and in a dry run."""


class Check(Shape):
    files: list[Text]
    findings: list[Finding]
    known: Count
    """Findings that are left out: they were there at the base, or are recorded."""
    not_looked_at: list[NotLookedAt]
    """Addresses that --links could not look at, which says nothing of them."""


class Document(Shape):
    file: Text
    kind: Literal["markdown", "bibtex"]
    title: Text | None
    entries: Count
    synced_at: Text


class Column(Shape):
    header: str
    role: Text


class PartOfEntries(Shape):
    role: Text
    entries: Count
    """How many entries say it."""
    examples: list[Text]


class EntriesAlike(Shape):
    """Entries that are made of the same things in the same order."""

    sections: list[Text]
    shape: Text
    pattern: str
    """What such an entry looks like, with the names of its parts in capitals."""
    entries: Count
    regenerated: Count
    """Entries that come out byte for byte as they are, written by what the others show."""
    failed: list[Count]
    """The lines of those that do not."""
    parts: list[PartOfEntries]


class Unknown(Shape):
    line: Count
    text: Text


class Named(Shape):
    """A work in the list or its text, by what is taken for its name."""

    line: Count
    text: Text


class Grammar(Shape):
    """How the entries of a README are read."""

    entries: Count
    regenerated: Count
    confidence: float
    is_low: bool
    lists: list[EntriesAlike]
    not_understood: list[Unknown]
    doubtful_titles: list[Named]
    """Titles that may be other words of their entries: they are not replaced."""
    mentioned: list[Named]


class MarkdownStyle(Shape):
    """How a README is read and writes things, as learnt from it, and what its reader set."""

    line_end: Literal["LF", "CRLF", "CR"]
    reading_mark: Text | None
    reading_mark_text: Text | None
    reading_mark_separator: str | None
    reading_words: list[Text] | None
    rating: Text | None
    links: Text
    definition_block: int | None
    title_comments: bool
    date_format: Text | None
    bullet: Text | None
    orders: dict[str, Text]
    numbering: Literal["constant", "counting"]
    tables: list[list[Column]]
    grammar: Grammar
    settings: dict[str, Text]


class BibStyle(Shape):
    """How a ``.bib`` file is written."""

    dialect: Literal["bibtex", "biblatex"]
    encoding: Text
    line_end: Literal["LF", "CRLF"]
    entries: Count
    skipped: Count
    strings: list[Text]
    groups: list[list[Text]]


class Citation(OfPaper):
    latex: Text
    pandoc: Text
    typst: Text
    text: Text
    bibtex: Text


class CitationFinding(InFile):
    citekey: Text | None
    kind: Literal[
        "unknown", "case", "duplicate", "preprint", "incomplete", "missing", "unprintable"
    ]
    message: Text
    nearest: Text | None


class Cited(DryRun):
    """What manuscripts cite (``cite --tex``)."""

    papers: Count
    citekeys: list[Text]
    citations: Count
    findings: list[CitationFinding]
    file: Text | None


class Rekeyed(Shape):
    citekey_before: Text
    citekey: Text


class KeyUse(InFile):
    before: Text
    after: Text
    by_hand: bool
    """Whether papertrack cannot change it: a macro makes the key, or a comment parts it."""


class Rekey(DryRun):
    papers_changed: Count
    papers: list[Rekeyed]
    uses: list[KeyUse]


class Duplicate(OfPaper):
    other: Text
    title: Text
    other_title: Text
    score: Annotated[int, Field(ge=0, le=100)]
    reasons: list[Text]


class Different(DryRun):
    different: list[Text]
