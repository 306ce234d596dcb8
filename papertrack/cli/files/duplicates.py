"""``papertrack duplicates``."""

from __future__ import annotations

from dataclasses import asdict

import click

from papertrack.actions.duplicates import call_different, find_duplicates
from papertrack.actions.references import resolve_reference
from papertrack.cli.session import Session, changing, complete_reference

COLUMNS = {
    "score": "score",
    "paper": "citekey",
    "other": "other",
    "reasons": "reasons",
    "title": "title",
}


@click.command
@click.option(
    "--different",
    nargs=2,
    metavar="REF REF",
    shell_complete=complete_reference,
    help="Remember that these two are two works.",
)
@changing
def duplicates(session: Session, different: tuple[str, str] | None) -> None:
    """List papers that may be one work, with the reasons.

    The score is 0 to 100. `papertrack merge` makes two of them one, and keeps both keys; what you
    call different is not listed again.

    \b
    Examples:
      papertrack duplicates
      papertrack duplicates --different kwon2023efficient kwon2024efficient
    """
    if different is not None:
        _call_different(session, different)
        return

    with session.open_store() as store:
        found = find_duplicates(store)
    pairs = list(map(asdict, found))
    session.print_records(pairs, COLUMNS, flexible=4, right=(0,))
    if session.as_json:
        return
    if found:
        session.say("Decide with `papertrack merge KEPT MERGED` or --different REF REF.")
    else:
        session.say("No two papers look like one work.")


def _call_different(session: Session, references: tuple[str, str]) -> None:
    with session.open_store() as store:
        ids = [resolve_reference(store, reference) for reference in references]
        keys = call_different(store, ids[0], ids[1])
    session.report(f"{keys[0]} and {keys[1]} are two works.", different=list(keys))
