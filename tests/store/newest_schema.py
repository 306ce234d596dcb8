"""What the steps make of an empty database, as the script that makes a new library at once.

    python -m tests.store.newest_schema

writes it anew after a step was added.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from sqlite_utils import Database as Opened

from papertrack.store import index
from papertrack.store.migrations import migrations
from papertrack.store.schema import newest

_MADE_BY_OTHERS = (
    "journal\\_%\\_insert",
    "journal\\_%\\_update",
    "journal\\_%\\_delete",
    "index\\_%",
    "sqlite\\_%",
    "search\\_%",
)
"""Names of what has a maker of its own: triggers, and what SQLite keeps for itself."""


def script() -> str:
    """The script that makes what the steps make."""
    with closing(made_by_steps()) as connection:
        return "\n\n".join([*_statements(connection), ""]).removesuffix("\n")


def made_by_steps() -> sqlite3.Connection:
    """An empty database that went through all steps, in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.create_function("indexed_form", 1, index.indexed_form, deterministic=True)
    migrations.apply(Opened(connection, execute_plugins=False, recursive_triggers=False))
    return connection


def _statements(connection: sqlite3.Connection) -> Iterator[str]:
    yield f"-- {__doc__.splitlines()[0]}\n-- Not written by hand: python -m {_MODULE}"
    others = " ".join(f"AND name NOT LIKE '{name}' ESCAPE '\\'" for name in _MADE_BY_OTHERS)
    for (sql,) in connection.execute(
        f"SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL {others} ORDER BY rowid"
    ):
        yield f"{sql};"
    steps = connection.execute(
        "SELECT json_group_array(name) FROM (SELECT name FROM _sqlite_migrations ORDER BY id)"
    ).fetchone()[0]
    yield (
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)\n"
        f"SELECT '{migrations.name}', value, strftime('%Y-%m-%d %H:%M:%f+00:00') FROM json_each('\n"
        f"{steps}');".replace('","', '",\n"')
    )
    (state,) = connection.execute("SELECT last_paper_id FROM journal_state").fetchall()
    yield f"INSERT INTO journal_state (id, last_paper_id) VALUES (1, {state[0]});"


_MODULE = "tests.store.newest_schema"

if __name__ == "__main__":
    package = files(newest.__package__)
    Path(str(package.joinpath(newest.SCRIPT))).write_text(script(), encoding="utf-8")
