"""Open SQLite databases of unknown origin safely.

SQLite acts on files beside a database. A rollback journal may name any file as its super-journal,
and SQLite deletes that file (https://sqlite.org/tempfiles.html, section 2.3). So such a database is
never opened in place. It is copied into a private folder, with a journal or a write-ahead log that
passes a check, never with a ``-shm``, and read there.
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
"""The time limit of one query, because a view could run forever."""
BESIDE = ("-journal", "-wal", "-shm")
"""The suffixes of SQLite's files beside a database while it is written."""
_TRIES = 4
_PAUSE_SECONDS = 0.3
_STEPS = 100_000
_MIN_FREE = 64 * 2**20
"""Bytes that a copy leaves free on the disk."""
_MOST_BYTES = 4 * 2**30
"""The most bytes copied, since a sparse file may be small in an archive, and huge in a copy."""
_CHUNK = 2**20
_MAX_VALUE = 2**28
"""The largest value in bytes, because a computed column could fill the memory."""
_OLD_SECONDS = 86_400
_PREFIX = "papertrack-copy-"
"""The names of private folders begin with this; the id of their process follows."""

_JOURNAL_MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_LOG_VERSION = 3_007_000


def refuse_unsafe(path: Path) -> None:
    """Check the files beside a database before SQLite opens it in place.

    Raises StoreError for a journal that names a super-journal, and for a journal or log that is not
    a plain file.
    """
    for suffix in BESIDE:
        extra = path.with_name(path.name + suffix)
        try:
            mode = extra.lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise StoreError(
                f"{extra} is not a plain file, unlike the files that SQLite writes "
                "beside a database. Nothing was opened or changed: remove it, and run again."
            )
        if suffix == "-journal":
            with opened(extra) as file:
                _refuse_super_journal(file, extra)


def leftovers_of(path: Path) -> list[Path]:
    """Return the files beside a database that SQLite would act on."""
    files = (path.with_name(path.name + suffix) for suffix in BESIDE)
    return [file for file in files if os.path.lexists(file)]


@contextmanager
def private_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a read-only copy of a database, with its journal or log.

    The copy is deleted at the end. Raises NotFoundError, DamagedError for a damaged database, and
    StoreError for one that is unsafe, cannot be read, or needs more space than there is.
    """
    # Most commands open only their own library, which does not need this import.
    import tempfile

    _remove_leftovers(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as folder:
        copy = Path(folder) / "copy.sqlite"
        with closing(_consistent_copy(path, copy)) as connection:
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
        with open(path, "rb", opener=_open_unnoticed) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise StoreError(f"{path} is not a plain file.")
            yield file
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}. Check the name.") from None
    except OSError as error:
        raise StoreError(f"{path} could not be read: {error.strerror or error}.") from error


def _open_unnoticed(name: str, flags: int) -> int:
    # Otherwise, opening a pipe without a writer would block.
    flags |= getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(name, flags | getattr(os, "O_NOATIME", 0))
    except PermissionError:  # Only the owner may use O_NOATIME.
        return os.open(name, flags)


def _consistent_copy(path: Path, copy: Path) -> sqlite3.Connection:
    """Return a connection to a consistent copy, although its program may write meanwhile."""
    problem = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_SECONDS)
        state = _state_of(path)
        _refuse_too_large(path, copy.parent, sum(size for size, _ in state.values()))
        _copy_all(path, copy, state)
        _check_copied_files(path, copy)
        if _state_of(path) != state:
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
    state = {}
    for suffix in ("", "-journal", "-wal"):
        with suppress(OSError):
            status = path.with_name(path.name + suffix).stat()
            state[suffix] = status.st_size, status.st_mtime_ns
    return state


def _refuse_too_large(path: Path, folder: Path, size: int) -> None:
    if size > _MOST_BYTES:
        raise StoreError(
            f"{path}, with its journal or log, is larger than {_MOST_BYTES // 2**30} GB, so it was "
            "not read. Remove these two, or ask its maker for another copy."
        )
    free = _free_space(folder)
    # The log is written into the database too.
    if 2 * size + _MIN_FREE > free:
        raise StoreError(
            f"{path} has {size / 2**20:,.0f} MB, and papertrack reads a copy in "
            f"{folder.parent}, which has only {free / 2**20:,.0f} MB of free space. "
            "Make room there, or set TMPDIR to a folder on a larger disk."
        )


def _free_space(folder: Path) -> int:
    import shutil

    return shutil.disk_usage(folder).free


def _copy_all(path: Path, copy: Path, state: dict[str, tuple[int, int]]) -> None:
    """Copy the database, its journal and its log, up to the sizes in ``state``."""
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


def _check_copied_files(path: Path, copy: Path) -> None:
    """Check the files beside a copy, which no one else can change. Raises StoreError."""
    journal, log = (copy.with_name(copy.name + suffix) for suffix in ("-journal", "-wal"))
    if journal.exists():
        with journal.open("rb") as file:
            _refuse_super_journal(file, path.with_name(path.name + "-journal"))
    if log.exists():
        with log.open("rb") as file:
            is_valid = _is_valid_log(file)
        if not is_valid:  # SQLite ignores it too.
            log.unlink()


def _refuse_super_journal(journal: BinaryIO, path: Path) -> None:
    """Raise StoreError if SQLite would find the name of a super-journal at a journal's end.

    See readSuperJournal of pager.c. A journal that SQLite does not play back passes.
    """
    if journal.read(1) in (b"", b"\0"):
        return
    size = journal.seek(0, os.SEEK_END)
    journal.seek(max(0, size - 16))
    trailer = journal.read(16)
    if len(trailer) < 16 or trailer[8:] != _JOURNAL_MAGIC:
        return
    length = int.from_bytes(trailer[:4], "big")
    if 0 < length <= size - 16:
        journal.seek(size - 16 - length)
        name = journal.read(min(length, 300)).decode("utf-8", "replace")
        raise StoreError(
            f"{path} names another file, {name}, which SQLite would delete. Nothing was "
            "opened or changed. Remove the journal if you do not know its origin, and run again."
        )


def _is_valid_log(log: BinaryIO) -> bool:
    """Return whether SQLite would read a write-ahead log.

    Its header must have the right version and checksum (https://sqlite.org/fileformat2.html,
    section 4).
    """
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
    """Apply the log or journal to a copy, make it read-only, and return what is wrong with it."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
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
        if pages * size > _free_space(copy.parent):
            return f"its header says that it has {pages:,} pages"
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if verdict == "ok" else str(verdict).replace("\n", " ")


def _remove_leftovers(folder: Path) -> None:
    """Remove the copies that killed processes of this user left behind."""
    import shutil

    with suppress(OSError):
        for copy in folder.glob(f"{_PREFIX}*"):
            process, status = copy.name.removeprefix(_PREFIX).partition("-")[0], copy.lstat()
            is_own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
            is_own_copy = is_own and stat.S_ISDIR(status.st_mode) and process.isdecimal()
            is_old = status.st_mtime < time.time() - _OLD_SECONDS
            if is_own_copy and (is_old or not is_alive(int(process))):
                shutil.rmtree(copy, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Return whether a process exists; on a shared disk it may be another machine's, so guess."""
    if os.name == "nt" or process == os.getpid():
        return True  # On Windows, signal 0 would end the process.
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
