"""``papertrack sync``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.files.conflicts import (
    conflicts_to_json,
    decider,
    interactive_option,
    on_deleted_option,
    prefer_option,
)
from papertrack.cli.files.export_documents import (
    ExportRun,
    export_bib_files,
    export_registered,
    exports_to_json,
)
from papertrack.cli.files.import_ import import_files, reports_to_json
from papertrack.cli.options import dry_run_option, json_option
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, pass_session

if TYPE_CHECKING:
    from papertrack.errors import PapertrackError
    from papertrack.sync.export_markdown import DocumentExport


@click.command
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--diff", is_flag=True, help="Show what the export would change, and write nothing.")
@on_deleted_option
@prefer_option
@interactive_option
@dry_run_option
@json_option
@pass_session
def sync(
    session: Session,
    files: tuple[Path, ...],
    diff: bool,
    on_deleted: Any,
    prefer: Any,
    interactive: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Take what changed in your files, then write what changed in the library.

    All registered READMEs and .bib files, or the FILEs named. A file that cannot be read or written
    keeps no other one from it. Exits 5 when a change on both sides is undecided.

    \b
    Examples:
      papertrack sync
      papertrack sync README.md --diff
      papertrack sync --prefer file
      papertrack sync --dry-run --json
    """
    from papertrack.library.paths import path_of_name
    from papertrack.store.documents import read_documents

    dry_run = dry_run or diff
    library = session.library()
    with session.open_store() as store:
        registered = [path_of_name(library, document.path) for document in read_documents(store)]
    decides = decider(prefer, interactive, on_deleted)
    failures: list[PapertrackError] = []
    reports = import_files(
        session,
        files or registered,
        decides=decides,
        dry_run=dry_run,
        show=(lambda _: None) if as_json else None,
        failures=failures,
    )
    from papertrack.library.paths import BIBTEX_SUFFIXES

    bib_files = [path for path in files if path.suffix.lower() in BIBTEX_SUFFIXES]
    readmes = [path for path in files if path not in bib_files]
    told = [one for each in reports for one in each.conflicts]
    run = ExportRun(session, decides, dry_run, diff, as_json, told, failures)
    exports: list[DocumentExport] = []
    if readmes or not bib_files:
        exports += export_registered(run, readmes)
    if bib_files or not readmes:
        exports += export_bib_files(run, bib_files)
    exported = [conflict for export in exports for conflict in export.conflicts]
    if as_json:
        imported = reports_to_json(reports, dry_run)
        # What the import left undecided the export meets again.
        conflicts = [each for report in reports for each in report.conflicts]
        conflicts += [each for each in exported if each not in conflicts]
        print_json(
            {
                **imported,
                "conflicts": conflicts_to_json(conflicts),
                "exports": exports_to_json(exports),
            }
        )
    session.raise_last(failures)
    return 5 if exported or any(report.conflicts for report in reports) else 0
