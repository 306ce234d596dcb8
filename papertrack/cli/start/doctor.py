"""``papertrack doctor``."""

from __future__ import annotations

import click

from papertrack.actions.doctor import examine
from papertrack.actions.doctor import repair as repair_library
from papertrack.cli.arxiv.watch_install import broken_here
from papertrack.cli.output import attributes, print_text
from papertrack.cli.session import Session, changing
from papertrack.text import clean, plural


@click.command
@click.option("--repair", is_flag=True, help="Repair what is safe to repair.")
@changing
def doctor(session: Session, repair: bool) -> int:
    """Look whether the library is whole, and say what to do where it is not.

    It looks at every page of the database, at the search index, at the files and notes that the
    library names, at its backups, at what runs its watch, and for what killed runs left. --repair
    makes the search index anew, writes lost notes as they were last read and tidies up after killed
    runs; all else is told only. Exit code 5 if anything is wrong.

    \b
    Examples:
      papertrack doctor
      papertrack doctor --repair
    """
    library = session.library()
    found = examine(library, session.now(), broken_here(session))
    if repair and found and not session.dry_run:
        found = repair_library(library, found, session.now())
    left = [finding for finding in found if not finding.is_repaired]
    if session.as_json:
        session.print_result(
            findings=[attributes(one, "part", "message", "is_repaired") for one in found]
        )
    else:
        for one in found:
            print_text(f"{one.part}: {clean(one.message)}{' Repaired.' * one.is_repaired}\n")
        count = plural(len(left), "finding") if left else "nothing is wrong"
        session.say(f"{library.root}: {count}.")
    return 5 if left else 0
