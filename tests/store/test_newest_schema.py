"""A new library is made at once, and is what all the steps together make, word for word."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest
import sqlite_utils

from papertrack.store import migrations
from papertrack.store.schema import newest
from papertrack.store.store import Store
from tests.store.newest_schema import made_by_steps, script


def new(path: Path) -> Store:
    return Store.create(path, now=lambda: datetime(2026, 1, 5, tzinfo=UTC))


def schema_of(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Everything in the schema, whatever order it came in."""
    return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def rows_of(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """The rows, without the moment in which they were written."""
    columns = [column[1] for column in connection.execute(f"PRAGMA table_info('{table}')")]
    wanted = ", ".join(f'"{column}"' for column in columns if column != "applied_at")
    return connection.execute(f"SELECT {wanted} FROM '{table}' ORDER BY 1").fetchall()


def test_a_new_library_has_the_schema_and_the_rows_that_the_steps_make(tmp_path: Path) -> None:
    with closing(made_by_steps()) as stepped, new(tmp_path / "new.db") as store:
        assert schema_of(store.connection) == schema_of(stepped)
        for kind, table, _, _ in schema_of(stepped):
            # The counters begin with the first row of each table.
            if kind == "table" and table != "sqlite_sequence":
                assert rows_of(store.connection, table) == rows_of(stepped, table), table


def test_the_script_of_a_new_library_is_written_from_the_steps() -> None:
    """After a step was added: ``python -m tests.store.newest_schema``."""
    package = files(newest.__package__)
    assert package.joinpath(newest.SCRIPT).read_text(encoding="utf-8") == script()


def test_a_step_that_the_script_does_not_know_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before = script()
    more = sqlite_utils.Migrations("papertrack")
    more._migrations = [*migrations.migrations._migrations]
    more(name="m999_nothing")(lambda opened: None)
    monkeypatch.setattr("tests.store.newest_schema.migrations", more)
    assert script() != before


def test_to_a_new_library_no_step_is_due(tmp_path: Path) -> None:
    with new(tmp_path / "new.db") as store:
        opened = sqlite_utils.Database(store.connection, execute_plugins=False)
        assert migrations.migrations.pending(opened) == []
