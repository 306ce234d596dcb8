"""What belongs into this device's log: kept with what it tells of until it is in the file.

The library is written first. Each text has its place in the file, so that whoever comes next, also
after a kill, writes what is missing there, and writes nothing twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from papertrack.store.database import Database

TAIL = 200
"""How many of the last bytes of a log are remembered."""
JOURNAL = "journal"
"""The folder of the logs, in the library's folder."""


class LogMark(NamedTuple):
    """How far a log was read."""

    size: int
    tail: bytes
    """The last bytes of what was read: what is read on must follow them."""
    unreadable: int
    waiting: int
    """How long it was when lines in it had to wait for others; 0 where none do."""


NEVER = LogMark(0, b"", 0, 0)
"""Of a log that nobody has read."""


def journal_folder(database: Path) -> Path:
    """Where a library with this database has its logs."""
    return database.parent.parent / JOURNAL


def log_marks(db: Database) -> dict[str, LogMark]:
    """How far each log was read, by its path in the journal's folder."""
    rows = db.execute("SELECT path, size, tail, unreadable, waiting FROM share_logs").fetchall()
    return {path: LogMark(*mark) for path, *mark in rows}


def mark_log(db: Database, path: str, mark: LogMark) -> None:
    """Remember how far a log was read."""
    db.insert(
        "share_logs (path, size, tail, unreadable, waiting)",
        (path, *mark),
        """(path) DO UPDATE SET size = excluded.size, tail = excluded.tail,
           unreadable = excluded.unreadable, waiting = excluded.waiting""",
    )


def forget_logs(db: Database, paths: Iterable[str]) -> None:
    """Forget how far logs were read that are not there any more, and what this device put there."""
    for path in paths:
        db.execute("DELETE FROM share_logs WHERE path = ?", (path,))
        db.execute("DELETE FROM share_outbox WHERE path = ?", (path,))


def put_out(db: Database, path: str, text: str) -> None:
    """Note what comes next in the device's log."""
    data = text.encode()
    mark = log_marks(db).get(path, NEVER)
    db.insert("share_outbox (path, start, text)", (path, mark.size, text))
    tail = (mark.tail + data)[-TAIL:]
    mark_log(db, path, mark._replace(size=mark.size + len(data), tail=tail))
    # What is older than last month is in the file, and in the clones. Not so what comes just now,
    # where a clock was set back, or older months are put together.
    db.execute(
        """DELETE FROM share_outbox WHERE path <> ? AND path NOT IN
           (SELECT DISTINCT path FROM share_outbox ORDER BY path DESC LIMIT 2)""",
        (path,),
    )


def complete_log_of(db: Database, database: Path) -> None:
    """As ``complete``, of the library with this database, as far as it goes: what cannot be
    written now is, when the next command looks, which also says so."""
    with suppress(OSError):
        complete(db, journal_folder(database))


def complete(db: Database, folder: Path) -> list[str]:
    """Write what is missing in this device's logs; return the paths that are other than they were
    left. Raises OSError."""
    paths = db.select_column("SELECT DISTINCT path FROM share_outbox ORDER BY path")
    return [path for path in paths if not _complete(db, path, folder / path)]


def _complete(db: Database, path: str, file: Path) -> bool:
    size = file.stat().st_size if file.exists() else 0
    wanted = log_marks(db)[path].size
    if size >= wanted:
        return size == wanted
    # What is missing, and what stands before it, by which the file is known: a log that begins
    # with a whole library is not read with every line.
    rows = db.execute(
        """SELECT start, text FROM share_outbox WHERE path = ?1 AND start >= ifnull(
               (SELECT max(start) FROM share_outbox WHERE path = ?1 AND start < ?2), 0)
           ORDER BY start""",
        (path, size),
    ).fetchall()
    data = b"".join(text.encode() for _, text in rows)
    first = rows[0][0]
    if size < first or _bytes_from(file, first) != data[: size - first]:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("r+b" if size else "wb") as log:
        # At its place: two that do this at once write the same there.
        log.seek(size)
        log.write(data[size - first :])
        log.flush()
        os.fsync(log.fileno())
    return True


def _bytes_from(file: Path, start: int) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as log:
        log.seek(start)
        return log.read()


def forget_outbox(db: Database) -> None:
    """Forget what was said under a name that this device has no more."""
    db.execute("DELETE FROM share_outbox")
