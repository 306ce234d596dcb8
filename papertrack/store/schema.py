"""The schema of a library, and the guard against what others put into it.

A library may be a stranger's: a trigger or view planted in it would act with each change that its
reader makes, so nothing is written while one is there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from papertrack.errors import StoreError
from papertrack.store import index
from papertrack.store.database import Database
from papertrack.store.journal import trigger_texts

_MADE = re.compile(r"CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+)")
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+).*?\bEND\b", re.DOTALL)
_OF_THE_ENGINE = re.compile(
    r"_?sqlite_|idx__sqlite_migrations|search_(?:config|content|data|docsize|idx)$"
)
"""What SQLite, its full-text search and sqlite-utils keep for themselves."""


@cache
def schema_text() -> str:
    """Return the SQL that makes the tables and indexes of a library."""
    return files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")


def refuse_foreign(db: Database, path: Path) -> None:
    """Raise StoreError, naming it, for anything in the schema that papertrack did not make."""
    if foreign := _foreign_objects(db, trigger_texts(db) | index.index_triggers()):
        one, others = foreign[0], f" and {len(foreign) - 1} more" if foreign[1:] else ""
        kind, _, name = one.partition(" ")
        # A stranger chose the name, and the reader may paste the command into a shell.
        quoted = name.replace('"', '""')
        drop = shlex.join(["sqlite3", str(path), f'DROP {kind} "{quoted}"'])
        raise StoreError(
            f"{path} holds a {one}{others} that papertrack did not make and that would run with "
            "every change. Nothing was written; reading still works. Remove it with another "
            f"program (`{drop}`), or take an older copy of the file."
        )
    # Ours call JSON functions, which some versions of SQLite do not let an untrusted schema call.
    db.execute("PRAGMA trusted_schema = ON")


def own_names() -> frozenset[str]:
    """Return the names of the tables, indexes and triggers of a library."""
    return frozenset(_MADE.findall(schema_text()))


def _foreign_objects(db: Database, of_journal: Mapping[str, str]) -> list[str]:
    """Return what papertrack has not made, as ``trigger evil``; altered triggers among it."""
    names = own_names()
    triggers = {match[1]: match[0] for match in _TRIGGER.finditer(schema_text())} | dict(of_journal)
    found = []
    for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name"):
        if kind == "trigger":
            is_ours = name in triggers and _is_same(sql, triggers[name])
        else:
            is_ours = kind != "view" and name in names
        if not is_ours and not _OF_THE_ENGINE.match(name):
            found.append(f"{kind} {name}")
    return found


def _is_same(sql: str, own: str) -> bool:
    return sql == own.strip() or _plain(sql) == _plain(own)


def _plain(sql: str) -> str:
    """Return a statement without what only its looks are."""
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())
