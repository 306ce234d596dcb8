"""The output of each command with ``--json``, and its JSON Schema."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from papertrack.actions import (
    backups,
    doctor,
    duplicates,
    edit,
    highlights,
    make_library,
    notes,
    organise,
    pdfs,
    reading,
    table,
    undo,
)
from papertrack.actions.add import AddedPaper
from papertrack.actions.cite.citing import Finding
from papertrack.actions.cite.rekey import KeyUse, Rekeyed
from papertrack.actions.migrate.imported_files import AddedPdf
from papertrack.actions.online.enrich import EnrichedPaper
from papertrack.actions.online.pdf import PaperPdf
from papertrack.actions.ranking import Judgement
from papertrack.actions.share import switch
from papertrack.actions.share.records import Contradiction
from papertrack.actions.share.repository import Exchanged
from papertrack.actions.watch import topics
from papertrack.actions.watch.run import WatchReport
from papertrack.cli import (
    adding,
    check,
    cite,
    config,
    documents,
    enrich,
    import_,
    propose,
    published,
    ranking,
    sync,
    topic,
    watch,
)
from papertrack.contract import LibraryWithoutPapers, Paper, ShownPaper, WholePaper
from papertrack.store.journal import LoggedAction

CONTRACT: dict[str, Any] = {
    "list": list[Paper],
    "show": ShownPaper | dict[str, str],
    "add": adding.Added,
    "pass": reading.PassMark | reading.PassMarks,
    "save": reading.Decided | reading.Snoozed,
    "discard": reading.Decided,
    "watch": WatchReport | watch.WatchStatus | topic.Backfilled | topic.BackfillPlan,
    "sync": sync.SyncReport,
    "cite": list[cite.Citation] | cite.Cited,
    "queue": reading.Queue | reading.NextToRead | None,
    "note": notes.Note | highlights.NotedHighlights,
    "pdf get": PaperPdf,
    "pdf add": import_.Imported | AddedPdf,
    "pdf index": pdfs.IndexedPdfs,
    "stats": reading.Statistics | pdfs.DrawnCitations,
    "log": list[LoggedAction],
    "edit": edit.Edited | edit.EditedPapers,
    "tag": organise.TaggedPaper | organise.Tagged | organise.TagRenamed | list[organise.TagCount],
    "category": list[organise.CategoryCount]
    | organise.CategoryAdded
    | organise.CategoryRenamed
    | organise.CategoryOrdered
    | organise.CategoryRemoved,
    "move": organise.Moved,
    "merge": organise.Merged
    | organise.SplitOff
    | duplicates.Different
    | list[duplicates.Duplicate],
    "rm": organise.Removed,
    "undo": undo.Replay,
    "redo": undo.Replay,
    "topic": list[topic.TopicFound],
    "topic add": topic.TopicChanged | topics.Preview | topic.TopicsOfFeeds,
    "topic edit": topic.TopicChanged,
    "search": pdfs.Passages | list[adding.ShownCandidate],
    "ranking": Judgement
    | ranking.Explained
    | list[ranking.RankedRecord]
    | ranking.Wished
    | ranking.Forgotten,
    "enrich": enrich.EnrichReport,
    "suggestions": list[enrich.ShownSuggestion] | enrich.SuggestionsDecided,
    "published": published.Published | list[published.ShownWork],
    "audit": published.Audit,
    "import": import_.Imported,
    "export": list[WholePaper | LibraryWithoutPapers],
    "table": table.Table,
    "check": check.Check | check.CheckRecorded | check.CheckInstalled,
    "propose": propose.Proposed | propose.ProposalInstalled,
    "documents": list[documents.Document] | documents.MarkdownStyle | documents.BibStyle,
    "rekey": cite.Rekey,
    "init": make_library.Made | make_library.Demo,
    "config": list[config.Setting] | config.Setting | config.Trusted,
    "share": switch.Status | switch.Shared | switch.NotShared,
    "backup": backups.BackedUp | backups.Restored,
    "doctor": doctor.Health,
    "merge-file": sync.MergedFile,
}
"""The JSON that each command prints; commands with a dry run also print ``dry_run``."""


_NAMED = {
    "AddedPaper": AddedPaper,
    "Contradiction": Contradiction,
    "EnrichedPaper": EnrichedPaper,
    "Exchanged": Exchanged,
    "Finding": Finding,
    "KeyUse": KeyUse,
    "Rekeyed": Rekeyed,
}
"""Types in results that their modules import only for type checkers."""


def adapter_of(command: str) -> TypeAdapter[Any]:
    """Return the validator for a command's output. Raises KeyError for an unknown command."""
    adapter = TypeAdapter[Any](CONTRACT[command])
    adapter.rebuild(_types_namespace=_NAMED)
    return adapter


class _Schema(GenerateJsonSchema):
    """A schema without titles, which would only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_of(command: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a command's output. May raise KeyError."""
    schema = adapter_of(command).json_schema(schema_generator=_Schema)
    title = f"papertrack {command} --json"
    return {"$schema": _Schema.schema_dialect, **schema, "title": title}
