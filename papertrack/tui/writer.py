"""The one thread that writes to the library, in the order of the keys; no key waits for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from papertrack.store.store import Store, readable_errors

T = TypeVar("T")


class Writer:
    """Runs jobs one after the other on a store of its own. Close it: that waits for the rest."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="papertrack-writer")
        self._store: Store | None = None

    def submit(self, job: Callable[[Store], T]) -> Future[T]:
        """Put a job at the end of the queue."""
        return self._executor.submit(self._run, job)

    def close(self) -> None:
        self._executor.submit(self._close_store)
        self._executor.shutdown(wait=True)

    def _run(self, job: Callable[[Store], T]) -> T:
        # SQLite's connections belong to the thread that made them.
        if self._store is None:
            self._store = self._open_store()
        with readable_errors(self._store.path):
            return job(self._store)

    def _close_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
