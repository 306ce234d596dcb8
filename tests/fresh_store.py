"""A new library for each test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from papertrack.store.store import Store

_CREATE = Store.create
"""As it is when nobody has put ``fresh_store`` in its place."""


def fresh_store(path: Path, *, now: Callable[[], datetime]) -> Store:
    """What ``Store.create`` makes or finds, from a copy: each of many tests would wait 30 ms."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(_new_library())
    return Store.open(path, now=now)


@cache
def _new_library() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "papertrack.db"
        _CREATE(path, now=lambda: datetime.now(UTC)).close()
        return path.read_bytes()
