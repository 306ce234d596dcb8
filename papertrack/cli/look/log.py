"""``papertrack log``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from papertrack.cli.output import Columns
from papertrack.cli.session import Session, limit_option, reading, reference_argument
from papertrack.text import moment_shown


@click.command
@reference_argument(required=False)
@limit_option("At most N actions.", metavar="N", default=20, show_default=True)
@reading
def log(session: Session, reference: str | None, limit: int) -> None:
    """Show what was done, newest first.

    With REF only what was done to that paper. The number in front is what `undo` takes. In a shared
    library what others did is there as `share`.

    \b
    Examples:
      papertrack log
      papertrack log 2309.06180
    """
    from papertrack.store import journal

    with session.open_store() as store:
        paper_id = None
        if reference is not None:
            from papertrack.actions.references import resolve_reference

            paper_id = resolve_reference(store, reference)
        actions = journal.read_log(store, paper_id=paper_id, limit=limit)
    session.print_records([action._asdict() for action in actions], COLUMNS, flexible=3, right=(0,))


def _verb(action: Mapping[str, Any]) -> str:
    """``pass``, or ``pass (undone)``."""
    state = "" if action["state"] == "done" else f" ({action['state']})"
    return f"{action['verb']}{state}"


def _about(action: Mapping[str, Any]) -> str:
    from papertrack.store.journal import LoggedAction

    return LoggedAction(**action).about


COLUMNS: Columns = {
    "action": "id",
    "when": lambda action: moment_shown(action["at"]),
    "what": _verb,
    "to what": _about,
}
