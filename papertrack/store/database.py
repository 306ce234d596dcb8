"""A connection to a library: runs SQL with parameters, and returns the results.

Parameters may be dates, which are stored in ISO 8601, and lists, tuples or dicts, stored as JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from papertrack.text import group

APPLICATION_ID = 0x70747270
"""``ptrp``: marks a papertrack library among SQLite files (PRAGMA application_id)."""
EARLY_APPLICATION_IDS = (0x70747262, 0x7074726B, 0x7074726C, 0x7074726D, 0x7074726E, 0x7074726F)
"""``ptrb``, ``ptrk`` to ``ptro``: libraries of 0.1 and of schemas that were never released."""

PAGE_SIZE = 8192
"""The page size of new and rewritten files, which suits rows with an abstract."""

to_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
sqlite3.register_adapter(date, date.isoformat)


def _as_json(value: Any) -> str:
    if value:
        return to_json(value)
    return "{}" if isinstance(value, dict) else "[]"  # As most are: an import has several a paper.


for _kind in (list, tuple, dict):
    sqlite3.register_adapter(_kind, _as_json)
_T = TypeVar("_T")


class Database:
    """A connection, with methods for common queries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self.connection.execute(sql, parameters)
        except UnicodeDecodeError as error:
            # What SQLite says of a damaged schema quotes it, with bytes that are no text.
            raise _WrongLetter(str(error)) from error

    def insert(self, into: str, values: Sequence[object], on_conflict: str = "") -> sqlite3.Cursor:
        """Insert one row into a table; ``table`` names the table with its columns.

        ``on_conflict`` is what happens to an existing row: ``DO NOTHING``.
        """
        return self.execute(_insertion(into, len(values), on_conflict), values)

    def insert_many(
        self, into: str, rows: Iterable[Sequence[object]], on_conflict: str = ""
    ) -> None:
        """Insert rows into a table; ``table`` names the table with its columns."""
        sql = _insertion(into, into.count(",") + 1, on_conflict)
        self.connection.executemany(sql, rows)

    def select_value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Return the first value of the first row; None if there is no row."""
        row = self.execute(sql, parameters).fetchone()
        return row[0] if row else None

    def select_column(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the first value of every row."""
        return [row[0] for row in self.execute(sql, parameters)]

    def select_dict(self, sql: str, parameters: Sequence[Any] = ()) -> dict[Any, Any]:
        """Return a dictionary from the first value of every row to the second."""
        return dict(self.execute(sql, parameters).fetchall())

    def select_groups(self, sql: str, parameters: Sequence[Any] = ()) -> dict[Any, list[list[Any]]]:
        """Return the rows without their first value, grouped by that value."""
        return group((key, rest) for key, *rest in self.execute(sql, parameters))

    def select_records(
        self, record: Callable[..., _T], sql: str, parameters: Sequence[Any] = ()
    ) -> list[_T]:
        """Return every row as a record, whose fields are the columns in order.

        A field's type defines how its column is read: from JSON, as a date, as a bool.
        """
        cursor = self.execute(sql, parameters)
        readers = _readers(record, len(cursor.description))
        rows = list(map(list, cursor))
        for row in rows:
            for place, read in readers:
                if row[place] is not None:
                    row[place] = read(row[place])
        return [record(*row) for row in rows]

    def find_record(
        self, record: Callable[..., _T], sql: str, parameters: Sequence[Any] = ()
    ) -> _T | None:
        """Return the first row as a record; None if there is no row."""
        return next(iter(self.select_records(record, sql, parameters)), None)


def address_of(path: Path) -> str:
    """Return a file's URI for SQLite, without importing urllib as pathlib would."""
    name = path.absolute().as_posix()
    for char in "%?#":
        name = name.replace(char, f"%{ord(char):02x}")
    return f"file://{name}" if name.startswith("/") else f"file:///{name}"


def run_script(db: Database, script: str) -> None:
    """Run statements separated by blank lines, within the open transaction."""
    for statement in script.split("\n\n"):
        db.execute(statement)


def _insertion(into: str, values: int, on_conflict: str) -> str:
    conflict = f" ON CONFLICT {on_conflict}" if on_conflict else ""
    return f"INSERT INTO {into} VALUES ({', '.join('?' * values)}){conflict}"


@lru_cache(1_000)  # Most papers have one of few sets of categories.
def tuple_from_json(text: str) -> tuple[Any, ...]:
    """Parse a JSON list into a tuple, with nested lists as tuples.

    Raises SQLite's error for damage if the text is not a list.
    """
    if text == "[]":
        return ()  # As most are.
    try:
        return tuple(tuple(v) if isinstance(v, list) else v for v in json.loads(text))
    except ValueError as error:
        raise _WrongLetter(f"a list with an invalid character: {text[:40]!r}") from error


class _WrongLetter(sqlite3.DatabaseError):
    """Damage that SQLite cannot see: the pages are intact, but their content is wrong."""

    sqlite_errorname = "SQLITE_CORRUPT"


@cache
def _readers(record: Callable[..., object], columns: int) -> list[tuple[int, Callable[[Any], Any]]]:
    """Return the columns that need conversion, by position, with the functions that convert."""
    readers: dict[Any, Callable[[Any], Any]] = {
        bool: bool,
        date: date.fromisoformat,
        dict: json.loads,
        list: json.loads,
        tuple: tuple_from_json,
    }
    found = []
    for place, hint in enumerate(list(get_type_hints(record).values())[:columns]):
        kind = get_args(hint)[0] if isinstance(hint, UnionType) else hint
        kind = get_origin(kind) or kind
        read = kind if isinstance(kind, type) and issubclass(kind, Enum) else readers.get(kind)
        if read is not None:
            found.append((place, read))
    return found
