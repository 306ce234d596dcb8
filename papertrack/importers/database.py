"""Databases of other tools: what their tables hold, read in a private copy alone.

Zotero 10 keeps its last changes in a write-ahead log beside the database, which is locked while it
runs. Only a copy of both has all of it; the source is never opened by SQLite, so that nothing
appears beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from papertrack.errors import DocumentError, StoreError
from papertrack.foreign_database import limit_time, private_copy

MAGIC = b"SQLite format 3\0"
_MOST_ANSWERED = 2**29
"""Bytes of all that one question answers: thousands of rows may name one value, or compute it."""
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
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.set_authorizer(_only_reading)

    def has(self, *tables: str) -> bool:
        """Whether it has all of these."""
        return self.tables.issuperset(tables)

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none of one that it does not have."""
        return self._columns.get(table, frozenset())

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What it answers. Raises DocumentError for a damaged one, and for too much."""
        limit_time(self._connection)
        found, room = [], _MOST_ANSWERED
        try:
            for row in self._connection.execute(sql, values):
                found.append(row)
                room -= sum(len(value) for value in row if isinstance(value, str | bytes))
                if room < 0:
                    raise DocumentError(
                        f"The database answers more than {_MOST_ANSWERED / 2**20:,.0f} MB to one "
                        "question, as none of its program does. Nothing of it was taken."
                    )
        except sqlite3.Error as error:
            raise DocumentError(f"The database cannot be read: {error}.") from error
        return found

    def number(self, sql: str) -> int:
        """The one number that it answers."""
        return int(self.rows(sql)[0][0] or 0)


def is_database(head: bytes) -> bool:
    """Whether a file begins as one of SQLite's."""
    return head.startswith(MAGIC)


@contextmanager
def foreign_database(path: Path) -> Iterator[ForeignDatabase]:
    """A copy of a database, with what its log holds; it is gone at the end.

    Raises NotFoundError, and DocumentError for one that is damaged or unsafe.
    """
    try:
        with private_copy(path) as connection:
            yield ForeignDatabase(connection)
    except StoreError as error:
        raise DocumentError(str(error)) from error


def _only_reading(what: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if what in _ALLOWED else sqlite3.SQLITE_DENY


def _is_plain(sql: str | None) -> bool:
    return sql is None or not sql.lstrip().upper().startswith("CREATE VIRTUAL")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
