"""Taking actions back and doing them again: loaded without the verbs that it takes back."""

from __future__ import annotations

from papertrack.store.journal import LoggedAction
from papertrack.store.store import Store


def undo(
    store: Store, action_id: int | None = None, *, dry_run: bool = False
) -> LoggedAction | None:
    """Take back one action, the last one unless named; None when there is nothing.

    Raises ConflictError when a later change stands on it.
    """
    return store.undo(action_id, dry_run=dry_run)


def redo(store: Store, *, dry_run: bool = False) -> LoggedAction | None:
    """Do again what was undone last; None when there is nothing."""
    return store.redo(dry_run=dry_run)
