"""``papertrack cite --pick``: papers are picked in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from papertrack.cli.session import Session
from papertrack.errors import UsageError
from papertrack.queries.parser import parse_query
from papertrack.store.listing import find_ids, read_rows


def pick_papers(session: Session, query: str = "") -> Sequence[int]:
    """The ids of what is picked among the papers that match, or all that are saved.

    Raises UsageError without a terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("--pick needs a terminal. In a pipe name the papers.")
    with session.open_store() as store:
        rows = read_rows(store, find_ids(store, parse_query(query or "is:saved"), order="citekey"))
    # Textual costs more than all other commands together: imported when it is really opened.
    from papertrack.tui.picker import pick

    return pick(rows)
