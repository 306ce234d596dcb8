"""``papertrack doctor``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from papertrack.actions.doctor import Finding, compact_library, examine
from papertrack.actions.doctor import repair as repair_library
from papertrack.cli.arxiv.watch_install import broken_here
from papertrack.cli.output import attributes, print_text
from papertrack.cli.session import Session, changing
from papertrack.text import clean, plural


@click.command
@click.option("--repair", is_flag=True, help="Repair what is safe to repair.")
@click.option("--compact", is_flag=True, help="Give back the room that nothing uses any more.")
@changing
def doctor(session: Session, repair: bool, compact: bool) -> int:
    """Look whether the library is whole, and say what to do where it is not.

    It looks at every page of the database, at the search index, at the files and notes that the
    library names, at its backups, at what runs its watch, and for what killed runs left. --repair
    makes the search index anew, writes lost notes as they were last read and tidies up after killed
    runs; all else is told only. --compact writes the database anew without the room that nothing
    uses; a damaged one stays as it is. Exit code 5 if anything is wrong.

    \b
    Examples:
      papertrack doctor
      papertrack doctor --repair
      papertrack doctor --compact
    """
    library = session.library()
    found = examine(library, session.now(), broken_here(session))
    if repair and found and not session.dry_run:
        found = repair_library(library, found, session.now())
    left = [finding for finding in found if not finding.is_repaired]
    is_whole = all(finding.part != "database" for finding in left)
    compacted = None
    if compact and is_whole:
        compacted = compact_library(library, session.now(), is_trial=session.dry_run)
    if session.as_json:
        session.print_result(
            findings=[attributes(one, "part", "message", "is_repaired") for one in found],
            compacted=attributes(compacted, "before", "after") if compacted else None,
        )
    else:
        _print_findings(session, library.root, found)
    if compacted:
        sizes = f"{_told(compacted.after)}, before {_told(compacted.before)}"
        session.say(f"The database {'would take' if session.dry_run else 'takes'} {sizes}.")
    return 5 if left else 0


def _print_findings(session: Session, root: Path, found: Sequence[Finding]) -> None:
    for one in found:
        print_text(f"{one.part}: {clean(one.message)}{' Repaired.' * one.is_repaired}\n")
    left = sum(not finding.is_repaired for finding in found)
    session.say(f"{root}: {plural(left, 'finding') if left else 'nothing is wrong'}.")


def _told(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
