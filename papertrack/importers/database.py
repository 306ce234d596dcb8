"""Databases of other tools: copied with what is not in them yet, and read in the copy alone.

Zotero 10 keeps its last changes in a write-ahead log beside the database, which is locked while it
runs. Only a copy of both that is opened for writing has all of it; the source is never opened by
SQLite, so that nothing appears beside it.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from papertrack.errors import DocumentError
from papertrack.importers.files import opened

MAGIC = b"SQLite format 3\0"
_BESIDE = ("-wal", "-journal")
"""What SQLite keeps beside a database that is not in it yet. Its ``-shm`` is made anew."""
_TRIES = 4
_PAUSE_SECONDS = 0.3
_MOST_SECONDS = 120.0
"""How long one question may take: a planted view could go on for ever."""
_STEPS = 100_000
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


class ForeignDatabase:
    """The copy of another tool's database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        kinds = connection.execute(
            "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
        )
        self.tables = frozenset(
            name for name, kind, sql in kinds if kind == "table" and _is_plain(sql)
        )
        """Its own tables: no views, and none that a program makes up."""
        self._columns: dict[str, frozenset[str]] = {
            table: frozenset(
                row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")
            )
            for table in self.tables
        }
        connection.set_authorizer(_only_reading)

    def has(self, *tables: str) -> bool:
        """Whether it has all of these."""
        return self.tables.issuperset(tables)

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none of one that it does not have."""
        return self._columns.get(table, frozenset())

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What it answers. Raises DocumentError for a damaged one."""
        end = time.monotonic() + _MOST_SECONDS
        self._connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise DocumentError(f"The database cannot be read: {error}.") from error

    def number(self, sql: str) -> int:
        """The one number that it answers."""
        return int(self.rows(sql)[0][0] or 0)


def is_database(head: bytes) -> bool:
    """Whether a file begins as one of SQLite's."""
    return head.startswith(MAGIC)


@contextmanager
def foreign_database(path: Path) -> Iterator[ForeignDatabase]:
    """A copy of a database, with what its log holds; it is gone at the end.

    Raises DocumentError for one that is damaged, and what ``opened`` raises.
    """
    with tempfile.TemporaryDirectory(prefix="papertrack-") as folder:
        copy = Path(folder) / "copy.sqlite"
        with closing(_whole_copy(path, copy)) as connection:
            yield ForeignDatabase(connection)


def _whole_copy(path: Path, copy: Path) -> sqlite3.Connection:
    """A copy of what is one moment's: its program may write while it is copied."""
    problem = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        before = _state_of(path)
        _copy_all(path, copy)
        if _state_of(path) != before:
            problem = "it is being written just now"
            continue
        connection = _connected(copy)
        if (problem := _problem_of(connection)) == "":
            return connection
        connection.close()
    raise DocumentError(
        f"{path} is a database that cannot be read ({problem}). Nothing of it was taken: close its "
        "program, or name a copy."
    )


def _copy_all(path: Path, copy: Path) -> None:
    for end in ("", *_BESIDE):
        source, target = path.with_name(path.name + end), copy.with_name(copy.name + end)
        target.unlink(missing_ok=True)
        if end and not source.is_file():
            continue
        with opened(source) as file, target.open("wb") as into:
            shutil.copyfileobj(file, into, 2**20)


def _state_of(path: Path) -> list[tuple[int, int] | None]:
    """What changes when a file or its log is written."""
    found: list[tuple[int, int] | None] = []
    for end in ("", *_BESIDE):
        one = path.with_name(path.name + end)
        try:
            status = one.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return found


def _connected(copy: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _problem_of(connection: sqlite3.Connection) -> str:
    """What is wrong with a copy; nothing for a whole one."""
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if verdict == "ok" else str(verdict).replace("\n", " ")


def _only_reading(what: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if what in _ALLOWED else sqlite3.SQLITE_DENY


def _is_plain(sql: str | None) -> bool:
    return sql is None or not sql.lstrip().upper().startswith("CREATE VIRTUAL")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
