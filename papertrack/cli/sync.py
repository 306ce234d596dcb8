"""``papertrack sync``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from papertrack.cli.conflicts import (
    decider,
    interactive_option,
    on_deleted_option,
    prefer_option,
)
from papertrack.cli.export_documents import export_bib_files, export_registered
from papertrack.cli.import_ import import_files
from papertrack.cli.options import dry_run_option
from papertrack.cli.session import Session, pass_session


@click.command
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--diff", is_flag=True, help="Show what the export would change, and write nothing.")
@on_deleted_option
@prefer_option
@interactive_option
@dry_run_option
@pass_session
def sync(
    session: Session,
    files: tuple[Path, ...],
    diff: bool,
    on_deleted: Any,
    prefer: Any,
    interactive: bool,
    dry_run: bool,
) -> int:
    """Take what changed in your files, then write what changed in the library.

    All registered READMEs and .bib files, or the FILEs named. Exits 5 when a change on both sides
    is undecided.

    \b
    Examples:
      papertrack sync
      papertrack sync README.md --diff
      papertrack sync --prefer file
    """
    from papertrack.actions.paths import path_of_name
    from papertrack.store.documents import read_documents

    dry_run = dry_run or diff
    library = session.library()
    with session.open_store() as store:
        registered = [path_of_name(library, document.path) for document in read_documents(store)]
    decides = decider(prefer, interactive, on_deleted)
    reports = import_files(
        session,
        files or registered,
        decides=decides,
        dry_run=dry_run,
    )
    from papertrack.actions.paths import BIBTEX_SUFFIXES

    bib_files = [path for path in files if path.suffix.lower() in BIBTEX_SUFFIXES]
    readmes = [path for path in files if path not in bib_files]
    undecided = any(report.conflicts for report in reports)
    if readmes or not bib_files:
        exported = export_registered(session, readmes, decides=decides, dry_run=dry_run, diff=diff)
        undecided |= exported.has_conflicts
    if bib_files or not readmes:
        exported = export_bib_files(
            session, bib_files, "", decides=decides, dry_run=dry_run, diff=diff
        )
        undecided |= exported.has_conflicts
    return 5 if undecided else 0
