"""What ``--json`` prints: a model for each command, in one place.

The shapes are a contract: they are added to, never changed; what is unknown is null. The commands
print plain values and pay nothing for these models: the tests hold every output against its model,
and ``papertrack schema`` makes JSON Schema of them for those who write programs.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from papertrack.records import Decision, Kind, LinkRole

Text = Annotated[str, Field(min_length=1)]
"""Never empty: what is unknown is null."""
PassNumber = Annotated[int, Field(ge=1, le=3)]
PassesDone = Annotated[int, Field(ge=0, le=3)]
Count = Annotated[int, Field(ge=0)]
LookState = Literal["new", "quiet", "nothing-announced", "stale", "could-not-look"]


class Shape(BaseModel):
    """One JSON object with exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class DryRun(Shape):
    """What a command that changes things says; with ``dry_run`` it changed nothing."""

    dry_run: bool


class OfPaper(Shape):
    """What is about one paper, named by its key."""

    citekey: Text


class InFile(Shape):
    """What stands in a line of a file."""

    file: Text
    line: int


class PaperLink(Shape):
    role: LinkRole
    label: Text | None
    url: Text


class PassReading(Shape):
    """One pass through a paper."""

    pass_number: PassNumber = Field(alias="pass")
    at: Text | None
    minutes: Annotated[int, Field(gt=0)] | None
    version: int | None
    takeaway: Text | None


class Paper(Shape):
    """A paper with all that is known of it and what its reader did."""

    id: int
    kind: Kind
    citekey: Text
    title: Text | None
    authors: list[Text]
    arxiv_id: Text | None
    version: int | None
    doi: Text | None
    url: Text | None
    submitted: Text | None
    updated: Text | None
    primary_category: Text | None
    arxiv_categories: list[Text]
    abstract: Text | None
    categories: list[Text]
    tags: list[Text]
    passes_done: PassesDone
    readings: list[PassReading]
    decision: Decision
    decision_reason: Text | None
    rating: Annotated[int, Field(ge=1, le=5)] | None
    links: list[PaperLink]
    notes: list[Text]
    topics: list[Text]
    added: Text
    description: Text | None
    comment: Text | None
    venue: Text | None
    year: int | None
    journal_ref: Text | None
    is_withdrawn: bool | None
    citekey_aliases: list[Text]


class NamedIdentifier(Shape):
    scheme: Text
    value: Text


class PaperAuthor(Shape):
    name: Text
    affiliation: Text | None
    family: Text | None


class SourceOfField(Shape):
    """Who gave a field, or answered about an identifier: ``user`` is the reader."""

    field: Text
    source: Text
    at: Text


class SuggestionKept(Shape):
    """What a source said against a value that stayed, and the reader's answer."""

    field: Text
    value: Any
    source: Text
    at: Text
    state: Literal["open", "accepted", "rejected"]


class Original(Shape):
    """The record that a paper was made from, word for word."""

    source: Text
    text: str


class FoundByTopic(Shape):
    topic: Text
    reason: Text
    score: float
    found_at: Text


class PlaceInCategory(Shape):
    category: Text
    position: int


class Topic(Shape):
    name: Text
    query: Text
    arxiv_categories: list[Text]
    cross: bool
    category: Text | None
    paused: bool
    added: Text | None


class FedDocument(Shape):
    file: Text
    kind: Literal["markdown", "bibtex"]
    settings: dict[str, str]


class Holdings(Shape):
    """What a library has beside its papers."""

    categories: list[Text]
    """All in the reader's order, also those without a paper."""
    topics: list[Topic]
    documents: list[FedDocument]


class WholePaper(Paper):
    """A paper with all that a library keeps of it: `import` takes it back from a file."""

    identifiers: list[NamedIdentifier]
    author_details: list[PaperAuthor]
    announced: Text | None
    published_type: Text | None
    publication: list[list[str]]
    """Names and values of further fields of the published version, in their order."""
    licence: Text | None
    is_citekey_given: bool
    decided_at: Text | None
    in_hand_since: Text | None
    sources: list[SourceOfField]
    suggestions: list[SuggestionKept]
    originals: list[Original]
    different: list[Text]
    """Citekeys of papers that the reader called other works."""
    found: list[FoundByTopic]
    places: list[PlaceInCategory]
    library: Holdings | None
    """Of the first paper, where the whole library is exported; else null."""


class Candidate(Shape):
    """A work that arXiv found, and what the library has of it."""

    arxiv_id: Text
    version: int | None
    title: Text | None
    authors: list[Text]
    submitted: Text | None
    updated: Text | None
    primary_category: Text | None
    arxiv_categories: list[Text]
    abstract: Text | None
    comment: Text | None
    journal_ref: Text | None
    doi: Text | None
    url: Text
    citekey: Text | None
    decision: Decision | None


class Setting(Shape):
    key: Text
    value: Any
    origin: Literal["default", "file", "mine", "environment"]
    variable: Text | None
    meaning: Text


class Init(DryRun):
    library: Text
    is_new: bool
    device: Text | None
    """What this device is called in a library that is shared; only with `--shared`."""


class Trusted(DryRun):
    library: Text
    is_trusted: bool
    settings: dict[str, Any]
    """Those that run programs, send secrets or name hosts."""


class BackedUp(DryRun):
    file: Text
    papers: Count
    removed: list[Text]
    """Older backups that made room."""


class Restored(DryRun):
    file: Text
    """The backup."""
    papers: Count
    kept: Text | None
    """Where the database is that was replaced; null if there was none."""


class HealthFinding(Shape):
    part: Literal[
        "database", "search", "document", "note", "backup", "interrupted", "leftover", "schedule"
    ]
    message: Text
    is_repaired: bool


class Compacted(Shape):
    """Bytes of the database."""

    before: Count
    after: Count


class Health(DryRun):
    findings: list[HealthFinding]
    compacted: Compacted | None
    """Null where it was not asked for, or the database is damaged."""


class Demo(DryRun):
    library: Text
    papers_new: Count


class MonthCount(Shape):
    month: Text | None
    first: Count
    second: Count
    third: Count
    minutes: Count


class PassCounts(Shape):
    unread: Count
    first: Count
    second: Count
    third: Count


class InCategory(Shape):
    category: Text | None
    papers: Count


class CategoryCount(PassCounts, InCategory):
    pass


class Stats(Shape):
    papers: Count
    inbox: Count
    discarded: Count
    passes: PassCounts
    by_category: list[CategoryCount]
    by_month: list[MonthCount]


class LoggedAction(Shape):
    """One line of the log; its ``id`` is what ``undo`` takes."""

    id: int
    verb: Text
    summary: str
    at: Text
    state: Literal["done", "undone", "superseded"]
    can_undo: bool


class Replay(DryRun):
    """What ``undo`` or ``redo`` did; null when there was nothing."""

    action: LoggedAction | None


class QueuedPaper(OfPaper):
    title: Text | None
    author: Text | None
    arxiv_id: Text | None
    passes_done: PassesDone
    in_hand_since: Text | None


class Queue(DryRun):
    in_hand: list[QueuedPaper]
    limit: Count
    waiting: Count


class NextPaper(QueuedPaper, DryRun):
    pass_number: PassNumber = Field(alias="pass")
    is_taken: bool


class PassMarked(OfPaper):
    """What became of one paper."""

    pass_number: PassNumber = Field(alias="pass")
    passes_before: PassesDone
    passes_done: PassesDone


class PassMark(PassMarked, DryRun):
    pass


class PassMarks(DryRun):
    papers: list[PassMarked]


class Note(DryRun):
    path: Text
    is_new: bool
    questions_for_pass: PassNumber | None


class Decided(DryRun):
    decision: Decision
    papers_changed: Count
    papers_unchanged: Count
    citekeys: list[Text]


class AddedPaper(Shape):
    reference: Text
    id: int | None
    citekey: Text
    outcome: Literal["new", "saved", "known"]
    is_waiting: bool


class FoundFor(Shape):
    reference: Text
    found: list[Candidate]


class Taken(Shape):
    """What adding or importing came to."""

    papers_new: Count
    papers_changed: Count
    papers_unchanged: Count


class Added(Taken):
    papers: list[AddedPaper]
    candidates: list[FoundFor]
    dry_run: bool = False


class Edited(OfPaper, DryRun):
    fields: list[Text]


class TaggedPaper(OfPaper):
    tags_before: list[Text]
    tags: list[Text]


class Tagged(TaggedPaper, DryRun):
    pass


class TaggedPapers(DryRun):
    papers: list[TaggedPaper]


class TagRenamed(DryRun):
    tag_before: Text
    tag: Text
    papers_changed: Count


class TagCount(Shape):
    tag: Text
    papers: Count


class MovedPaper(OfPaper):
    categories_before: list[Text]
    categories: list[Text]


class Moved(DryRun):
    papers_changed: Count
    papers_unchanged: Count
    papers: list[MovedPaper]


class Removed(DryRun):
    papers_removed: Count
    citekeys: list[Text]


class Merged(OfPaper, DryRun):
    merged: Text


class SplitOff(OfPaper, DryRun):
    other: Text


class Category(InCategory):
    category: Text


class CategoryRemoved(DryRun):
    category: Text


class CategoryAdded(CategoryRemoved):
    is_new: bool


class CategoryRenamed(DryRun):
    category_before: Text
    category: Text
    topics: list[Text]
    documents: list[Text]


class CategoryOrdered(CategoryRemoved):
    categories: list[Text]


class News(Shape):
    kind: Literal["version", "title", "withdrawn"]
    old: str | int | None
    new: str | int | None


class EnrichedPaper(Shape):
    paper_id: int
    citekey: Text
    arxiv_id: Text | None
    source: Text
    changed: list[Text]
    suggestions: Count
    news: list[News]
    conflicts: list[Text]


class Enriched(DryRun):
    papers_enriched: Count
    papers_changed: Count
    papers_unchanged: Count
    papers_without_arxiv_id: Count
    papers_waiting: Count
    papers: list[EnrichedPaper]
    unknown: list[Text]
    conflicts: list[Text]
    retry_at: Text | None


class Suggestion(Shape):
    id: int
    paper: Text
    field: Text
    present: Text | None
    suggested: Text
    source: Text


class SuggestionsDecided(DryRun):
    accepted: list[Suggestion]
    rejected: list[Suggestion]


class Pdf(DryRun):
    path: Text
    bytes_fetched: Count


class TopicChanged(Topic, DryRun):
    pass


class TopicFound(Topic):
    papers: Count
    last_found: Text | None


class Wider(Shape):
    query: Text
    matched: Count


class Hit(Shape):
    arxiv_id: Text
    title: Text
    announced: Text
    reason: Text


class TopicPreview(Shape):
    query: Text
    days: Count
    matched: Count
    looked_at: Count
    verdict: Text
    wider: Wider | None
    last_hits: list[Hit]


class Backfilled(DryRun):
    papers_new: Count
    papers_found: Count
    citekeys: list[Text]
    ids: list[int]


class BackfillPlan(DryRun):
    months: Count


class Look(Shape):
    """What one look at a category's list came to."""

    category: Text
    state: LookState
    announced: Count
    unseen: Count
    matched: Count
    failed: list[Text]
    last_new_id: Text | None


class LookOfDay(Look):
    day: Text


class Replacement(OfPaper):
    version: int | None


class MissingDay(Shape):
    category: Text
    day: Text


class Watched(Shape):
    day: Text
    started: Text
    papers_new: Count
    citekeys: list[Text]
    already_known: list[Text]
    replaced: list[Replacement]
    categories: list[Look]
    missing: list[MissingDay]
    warnings: list[Text]


class WatchedCategory(Shape):
    category: Text
    looked_at: Text | None
    last_look: Look | None
    last_look_with_news: LookOfDay | None
    last_news: Text | None
    days_without_news: Count | None
    days_without_look: Count | None
    complete_since: Text | None
    missing: list[Text]
    lost: list[Text]
    warning: Text | None


class InstalledWatch(Shape):
    scheduler: Text
    when: Text


class WatchStatus(Shape):
    categories: list[WatchedCategory]
    installed: list[InstalledWatch]
    warnings: list[Text]


class SkippedPiece(InFile):
    """What of a file was not understood, or is odd, with its place."""

    reason: Text
    text: str


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


class Contradiction(Shape):
    """What devices set differently without knowing of each other."""

    thing: Text
    title: Text
    cell: Text
    said: list[tuple[Text, Any]]
    """Device and value; the last one counts until somebody sets it again."""


class Exchanged(Shape):
    """What `sync --git` did."""

    pulled: Count
    committed: list[Text]
    pushed: bool


class SyncReport(ImportReport):
    exports: list[DocumentExport]
    contradictions: list[Contradiction]
    """Between devices, that nobody has settled."""
    git: Exchanged | None
    """Of `--git`, unless it was a dry run."""


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


class Shared(DryRun):
    """What `share on` did."""

    device: Text
    lines: Count
    """How many lines its log began with; none where the library was shared already."""
    files: list[Text]
    """Files of git that were made or added to."""


class Device(Shape):
    device: Text
    is_this: bool
    acts: Count
    last: Count
    """The number of its last act that is known here."""
    unread: Count
    """Bytes of its logs that stand on what has not come yet."""
    unreadable: Count


class ShareStatus(DryRun):
    devices: list[Device]
    contradictions: list[Contradiction]


class LogDifference(Shape):
    thing: Text
    cell: Text
    logs: Any
    library: Any


class ShareCheck(DryRun):
    differences: list[LogDifference]


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


CONTRACT: dict[str, Any] = {
    "init": Init,
    "demo": Demo,
    "config": list[Setting] | Setting,
    "trust": Trusted,
    "backup": BackedUp,
    "restore": Restored,
    "doctor": Health,
    "list": list[Paper],
    "show": Paper | dict[str, str],
    "stats": Stats,
    "log": list[LoggedAction],
    "queue": Queue,
    "next": NextPaper | None,
    "pass": PassMark | PassMarks,
    "note": Note,
    "save": Decided,
    "discard": Decided,
    "add": Added,
    "edit": Edited,
    "tag": Tagged | TaggedPapers | TagRenamed | list[TagCount],
    "move": Moved,
    "category list": list[Category],
    "category add": CategoryAdded,
    "category rename": CategoryRenamed,
    "category order": CategoryOrdered,
    "category rm": CategoryRemoved,
    "rm": Removed,
    "merge": Merged,
    "split": SplitOff,
    "undo": Replay,
    "redo": Replay,
    "enrich": Enriched,
    "watch": Watched,
    "watch status": WatchStatus,
    "topic add": TopicChanged,
    "topic edit": TopicChanged,
    "topic list": list[TopicFound],
    "topic rm": TopicChanged,
    "topic pause": TopicChanged,
    "topic resume": TopicChanged,
    "topic preview": TopicPreview,
    "topic backfill": Backfilled | BackfillPlan,
    "search-arxiv": list[Candidate],
    "pdf": Pdf,
    "suggestions": list[Suggestion] | SuggestionsDecided,
    "import": ImportReport,
    "export": list[WholePaper],
    "sync": SyncReport,
    "propose": Proposal | ProposalInstalled,
    "check": Check | CheckRecorded | CheckInstalled,
    "documents": list[Document] | MarkdownStyle | BibStyle,
    "cite": list[Citation] | Cited,
    "rekey": Rekey,
    "duplicates": list[Duplicate] | Different,
    "share on": Shared,
    "share status": ShareStatus,
    "share check": ShareCheck,
    "merge-file": MergedFile,
}
"""Command → what it prints with ``--json``."""


class _Schema(GenerateJsonSchema):
    """Without a title for each key, which would only repeat it."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_of(command: str) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of what a command prints. Raises KeyError for an unknown one."""
    made = TypeAdapter(CONTRACT[command]).json_schema(schema_generator=_Schema)
    title = f"papertrack {command} --json"
    return {"$schema": _Schema.schema_dialect, **made, "title": title}
