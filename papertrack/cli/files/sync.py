"""``papertrack sync``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.files import deciding, export, settling
from papertrack.cli.files.import_ import import_files, reports_to_json
from papertrack.cli.session import Session, changing

if TYPE_CHECKING:
    from papertrack.actions.documents import DocumentExport
    from papertrack.errors import PapertrackError


@click.command
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--diff", is_flag=True, help="Show what the export would change, and write nothing.")
@deciding.on_deleted_option
@settling.prefer_option
@deciding.interactive_option
@changing
def sync(
    session: Session,
    files: tuple[Path, ...],
    diff: bool,
    on_deleted: Any,
    preferred: tuple[str, ...],
    interactive: bool,
) -> int:
    """Take what changed in your files, then write what changed in the library.

    All registered READMEs and .bib files, or the FILEs named. A file that cannot be read or written
    keeps no other one from it. What other devices set differently is shown with all values. Exits 5
    when a change on both sides is undecided.

    \b
    Examples:
      papertrack sync
      papertrack sync README.md --diff
      papertrack sync --prefer file
      papertrack sync --prefer laptop-7f3a
      papertrack sync --dry-run --json
    """
    session = replace(session, dry_run=session.dry_run or diff)
    wins = settling.preferred_of(preferred)
    decides = deciding.decider(wins.side, interactive, on_deleted)
    settling.settle_contradictions(session, wins, is_asking=interactive)
    failures: list[PapertrackError] = []
    reports = import_files(
        session,
        files or session.documents(),
        decides=decides,
        show=(lambda _: None) if session.as_json else None,
        failures=failures,
    )
    conflicts = deciding.conflicts_of(reports)
    run = export.ExportRun(session, decides, diff, list(conflicts), failures)
    exports = _export(run, files)
    # What the import left undecided the export meets again.
    conflicts += [one for one in deciding.conflicts_of(exports) if one not in conflicts]
    contradictions = settling.left_contradictions(session)
    if session.as_json:
        changed = {
            "conflicts": conflicts,
            "exports": export.exports_to_json(exports),
            "contradictions": list(map(asdict, contradictions)),
        }
        session.print_result(**(reports_to_json(reports) | changed))
    session.raise_last(failures)
    return 5 if conflicts or contradictions else 0


def _export(run: export.ExportRun, files: Sequence[Path]) -> list[DocumentExport]:
    """Write these files, or all that the library feeds when none is named."""
    from papertrack.library.paths import BIBTEX_SUFFIXES

    bib_files = [path for path in files if path.suffix.lower() in BIBTEX_SUFFIXES]
    readmes = [path for path in files if path not in bib_files]
    exports: list[DocumentExport] = []
    if readmes or not bib_files:
        exports += export.export_registered(run, readmes)
    if bib_files or not readmes:
        exports += export.export_bib_files(run, bib_files)
    return exports
