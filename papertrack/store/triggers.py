"""The triggers that write the journal, for whatever columns the tables have now.

Each change becomes one row of ``changes``. The technique is that of
https://www.sqlite.org/undoredo.html, with what changed kept as JSON in place of SQL text so that
the log reads it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from papertrack.store.database import Database

OF_A_PAPER = (
    "identifiers",
    "citekey_aliases",
    "authors",
    "links",
    "field_sources",
    "suggestions",
    "originals",
    "paper_states",
    "readings",
    "paper_categories",
    "tags",
    "notes",
    "different",
    "paper_topics",
    "paper_records",
)
"""Tables whose rows belong to one paper (``paper_id``) and go with it."""

JOURNALLED = (
    *("papers", *OF_A_PAPER, "categories", "topics", "documents", "entries"),
    "forgotten",
)
"""Tables whose every change is written to the journal by triggers."""

NO_ACTION = 2**62
"""Above every paper's id: outside an action every write reaches the journal, which refuses it."""

NO_ACT = {"papers": ("is_citekey_given",), "paper_states": ("passes_done",)}
"""Columns that alone are no change, and not undone: showing a key to be copied is no act of the
reader's, and passes are counted from readings, by triggers of their own."""

_PAPER_OF = {
    **dict.fromkeys((*OF_A_PAPER, "entries"), "{row}.paper_id"),
    "papers": "{row}.id",
}
"""Table → the column that says whose row it is."""


class Layout(NamedTuple):
    """The present columns of a table that is journalled."""

    columns: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def where(self) -> str:
        """The condition that finds a row by its primary key."""
        return " AND ".join(f"{key} = ?" for key in self.keys)

    def row_as_json(self, row: str = "") -> str:
        """The SQL of a whole row; ``row`` names the one meant in a trigger: ``old.``."""
        pairs = ", ".join(f"'{name}', {row}{name}" for name in self.columns)
        return f"json_object({pairs})"

    def changed(self) -> str:
        """The SQL of what an update changed, before and after (``was``, ``now``), as one row;
        ``columns`` counts the columns."""
        values = ", ".join(f"('{name}', old.{name}, new.{name})" for name in self.columns)
        # A key that is spelled in other letters is another one, whatever its column is searched by.
        return f"""
                SELECT json_group_object(name, was) AS was, json_group_object(name, now) AS now,
                       count(*) AS columns
                FROM (SELECT '' AS name, '' AS was, '' AS now UNION ALL VALUES {values})
                WHERE was COLLATE BINARY IS NOT now"""


def layouts_of(db: Database, tables: Iterable[str] = JOURNALLED) -> dict[str, Layout]:
    """Table → its columns and its primary key, of those that this library has by now."""
    # In one statement: each write compares the triggers with those that it makes of this.
    columns = db.select_groups(
        """SELECT t.value, c.name, c.pk FROM json_each(?) t, pragma_table_info(t.value) c
           ORDER BY t.key, c.cid""",
        (list(tables),),
    )
    layouts = {}
    for table, found in columns.items():
        keys = sorted((place, name) for name, place in found if place)
        layouts[table] = Layout(tuple(name for name, _ in found), tuple(name for _, name in keys))
    return layouts


def install_triggers(db: Database, tables: Iterable[str]) -> None:
    """(Re)create the journal's triggers for the tables' present columns."""
    for name, text in trigger_texts(db, tables).items():
        db.execute(f"DROP TRIGGER IF EXISTS {name}")
        db.execute(text)


def trigger_texts(db: Database, tables: Iterable[str] = JOURNALLED) -> dict[str, str]:
    """The journal's triggers for the tables' present columns: name → SQL."""
    return {
        f"journal_{table}_{operation}": _trigger(table, operation, layout)
        for table, layout in layouts_of(db, tables).items()
        for operation in ("insert", "update", "delete")
    }


@contextmanager
def unwatched(db: Database) -> Iterator[None]:
    """Within this block nothing is journalled: rows are put back, or a migration changes them."""
    # Rows come back in reverse order, so a child may stand for a moment without its parent.
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("UPDATE journal_state SET last_paper_id = -1")
    yield
    close_state(db)


def close_state(db: Database) -> None:
    """No action is open any more."""
    db.execute("UPDATE journal_state SET action_id = NULL, last_paper_id = ?", (NO_ACTION,))


def _trigger(table: str, operation: str, layout: Layout) -> str:
    row = "old" if operation == "delete" else "new"
    # An insert's row is read when it is undone: imports would otherwise be written twice.
    event, old, new, found = operation.upper(), "NULL", "NULL", "journal_state"
    if operation == "delete":
        old = layout.row_as_json("old.")
    elif operation == "update":
        acts = [name for name in layout.columns if name not in NO_ACT.get(table, ())]
        event += f" OF {', '.join(acts)}"
        old, new, found = "was", "now", f"journal_state, ({layout.changed()}) WHERE columns"
    owner = _PAPER_OF.get(table, "NULL").format(row=row)
    key = f"json_array({', '.join(f'{row}.{name}' for name in layout.keys)})"
    return f"""
        CREATE TRIGGER journal_{table}_{operation} AFTER {event} ON {table}
        WHEN {_condition(table, operation, row)}
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, {owner}, '{table}', {key}, '{operation}', {old}, {new}
            FROM {found};
        END
    """


def _condition(table: str, operation: str, row: str) -> str:
    """Whether the row is journalled: rows of papers that the open action adds need no journal."""
    last_paper = "(SELECT last_paper_id FROM journal_state)"
    if table in OF_A_PAPER:
        is_update = operation == "update"
        owner = "min(old.paper_id, new.paper_id)" if is_update else f"{row}.paper_id"
        # What has no paper, as a proposal to add one, belongs to none that the action adds.
        return f"ifnull({owner}, 0) <= {last_paper}"
    if table == "papers" and operation != "insert":
        return f"{row}.id <= {last_paper}"
    return f"{last_paper} >= 0"
