"""Open SQLite databases of others so that they can do no harm.

SQLite acts on files beside a database. A rollback journal may name any file as its
super-journal, and SQLite deletes that file (https://sqlite.org/tempfiles.html, section 2.3). So
a stranger's database is never opened in place: it is copied into a folder of our own, with a
journal or a write-ahead log that passes a check, never with a ``-shm``, and read there.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from papertrack.errors import DamagedError, NotFoundError, StoreError

MOST_SECONDS = 120.0
"""How long one question may take: a planted view could continue for ever."""
BESIDE = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside a database while it is written."""
_TRIES = 4
_PAUSE_SECONDS = 0.3
_STEPS = 100_000
_ROOM_KEPT = 64 * 2**20
"""Bytes that a copy leaves free on the disk."""
_MOST_BYTES = 4 * 2**30
"""What is copied: a file with holes takes no space in an archive, and each command copies."""
_CHUNK = 2**20
_LONGEST_VALUE = 2**28
"""Bytes of one value: a column that is computed could fill the memory."""
_OLD_SECONDS = 86_400
_PREFIX = "papertrack-copy-"
"""Begins the name of each private folder; the number of the process that made it follows."""

_JOURNAL_MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_LOG_VERSION = 3_007_000


def refuse_unsafe(path: Path) -> None:
    """Check the files beside a database before SQLite opens it in place.

    Raises StoreError for a journal that names a super-journal, and for a journal or log that is
    not a plain file.
    """
    for suffix in BESIDE:
        beside = path.with_name(path.name + suffix)
        try:
            mode = beside.lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise StoreError(
                f"{beside} is not a plain file, unlike the files that SQLite writes "
                "beside a database. Nothing was opened or changed: remove it, and run "
                "again."
            )
        if suffix == "-journal":
            with opened(beside) as file:
                _refuse_super_journal(file, beside)


def leftovers_of(path: Path) -> list[Path]:
    """Return the files beside a database that SQLite would act on."""
    beside = (path.with_name(path.name + suffix) for suffix in BESIDE)
    return [file for file in beside if os.path.lexists(file)]


@contextmanager
def private_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only copy of a stranger's database, with its journal or log; it is deleted at
    the end.

    Raises NotFoundError, DamagedError for a damaged database, and StoreError for one that is
    unsafe, cannot be read, or for which there is no room.
    """
    # Most commands open their own library, which needs none of this.
    import tempfile

    _remove_leftovers(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as folder:
        copy = Path(folder) / "copy.sqlite"
        with closing(_whole_copy(path, copy)) as connection:
            yield connection


def limit_time(connection: sqlite3.Connection) -> None:
    """Interrupt the connection's next query if it takes too long."""
    end = time.monotonic() + MOST_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a plain file for reading, without changing even its access time.

    Raises NotFoundError or StoreError.
    """
    try:
        with open(path, "rb", opener=_unnoticed) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise StoreError(f"{path} is not a plain file.")
            yield file
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}. Check the name.") from None
    except OSError as error:
        raise StoreError(f"{path} could not be read: {error.strerror or error}.") from error


def _unnoticed(name: str, flags: int) -> int:
    # A pipe that nobody writes to would never be opened otherwise.
    flags |= getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(name, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:  # Only the owner may.
        return os.open(name, flags)


def _whole_copy(path: Path, copy: Path) -> sqlite3.Connection:
    """Return a connection to a copy of one moment: its program may write while it is copied."""
    problem = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        before = _state_of(path)
        _refuse_too_large(path, copy.parent, sum(size for size, _ in before.values()))
        _copy_all(path, copy, before)
        _check_beside(path, copy)
        if _state_of(path) != before:
            problem = "it is being written just now"
            continue
        connection = sqlite3.connect(copy, isolation_level=None)
        try:
            problem = _problem_of(connection, copy)
        except BaseException:
            connection.close()
            raise
        if not problem:
            return connection
        connection.close()
    raise DamagedError(
        f"{path} is a database that cannot be read ({problem}). Nothing was imported: "
        "close its program, or name a copy."
    ) from sqlite3.DatabaseError(problem)


def _state_of(path: Path) -> dict[str, tuple[int, int]]:
    """Return the size and time of the database, its journal and its log, by their suffix."""
    found = {}
    for suffix in ("", "-journal", "-wal"):
        with suppress(OSError):
            status = path.with_name(path.name + suffix).stat()
            found[suffix] = status.st_size, status.st_mtime_ns
    return found


def _refuse_too_large(path: Path, folder: Path, size: int) -> None:
    if size > _MOST_BYTES:
        raise StoreError(
            f"{path}, with its journal or log, is larger than {_MOST_BYTES // 2**30} GB, so it was "
            "not read. Remove these two, or ask its maker for another copy."
        )
    free = _free_room(folder)
    # A log is written into the database as well.
    if 2 * size + _ROOM_KEPT > free:
        raise StoreError(
            f"{path} has {size / 2**20:,.0f} MB, and papertrack reads a copy in "
            f"{folder.parent}, which has only {free / 2**20:,.0f} MB of free space. "
            "Make room there, or set TMPDIR to a folder on a larger disk."
        )


def _free_room(folder: Path) -> int:
    import shutil

    return shutil.disk_usage(folder).free


def _copy_all(path: Path, copy: Path, state: dict[str, tuple[int, int]]) -> None:
    """Copy the database, its journal and its log, none longer than it was found to be."""
    for suffix in BESIDE:
        copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    for suffix, (size, _) in state.items():
        source, target = path.with_name(path.name + suffix), copy.with_name(copy.name + suffix)
        if suffix and source.is_symlink():
            raise StoreError(
                f"{source} is a link, which SQLite does not follow for journals or logs."
            )
        with opened(source) as file, target.open("wb") as into:
            while size > 0 and (chunk := file.read(min(size, _CHUNK))):
                into.write(chunk)
                size -= len(chunk)


def _check_beside(path: Path, copy: Path) -> None:
    """Check what lies beside a copy, which nobody else can change. Raises StoreError."""
    journal, log = (copy.with_name(copy.name + suffix) for suffix in ("-journal", "-wal"))
    if journal.exists():
        with journal.open("rb") as file:
            _refuse_super_journal(file, path.with_name(path.name + "-journal"))
    if log.exists():
        with log.open("rb") as file:
            is_sound = _is_sound(file)
        if not is_sound:  # SQLite passes over it as well.
            log.unlink()


def _refuse_super_journal(journal: BinaryIO, path: Path) -> None:
    """Raise StoreError where SQLite would find the name of a super-journal at a journal's end
    (readSuperJournal of pager.c); of one that is not played back nothing is said."""
    if journal.read(1) in (b"", b"\0"):
        return
    size = journal.seek(0, os.SEEK_END)
    journal.seek(max(0, size - 16))
    end = journal.read(16)
    if len(end) < 16 or end[8:] != _JOURNAL_MAGIC:
        return
    length = int.from_bytes(end[:4], "big")
    if 0 < length <= size - 16:
        journal.seek(size - 16 - length)
        name = journal.read(min(length, 300)).decode("utf-8", "replace")
        raise StoreError(
            f"{path} names another file, {name}, which SQLite would delete. Nothing was "
            "opened or changed. Remove the journal if you do not know its origin, and "
            "run again."
        )


def _is_sound(log: BinaryIO) -> bool:
    """Whether SQLite would read a write-ahead log: its head says what it is, and sums up to what it
    says (https://sqlite.org/fileformat2.html, section 4)."""
    import struct

    head = log.read(32)
    if len(head) < 32:
        return False
    magic, version, *_, first_sum, second_sum = struct.unpack(">8I", head)
    words = struct.unpack(">6I" if magic & 1 else "<6I", head[:24])
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    is_log = magic & ~1 == 0x377F0682 and version == _LOG_VERSION
    return is_log and (first_sum, second_sum) == (first, second)


def _problem_of(connection: sqlite3.Connection, copy: Path) -> str:
    """Take in what lies beside a copy, close it to writing, and return what is wrong with it."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    limit_time(connection)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA mmap_size = 0")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        connection.execute("PRAGMA query_only = ON")
        (pages,), (size,) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
        if pages * size > _free_room(copy.parent):
            return f"its header says that it has {pages:,} pages"
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if verdict == "ok" else str(verdict).replace("\n", " ")


def _remove_leftovers(folder: Path) -> None:
    """Remove the copies that killed processes of this user left behind."""
    import shutil

    with suppress(OSError):
        for left in folder.glob(f"{_PREFIX}*"):
            process, status = left.name.removeprefix(_PREFIX).partition("-")[0], left.lstat()
            is_own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
            is_ours = is_own and stat.S_ISDIR(status.st_mode) and process.isdecimal()
            is_old = status.st_mtime < time.time() - _OLD_SECONDS
            if is_ours and (is_old or not is_alive(int(process))):
                shutil.rmtree(left, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Return whether there is such a process; for another machine's, on a shared disk, this is a
    guess."""
    if os.name == "nt" or process == os.getpid():
        return True  # There, a signal of 0 would end the process.
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
