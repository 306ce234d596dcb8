"""``papertrack log``."""

from __future__ import annotations

from dataclasses import asdict

import click

from papertrack.cli.options import json_option, reference_argument
from papertrack.cli.output import print_json, print_table
from papertrack.cli.session import Session, pass_session
from papertrack.text import moment_shown


@click.command
@reference_argument(required=False)
@click.option(
    "-l",
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="At most N actions.",
)
@json_option
@pass_session
def log(session: Session, reference: str | None, limit: int, as_json: bool) -> None:
    """Show what was done, newest first.

    With REF only what was done to that paper. The number in front is what `undo` takes.

    \b
    Examples:
      papertrack log
      papertrack log 2309.06180
    """
    from papertrack.store import journal

    with session.open_store() as store:
        paper_id = None
        if reference is not None:
            from papertrack.actions.enrich.references import resolve_reference

            paper_id = resolve_reference(store, reference)
        actions = journal.read_log(store.connection, paper_id=paper_id, limit=limit)
    if as_json:
        print_json([asdict(action) for action in actions])
        return
    rows = [
        (
            str(action.id),
            moment_shown(action.at),
            action.verb + ("" if action.state == "done" else f" ({action.state})"),
            action.summary,
        )
        for action in actions
    ]
    print_table(("action", "when", "what", "to what"), rows, flexible=3, right=(0,))
