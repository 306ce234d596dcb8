"""``papertrack demo``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.session import Session, changing
from papertrack.text import plural


@click.command
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@changing
def demo(session: Session, folder: Path) -> None:
    """Make a sample library to play with.

    DIR, which must be new or empty, gets a curated README of ML systems papers with its notes,
    and a library that has imported it.

    \b
    Example:
      papertrack demo ~/papers-demo
    """
    from papertrack.actions.documents import import_file
    from papertrack.actions.make_library import make_library
    from papertrack.library.sample import copy_sample
    from papertrack.store.store import Store

    copy_sample(folder, dry_run=session.dry_run)
    papers_new = 0
    if not session.dry_run:
        library = make_library(folder, now=session.now)
        with Store.open(library.database, now=session.now) as store:
            papers_new = import_file(store, library, library.root / "README.md").papers_new
    message = f"Made a sample library in {folder}."
    if not session.dry_run:
        message = (
            f"Made a sample library in {folder}: {plural(papers_new, 'paper')} imported from its "
            f"README.md. Try:\n  cd {folder}\n  papertrack list\n"
            "  papertrack pass 2211.17192 3\n  papertrack export --md --diff"
        )
    session.report(message, {"library": str(folder.absolute()), "papers_new": papers_new})
