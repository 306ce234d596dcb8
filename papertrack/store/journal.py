"""The journal: what each action changed, and undo and redo from it.

Triggers on every journalled table write the old and the new row, so no writer can forget to, and
a write outside an action fails (it has no action to belong to). The technique is that of
https://www.sqlite.org/undoredo.html, with rows kept as JSON in place of SQL text so that the log
reads them too. Of a paper that the action itself added only the adding is written, which keeps
imports fast: its rows go with it when it is undone, and are kept for redo at that moment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from papertrack.errors import ConflictError
from papertrack.store.database import Database, to_json

Row = dict[str, Any]

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
)
"""Tables whose rows belong to one paper (``paper_id``) and go with it."""

JOURNALLED = ("papers", *OF_A_PAPER, "categories", "topics", "documents", "entries")
"""Tables whose every change is written to the journal by triggers."""
NO_ACTION = 2**62
"""Above every paper's id: outside an action every write reaches the journal, which refuses it."""

MANY = 100
"""New rows from which on it pays to take the journal's triggers away for a moment."""

FIELDWISE = {"entries": ("base", "library", "refused")}
"""Columns that hold an object, whose fields are undone one by one: an export, which is not undone,
may have set others since."""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One line of the log."""

    id: int
    verb: str
    summary: str
    at: str
    state: str
    """``done``, ``undone`` (redo brings it back) or ``superseded`` (undone, then overtaken)."""
    can_undo: bool


@dataclass(frozen=True, slots=True)
class _Layout:
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


def _layouts(db: Database, tables: Iterable[str]) -> dict[str, _Layout]:
    layouts = {}
    for table in tables:
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        keys = [column[1] for column in sorted(columns, key=lambda c: c[5]) if column[5]]
        layouts[table] = _Layout(tuple(column[1] for column in columns), tuple(keys))
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
        for table, layout in _layouts(db, tables).items()
        for operation in ("insert", "update", "delete")
    }


@contextmanager
def without_insert_triggers(db: Database, tables: Sequence[str] = OF_A_PAPER) -> Iterator[None]:
    """Within this block, rows of papers that the open action itself adds are written much faster.

    They need no journal of their own, which the triggers would find out row by row.
    """
    for table in tables:
        db.execute(f"DROP TRIGGER journal_{table}_insert")
    try:
        yield
    finally:
        install_triggers(db, tables)


@contextmanager
def journalled_together(db: Database, table: str) -> Iterator[None]:
    """Within this block, new rows of ``papers`` or ``entries`` are written much faster.

    What the trigger would write of each is written for all of them at the end of the block.
    """
    last = db.select_value(f"SELECT ifnull(max(id), 0) FROM {table}")
    with without_insert_triggers(db, [table]):
        yield
    db.execute(
        f"""INSERT INTO changes (action_id, paper_id, table_name, row_key, operation)
            SELECT action_id, {_PAPER_OF[table].format(row="new")}, '{table}',
                   json_array(new.id), 'insert'
            FROM journal_state, {table} new WHERE new.id > ? ORDER BY new.id""",
        (last,),
    )


_PAPER_OF = {"papers": "{row}.id", "entries": "{row}.paper_id"}
"""Table → the column that says whose row it is, beside those that are OF_A_PAPER."""


def _trigger(table: str, operation: str, layout: _Layout) -> str:
    row = "old" if operation == "delete" else "new"
    last_paper = "(SELECT last_paper_id FROM journal_state)"
    if table in OF_A_PAPER:
        paper = f"{row}.paper_id"
        owner = "min(old.paper_id, new.paper_id)" if operation == "update" else paper
        condition = f"{owner} <= {last_paper}"
    else:
        paper = _PAPER_OF.get(table, "NULL").format(row=row)
        condition = f"{last_paper} >= 0"
        if table == "papers" and operation != "insert":
            condition = f"{row}.id <= {last_paper}"
    if operation == "update":
        changed = " OR ".join(f"old.{name} IS NOT new.{name}" for name in layout.columns)
        condition += f" AND ({changed})"
    # An insert's row is read when it is undone: imports would otherwise be written twice.
    old = "NULL" if operation == "insert" else layout.row_as_json("old.")
    new = layout.row_as_json("new.") if operation == "update" else "NULL"
    key = f"json_array({', '.join(f'{row}.{name}' for name in layout.keys)})"
    return f"""
        CREATE TRIGGER journal_{table}_{operation} AFTER {operation.upper()} ON {table}
        WHEN {condition}
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, {paper}, '{table}', {key}, '{operation}', {old}, {new}
            FROM journal_state;
        END
    """


def begin(db: Database, verb: str, summary: str, at: str, *, can_undo: bool) -> int:
    """Open an action inside the transaction that is open; return its id."""
    cursor = db.insert("actions (verb, summary, at, can_undo)", (verb, summary, at, can_undo))
    db.execute(
        """UPDATE journal_state SET action_id = ?,
           last_paper_id = (SELECT ifnull(max(id), 0) FROM papers)""",
        (cursor.lastrowid,),
    )
    return int(cursor.lastrowid or 0)


def finish(db: Database, action_id: int, summary: str) -> bool:
    """Close the action. Return whether it changed anything; if not, it leaves no trace."""
    _close_state(db)
    if not db.select_value(
        "SELECT EXISTS (SELECT 1 FROM changes WHERE action_id = ?)", (action_id,)
    ):
        db.execute("DELETE FROM actions WHERE id = ?", (action_id,))
        return False
    db.execute("UPDATE actions SET summary = ? WHERE id = ?", (summary, action_id))
    if db.select_value("SELECT can_undo FROM actions WHERE id = ?", (action_id,)):
        db.execute("UPDATE actions SET state = 'superseded' WHERE state = 'undone'")
    return True


def touched_papers(db: Database, action_id: int) -> list[int]:
    """The papers that an action changed."""
    return db.select_column(
        "SELECT DISTINCT paper_id FROM changes WHERE action_id = ? AND paper_id IS NOT NULL",
        (action_id,),
    )


def changed_papers(db: Database, action_id: int) -> tuple[set[int], set[int]]:
    """The papers that an action added, and those it changed; a mere change of the texts of
    entries is none."""
    rows = db.execute(
        """SELECT paper_id, max(table_name = 'papers' AND operation = 'insert') FROM changes
           WHERE action_id = ? AND paper_id IS NOT NULL
           AND table_name NOT IN ('entries', 'originals')
           GROUP BY paper_id""",
        (action_id,),
    ).fetchall()
    return {row[0] for row in rows if row[1]}, {row[0] for row in rows if not row[1]}


def find_action(db: Database, state: str, action_id: int | None = None) -> LoggedAction | None:
    """The action that undo (state ``done``) or redo (``undone``) takes next, or the one named."""
    order = "DESC" if state == "done" else "ASC"
    found = db.select_records(
        LoggedAction,
        f"""SELECT id, verb, summary, at, state, can_undo FROM actions
            WHERE state = ?1 AND can_undo = 1 AND (?2 IS NULL OR id = ?2)
            ORDER BY id {order} LIMIT 1""",
        (state, action_id),
    )
    return found[0] if found else None


def revert(db: Database, action: LoggedAction) -> None:
    """Put back what the action changed. Raises ConflictError when a later change stands on it."""
    _refuse_when_overtaken(db, action)
    newest_first = _changes(db, action)[::-1]
    layouts = _layouts(db, JOURNALLED)
    with unwatched(db):
        # Categories go last: with one go the places in it, which papers must first be read with.
        for table, row_key, operation, old, new, change_id in sorted(
            newest_first, key=lambda change: change[0] == "categories"
        ):
            key = json.loads(row_key)
            if operation == "insert":
                image = _read_image(db, layouts, table, key)
                db.execute("UPDATE changes SET new = ? WHERE id = ?", (image, change_id))
                if image is not None:
                    _delete_row(db, table, layouts[table], key)
            elif operation == "update":
                _set_row(db, table, layouts[table], json.loads(old), json.loads(new))
            else:
                _insert_row(db, table, json.loads(old))
        db.execute("UPDATE actions SET state = 'undone' WHERE id = ?", (action.id,))


def reapply(db: Database, action: LoggedAction) -> None:
    """Do again what was undone."""
    layouts = _layouts(db, JOURNALLED)
    with unwatched(db):
        for table, row_key, operation, old, new, _ in _changes(db, action):
            if operation == "delete":
                _delete_row(db, table, layouts[table], json.loads(row_key))
            elif operation == "update":
                _set_row(db, table, layouts[table], json.loads(new), json.loads(old))
            elif new is None:
                continue  # A category that other papers are in by now: it was left there.
            elif table == "papers":
                for part, rows in json.loads(new).items():
                    for row in rows:
                        _insert_row(db, part, row)
            else:
                _insert_row(db, table, json.loads(new))
        db.execute("UPDATE actions SET state = 'done' WHERE id = ?", (action.id,))


def _changes(db: Database, action: LoggedAction) -> list[tuple[Any, ...]]:
    return db.execute(
        """SELECT table_name, row_key, operation, old, new, id FROM changes
           WHERE action_id = ? ORDER BY id""",
        (action.id,),
    ).fetchall()


def read_log(db: Database, *, paper_id: int | None = None, limit: int = 50) -> list[LoggedAction]:
    """The newest actions first; with a paper, only those that changed it."""
    return db.select_records(
        LoggedAction,
        """SELECT id, verb, summary, at, state, can_undo FROM actions
           WHERE ?1 IS NULL OR id IN (SELECT action_id FROM changes WHERE paper_id = ?1)
           ORDER BY id DESC LIMIT ?2""",
        (paper_id, limit),
    )


@contextmanager
def unwatched(db: Database) -> Iterator[None]:
    """Within this block nothing is journalled: rows are put back, or a migration changes them."""
    # Rows come back in reverse order, so a child may stand for a moment without its parent.
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("UPDATE journal_state SET last_paper_id = -1")
    yield
    _close_state(db)


def _close_state(db: Database) -> None:
    db.execute("UPDATE journal_state SET action_id = NULL, last_paper_id = ?", (NO_ACTION,))


_OWNER = {"papers": "id = ?1", "different": "paper_id = ?1 OR other_id = ?1"}
"""Table → what finds the rows that go with a paper, where that is not ``paper_id`` alone."""


def _read_image(
    db: Database, layouts: dict[str, _Layout], table: str, key: list[object]
) -> str | None:
    """A row that goes, as JSON; None of a category in use, which stays, and of a row that is gone.

    Of a paper all its rows: {"papers": [row], "authors": [row, …], …}.
    """
    if table == "papers":
        parts = {}
        for part in ("papers", *OF_A_PAPER):
            image = layouts[part].row_as_json()
            owner = _OWNER.get(part, "paper_id = ?1")
            rows = db.select_column(f"SELECT {image} FROM {part} WHERE {owner}", key)
            if rows:
                parts[part] = [json.loads(row) for row in rows]
        return json.dumps(parts, ensure_ascii=False)
    if table == "categories" and db.select_value(
        """SELECT EXISTS (SELECT 1 FROM paper_categories WHERE category_id = ?1)
           OR EXISTS (SELECT 1 FROM categories WHERE parent_id = ?1)""",
        key,
    ):
        return None
    layout = layouts[table]
    image = db.select_value(f"SELECT {layout.row_as_json()} FROM {table} WHERE {layout.where}", key)
    return None if image is None else str(image)


def _delete_row(db: Database, table: str, layout: _Layout, key: list[object]) -> None:
    db.execute(f"DELETE FROM {table} WHERE {layout.where}", key)


def _insert_row(db: Database, table: str, row: Row) -> None:
    db.insert(f"{table} ({', '.join(row)})", list(row.values()))


def _set_row(db: Database, table: str, layout: _Layout, row: Row, other: Row) -> None:
    """Give the columns in which the two images differ the values of the first.

    The others stay: something that is not undone, such as a citekey given away, may have set them.
    An update that changed the key itself is found by the key it has now.
    """
    changed = {name: value for name, value in row.items() if value != other[name]}
    keys = [other[name] for name in layout.keys]
    for name in changed.keys() & set(FIELDWISE.get(table, ())):
        found = db.select_value(f"SELECT {name} FROM {table} WHERE {layout.where}", keys)
        if found is not None and found != other[name]:
            changed[name] = _fields_set(found, row[name], other[name])
    assignments = ", ".join(f"{name} = ?" for name in changed)
    db.execute(f"UPDATE {table} SET {assignments} WHERE {layout.where}", (*changed.values(), *keys))


def _fields_set(found: str, wanted: str, other: str) -> str:
    """``found`` with the fields in which two JSON objects differ as the first of them has them."""
    fields, old, new = json.loads(found), json.loads(wanted), json.loads(other)
    for name in old.keys() | new.keys():
        if name not in old:
            fields.pop(name, None)
        elif name not in new or old[name] != new[name]:
            fields[name] = old[name]
    return to_json(fields)


def _refuse_when_overtaken(db: Database, action: LoggedAction) -> None:
    later = db.execute(
        """SELECT a.id, a.verb FROM changes c
           JOIN changes l ON l.paper_id = c.paper_id AND l.action_id > c.action_id
           JOIN actions a ON a.id = l.action_id AND a.state = 'done' AND a.can_undo = 1
           WHERE c.action_id = ? AND l.table_name NOT IN ('documents', 'entries')
           AND ((l.table_name = c.table_name AND l.row_key = c.row_key)
                OR (c.table_name = 'papers' AND c.operation = 'insert'))
           ORDER BY a.id DESC LIMIT 1""",
        (action.id,),
    ).fetchone()
    if later:
        raise ConflictError(
            f"Action {action.id} ({action.verb}) cannot be undone: action {later[0]} ({later[1]}) "
            f"changed the same paper since. Undo that one first: `papertrack undo {later[0]}`."
        )
