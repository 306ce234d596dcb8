"""All that is the reader's in a folder, in a form that two runs can be compared by."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

DATABASE = "library/data/papertrack.db"
_OWN = ("papertrack.db", "pdf-texts.db", "-journal", ".bak", ".lock", "network.json", "network.new")
"""Ends of names of files that papertrack keeps for itself; of its database the tables count."""
_UNLIKE = {
    "written_files": ("intent",),
    "readings": ("key",),
    "actions": ("sitting",),
    "versions": ("id", "lines", "entries"),
    "_sqlite_migrations": ("applied_at",),
}
"""Columns whose values are drawn by lot, or of the machine's own clock, or say at which terminal
something was done; of what a file was at some
time, that it is known counts, and not how often it was noted or by which steps."""
_NOT_THE_READERS = (
    *("in_step", "sqlite_sequence", "watch_runs", "watch_looks"),
    *("texts", "version_moments"),
)
"""Tables that are found out anew at any time, the next numbers to give away, the log of runs, in
which one that was killed stands too, and of what versions are made, and when."""
_NUMBERED = {"actions": ("id",), "changes": ("id", "action_id")}
"""Columns whose numbers may have gaps: only their order counts."""
_OF_SEARCH = "search_"
"""How the tables begin in which SQLite keeps its search index; the index itself counts."""

_INODE = re.compile(rb'(?<="inode": )[0-9]+')
"""By which a trusted folder is known: another one each time it is made."""

_KEY = re.compile(r'"key": *"[0-9a-f]{10}"')
"""The random key of a reading."""

Row = tuple[object, ...]


@dataclass(frozen=True)
class State:
    """What a folder holds: rows by table, and bytes by file."""

    tables: Mapping[str, list[Row]]
    files: Mapping[str, bytes]

    def differences(self, other: State) -> list[str]:
        """Where the other one is not the same, as ``table readings`` or ``file README.md``."""
        return [
            f"{what} {name}"
            for what, mine, theirs in (
                ("table", self.tables, other.tables),
                ("file", self.files, other.files),
            )
            for name in sorted({*mine, *theirs})
            if mine.get(name) != theirs.get(name)
        ]


Columns = Mapping[str, Collection[str]]
"""Table → columns."""


def state_of(folder: Path, by_lot: Columns = _UNLIKE) -> State:
    """What is the reader's below a folder; of what is drawn by lot, whether there is a value."""
    return State(tables_of(folder / DATABASE, by_lot), dict(_files(folder)))


def tables_of(database: Path, by_lot: Columns = _UNLIKE) -> dict[str, list[Row]]:
    """The rows of a library, without what is drawn by lot or made anew; none if there is none."""
    if not database.exists() or not database.stat().st_size:
        return {}
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE ? || '%'",
            (_OF_SEARCH,),
        ).fetchall()
        return {
            name: sorted(_rows(connection, name, by_lot.get(name, ())), key=repr)
            for (name,) in names
            if name not in _NOT_THE_READERS
        }


def damage_of(database: Path) -> str | None:
    """What SQLite finds wrong with a database; None if nothing."""
    if not database.exists() or not database.stat().st_size:
        return None
    with closing(sqlite3.connect(database)) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
        lost = connection.execute("PRAGMA foreign_key_check").fetchall()
    return None if found == "ok" and not lost else f"{found} {lost}"


def rubbish_in(folder: Path) -> list[str]:
    """Files that are left of a run and that nobody needs any more."""
    found = [
        *folder.rglob(".*papertrack-*"),
        *folder.rglob("*.intent"),
        *folder.rglob("*.partial"),
    ]
    return sorted(str(path.relative_to(folder)) for path in found)


def put_back(kept: Path, folder: Path) -> None:
    """Let a folder hold again what was kept: the folders in it, such as libraries, stay the same,
    since it is by these that a library is trusted."""
    for path in folder.iterdir():
        if path.is_symlink() or not path.is_dir():
            path.unlink()
        elif (kept / path.name).is_dir():
            _empty(path)
        else:
            shutil.rmtree(path)
    shutil.copytree(kept, folder, symlinks=True, dirs_exist_ok=True)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _rows(connection: sqlite3.Connection, table: str, unlike: Collection[str]) -> Iterator[Row]:
    columns = _columns(connection, table)
    numbered = _NUMBERED.get(table, ())

    def taken(name: str) -> str:
        if name in numbered:
            return f"dense_rank() OVER (ORDER BY {name})"
        return f"{name} IS NULL" if name in unlike else name

    rows = connection.execute(f"SELECT DISTINCT {', '.join(map(taken, columns))} FROM {table}")
    if table != "changes":
        yield from rows
        return
    for row in rows:  # Its texts contain rows, also of readings.
        yield tuple(_KEY.sub("", value) if isinstance(value, str) else value for value in row)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or path.is_dir() or name.endswith(_OWN):
            continue
        if ".papertrack-" not in path.name:
            yield name, _INODE.sub(b"", path.read_bytes())
