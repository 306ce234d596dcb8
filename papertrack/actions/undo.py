"""Undo and redo actions, without importing the modules that did them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from papertrack.actions.ranking import rank_newcomers
from papertrack.library import Library
from papertrack.store.journal import (
    LoggedAction,
    find_action,
    is_of_this_session,
    is_recent,
    no_longer_fits,
    touched_papers,
)
from papertrack.store.store import Store
from papertrack.store.written_files import find_replaced


class Done(NamedTuple):
    """The papers that an action, its undo or its redo changed."""

    action_id: int
    summary: str
    paper_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of an undo or redo; without an action there was nothing to do."""

    action: LoggedAction | None

    def sentences(self) -> Iterator[str]:
        if self.action is None:
            return
        done = "Undone" if self.action.state == "undone" else "Redone"
        yield f"{done}: {self.action.verb} {self.action.about} (action {self.action.id})."
        if self.action.verb == "rekey" and self.action.state == "undone":
            yield FILES_KEEP_KEYS


FILES_KEEP_KEYS = (
    "Files that `rekey --write` changed still have the keys that were undone; "
    "`papertrack rekey --follow --in PATH --write` changes them back."
)


def done_of(store: Store, action: LoggedAction) -> Done:
    """Return what an action in the log changed."""
    return Done(action.id, action.description, tuple(touched_papers(store, action.id)))


class Next(NamedTuple):
    """The action that undo would take back."""

    action: LoggedAction
    is_own: bool
    """Whether it was done in this session: at this terminal, less than a day ago."""
    is_elsewhere: bool
    """Whether another session did it: a scheduled job, or another terminal."""


def next_to_undo(store: Store) -> Next | None:
    """Return what undo would take back next, and whether it was done here; None if there is
    nothing."""
    action = find_action(store, "done")
    if action is None:
        return None
    is_here = is_of_this_session(store, action.id)
    is_own = is_here and is_recent(action.at, store.now())
    return Next(action, is_own, is_elsewhere=not is_here)


def undo(store: Store, library: Library, action_id: int | None = None) -> LoggedAction | None:
    """Undo one action, by default the last one; return None if there is none.

    The summary mentions a replaced file that was restored. Raises ConflictError when a later change
    depends on the action, and PapertrackError when such a file cannot be written.
    """
    return _replayed(store, library, "done", action_id)


def redo(store: Store, library: Library) -> LoggedAction | None:
    """Redo the last undone action; return None if there is none. Raises ConflictError when it
    conflicts with later changes, and PapertrackError when a file that it replaced cannot be
    written."""
    return _replayed(store, library, "undone", None)


def _replayed(
    store: Store, library: Library, state: str, action_id: int | None
) -> LoggedAction | None:
    """Undo or redo the action in this state, and what depends on it: ranks, and files."""
    action = files_before = None
    try:
        with store.transaction():
            action = find_action(store, state, action_id)
            if action is not None and action.verb == "import":
                from papertrack.store.versions import made_files

                files_before = made_files(store)
            replayed = store.undo(action_id) if state == "done" else store.redo()
            if replayed is None:
                return None
            rank_newcomers(store, touched_papers(store, replayed.id))
            done = _with_its_file(store, library, replayed)
            if files_before is not None:
                from papertrack.actions.migrate.imported_files import follow_made_files

                files = follow_made_files(store, library, files_before)
                done = replace(done, summary="; ".join([done.summary, *files]))
            return done
    except sqlite3.IntegrityError as error:
        raise no_longer_fits(action.id if action else action_id) from error


def _with_its_file(store: Store, library: Library, action: LoggedAction) -> LoggedAction:
    if find_replaced(store, action.id) is None:
        return action
    # Imported here because few actions replaced a file, and the import is a large one.
    from papertrack.actions.outputs import put_file_back
    from papertrack.sync.in_step import index_note

    message = put_file_back(store, library, action)
    if action.verb == "highlights" and (replaced := find_replaced(store, action.id)):
        index_note(store, library, replaced.name)
    return replace(action, summary=f"{action.summary}; {message}") if message else action
