"""A new library, made at once by ``newest.sql``: what all the steps lead to.

The steps alone say what a library is. The script is written from what they make, by ``python -m
tests.store.newest_schema``, and a test holds the two equal.
"""

from __future__ import annotations

from importlib.resources import files

from papertrack.store import index
from papertrack.store.changes.triggers import JOURNALLED, install_triggers
from papertrack.store.database import APPLICATION_ID, PAGE_SIZE, Database, run_script

SCRIPT = "newest.sql"
"""All but the triggers of the journal and of the index, which have makers of their own."""


def make_new(db: Database, version: int) -> None:
    """Make a library of an empty database, in one transaction.

    Several processes may arrive at once: the first one works, the others find it done.
    """
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("BEGIN IMMEDIATE")
    try:
        if is_empty(db):
            run_script(db, files(__package__).joinpath(SCRIPT).read_text(encoding="utf-8"))
            install_triggers(db, JOURNALLED)
            index.install_index_triggers(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
    except BaseException:
        if db.connection.in_transaction:
            db.execute("ROLLBACK")
        raise


def is_empty(db: Database) -> bool:
    """Whether nothing at all was made in a database yet."""
    return not db.select_value("SELECT count(*) FROM sqlite_schema")
