"""``papertrack undo`` and ``papertrack redo``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from papertrack.cli.session import Session, changing
from papertrack.errors import UsageError
from papertrack.store.journal import LoggedAction
from papertrack.text import clean, moment_shown

if TYPE_CHECKING:
    from papertrack.actions.undo import Next

FILES_KEEP_KEYS = (
    "Files that `rekey --write` changed keep the keys that were undone; "
    "`papertrack rekey --follow --in PATH --write` turns them back."
)


@click.command
@click.argument("action", type=int, required=False)
@click.option("-y", "--yes", is_flag=True, help="Do not ask, whoever did it.")
@changing
def undo(session: Session, action: int | None, yes: bool) -> None:
    """Take back the last action, or the one named by its number.

    What was done is in `papertrack log`. Undo works across restarts, as often as you like. What was
    done elsewhere, by a timer or at another terminal, or more than a day ago, is named and asked
    about first; without a terminal what was done elsewhere takes its number, or --yes.

    \b
    Examples:
      papertrack undo
      papertrack undo 12
    """
    from papertrack.actions import undo as undoing

    with session.open_store() as store:
        found = None if yes or action is not None else undoing.next_to_undo(store)
        if found is not None and not found.is_own and not session.dry_run:
            _ask(found)
            # What was asked about, whatever was done meanwhile.
            action = found.action.id
        undone = undoing.undo(store, session.library(), action)
    _report(session, "Undone", undone)


def _ask(found: Next) -> None:
    """Ask whether what was not done in this sitting is to be taken back. Raises Abort for a no,
    and UsageError where nobody can be asked of what is known to be done elsewhere."""
    action = found.action
    what = clean(f"{action.verb} {action.about} (action {action.id}, {moment_shown(action.at)})")
    if sys.stdin.isatty():
        question = f"This was not done in this sitting: {what}. Take it back?"
        click.confirm(question, abort=True, err=True)
    elif found.is_elsewhere:
        raise UsageError(
            f"The last action was not done in this sitting: {what}. `papertrack undo {action.id}` "
            "or --yes takes it back; `papertrack log` lists what was done."
        )


@click.command
@changing
def redo(session: Session) -> None:
    """Redo what was undone last.

    \b
    Example:
      papertrack redo
    """
    from papertrack.actions import undo as undoing

    with session.open_store() as store:
        done = undoing.redo(store, session.library())
    _report(session, "Redone", done)


def _report(session: Session, done: str, action: LoggedAction | None) -> None:
    message = "Nothing to do."
    if action is not None:
        message = clean(f"{done}: {action.verb} {action.about} (action {action.id}).")
        if action.verb == "rekey" and action.state == "undone":
            message += f"\n{FILES_KEEP_KEYS}"
    session.report(message, action=action and action._asdict())
