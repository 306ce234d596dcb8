"""Bringing registered READMEs and .bib files up to date, and saying what that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.cli.files.conflicts import Decider, new_ones, say_conflicts, say_how_to_decide
from papertrack.cli.output import print_text
from papertrack.cli.session import Session
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.documents import Conflict, DocumentExport
    from papertrack.errors import PapertrackError


@dataclass(slots=True)
class ExportRun:
    """One run over documents and files: how it decides and tells, and what came of it so far."""

    session: Session
    decides: Decider
    diff: bool
    told: Sequence[Conflict] = ()
    """Conflicts that were told before."""
    failures: list[PapertrackError] = field(default_factory=list)
    """Why a document could not be exported; that keeps no other one from it."""
    has_changes: bool = False
    has_conflicts: bool = False


def export_registered(
    run: ExportRun, paths: Sequence[Path], *, is_asked: bool = False
) -> list[DocumentExport]:
    """Export to the registered READMEs, or those at ``paths``; tell about each but with JSON.

    That there is no README is told when it ``is_asked`` for, or there is no .bib file either.
    """
    from papertrack.actions.documents import export_registered as export_to
    from papertrack.store.documents import read_documents

    with run.session.open_store() as store:
        export = partial(export_to, store, run.session.library(), "markdown", paths=paths)
        exports = _decided(export, run)
        is_missing = not exports and (is_asked or not read_documents(store))
    if is_missing:
        run.session.say("No README is registered; `papertrack import README.md` does it.")
    return _told(run, exports)


def export_bib_files(
    run: ExportRun, paths: Sequence[Path], query: str = ""
) -> list[DocumentExport]:
    """As ``export_registered`` for .bib files; papers that match ``query`` get their entries."""
    from papertrack.actions.documents import export_registered as export_to
    from papertrack.queries.parser import parse_query
    from papertrack.store.listing import find_ids

    with run.session.open_store() as store:
        export = partial(
            export_to,
            store,
            run.session.library(),
            "bibtex",
            paths=paths,
            added=find_ids(store, parse_query(query), order="citekey") if query else (),
            protect=run.session.settings().bibtex.protect,
        )
        exports = _decided(export, run)
    return _told(run, exports)


def _decided(export: Callable[..., list[DocumentExport]], run: ExportRun) -> list[DocumentExport]:
    """Export as decided; what is in question is found out by a dry run, and asked after it."""
    found = export(dry_run=True) if run.decides.is_asking else []
    conflicts = [conflict for one in found for conflict in one.conflicts]
    return export(prefer=run.decides.prefers(conflicts), dry_run=run.session.dry_run)


def _told(run: ExportRun, exports: list[DocumentExport]) -> list[DocumentExport]:
    if not run.session.as_json:
        for export in exports:
            if export.error is None:
                _tell(run, export)
        conflicts = [conflict for export in exports for conflict in export.conflicts]
        say_how_to_decide(run.session, new_ones(conflicts, run.told))
    run.failures += [export.error for export in exports if export.error is not None]
    run.has_changes |= any(export.has_changes for export in exports)
    run.has_conflicts |= any(export.conflicts for export in exports)
    return exports


def _tell(run: ExportRun, export: DocumentExport) -> None:
    if run.diff:
        print_text(export.diff)
    for sentence in export.refused:
        run.session.say(f"{export.file}: {sentence}")
    say_conflicts(new_ones(export.conflicts, run.told))
    if not export.has_changes:
        run.session.say(f"{export.file}: nothing to do.")
        return
    run.session.say_done(f"{export.file}: {_lines_changed(export)}.")


def _lines_changed(export: DocumentExport) -> str:
    added, removed = export.lines_added, export.lines_removed
    if added == removed:
        return f"{plural(added, 'line')} changed"
    parts = ((added, "added"), (removed, "removed"))
    return ", ".join(f"{plural(count, 'line')} {what}" for count, what in parts if count)


def exports_to_json(exports: Sequence[DocumentExport]) -> list[dict[str, object]]:
    """An object for each document: what was, or in a dry run would be, written to it."""
    return [
        {
            "file": export.file,
            "lines_added": export.lines_added,
            "lines_removed": export.lines_removed,
            "diff": export.diff or None,
            "refused": list(export.refused),
            "is_written": export.is_written,
        }
        for export in exports
    ]
