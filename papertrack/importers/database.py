"""Databases of other tools, read in a private copy.

While it runs, Zotero 10 locks its database and keeps the last changes in a write-ahead log beside
it. Only a copy of both files is complete. SQLite never opens the source itself, so that no file
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
_MAX_RESULT = 2**29
"""The most bytes of one query's result, because rows may repeat or compute large values."""
_ROW_BYTES = 100
"""What a row takes beside its texts."""
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


class ForeignDatabase:
    """A private copy of another tool's database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        kinds = connection.execute(
            "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
        )
        self.tables = frozenset(
            name for name, kind, sql in kinds if kind == "table" and _is_plain(sql)
        )
        """The database's real tables: no views, and no virtual tables."""
        self._columns: dict[str, frozenset[str]] = {
            table: frozenset(
                row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")
            )
            for table in self.tables
        }
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.set_authorizer(_allow_reading)

    def has(self, *tables: str) -> bool:
        """Return whether it has all of these tables."""
        return self.tables.issuperset(tables)

    def columns(self, table: str) -> frozenset[str]:
        """Return the columns of a table; none if there is no such table."""
        return self._columns.get(table, frozenset())

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the result of a query. Raises DocumentError if damaged or too large."""
        limit_time(self._connection)
        result, room = [], _MAX_RESULT
        try:
            for row in self._connection.execute(sql, values):
                result.append(row)
                room -= _ROW_BYTES + sum(
                    len(value) for value in row if isinstance(value, str | bytes)
                )
                if room < 0:
                    raise DocumentError(
                        f"The database answers a query with over {_MAX_RESULT / 2**20:,.0f} MB, "
                        "which its own program never needs. Nothing was imported."
                    )
        except sqlite3.Error as error:
            raise DocumentError(f"The database cannot be read: {error}.") from error
        return result

    def number(self, sql: str) -> int:
        """Return the single number that a query gives."""
        return int(self.rows(sql)[0][0] or 0)


def is_database(head: bytes) -> bool:
    """Return whether a file begins like an SQLite database."""
    return head.startswith(MAGIC)


@contextmanager
def foreign_database(path: Path) -> Iterator[ForeignDatabase]:
    """Yield a copy of a database and its log, and remove it at the end.

    Raises NotFoundError, and DocumentError for a damaged or unsafe database.
    """
    try:
        with private_copy(path) as connection:
            yield ForeignDatabase(connection)
    except StoreError as error:
        raise DocumentError(str(error)) from error


def _allow_reading(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _is_plain(sql: str | None) -> bool:
    return sql is None or not sql.lstrip().upper().startswith("CREATE VIRTUAL")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
