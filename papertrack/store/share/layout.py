"""How the rows of the library's tables become cells of things, read off the tables themselves.

A column or a table that is added later is shared without a line of code here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from papertrack.store.changes.triggers import OF_A_PAPER
from papertrack.store.database import Database, to_json

THINGS = ("categories", "topics", "papers", "documents", "forgotten")
"""Tables whose rows are things of their own; what others refer to comes first."""
PREFIX = {
    "categories": "category:",
    "topics": "topic:",
    "documents": "document:",
    "forgotten": "forgotten:",
}
"""How the names of things begin that are not named by an identifier."""
BESIDE = ("shown_citekeys",)
"""Tables of what is so of papers, though nothing the reader did: undo leaves them as they are."""
_LOCAL = {"documents": {"digest", "synced_at"}}
"""Columns that say how things stand on this device."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A table, seen as cells."""

    table: str
    columns: tuple[str, ...]
    """All that is shared: neither the number of the row nor its owner."""
    owner: str | None
    """The column that says whose row it is; None of a thing of its own."""
    keys: tuple[str, ...]
    """What tells the owner's rows apart; nothing where there is only one, or they have names."""
    folded: frozenset[str]
    """Keys in which capitals say nothing."""
    references: Mapping[str, str]
    """Columns that hold the number of a row → its table."""
    has_number: bool
    """Whether its rows have numbers of their own, under ``id``."""

    @property
    def is_single(self) -> bool:
        """Whether a thing has one row here, whose columns are cells."""
        return bool(self.columns) and not self.keys and not self.is_named

    @property
    def is_list(self) -> bool:
        """Whether the order is all that tells the rows apart: together they are one cell."""
        return self.keys == ("position",)

    @property
    def is_named(self) -> bool:
        """Whether nothing in a row tells it from others: it gets a name."""
        return self.owner is not None and self.has_number and not self.keys

    def cell_of(self, row: Mapping[str, Any]) -> str:
        """The cell that a row is, of those that are told apart by their keys; of a table that says
        no more than that a row is there, the table."""
        if not self.keys:
            return self.table
        texts = (_text(row.get(key)) for key in self.keys)
        words = [
            text.lower() if key in self.folded else text
            for key, text in zip(self.keys, texts, strict=True)
        ]
        return f"{self.table}/{' '.join(words)}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else to_json(value)


def layouts(db: Database) -> dict[str, Layout]:
    """The tables that are shared, as they are now; those of things first."""
    return {table: _layout(db, table) for table in (*THINGS, *OF_A_PAPER, *BESIDE)}


def _layout(db: Database, table: str) -> Layout:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    targets = db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    owner = None if table in THINGS else "paper_id"
    hidden = {owner, "id", *_LOCAL.get(table, ())}
    keys = {} if owner is None else _unique(db, table)
    return Layout(
        table,
        tuple(column for column in columns if column not in hidden),
        owner,
        tuple(key for key in keys if key != owner),
        frozenset(key for key, collation in keys.items() if collation == "NOCASE"),
        {row[3]: row[2] for row in targets if row[3] != owner},
        "id" in columns,
    )


def _unique(db: Database, table: str) -> dict[str, str]:
    """The columns that together name a row, with how their texts are compared."""
    for index in db.execute(f"PRAGMA index_list({table})").fetchall():
        if index[2] and index[3] in ("pk", "u"):
            found = db.execute(f"PRAGMA index_xinfo({index[1]})").fetchall()
            return {row[2]: row[4] for row in found if row[5] and row[2]}
    return {}


def to_plain(value: Any) -> Any:
    """A value of the database as it stands in a log: what is JSON there is no text here."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            found = json.loads(value)
        except ValueError:
            return value
        # Whoever writes it back gets the same text.
        return found if to_json(found) == value else value
    return value


def without_empty(row: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The columns of a row that hold something, as they stand in a log."""
    return {name: to_plain(value) for name, value in row if value is not None}
