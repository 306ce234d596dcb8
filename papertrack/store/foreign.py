"""What stands in a library's schema that no papertrack has put there.

A library may be a stranger's. A trigger or view planted in it would act with each change that its
reader makes, so that nothing is written while one is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from papertrack.errors import StoreError
from papertrack.store.database import Database
from papertrack.store.schema import first, steps

_MADE = re.compile(r"CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+)")
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+).*?\bEND\b", re.DOTALL)
_OF_THE_ENGINE = re.compile(
    r"_?sqlite_|idx__sqlite_migrations|search_(?:config|content|data|docsize|idx)$"
)
"""What SQLite, its full-text search and sqlite-utils keep for themselves."""


def refuse_foreign(
    db: Database, path: Path, triggers: Mapping[str, str], *, is_present: bool = True
) -> None:
    """Raise StoreError, which names it, when the schema holds what is not papertrack's own.

    ``triggers`` are those of the journal, by name. They must say what is said there, but for those
    of an older schema (not ``is_present``), which a migration makes anew.
    """
    if foreign := _foreign_objects(db, triggers, is_present=is_present):
        one, others = foreign[0], f" and {len(foreign) - 1} more" if foreign[1:] else ""
        raise StoreError(
            f"{path} holds a {one}{others} that papertrack has not made and that would act with "
            "every change. Nothing was written; what only reads still works. Take it out with "
            f"another program (`sqlite3 {path} 'DROP {one}'`), or take an older copy of the file."
        )
    # Ours call JSON functions, which some versions of SQLite do not let an untrusted schema call.
    db.execute("PRAGMA trusted_schema = ON")


def _foreign_objects(db: Database, of_journal: Mapping[str, str], *, is_present: bool) -> list[str]:
    """As ``trigger evil``, the altered ones among them."""
    texts = _own_texts()
    names = {name for text in texts for name in _MADE.findall(text)}
    triggers = {match[1]: match[0] for text in texts for match in _TRIGGER.finditer(text)}
    triggers |= of_journal
    found = []
    for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name"):
        if kind == "trigger":
            own = triggers.get(name)
            is_ours = own is not None and (not is_present or _is_same(sql, own))
        else:
            is_ours = kind != "view" and name in names
        if not is_ours and not _OF_THE_ENGINE.match(name):
            found.append(f"{kind} {name}")
    return found


def _own_texts() -> list[str]:
    texts = (vars(first) | vars(steps)).values()
    return [text for text in texts if isinstance(text, str) and "CREATE" in text]


def _is_same(sql: str, own: str) -> bool:
    return sql == own.strip() or _plain(sql) == _plain(own)


def _plain(sql: str) -> str:
    """A statement without what only its looks are."""
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())
