"""Which model is whose: what each command prints with ``--json``, and its JSON Schema."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from papertrack.contract.arxiv import (
    Backfilled,
    BackfillPlan,
    Candidate,
    Enriched,
    Forgotten,
    Pdf,
    RankedRecord,
    RankingTried,
    Suggestion,
    SuggestionsDecided,
    TopicChanged,
    TopicFound,
    TopicPreview,
    Watched,
    WatchStatus,
    Why,
    Wished,
)
from papertrack.contract.change import (
    Added,
    Category,
    CategoryAdded,
    CategoryOrdered,
    CategoryRemoved,
    CategoryRenamed,
    Edited,
    Merged,
    Moved,
    Removed,
    SplitOff,
    TagCount,
    Tagged,
    TaggedPapers,
    TagRenamed,
)
from papertrack.contract.files import (
    BibStyle,
    Check,
    CheckInstalled,
    CheckRecorded,
    Citation,
    Cited,
    Different,
    Document,
    Duplicate,
    ImportReport,
    MarkdownStyle,
    MergedFile,
    Proposal,
    ProposalInstalled,
    Rekey,
    SyncReport,
)
from papertrack.contract.look import LoggedAction, Replay, Stats
from papertrack.contract.paper import Paper, WholePaper
from papertrack.contract.published import Audit, CitedWork, Published
from papertrack.contract.read import Decided, NextPaper, Note, PassMark, PassMarks, Queue, Snoozed
from papertrack.contract.sharing import NotShared, Shared, ShareStatus
from papertrack.contract.start import BackedUp, Demo, Health, Init, Restored, Setting, Trusted

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
    "snooze": Snoozed,
    "add": Added,
    "edit": Edited,
    "tag": Tagged | TaggedPapers | TagRenamed | list[TagCount],
    "move": Moved,
    "category": list[Category],
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
    "published": Published,
    "audit": Audit,
    "cited-by-mine": list[CitedWork],
    "watch": Watched,
    "watch status": WatchStatus,
    "topic": list[TopicFound],
    "topic add": TopicChanged,
    "topic edit": TopicChanged,
    "topic list": list[TopicFound],
    "topic rm": TopicChanged,
    "topic pause": TopicChanged,
    "topic resume": TopicChanged,
    "topic preview": TopicPreview,
    "topic backfill": Backfilled | BackfillPlan,
    "why": Why,
    "rank": list[RankedRecord],
    "ranking": RankingTried,
    "ranking show": RankingTried,
    "ranking more": Wished,
    "ranking less": Wished,
    "ranking forget": Forgotten,
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
    "share": ShareStatus,
    "share on": Shared,
    "share off": NotShared,
    "share status": ShareStatus,
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
