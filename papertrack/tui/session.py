"""A session with a library: its open store, its writer, and state that lasts as long.

Each long job has a thread and a store of its own, so that no key waits for it.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from papertrack.actions.make_library import open_library
from papertrack.actions.share import connect
from papertrack.errors import InUseError, PapertrackError
from papertrack.library import Library
from papertrack.library.settings import Settings
from papertrack.library.settings_in_force import is_set, load_settings
from papertrack.library.surroundings import lock_holder
from papertrack.library.trust import refuse_links_out
from papertrack.store.store import Store, data_version, readable_errors, set_patience, when_free
from papertrack.text import plural
from papertrack.tui.progress import InboxProgress

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from papertrack.actions.undo import Done, Next
    from papertrack.store.journal import LoggedAction
    from papertrack.tui.dialogs import PassDetails

_LOCKED_SECONDS = 1.0
"""A job that takes longer waits for a process that has locked the library."""
_MAX_JOBS = 8
"""The most jobs at a time: one of each kind."""
_MAX_SEARCHES = 2
"""The most searches at a time: a new one, and one that is ending."""
T = TypeVar("T")
P = ParamSpec("P")

_PATIENCE_SECONDS = 0.05
"""How long the screen waits for another process's lock before it shows what it has."""
_CHECK_EVERY = 10_000
"""SQLite instructions between two checks for cancellation."""


class Writer:
    """The only thread that writes to the library, in the order of the keys; no key waits for it.

    While another process locks the library, it keeps trying, with pending changes in order. Closing
    it waits for pending jobs, but not forever.
    """

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._is_closing = False
        self.lost_jobs = 0
        """Jobs that were not done at the end, because another process had locked the library."""
        self.job_started: float | None = None
        """When the current job started (``time.monotonic``)."""

    def submit(self, job: Callable[[Store], T]) -> Future[T]:
        """Put a job at the end of the queue."""
        return self._executor.submit(self._run, job)

    def close(self) -> None:
        self._is_closing = True
        if "_executor" in vars(self):
            self._executor.submit(lambda: self._store.close())
            self._executor.shutdown(wait=True)

    @cached_property
    def _executor(self) -> ThreadPoolExecutor:
        return _thread("papertrack-writer")

    @cached_property
    def _store(self) -> Store:
        # An SQLite connection belongs to the thread that made it.
        return self._open_store()

    def _run(self, job: Callable[[Store], T]) -> T:
        self.job_started = time.monotonic()
        try:
            while True:
                try:
                    with readable_errors(self._store.path):
                        return job(self._store)
                except InUseError:
                    if self._is_closing:
                        self.lost_jobs += 1
                        raise
        finally:
            self.job_started = None


def _thread(name: str, max_threads: int = 1) -> ThreadPoolExecutor:
    # Imported late: the first paint does not need it.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=max_threads, thread_name_prefix=name)


class Undone(NamedTuple):
    """An action that was undone or redone, and where the cursor was at the time."""

    done: Done
    cursor_id: int | None


class Timer(NamedTuple):
    """The reading timer of one paper."""

    paper_id: int
    citekey: str
    since: datetime


class Session:
    """State that all screens share. Close it at the end."""

    def __init__(
        self, library: Library, now: Callable[[], datetime], environ: Mapping[str, str]
    ) -> None:
        self.library, self.now, self.environ = library, now, environ
        self.known_settings: Settings | None = None
        """The settings, once they were read: when they are needed, or soon after the start."""
        self.fault: str | None = None
        """The error in the settings file; the defaults are used then."""
        self.timer: Timer | None = None
        self.has_agreed_to_more = False
        """Whether the user has agreed to read more papers at a time than the limit."""
        self.is_tex = False
        self.drafts: dict[tuple[int, int], PassDetails] = {}
        """Paper and pass → minutes and takeaway that were typed but not accepted."""
        self.typed: dict[str, str] = {}
        """Title of a window → the line that was typed last, accepted or not."""
        self._history: list[tuple[int, int | None]] = []
        """Actions of this session with the cursor's paper; only the writer's thread uses it."""
        self._refused: int | None = None
        """The action that the last undo could not take back."""
        self.store = self.open_store()
        self._first_version = data_version(self.store)
        self.progress = InboxProgress(self.now())
        set_patience(self.store, _PATIENCE_SECONDS)
        self.writer = Writer(self.open_store)

    @cached_property
    def searcher(self) -> ThreadPoolExecutor:
        """Threads for searches only.

        The event loop's threads would all wait while the library is locked.
        """
        return _thread("papertrack-search", _MAX_SEARCHES)

    @cached_property
    def background(self) -> ThreadPoolExecutor:
        """Threads for long jobs only: the event loop's own would delay the end of the screen."""
        return _thread("papertrack-background", _MAX_JOBS)

    @property
    def settings(self) -> Settings:
        return self.known_settings or self.read_settings()

    def read_settings(self) -> Settings:
        """Read the settings, or the defaults with the ``fault`` if one of them is invalid."""
        try:
            self.known_settings = load_settings(self.library, self.environ, self._note_fault)
        except PapertrackError as error:
            self.fault, self.known_settings = str(error), Settings()
        return self.known_settings

    def _note_fault(self, message: str) -> None:
        self.fault = message

    def may_change_look(self) -> bool:
        """Return, quickly, whether settings may change keys or theme."""
        try:
            return is_set(self.library, self.environ, "tui")
        except PapertrackError:
            return True

    def open_store(self) -> Store:
        """Open another connection, for another thread.

        Raises PapertrackError for an untrusted library that leads out of its folder.
        """
        refuse_links_out(self.library)
        store = open_library(self.library, now=self.now)
        store.read_citekey_template = lambda: self.settings.citekeys.template
        connect(store, self.library, os.environ)
        return store

    def look(
        self, read: Callable[Concatenate[Store, P], T], *rest: P.args, **options: P.kwargs
    ) -> T | None:
        """Return the result of ``read``, or None while another process locks the library."""
        return when_free(self.store, partial(read, self.store, *rest, **options))

    def read_in_thread(self, read: Callable[[Store], T]) -> T:
        """Return the result of ``read``, for use in another thread. Raises StoreError."""
        with readable_errors(self.library.database), self.open_store() as store:
            return read(store)

    async def search(self, read: Callable[[Store], T]) -> T:
        """Return the result of ``read`` from a search thread, which ends when nobody waits for it.

        Raises StoreError while the library cannot be read.
        """
        is_abandoned = threading.Event()

        def search(store: Store) -> T:
            store.connection.set_progress_handler(is_abandoned.is_set, _CHECK_EVERY)
            return read(store)

        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.searcher, self.read_in_thread, search)
        finally:
            is_abandoned.set()

    def close(self) -> None:
        """Wait for pending writes, then close."""
        if "searcher" in vars(self):
            self.searcher.shutdown(wait=False, cancel_futures=True)
        self.writer.close()
        has_changed = when_free(self.store, lambda: data_version(self.store)) != self._first_version
        self.store.close()
        if has_changed:
            from papertrack.actions.daily_backup import back_up_if_due

            # As after a command that wrote. The next command reports what fails here.
            with suppress(PapertrackError):
                back_up_if_due(self.library, self.now())

    def remember(self, done: Done | None, cursor_id: int | None) -> Done | None:
        """Record, in the writer's thread, the action that undo takes back next."""
        if done is not None:
            self._history.append((done.action_id, cursor_id))
        return done

    def replace(self, old: Done, new: Done | None) -> Done | None:
        """Record, in the writer's thread, that one action replaces another."""
        if new is not None:
            self._history = [
                (new.action_id if action_id == old.action_id else action_id, cursor_id)
                for action_id, cursor_id in self._history
            ]
        return new

    def undo(self, store: Store) -> Undone | LoggedAction | None:
        """Undo the last action of this session.

        If there is none left, return the action before it, which ``undo_further`` takes back once
        the user agrees.
        """
        from papertrack.actions.undo import next_to_undo, undo

        if not self._history:
            previous = next_to_undo(store)
            if previous is None or not self._is_of_this_session(previous):
                return None if previous is None else previous.action
            return _describe_undone(store, undo(store, self.library, previous.action.id))
        action_id, cursor_id = self._history.pop()
        try:
            return _describe_undone(store, undo(store, self.library, action_id), cursor_id)
        except InUseError:
            self._history.append((action_id, cursor_id))
            raise
        except PapertrackError:
            # The user can mend what prevents the undo. So the same key tries this action once more,
            # and then goes on to the one before it.
            if self._refused != action_id:
                self._refused = action_id
                self._history.append((action_id, cursor_id))
            raise

    def _is_of_this_session(self, previous: Next) -> bool:
        """Return whether a job of this session did it, such as an import.

        A note's link does not count, so that the user is asked, because the file stays.
        """
        at = datetime.fromisoformat(previous.action.at)
        return previous.is_own and at >= self.progress.started and previous.action.verb != "note"

    def undo_further(self, store: Store, action: LoggedAction) -> Undone | None:
        """Undo an action that was done before this session, or elsewhere."""
        from papertrack.actions.undo import undo

        return _describe_undone(store, undo(store, self.library, action.id))

    def redo(self, store: Store) -> Undone | None:
        """Redo what was undone last."""
        from papertrack.actions.undo import redo

        undone = _describe_undone(store, redo(store, self.library))
        if undone is not None:
            self.remember(undone.done, undone.cursor_id)
        return undone

    def process_with_lock(self) -> str | None:
        """Return the process that locks the library while changes wait, or None."""
        started = self.writer.job_started
        if started is None or time.monotonic() - started < _LOCKED_SECONDS:
            return None
        return lock_holder(self.library.database)

    def unsaved_texts(self) -> list[str]:
        """Return, as sentences, what was typed but not stored in the library."""
        drafts = [
            f"A takeaway that was not saved: {draft.takeaway}"
            for draft in self.drafts.values()
            if draft.takeaway
        ]
        if self.writer.lost_jobs:
            drafts.append(
                f"{plural(self.writer.lost_jobs, 'change')} could not be written: another process "
                "kept the library locked."
            )
        return drafts

    def minutes_on(self, paper_id: int | None) -> int | None:
        """Return the minutes, at least one, that the timer has run for the paper."""
        if self.timer is None or self.timer.paper_id != paper_id:
            return None
        return max(1, round((self.now() - self.timer.since).total_seconds() / 60))


class Cancelled(PapertrackError):
    """The user cancelled the job. What it had finished is kept."""


class Progress:
    """The progress of a job, set by its thread and shown by the screen's."""

    def __init__(self) -> None:
        self.state = ""
        self.cancelled = threading.Event()

    def tell(self, state: str) -> None:
        """Set the progress. Raises Cancelled if the user cancelled the job."""
        if self.cancelled.is_set():
            raise Cancelled("Cancelled.")
        self.state = state


class Job(NamedTuple):
    """A job that runs in the background."""

    name: str
    label: str
    """Its name in the palette."""
    asks_for: str | None
    """The question to ask before it starts, or None."""
    run: Callable[[Session, Store, str, Progress], str]
    """Does the job with the answer and returns the result as a sentence."""


def run_job(job: Job, session: Session, answer: str, progress: Progress) -> str:
    """Run a job to its end, and return its result as a sentence.

    Raises Cancelled if it was cancelled meanwhile, and the job's errors: PapertrackError.
    """
    with readable_errors(session.library.database), session.open_store() as store:
        store.connection.set_progress_handler(progress.cancelled.is_set, _CHECK_EVERY)
        try:
            return job.run(session, store, answer, progress)
        except (Cancelled, sqlite3.OperationalError) as error:
            if progress.cancelled.is_set():
                raise Cancelled(f"{job.label}: cancelled. What was finished is kept.") from error
            raise


def _describe_undone(
    store: Store, action: LoggedAction | None, cursor_id: int | None = None
) -> Undone | None:
    from papertrack.actions.undo import done_of

    if action is None:
        return None
    done = done_of(store, action)
    return Undone(done, cursor_id or next(iter(done.paper_ids), None))
