"""Create the schema of a new library, and upgrade an older one.

``schema.sql`` is the first migration; later ones are functions below it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import sqlite_utils

from papertrack.errors import StoreError
from papertrack.foreign_database import BESIDE
from papertrack.store import index
from papertrack.store.database import APPLICATION_ID, PAGE_SIZE, Database, run_script
from papertrack.store.journal import JOURNALLED, install_triggers
from papertrack.store.schema import refuse_foreign, schema_text

BACKUPS_KEPT = 3
"""The number of copies kept beside the library for each schema version."""

migrations = sqlite_utils.Migrations("papertrack")


@migrations()
def m001_schema(opened: sqlite_utils.Database) -> None:
    db = Database(opened.conn)
    run_script(db, schema_text())
    install_triggers(db, JOURNALLED)
    for trigger in index.index_triggers().values():
        db.execute(trigger)


def bring_up_to_date(db: Database, path: Path, *, wanted: int, is_copy: bool = False) -> None:
    """Apply the pending migrations in one transaction.

    A library with data is copied first, unless it is a copy itself. If several processes arrive
    at once, the first does the work and the others find nothing to do.
    """
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("BEGIN IMMEDIATE")
    try:
        # Read again: another process may have done it while this one waited for its turn.
        found = db.select_value("PRAGMA user_version")
        if found >= wanted:
            db.execute("ROLLBACK")
            return
        if found:
            refuse_foreign(db, path)
            if not is_copy:
                back_up(path, version=found)
        migrations.apply(
            sqlite_utils.Database(db.connection, execute_plugins=False, recursive_triggers=False)
        )
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {wanted}")
        db.execute("COMMIT")
    except BaseException:
        if db.connection.in_transaction:
            db.execute("ROLLBACK")
        raise


def back_up(path: Path, *, version: int) -> Path:
    """Copy the library beside itself, check the copy, and return its path.

    Older copies are removed only after the new one has passed ``integrity_check``, and the last
    BACKUPS_KEPT of the schema version are kept: a damaged library never replaces good copies.
    """
    number = 1 + max((_number(old) for old in _backups(path, version)), default=0)
    target = path.with_name(f"{path.name}.schema{version}.{number}.bak")
    partial = target.with_name(target.name + ".partial")
    try:
        for suffix in ("", *BESIDE):  # A link, or what SQLite would act on.
            partial.with_name(partial.name + suffix).unlink(missing_ok=True)
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
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"No backup of {path} could be written ({reason}); it was not upgraded."
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
