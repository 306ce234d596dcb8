"""Bringing registered READMEs and .bib files up to date, and saying what that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.cli.conflicts import Decider, say_conflicts
from papertrack.cli.output import plural, print_text
from papertrack.cli.session import Session

if TYPE_CHECKING:
    from papertrack.actions.export_markdown import DocumentExport


@dataclass(frozen=True, slots=True)
class Exported:
    """What the export of all documents came to."""

    has_changes: bool
    has_conflicts: bool


def export_registered(
    session: Session, paths: Sequence[Path], *, decides: Decider, dry_run: bool, diff: bool
) -> Exported:
    """Export to the registered documents, or those at ``paths``; tell about each.

    A document that cannot be exported keeps no other one from it: its error is raised at the end.
    """
    from papertrack.actions.export_markdown import export_documents

    with session.open_store() as store:
        run = partial(export_documents, store, session.library(), paths=paths)
        exports = _decided(run, decides, dry_run)
    if not exports:
        session.say("No README is registered; `papertrack import README.md` does it.")
    return _told(session, exports, dry_run=dry_run, diff=diff)


def export_bib_files(
    session: Session,
    paths: Sequence[Path],
    query: str,
    *,
    decides: Decider,
    dry_run: bool,
    diff: bool,
) -> Exported:
    """As ``export_registered`` for .bib files; papers that match ``query`` get their entries."""
    from papertrack.actions.export_bibtex import export_bib_documents
    from papertrack.queries import parse_query
    from papertrack.store.listing import find_ids

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
    return _told(session, exports, dry_run=dry_run, diff=diff)


def _decided(
    run: Callable[..., list[DocumentExport]], decides: Decider, dry_run: bool
) -> list[DocumentExport]:
    """Export as decided; what is in question is found out by a dry run, and asked after it."""
    found = run(dry_run=True) if decides.is_asking else []
    conflicts = [conflict for export in found for conflict in export.conflicts]
    return run(prefer=decides.prefers(conflicts), dry_run=dry_run)


def _told(
    session: Session, exports: Sequence[DocumentExport], *, dry_run: bool, diff: bool
) -> Exported:
    for export in exports:
        if export.error is None:
            _tell(session, export, dry_run=dry_run, diff=diff)
    failures = [export.error for export in exports if export.error is not None]
    for failure in failures[:-1]:
        session.warn(str(failure))
    if failures:
        raise failures[-1]
    return Exported(
        any(export.has_changes for export in exports),
        any(export.conflicts for export in exports),
    )


def _tell(session: Session, export: DocumentExport, *, dry_run: bool, diff: bool) -> None:
    if diff:
        print_text(export.diff)
    for sentence in export.refused:
        session.say(f"{export.file}: {sentence}")
    say_conflicts(session, export.conflicts)
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
    session.say(f"{export.file}: {lines}{' (nothing written)' if dry_run else ''}.")
