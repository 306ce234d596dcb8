"""Bringing a library up to date: append-only steps, a verified copy before each upgrade."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database, Migrations

from papertrack.errors import StoreError
from papertrack.store import journal, schema, schema_history, schema_watch

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


@migrations(name="m009_entry_states")
def m009_entry_states(db: Database) -> None:
    """Name what an entry is, in ``entries`` and in what undo and redo know of them."""
    for statement in schema.ENTRY_STATES:
        db.conn.execute(statement)
    journal.install_triggers(db.conn, ["entries"])
    db.conn.create_function("named_entry", 1, _named_entry, deterministic=True)
    with journal.unwatched(db.conn):
        db.conn.execute(
            """UPDATE entries SET (state, refused, held_in, library) = (
                   SELECT named ->> 'state', named ->> 'refused', named ->> 'held_in',
                          named ->> 'library'
                   FROM (SELECT named_entry(json_object(
                       'paper_id', paper_id, 'text', text, 'base', base, 'library', library)
                   ) AS named))"""
        )
    for image in ("old", "new"):
        db.conn.execute(
            f"""UPDATE changes SET {image} = named_entry({image})
                WHERE table_name = 'entries' AND {image} IS NOT NULL"""
        )


def _named_entry(image: str) -> str:
    """A row of ``entries``, as JSON, with the columns that say what signs among the others said.

    No text stood for an entry that was taken out, "?" for one with a conflict open, no base for
    one that is wanted back, no paper for one that goes; what the reader was told stood among what
    the library said.
    """
    row = json.loads(image)
    library = json.loads(row["library"])
    refused, held_in = library.pop("said", {}), library.pop("held_in", None)
    state = "linked"
    if not row["text"]:
        state = "unlinked"
    elif row["paper_id"] is None:
        state = "removed"
    elif row["base"] == "{}":
        state = "wanted"
    elif row["text"] == "?":
        state = "unsettled"
    row |= {
        "state": state,
        "refused": json.dumps(refused, ensure_ascii=False, sort_keys=True),
        "held_in": None if held_in is None else json.dumps(held_in, ensure_ascii=False),
    }
    if refused or held_in is not None:
        row["library"] = json.dumps(library, ensure_ascii=False, sort_keys=True)
    return json.dumps(row, ensure_ascii=False)


@migrations(name="m010_history")
def m010_history(db: Database) -> None:
    for statement in schema_history.HISTORY_TABLES:
        db.conn.execute(statement)
    schema_history.carry_over(db.conn)


def complete_early_tables(db: Database) -> None:
    """Give libraries that were made between two releases the columns of the table as released."""
    early = set(db.table_names())
    if "papers" in early and "is_citekey_given" not in db.table("papers").columns_dict:
        db.table("papers").add_column("is_citekey_given", int, not_null_default=0)
        journal.install_triggers(db.conn, ["papers"])
    if "former_texts" in early and "comment" not in db.table("former_texts").columns_dict:
        db.table("former_texts").add_column("comment", str)


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
        complete_early_tables(db)
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
