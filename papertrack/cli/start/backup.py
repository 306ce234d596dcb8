"""``papertrack backup`` and ``papertrack restore``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.actions.backups import back_up, back_up_to
from papertrack.actions.backups import restore as restore_backup
from papertrack.cli.session import Session, changing
from papertrack.text import plural

_PATH = click.Path(path_type=Path)


@click.command
@click.argument("file", required=False, type=_PATH)
@click.option("-f", "--force", is_flag=True, help="Replace FILE if it is there.")
@changing
def backup(session: Session, file: Path | None, force: bool) -> None:
    """Make a checked copy of the library's database.

    The copy is read through before it is kept: of a damaged library none is made. Without FILE it
    is put into data/backups/, where the newest of the last 7 days and 4 weeks stay. Notes, PDFs
    and your own files are not in it.

    \b
    Examples:
      papertrack backup
      papertrack backup /media/stick/papers.db
    """
    library = session.library()
    if file is None:
        made = back_up(library, session.now(), dry_run=session.dry_run)
    else:
        if force and file.exists():
            with session.open_store() as store:
                session.refuse_own_file(store, file)
        made = back_up_to(library, file, is_forced=force, dry_run=session.dry_run)
    session.report(
        f"{made.file}: {plural(made.papers, 'paper')}, checked.",
        file=str(made.file),
        papers=made.papers,
        removed=list(map(str, made.removed)),
    )


@click.command
@click.argument("file", required=False, type=_PATH)
@changing
def restore(session: Session, file: Path | None) -> None:
    """Put a backup in the place of the library's database.

    Without FILE it is the newest backup of which all can be read. What was there is kept beside
    it, damaged or not, and named. Your READMEs, .bib files and notes stay as they are; the next
    `papertrack sync` takes in what the backup does not know of them.

    \b
    Examples:
      papertrack restore --dry-run
      papertrack restore
      papertrack restore data/backups/2026-03-01T093000Z.db
    """
    done = restore_backup(session.library(), session.now, file, dry_run=session.dry_run)
    kept = f" What was there is in {done.kept}." if done.kept else ""
    session.report(
        f"Restored {plural(done.papers, 'paper')} from {done.file}.{kept}",
        file=str(done.file),
        papers=done.papers,
        kept=None if done.kept is None else str(done.kept),
    )
