"""``papertrack undo`` and ``papertrack redo``."""

from __future__ import annotations

import click

from papertrack.cli.session import Session, changing
from papertrack.store.journal import LoggedAction
from papertrack.text import clean

FILES_KEEP_KEYS = (
    "Files that `rekey --write` changed keep the keys that were undone; "
    "`papertrack rekey --follow --in PATH --write` turns them back."
)


@click.command
@click.argument("action", type=int, required=False)
@changing
def undo(session: Session, action: int | None) -> None:
    """Take back the last action, or the one named by its number.

    What was done is in `papertrack log`. Undo works across restarts, as often as you like.

    \b
    Examples:
      papertrack undo
      papertrack undo 12
    """
    from papertrack.actions import undo as undoing

    with session.open_store() as store:
        undone = undoing.undo(store, action)
    _report(session, "Undone", undone)


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
        done = undoing.redo(store)
    _report(session, "Redone", done)


def _report(session: Session, done: str, action: LoggedAction | None) -> None:
    message = "Nothing to do."
    if action is not None:
        message = clean(f"{done}: {action.verb} {action.summary} (action {action.id}).")
        if action.verb == "rekey" and action.state == "undone":
            message += f"\n{FILES_KEEP_KEYS}"
    session.report(message, action=action)
