"""The condition of a library's database: checked copies, restoring, problems, and rebuilding."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import NotFoundError, StoreError
from papertrack.foreign_database import private_copy
from papertrack.store import index
from papertrack.store.database import APPLICATION_ID, PAGE_SIZE, Database
from papertrack.store.lookup import each_paper
from papertrack.store.schema import refuse_foreign
from papertrack.store.store import (
    BUSY_TIMEOUT_SECONDS,
    Store,
    connect,
    damaged,
    readable_errors,
    refuse_what_is_no_library,
    schema_version,
)

_UNREADABLE = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_CANTOPEN")


@dataclass(frozen=True, slots=True)
class Copy:
    """A checked copy of a library's file."""

    data: bytes
    """The bytes of its file."""
    papers: int
    outside: tuple[str, ...]
    """The registered documents outside the library's folder."""


def checked_copy(path: Path, *, is_in_use: bool = False) -> Copy:
    """Return a copy of a library's file, checked page by page.

    A file in use is read under SQLite's locks. Any other file may come from a stranger. Raises
    NotFoundError when there is none, and StoreError when it is damaged, not a library, of a newer
    papertrack, or constantly written by another process.
    """
    refuse_what_is_no_library(path)
    with (
        readable_errors(path),
        closing(connect(path)) if is_in_use else private_copy(path) as source,
        closing(sqlite3.connect(":memory:")) as copy,
    ):
        source.backup(copy)
        db = Database(copy)
        schema_version(db, path)
        if db.select_value("PRAGMA application_id") != APPLICATION_ID:
            raise StoreError(f"{path} is an empty database, not a library.")
        if (verdict := db.select_value("PRAGMA integrity_check(1)")) != "ok":
            raise damaged(path, verdict) from sqlite3.DatabaseError(verdict)
        outside = "SELECT path FROM documents WHERE path GLOB '/*' OR path GLOB '?:*' ORDER BY path"
        papers = db.select_value("SELECT count(*) FROM papers")
        return Copy(copy.serialize(), papers, tuple(map(str, db.select_column(outside))))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep others from writing a library's database while its file is replaced.

    A missing file, or one too damaged to be locked, needs no lock. A process that has the old
    file open gets an error from SQLite when it writes. Raises StoreError when another process
    writes.

    Nothing may open and close the file in the meantime: by POSIX rules that would end the lock.
    """
    if not path.exists():
        yield
        return
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
        with readable_errors(path):
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.DatabaseError as error:
                if not getattr(error, "sqlite_errorname", "").startswith(_UNREADABLE):
                    raise
        yield


def find_damage(path: Path) -> Iterator[str]:
    """Yield messages on damage that prevents a library's file from being read or written.

    Checks a copy in memory, so that nothing is locked for long. Damage is never raised.
    """
    try:
        refuse_what_is_no_library(path)
        memory = closing(sqlite3.connect(":memory:", isolation_level=None))
        with readable_errors(path), memory as copy:
            with closing(connect(path)) as source:
                source.backup(copy)
            yield from _find_in(Database(copy), path)
    except (NotFoundError, StoreError) as error:
        yield str(error)


def find_unreadable(store: Store) -> Iterator[str]:
    """Yield messages on papers that cannot be read although all pages are intact.

    An example is an invalid character.
    """
    try:
        with readable_errors(store.path):
            deque(each_paper(store, store.select_column("SELECT id FROM papers")), maxlen=0)
    except StoreError as error:
        yield str(error)


def is_search_broken(store: Store) -> bool:
    """Return whether the search index lacks papers, or is damaged."""
    try:
        store.insert("search (search)", ("integrity-check",))
        return index.is_stale(store)
    except sqlite3.DatabaseError:
        return True


def last_action(path: Path, *, is_in_use: bool = False) -> tuple[int, str]:
    """Return the number and time of the last action in a library or backup.

    They are 0 and empty for a new library. Raises StoreError.
    """
    opened = closing(connect(path)) if is_in_use else private_copy(path)
    with readable_errors(path), opened as source:
        row = source.execute("SELECT id, at FROM actions ORDER BY id DESC LIMIT 1").fetchone()
    return tuple(row) if row else (0, "")


def rebuild_search(store: Store) -> None:
    """Rebuild the search index from the papers. Raises StoreError."""
    with store.transaction():
        made = index.index_sql(store)
        store.execute("DROP TABLE search")
        store.execute(made)
        store.execute("DELETE FROM unindexed")
        store.execute("INSERT INTO unindexed SELECT id FROM papers")


def size_of(store: Store) -> int:
    """Return the size of the library's database in bytes."""
    pages, size = (store.select_value(f"PRAGMA {name}") for name in ("page_count", "page_size"))
    return int(pages * size)


def compact(store: Store) -> None:
    """Rewrite the database without unused space: all or nothing.

    Raises StoreError when there is no room for both, or another process holds the library.
    """
    with readable_errors(store.path):
        with store.transaction():
            store.insert("search (search)", ("optimize",))
        store.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        store.execute("VACUUM")


def note_paths(store: Store) -> list[str]:
    """Return the notes of all papers, under the library's names for their files."""
    return store.select_column("SELECT DISTINCT path FROM notes ORDER BY path")


def _find_in(db: Database, path: Path) -> Iterator[str]:
    schema_version(db, path)
    if (verdicts := db.select_column("PRAGMA integrity_check(3)")) != ["ok"]:
        yield str(damaged(path, "; ".join(verdicts)))
        return
    if tables := sorted({row[0] for row in db.execute("PRAGMA foreign_key_check")}):
        yield (
            f"Rows of {', '.join(tables)} in {path} belong to papers that no longer "
            "exist. `papertrack backup --restore` restores a backup."
        )
    try:
        refuse_foreign(db, path)
    except StoreError as error:
        yield str(error)
