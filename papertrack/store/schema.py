"""The schema of a library, and the check for foreign objects in it.

A library may come from a stranger, and a trigger or view planted in it would run with each change.
So nothing is written while there is one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from papertrack.errors import StoreError
from papertrack.store import index
from papertrack.store.database import Database

_MADE = re.compile(
    r"^CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+).*?(?=;$(?:\n\n|\Z))",
    re.DOTALL | re.M,
)
_OF_THE_ENGINE = re.compile(
    r"_?sqlite_|idx__sqlite_migrations|search_(?:config|content|data|docsize|idx)$"
)
"""Names of tables that SQLite, its full-text search and sqlite-utils make."""
_COMPUTED = re.compile(r"CREATE VIEW|CREATE VIRTUAL|\bAS\b|\bCHECK\b", re.IGNORECASE)


LATER_FORMS: dict[str, tuple[str, ...]] = {}
"""SQL that later migrations add or alter, by name; a library may still have any of these forms."""


@cache
def schema_text() -> str:
    """Return the SQL that makes the tables and indexes of a library."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def refuse_foreign(db: Database, path: Path) -> None:
    """Raise StoreError if the schema has an object that papertrack did not create."""
    from papertrack.store.journal import trigger_texts  # What only reads needs none.

    if foreign := _foreign_objects(db, trigger_texts(db) | index.index_triggers()):
        one, others = foreign[0], f" and {len(foreign) - 1} more" if foreign[1:] else ""
        kind, _, name = one.partition(" ")
        # A stranger chose the name, and the user may paste the command into a shell.
        quoted = name.replace('"', '""')
        drop = shlex.join(["sqlite3", str(path), f'DROP {kind} "{quoted}"'])
        raise StoreError(
            f"{path} holds a {one}{others} that papertrack did not make and that would run with "
            "every change. Nothing was written; reading still works. Remove it with another "
            f"program (`{drop}`), or take an older copy of the file."
        )
    # Ours call JSON functions, which some versions of SQLite do not let an untrusted schema call.
    db.execute("PRAGMA trusted_schema = ON")


def refuse_altered(db: Database, path: Path) -> None:
    """Raise StoreError if a table or index of papertrack was altered.

    A view, virtual table, computed column or CHECK can be written to run forever.
    """
    own = own_statements()
    asked = "SELECT name, sql FROM sqlite_schema WHERE type <> 'trigger' AND sql IS NOT NULL"
    for name, sql in db.execute(asked):
        is_computed = _OF_THE_ENGINE.match(name) and _COMPUTED.search(sql)
        forms = own.get(name.lower())
        if not _is_one_of(forms, sql) if forms else is_computed:
            raise StoreError(
                f"{path} holds {name} in another form than papertrack makes it. It was not read or "
                "changed. Restore an older copy (`papertrack backup --restore`); if the library is "
                "not yours, ask its maker for another one."
            )


@cache
def own_statements() -> dict[str, tuple[str, ...]]:
    """Return the valid SQL statements for the tables, indexes and triggers of a library, by name.

    There are several for what migrations have altered.
    """
    own = {match[1]: (match[0],) for match in _MADE.finditer(schema_text())}
    return own | {name: (*own.get(name, ()), *forms) for name, forms in LATER_FORMS.items()}


def _foreign_objects(db: Database, of_journal: Mapping[str, str]) -> list[str]:
    """Return objects that papertrack did not create, such as ``trigger evil``.

    Its own triggers are included if they were altered.
    """
    own = own_statements() | {name: (sql,) for name, sql in of_journal.items()}
    found = []
    for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name"):
        is_ours = name in own and (kind != "trigger" or _is_one_of(own[name], sql))
        if not is_ours and not _OF_THE_ENGINE.match(name):
            found.append(f"{kind} {name}")
    return found


def _is_one_of(forms: Iterable[str], sql: str) -> bool:
    return any(sql == form.strip() or _plain(sql) == _plain(form) for form in forms)


def _plain(sql: str) -> str:
    """Return a statement without comments, and with single spaces."""
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())
