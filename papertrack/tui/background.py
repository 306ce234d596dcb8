"""How long work runs in the background, and how it is cancelled.

A job has a thread and a store of its own, so that no key waits for it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from papertrack.errors import PapertrackError
from papertrack.store.store import Store, readable_errors
from papertrack.tui.session import Session

_CHECK_EVERY = 10_000
"""SQLite's instructions between two looks at whether the job was cancelled."""


class Cancelled(PapertrackError):
    """The reader has cancelled the job. What it had finished before is kept."""


@dataclass(slots=True)
class Progress:
    """How far a job is, told by its thread and shown by the screen's."""

    state: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event)

    def tell(self, state: str) -> None:
        """Say how far it is. Raises Cancelled when the reader has had enough."""
        if self.cancelled.is_set():
            raise Cancelled("Cancelled.")
        self.state = state


@dataclass(frozen=True, slots=True)
class Job:
    """One thing that runs in the background."""

    name: str
    label: str
    """What the palette calls it."""
    asks_for: str | None
    """What the reader is asked before it starts, or None."""
    run: Callable[[Session, Store, str, Progress], str]
    """Does it with the answer and returns what came of it, as a sentence."""


def run_job(job: Job, session: Session, answer: str, progress: Progress) -> str:
    """Run a job to its end.

    Raises Cancelled when it was cancelled meanwhile, and what the job raises: PapertrackError.
    """
    with readable_errors(session.library.database), session.open_store() as store:
        store.connection.set_progress_handler(progress.cancelled.is_set, _CHECK_EVERY)
        try:
            return job.run(session, store, answer, progress)
        except (Cancelled, sqlite3.OperationalError) as error:
            if progress.cancelled.is_set():
                raise Cancelled(f"{job.label}: cancelled. What was finished is kept.") from error
            raise
