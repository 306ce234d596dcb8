"""Bringing registered READMEs and .bib files up to date, and saying what that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.cli.files.conflicts import Decider, new_ones, say_conflicts, say_how_to_decide
from papertrack.cli.output import plural, print_text, say_done
from papertrack.cli.session import Session

if TYPE_CHECKING:
    from papertrack.errors import PapertrackError
    from papertrack.sync.export_markdown import DocumentExport
    from papertrack.sync.threeway import Conflict


@dataclass(frozen=True, slots=True)
class Exported:
    """What the export of all documents came to."""

    exports: Sequence[DocumentExport]

    @property
    def has_changes(self) -> bool:
        return any(export.has_changes for export in self.exports)

    @property
    def has_conflicts(self) -> bool:
        return any(export.conflicts for export in self.exports)


def export_registered(
    session: Session,
    paths: Sequence[Path],
    *,
    decides: Decider,
    dry_run: bool,
    diff: bool,
    as_json: bool = False,
    is_asked: bool = False,
    failures: list[PapertrackError] | None = None,
    told: Sequence[Conflict] = (),
) -> Exported:
    """Export to the registered READMEs, or those at ``paths``; tell about each but with JSON.

    A document that cannot be exported keeps no other one from it: its error is raised at the end,
    or added to ``failures``. Conflicts in ``told`` are not told again.
    That there is no README is told when it ``is_asked`` for, or there is no .bib file either.
    """
    from papertrack.store.documents import read_documents
    from papertrack.sync.export_markdown import export_documents

    with session.open_store() as store:
        run = partial(export_documents, store, session.library(), paths=paths)
        exports = _decided(run, decides, dry_run)
        is_missing = not exports and (is_asked or not read_documents(store))
    if is_missing:
        session.say("No README is registered; `papertrack import README.md` does it.")
    return _told(
        session, exports, dry_run=dry_run, diff=diff, as_json=as_json, failures=failures, told=told
    )


def export_bib_files(
    session: Session,
    paths: Sequence[Path],
    query: str,
    *,
    decides: Decider,
    dry_run: bool,
    diff: bool,
    as_json: bool = False,
    failures: list[PapertrackError] | None = None,
    told: Sequence[Conflict] = (),
) -> Exported:
    """As ``export_registered`` for .bib files; papers that match ``query`` get their entries."""
    from papertrack.queries import parse_query
    from papertrack.store.listing import find_ids
    from papertrack.sync.export_bibtex import export_bib_documents

    with session.open_store() as store:
        run = partial(
            export_bib_documents,
            store,
            session.library(),
            paths=paths,
            added=find_ids(store, parse_query(query), order="citekey") if query else (),
            protect=session.settings().bibtex.protect,
        )
        exports = _decided(run, decides, dry_run)
    return _told(
        session, exports, dry_run=dry_run, diff=diff, as_json=as_json, failures=failures, told=told
    )


def _decided(
    run: Callable[..., list[DocumentExport]], decides: Decider, dry_run: bool
) -> list[DocumentExport]:
    """Export as decided; what is in question is found out by a dry run, and asked after it."""
    found = run(dry_run=True) if decides.is_asking else []
    conflicts = [conflict for export in found for conflict in export.conflicts]
    return run(prefer=decides.prefers(conflicts), dry_run=dry_run)


def _told(
    session: Session,
    exports: Sequence[DocumentExport],
    *,
    dry_run: bool,
    diff: bool,
    as_json: bool,
    failures: list[PapertrackError] | None,
    told: Sequence[Conflict],
) -> Exported:
    for export in exports:
        if export.error is None and not as_json:
            _tell(session, export, dry_run=dry_run, diff=diff, told=told)
    if not as_json:
        conflicts = [conflict for export in exports for conflict in export.conflicts]
        say_how_to_decide(session, new_ones(conflicts, told))
    failed = [export.error for export in exports if export.error is not None]
    if failures is None:
        session.raise_last(failed)
    else:
        failures += failed
    return Exported(exports)


def _tell(
    session: Session,
    export: DocumentExport,
    *,
    dry_run: bool,
    diff: bool,
    told: Sequence[Conflict],
) -> None:
    if diff:
        print_text(export.diff)
    for sentence in export.refused:
        session.say(f"{export.file}: {sentence}")
    say_conflicts(new_ones(export.conflicts, told))
    if not export.has_changes:
        session.say(f"{export.file}: nothing to do.")
        return
    added, removed = export.lines_added, export.lines_removed
    if added == removed:
        lines = f"{plural(added, 'line')} changed"
    else:
        lines = ", ".join(
            f"{plural(count, 'line')} {what}"
            for count, what in ((added, "added"), (removed, "removed"))
            if count
        )
    say_done(session, f"{export.file}: {lines}.", dry_run=dry_run)


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
