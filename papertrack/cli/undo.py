"""``papertrack undo`` and ``papertrack redo``."""

from __future__ import annotations

import click

from papertrack.cli.options import dry_run_option
from papertrack.cli.session import Session, pass_session
from papertrack.store import journal


@click.command
@click.argument("action", type=int, required=False)
@dry_run_option
@pass_session
def undo(session: Session, action: int | None, dry_run: bool) -> None:
    """Take back the last action, or the one named by its number.

    What was done is in `papertrack log`. Undo works across restarts, as often as you like.

    \b
    Examples:
      papertrack undo
      papertrack undo 12
    """
    with session.open_store() as store:
        if dry_run:
            _say(session, "Would undo", journal.find_action(store.connection, "done", action))
        else:
            _say(session, "Undid", store.undo(action))


@click.command
@dry_run_option
@pass_session
def redo(session: Session, dry_run: bool) -> None:
    """Do again what was undone last.

    \b
    Example:
      papertrack redo
    """
    with session.open_store() as store:
        if dry_run:
            _say(session, "Would do again", journal.find_action(store.connection, "undone"))
        else:
            _say(session, "Did again", store.redo())


def _say(session: Session, done: str, action: journal.LoggedAction | None) -> None:
    if action is None:
        session.say("Nothing to do.")
    else:
        session.say(f"{done} {action.id}: {action.verb} {action.summary}")
