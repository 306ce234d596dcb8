"""Locks in the library's folder, so that two processes do not do the same work at once."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from papertrack.errors import PapertrackError
from papertrack.library import Library


def lock_path(library: Library, name: str) -> Path:
    """The file of the lock on one kind of work, such as ``watch``."""
    return library.state_dir / f"{name}.lock"


def take_lock(library: Library, name: str, *, seconds: float) -> FileLock | None:
    """The lock, held until its ``release``; None when another process keeps it for so long.

    Raises PapertrackError when the library's folder cannot be written.
    """
    lock = FileLock(lock_path(library, name))
    try:
        library.state_dir.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=seconds, poll_interval=0.02)
    except Timeout:
        return None
    except OSError as error:
        raise PapertrackError(
            f"{library.state_dir} could not be written: {error.strerror or error}. "
            "Nothing was asked; check its permissions."
        ) from error
    return lock
