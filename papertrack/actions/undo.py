"""Taking actions back and doing them again: loaded without the verbs that it takes back."""

from __future__ import annotations

from dataclasses import dataclass

from papertrack.store.journal import LoggedAction, touched_papers
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Done:
    """What a verb, or its undo or redo, has changed."""

    action_id: int
    summary: str
    paper_ids: tuple[int, ...]


def done_of(store: Store, action: LoggedAction) -> Done:
    """What an action of the log has changed."""
    papers = touched_papers(store, action.id)
    return Done(action.id, action.summary or action.verb, tuple(papers))


def undo(store: Store, action_id: int | None = None) -> LoggedAction | None:
    """Take back one action, the last one unless named; None when there is nothing.

    Raises ConflictError when a later change stands on it.
    """
    return store.undo(action_id)


def redo(store: Store) -> LoggedAction | None:
    """Do again what was undone last; None when there is nothing."""
    return store.redo()
