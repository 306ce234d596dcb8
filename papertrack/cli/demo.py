"""``papertrack demo``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.output import plural
from papertrack.cli.session import Session, pass_session
from papertrack.library import create_library


@click.command
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@pass_session
def demo(session: Session, folder: Path) -> None:
    """Make a sample library to play with.

    DIR, which must be new or empty, gets a curated README of ML systems papers with its notes,
    and a library that has imported it.

    \b
    Example:
      papertrack demo ~/papers-demo
    """
    from papertrack.actions.import_markdown import import_document
    from papertrack.library.sample import copy_sample
    from papertrack.store.store import Store

    copy_sample(folder)
    library, _ = create_library(folder)
    with Store.create(library.database, now=session.now) as store:
        report = import_document(store, library, library.root / "README.md")
    session.say(
        f"Made a sample library in {library.root}: {plural(report.papers_new, 'paper')} imported "
        f"from its README.md. Try:\n"
        f"  cd {folder}\n"
        "  papertrack list\n"
        "  papertrack pass 2211.17192 3\n"
        "  papertrack export --md --diff"
    )
