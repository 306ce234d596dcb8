"""Copies of a library's database: whole and checked, and the moment in which one is put back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import StoreError
from papertrack.store.database import APPLICATION_ID, Database
from papertrack.store.store import (
    BUSY_TIMEOUT_SECONDS,
    connect,
    damaged,
    readable_errors,
    refuse_what_is_no_library,
    schema_version,
)

_UNREADABLE = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_CANTOPEN")


@dataclass(frozen=True, slots=True)
class Copy:
    """A library as it was at one moment."""

    data: bytes
    """The bytes of its file."""
    papers: int


def whole_copy(path: Path) -> Copy:
    """A copy of the library in a file, checked page by page.

    Raises NotFoundError when there is none, and StoreError when it is damaged, no library, of a
    newer papertrack, or written by another process all the time.
    """
    refuse_what_is_no_library(path)
    with (
        readable_errors(path),
        closing(connect(path)) as source,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        source.backup(copy)
        db = Database(copy)
        schema_version(db, path)
        if db.select_value("PRAGMA application_id") != APPLICATION_ID:
            raise StoreError(f"{path} is a database without anything in it: no library.")
        verdict = db.select_value("PRAGMA integrity_check(1)")
        if verdict != "ok":
            raise damaged(path, verdict)
        return Copy(copy.serialize(), db.select_value("SELECT count(*) FROM papers"))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep all others from writing a library's database while its file is replaced.

    A file that is lost, or too damaged to be locked, is nobody's. Whoever has the old file open is
    refused by SQLite when it comes to write. Raises StoreError when another process writes.

    Nothing may open and close the file meanwhile: by POSIX's rules that would end the lock.
    """
    if not path.exists():
        yield
        return
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
        with readable_errors(path):
            _lock(connection)
        yield


def _lock(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        if not getattr(error, "sqlite_errorname", "").startswith(_UNREADABLE):
            raise
