"""Bringing a library up to date: append-only steps, a verified copy before each upgrade."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database, Migrations

from papertrack.errors import StoreError
from papertrack.store import journal, schema, schema_watch

BACKUPS_KEPT = 3
"""Verified copies kept beside the library for each schema version."""

migrations = Migrations("papertrack")


@migrations(name="m001_initial")
def m001_initial(db: Database) -> None:
    for statement in schema.TABLES:
        db.conn.execute(statement)
    journal.install_triggers(db.conn, schema.JOURNALLED)


@migrations(name="m002_watch")
def m002_watch(db: Database) -> None:
    for statement in schema_watch.WATCH_TABLES:
        db.conn.execute(statement)


@migrations(name="m003_family_names")
def m003_family_names(db: Database) -> None:
    db.conn.execute("ALTER TABLE authors ADD COLUMN family TEXT")
    journal.install_triggers(db.conn, ["authors"])


@migrations(name="m004_removed_entries")
def m004_removed_entries(db: Database) -> None:
    for statement in schema.REMOVED_ENTRIES_TABLES:
        db.conn.execute(statement)


@migrations(name="m005_missed_days")
def m005_missed_days(db: Database) -> None:
    db.conn.execute(schema_watch.MISSED_DAYS)


@migrations(name="m006_refused_rows")
def m006_refused_rows(db: Database) -> None:
    db.conn.execute(schema.REFUSED_ROWS)


@migrations(name="m007_former_texts")
def m007_former_texts(db: Database) -> None:
    db.conn.execute(schema.FORMER_TEXTS)


@migrations(name="m008_in_hand")
def m008_in_hand(db: Database) -> None:
    db.conn.execute(schema.PAPERS_IN_HAND)


def upgrade(connection: sqlite3.Connection, path: Path, *, wanted: int) -> None:
    """Apply what is pending in one transaction. A library that has data is copied first.

    Several processes may arrive at once: the first one works, the others find nothing to do.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again: another process may have done it while this one waited for its turn.
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if found >= wanted:
            connection.execute("ROLLBACK")
            return
        if found:
            back_up(path, version=found)
        db = Database(connection, execute_plugins=False, recursive_triggers=False)
        migrations.apply(db)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {wanted}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def back_up(path: Path, *, version: int) -> Path:
    """Copy the library beside itself, check the copy, and return its path.

    Only after the new copy has passed ``integrity_check`` are copies older than the last
    BACKUPS_KEPT of the same schema version removed: a damaged library never replaces good copies.
    """
    number = 1 + max((_number(old) for old in _backups(path, version)), default=0)
    target = path.with_name(f"{path.name}.schema{version}.{number}.bak")
    partial = target.with_name(target.name + ".partial")
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as copy:
            source.backup(copy)
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise StoreError(
                f"{path} is damaged ({verdict}); it was not upgraded. "
                "Restore a backup from the same folder (*.bak)."
            )
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError as error:
        raise StoreError(
            f"No backup of {path} could be written ({error.strerror}); it was not upgraded."
        ) from error
    except sqlite3.Error as error:
        raise StoreError(
            f"No backup of {path} could be written ({error}); it was not upgraded."
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    for old in sorted(_backups(path, version), key=_number)[:-BACKUPS_KEPT]:
        old.unlink(missing_ok=True)
    return target


def _backups(path: Path, version: int) -> list[Path]:
    return list(path.parent.glob(f"{path.name}.schema{version}.*.bak"))


def _number(backup: Path) -> int:
    number = backup.name.split(".")[-2]
    return int(number) if number.isascii() and number.isdigit() else 0
