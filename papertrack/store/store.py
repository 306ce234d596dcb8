"""The store: one open library file, its guards and its transactions."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from papertrack.errors import (
    DamagedError,
    DiskError,
    InUseError,
    NotFoundError,
    StoreError,
    UnconfirmedError,
)
from papertrack.foreign_database import leftovers_of, private_copy, refuse_unsafe
from papertrack.store import index
from papertrack.store.database import APPLICATION_ID, EARLY_APPLICATION_IDS, Database, address_of
from papertrack.store.schema import refuse_altered, refuse_foreign

if TYPE_CHECKING:
    from papertrack.store.journal import LoggedAction

SCHEMA_VERSION = 1
"""The number of the last migration (PRAGMA user_version)."""
BACKUPS = "backups"
"""The folder of backups, beside the library file."""
_TRIES = 4
_PAUSE_SECONDS = 0.3
BUSY_TIMEOUT_SECONDS = 10
"""How long a command waits for another writer before it says so."""


class Action:
    """The action in progress; its summary can be completed while it runs."""

    def __init__(self, id: int, summary: str) -> None:
        self.id = id
        self.summary = summary
        self.has_changes = False
        """Whether it changed anything; known at its end."""


class Ending(NamedTuple):
    """Something to run when the open transaction ends."""

    committed: Callable[[], None]
    rolled_back: Callable[[], object]


class Store(Database, AbstractContextManager["Store"]):
    """An open library. Close it, or use it in a ``with`` block. For one thread at a time."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, now: Callable[[], datetime]
    ) -> None:
        super().__init__(connection)
        self.path = path
        self.now = now
        self.is_trial = False
        """Whether this is a dry run, whose changes are visible while it lasts and then dropped."""
        self.is_copy = False
        """Whether the changes of a dry run stay visible after the action, until its end."""
        self.is_read_only = False
        """Whether it is the copy of a library that may not be opened in its own place."""
        self.read_citekey_template: Callable[[], str] | None = None
        """Reads the template for new citation keys from the settings; None to use the default."""
        self.pdf_folders: tuple[Path, ...] = ()
        """The folders with the library's PDFs, its own first; set by whoever opens it."""
        self.has_written = False
        """Whether anything was committed since it was opened."""
        self.on_change: Callable[[Store, set[int]], None] | None = None
        """Writes the records of changed papers, in a shared library."""
        self.on_wait: Callable[[], None] | None = None
        """Tells the user, after a second, that another process is writing."""
        self._stamp: str | None = None
        self._open_action: int | None = None
        self._at_end: list[Ending] = []
        self._is_own = False
        """Whether the schema is known to be papertrack's own."""

    @classmethod
    def create(cls, path: Path, *, now: Callable[[], datetime]) -> Self:
        """Make a new library file at ``path``, or open the existing one."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            pass  # Another process made it in the meantime: it is opened below.
        except OSError as error:
            raise StoreError(f"{path} cannot be created: {error.strerror}.") from error
        return cls.open(path, now=now, _may_be_empty=True)

    @classmethod
    def open(cls, path: Path, *, now: Callable[[], datetime], _may_be_empty: bool = False) -> Self:
        """Open the library file, upgrading its schema if an older papertrack made it.

        Raises NotFoundError when there is none, and StoreError when it is not a library, is
        damaged, or comes from a newer papertrack; in each case the file is not changed.
        """
        refuse_what_is_no_library(path, may_be_empty=_may_be_empty)
        return cls._opened(connect(path), path, now)

    @classmethod
    def open_copy(cls, path: Path, *, now: Callable[[], datetime], is_in_use: bool = True) -> Self:
        """Open a copy of the library for a dry run: changes are visible in it, and none is kept.

        An older schema is upgraded in the copy only. A file that is not in use may be a
        stranger's. Raises the errors of ``open``.
        """
        refuse_what_is_no_library(path)
        with (
            closing(connect(path)) if is_in_use else private_copy(path) as source,
            readable_errors(path),
        ):
            # A file of its own that nobody else sees, and that goes when it is closed.
            copy = sqlite3.connect("", isolation_level=None)
            source.backup(copy)
        return cls._opened(copy, path, now, is_copy=True)

    @classmethod
    def open_untrusted(cls, path: Path, *, now: Callable[[], datetime]) -> Self:
        """Open a library that may come from a stranger.

        If SQLite would act on files beside its database, a private read-only copy is opened. Raises
        the errors of ``open``.
        """
        for _ in range(_TRIES):
            # A process of the user's own that writes just now is ready in a moment.
            if not leftovers_of(path):
                return cls.open(path, now=now)
            time.sleep(_PAUSE_SECONDS)
        store = cls.open_copy(path, now=now, is_in_use=False)
        store.is_read_only = True
        return store

    @classmethod
    def _opened(
        cls,
        connection: sqlite3.Connection,
        path: Path,
        now: Callable[[], datetime],
        *,
        is_copy: bool = False,
    ) -> Self:
        try:
            with readable_errors(path):
                connection.create_function(
                    "indexed_form", 1, index.indexed_form, deterministic=True
                )
                connection.create_function("has_words", 3, index.has_words, deterministic=True)
                store = cls(connection, path, now)
                store.execute("PRAGMA foreign_keys = ON")
                # What a stranger planted in the schema may call nothing that reaches beyond it.
                store.execute("PRAGMA trusted_schema = OFF")
                store.execute("PRAGMA cell_size_check = ON")
                store.execute("PRAGMA synchronous = EXTRA")
                store.is_trial = store.is_copy = is_copy
                if schema_version(store, path) < SCHEMA_VERSION:
                    # Imported here because sqlite-utils costs more than the rest of a command.
                    from papertrack.store.migrations import bring_up_to_date

                    bring_up_to_date(store, path, wanted=SCHEMA_VERSION, is_copy=is_copy)
        except BaseException:
            connection.close()
            raise
        return store

    def close(self) -> None:
        self.connection.close()

    def __exit__(self, *error: object) -> None:
        if not self.is_copy:  # Whoever asked for a dry run ends it.
            self.close()
        if isinstance(error[1], sqlite3.DatabaseError):
            with readable_errors(self.path):
                raise error[1]

    def stamp(self) -> str:
        """Return the current time as the library stores it: ISO 8601 with offset, to the second.

        It does not change during an action, so that all its parts have the same time.
        """
        return self._stamp or self.now().astimezone().isoformat(timespec="seconds")

    @contextmanager
    def action(self, verb: str, summary: str = "", *, can_undo: bool = True) -> Iterator[Action]:
        """Open a user action: one transaction, one line in the log, one undo.

        On an exception, or in a dry run, nothing is kept. An action that changed nothing is not
        logged. Inside another action it becomes part of that one.
        """
        if self._open_action is not None:
            yield Action(self._open_action, summary)
            return
        from papertrack.store import journal  # What only reads needs none.

        with self.transaction():
            self._stamp = self.stamp()
            action_id = journal.begin(self, verb, summary, self._stamp, can_undo=can_undo)
            action = Action(action_id, summary)
            self._open_action = action_id
            try:
                yield action
            finally:
                self._open_action = None
            if self.on_change is not None:
                self.write_records(journal.touched_papers(self, action_id))
            action.has_changes = journal.finish(self, action.id, action.summary)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Run the ``with`` block as a dry run; no action may be open around it."""
        before = self.is_trial, self.is_copy
        self.is_trial, self.is_copy = True, False
        try:
            yield
        finally:
            self.is_trial, self.is_copy = before

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open a transaction that is not a user action.

        It is for tables without a journal, or for several writes that belong together, such as an
        undo and an action. On an exception nothing is kept. Inside an action it becomes part of
        that one.
        """
        if self.connection.in_transaction:
            yield
            return
        with self._transaction():
            yield

    def undo(self, action_id: int | None = None) -> LoggedAction | None:
        """Undo the last action, or the named one; return None if there is none.

        Raises NotFoundError when the named one does not exist, ConflictError when it cannot be
        undone, and when a later action changed the same rows, or needs them to be gone.
        """
        return self._replay("done", action_id)

    def redo(self) -> LoggedAction | None:
        """Redo the last undone action; return None if there is none."""
        return self._replay("undone", None)

    def _replay(self, state: str, action_id: int | None) -> LoggedAction | None:
        from papertrack.store import journal

        action: LoggedAction | None = None
        try:
            with self.transaction():
                action = journal.find_action(self, state, action_id)
                if action is not None:
                    touched = journal.touched_papers(self, action.id)
                    (journal.revert if state == "done" else journal.reapply)(self, action)
                    self.write_records(touched)
                    action = replace(action, state="undone" if state == "done" else "done")
        except sqlite3.IntegrityError as error:
            raise journal.no_longer_fits(action.id if action else action_id) from error
        if action is None and action_id is not None:
            raise journal.not_to_undo(self, action_id)
        return action

    def write_records(self, papers: Iterable[int] = ()) -> None:
        """Write the records of these papers and other changed ones, in a shared library.

        This is part of the open transaction.
        """
        if self.on_change is not None:
            self.on_change(self, set(papers))

    def at_end(self, ending: Ending) -> None:
        """Register a callback for the commit or rollback of the open transaction.

        An export uses it to keep a replaced file consistent with the library.
        """
        self._at_end.append(ending)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with readable_errors(self.path):
            self._refuse_read_only()
            if not self._is_own:
                refuse_foreign(self, self.path)
                self._is_own = True
            self._begin()
            try:
                yield
                index.catch_up(self)
                if self.is_trial and not self.is_copy:
                    self.execute("ROLLBACK")
                else:
                    self._commit()
            except BaseException:
                # Files first, while no other process can write.
                for ending in self._ended():
                    ending.rolled_back()
                if self.connection.in_transaction:
                    self.execute("ROLLBACK")
                raise
            finally:
                self._stamp = None
        self.has_written |= not self.is_trial
        for ending in self._ended():
            ending.committed()

    def _begin(self) -> None:
        """Begin to write, and wait while another process writes."""
        # IMMEDIATE: a deferred transaction that turns into a write fails at once when another
        # process writes, without waiting for the busy timeout.
        if self.on_wait is not None:
            set_patience(self, 1)
            begun = when_free(self, lambda: self.execute("BEGIN IMMEDIATE"))
            set_patience(self, BUSY_TIMEOUT_SECONDS)
            if begun is not None:
                return
            self.on_wait()
        self.execute("BEGIN IMMEDIATE")

    def _commit(self) -> None:
        try:
            self.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != _UNCONFIRMED:
                raise
            # It is there. What keeps in step with it stays as if this was killed just now.
            self._ended()
            self.has_written = True
            raise UnconfirmedError(
                f"This change was made, but the disk of {self.path} did not confirm it: a "
                "power cut may undo it. Check the disk; `papertrack log` lists the actions."
            ) from error

    def _refuse_read_only(self) -> None:
        if self.is_read_only:
            left = ", ".join(file.name for file in leftovers_of(self.path)) or "a journal"
            raise StoreError(
                f"{left} is beside {self.path}. It is left over from a program that was "
                "stopped while writing, or a stranger put it there; this library is not "
                "trusted yet, and is only read. If it is yours: `papertrack config --trust`."
            )

    def _ended(self) -> list[Ending]:
        """Return what waits for the end of the transaction, last first, and forget it."""
        endings, self._at_end = self._at_end[::-1], []
        return endings


def schema_version(db: Database, path: Path) -> int:
    """Return the schema version of the library; 0 for an empty file.

    Raises StoreError for another program's database, for a library of a newer version of papertrack
    or from before the first schema, and for altered tables.
    """
    found = int(db.select_value("PRAGMA user_version"))
    tables = db.select_value("SELECT count(*) FROM sqlite_schema")
    application = db.select_value("PRAGMA application_id")
    if tables and application in EARLY_APPLICATION_IDS:
        raise StoreError(
            f"{path} was made by an early papertrack, whose libraries this version does "
            "not read. It was left unchanged. To move your papers, run `papertrack "
            "export --json -o papers.json` with the old version, then `papertrack init` "
            "in a new folder and `papertrack import papers.json` with this one."
        )
    if tables and application != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program; it was left unchanged.")
    if found > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was made by a newer papertrack (schema {found}; this one knows "
            f"{SCHEMA_VERSION}). It was left unchanged: upgrade papertrack to open it."
        )
    refuse_altered(db, path)
    return found


def refuse_what_is_no_library(path: Path, *, may_be_empty: bool = False) -> None:
    """Raise NotFoundError when there is no file, StoreError when it cannot be a library."""
    if os.path.lexists(path.parent) and not path.parent.is_dir():
        raise StoreError(
            f"{path.parent} is not a folder. Move it away, and put the library's own folder back."
        )
    if not path.exists():
        raise NotFoundError(
            f"The library's database {path} is missing. {_backup_of(path)} Or make a new "
            "one with `papertrack init`, and import your lists with `papertrack import`."
        )
    if not path.is_file():
        raise StoreError(f"{path} is not a file; a library is one SQLite file.")
    if path.stat().st_size == 0 and not may_be_empty:
        # As a killed `papertrack init` leaves it, or what befell the disk.
        raise StoreError(
            f"{path} is empty, not a library. {_backup_of(path)} Or `papertrack init` "
            "makes a new library of it."
        )


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection to an existing file whose neighbours are safe. Raises StoreError."""
    refuse_unsafe(path)
    try:
        return sqlite3.connect(
            f"{address_of(path)}?mode=rw",
            uri=True,
            timeout=BUSY_TIMEOUT_SECONDS,
            isolation_level=None,
        )
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}.") from error


_T = TypeVar("_T")
_IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")
_TORN = re.compile("Could not decode|^no such (?:table|index|column): |file format$|^user-defined")
"""SQLite's messages for damage.

The damage is invalid characters, also in our functions; missing tables, indexes or columns; or a
bad header.
"""
_DAMAGE = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_NOT_OPENED = "SQLITE_CANTOPEN"
_UNCONFIRMED = "SQLITE_IOERR_DIR_FSYNC"
"""SQLite's message for a commit that is done, without confirmation by the disk.

The disk did not confirm that SQLite's journal was deleted.
"""
_KEPT = "This change was not made; what was saved before it is kept."
"""For one transaction: a long command makes several."""


@contextmanager
def readable_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences that name the library and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        from traceback import clear_frames

        # As long as an error is kept, its frames keep a half-read cursor, and so SQLite's lock.
        clear_frames(error.__traceback__)
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(_IN_USE):
            raise InUseError(
                f"{path} has been in use by another papertrack for "
                f"{BUSY_TIMEOUT_SECONDS} seconds. {_KEPT} Try again."
            ) from error
        if name.startswith("SQLITE_READONLY") or (
            name == _NOT_OPENED and not all(os.access(p, os.W_OK) for p in (path.parent, path))
        ):
            message = f"{path} or its folder cannot be written. {_KEPT} Check their permissions."
        elif name.startswith((_NOT_OPENED, "SQLITE_FULL", "SQLITE_IOERR")):
            raise DiskError(
                f"The disk of {path} is full or failing. {_KEPT} Make room, and try again."
            ) from error
        elif name.startswith(_DAMAGE) or _TORN.search(str(error)):
            raise damaged(path, str(error)) from error
        else:
            raise
        raise StoreError(message) from error


def set_patience(store: Store, seconds: float) -> None:
    """Set how long this connection waits for another process's lock."""
    store.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def when_free(store: Store, read: Callable[[], _T]) -> _T | None:
    """Return the result of ``read``, or None while another process holds the library.

    Raises StoreError for any other trouble with the file.
    """
    with readable_errors(store.path):
        try:
            return read()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "").startswith(_IN_USE):
                return None
            raise


def data_version(store: Store) -> int:
    """Return a number that changes whenever another connection has written."""
    return int(store.select_value("PRAGMA data_version"))


def backups_of(path: Path) -> list[Path]:
    """Return the backups beside a library, newest first.

    They were made by ``papertrack backup`` or by migrations (see ``migrations.back_up``).
    """
    folder = path.parent
    found = [*(folder / BACKUPS).glob("*.db"), *folder.glob(f"{path.name}.*.bak")]
    return sorted(found, key=lambda copy: (copy.stat().st_mtime, copy.name), reverse=True)


def damaged(path: Path, found: str) -> DamagedError:
    """Return the error for a file in which SQLite found this damage."""
    return DamagedError(f"{path} is damaged or not a library ({found}). {_backup_of(path)}")


def _backup_of(path: Path) -> str:
    """Return the advice on which backup to restore."""
    if copies := backups_of(path):
        name = copies[0].relative_to(path.parent).as_posix()
        return f"`papertrack backup --restore` restores its newest backup: {name}, beside it."
    return "There is no backup beside it: `papertrack backup --restore FILE` restores another one."
