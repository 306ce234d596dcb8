"""The journal: what each action changed, and undo and redo from it.

Triggers on every journalled table write the old and the new row, so no writer can forget to, and
a write outside an action fails (it has no action to belong to). The technique is that of
https://www.sqlite.org/undoredo.html, with rows kept as JSON in place of SQL text so that the log
reads them too. Of a paper that the action itself added only the adding is written, which keeps
imports fast: its rows go with it when it is undone, and are kept for redo at that moment.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from papertrack.errors import ConflictError
from papertrack.store.schema import JOURNALLED, NO_ACTION, OF_A_PAPER

Row = dict[str, Any]

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


def install_triggers(connection: sqlite3.Connection, tables: Iterable[str]) -> None:
    """(Re)create the journal's triggers for the tables' present columns."""
    for table in tables:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        names = [column[1] for column in columns]
        keys = [column[1] for column in sorted(columns, key=lambda c: c[5]) if column[5]]
        for operation in ("insert", "update", "delete"):
            connection.execute(f"DROP TRIGGER IF EXISTS journal_{table}_{operation}")
            connection.execute(_trigger(table, operation, names, keys))


@contextmanager
def without_insert_triggers(connection: sqlite3.Connection) -> Iterator[None]:
    """Within this block, rows of papers that the open action itself adds are written much faster.

    They need no journal of their own, which the triggers would find out row by row.
    """
    for table in OF_A_PAPER:
        connection.execute(f"DROP TRIGGER journal_{table}_insert")
    try:
        yield
    finally:
        install_triggers(connection, OF_A_PAPER)


@contextmanager
def journalled_together(connection: sqlite3.Connection, table: str) -> Iterator[None]:
    """Within this block, new rows of ``papers`` or ``entries`` are written much faster.

    What the trigger would write of each is written for all of them at the end of the block.
    """
    (last,) = connection.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()
    connection.execute(f"DROP TRIGGER journal_{table}_insert")
    try:
        yield
    finally:
        install_triggers(connection, [table])
    connection.execute(
        f"""INSERT INTO changes (action_id, paper_id, table_name, row_key, operation)
            SELECT action_id, {_PAPER_OF[table].format(row="new")}, '{table}',
                   json_array(new.id), 'insert'
            FROM journal_state, {table} new WHERE new.id > ? ORDER BY new.id""",
        (last,),
    )


_PAPER_OF = {"papers": "{row}.id", "entries": "{row}.paper_id"}
"""Table → the column that says whose row it is, beside those that are OF_A_PAPER."""


def _trigger(table: str, operation: str, names: list[str], keys: list[str]) -> str:
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
        changed = " OR ".join(f"old.{name} IS NOT new.{name}" for name in names)
        condition += f" AND ({changed})"
    # An insert's row is read when it is undone: imports would otherwise be written twice.
    old = "NULL" if operation == "insert" else _json_object((n, f"old.{n}") for n in names)
    new = _json_object((n, f"new.{n}") for n in names) if operation == "update" else "NULL"
    key = f"json_array({', '.join(f'{row}.{name}' for name in keys)})"
    return f"""
        CREATE TRIGGER journal_{table}_{operation} AFTER {operation.upper()} ON {table}
        WHEN {condition}
        BEGIN
            INSERT INTO changes (action_id, paper_id, table_name, row_key, operation, old, new)
            SELECT action_id, {paper}, '{table}', {key}, '{operation}', {old}, {new}
            FROM journal_state;
        END
    """


def _json_object(pairs: Iterable[tuple[str, str]]) -> str:
    arguments = ", ".join(f"'{name}', {value}" for name, value in pairs)
    return f"json_object({arguments})"


def begin(
    connection: sqlite3.Connection, verb: str, summary: str, at: str, *, can_undo: bool
) -> int:
    """Open an action inside the transaction that is open; return its id."""
    cursor = connection.execute(
        "INSERT INTO actions (verb, summary, at, can_undo) VALUES (?, ?, ?, ?)",
        (verb, summary, at, int(can_undo)),
    )
    action_id = int(cursor.lastrowid or 0)
    connection.execute(
        """UPDATE journal_state SET action_id = ?,
           last_paper_id = (SELECT ifnull(max(id), 0) FROM papers)""",
        (action_id,),
    )
    return action_id


def finish(connection: sqlite3.Connection, action_id: int, summary: str) -> bool:
    """Close the action. Return whether it changed anything; if not, it leaves no trace."""
    _close_state(connection)
    changed = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM changes WHERE action_id = ?)", (action_id,)
    ).fetchone()[0]
    if not changed:
        connection.execute("DELETE FROM actions WHERE id = ?", (action_id,))
        return False
    connection.execute("UPDATE actions SET summary = ? WHERE id = ?", (summary, action_id))
    (can_undo,) = connection.execute(
        "SELECT can_undo FROM actions WHERE id = ?", (action_id,)
    ).fetchone()
    if can_undo:
        connection.execute("UPDATE actions SET state = 'superseded' WHERE state = 'undone'")
    return True


def touched_papers(connection: sqlite3.Connection, action_id: int) -> list[int]:
    """The papers that an action changed."""
    rows = connection.execute(
        "SELECT DISTINCT paper_id FROM changes WHERE action_id = ? AND paper_id IS NOT NULL",
        (action_id,),
    )
    return [row[0] for row in rows]


def changed_papers(connection: sqlite3.Connection, action_id: int) -> tuple[set[int], set[int]]:
    """The papers that an action added, and those it changed; a mere change of entries is none."""
    rows = connection.execute(
        """SELECT paper_id, max(table_name = 'papers' AND operation = 'insert') FROM changes
           WHERE action_id = ? AND paper_id IS NOT NULL AND table_name <> 'entries'
           GROUP BY paper_id""",
        (action_id,),
    ).fetchall()
    return {row[0] for row in rows if row[1]}, {row[0] for row in rows if not row[1]}


def find_action(
    connection: sqlite3.Connection, state: str, action_id: int | None = None
) -> LoggedAction | None:
    """The action that undo (state ``done``) or redo (``undone``) takes next, or the one named."""
    order = "DESC" if state == "done" else "ASC"
    condition = "id = ?2" if action_id is not None else "?2 IS NULL"
    row = connection.execute(
        f"""SELECT id, verb, summary, at, state, can_undo FROM actions
            WHERE state = ?1 AND can_undo = 1 AND {condition} ORDER BY id {order} LIMIT 1""",
        (state, action_id),
    ).fetchone()
    return _logged(row) if row else None


def revert(connection: sqlite3.Connection, action: LoggedAction) -> None:
    """Put back what the action changed. Raises ConflictError when a later change stands on it."""
    _refuse_when_overtaken(connection, action)
    changes = connection.execute(
        """SELECT id, table_name, row_key, operation, old, new FROM changes
           WHERE action_id = ? ORDER BY id DESC""",
        (action.id,),
    ).fetchall()
    _start_replay(connection)
    layouts = _layouts(connection)
    # Categories go last: with one go the places in it, which papers must first be read with.
    for change_id, table, row_key, operation, old, new in sorted(
        changes, key=lambda change: change[1] == "categories"
    ):
        layout = layouts[table]
        if operation == "insert":
            image = _read_row(connection, layout, row_key)
            if table == "papers":
                image = _read_whole_paper(connection, layouts, row_key)
            if table == "categories" and _is_category_in_use(connection, row_key):
                image = None
            connection.execute("UPDATE changes SET new = ? WHERE id = ?", (image, change_id))
            if image is not None:
                _delete_row(connection, layout, row_key)
        elif operation == "update":
            _set_row(connection, layout, json.loads(old), json.loads(new))
        else:
            _insert_row(connection, layout, json.loads(old))
    connection.execute("UPDATE actions SET state = 'undone' WHERE id = ?", (action.id,))
    _close_state(connection)


def reapply(connection: sqlite3.Connection, action: LoggedAction) -> None:
    """Do again what was undone."""
    changes = connection.execute(
        """SELECT table_name, row_key, operation, old, new FROM changes
           WHERE action_id = ? ORDER BY id""",
        (action.id,),
    ).fetchall()
    _start_replay(connection)
    layouts = _layouts(connection)
    for table, row_key, operation, old, new in changes:
        layout = layouts[table]
        if operation == "delete":
            _delete_row(connection, layout, row_key)
        elif operation == "update":
            _set_row(connection, layout, json.loads(new), json.loads(old))
        elif new is None:
            continue  # A category that other papers are in by now: it was left there.
        elif table == "papers":
            for part, rows in json.loads(new).items():
                for row in rows:
                    _insert_row(connection, layouts[part], row)
        else:
            _insert_row(connection, layout, json.loads(new))
    connection.execute("UPDATE actions SET state = 'done' WHERE id = ?", (action.id,))
    _close_state(connection)


def read_log(
    connection: sqlite3.Connection, *, paper_id: int | None = None, limit: int = 50
) -> list[LoggedAction]:
    """The newest actions first; with a paper, only those that changed it."""
    rows = connection.execute(
        """SELECT id, verb, summary, at, state, can_undo FROM actions
           WHERE ?1 IS NULL OR id IN (SELECT action_id FROM changes WHERE paper_id = ?1)
           ORDER BY id DESC LIMIT ?2""",
        (paper_id, limit),
    )
    return [_logged(row) for row in rows]


def _logged(row: tuple[int, str, str, str, str, int]) -> LoggedAction:
    action_id, verb, summary, at, state, can_undo = row
    return LoggedAction(action_id, verb, summary, at, state, bool(can_undo))


@contextmanager
def unwatched(connection: sqlite3.Connection) -> Iterator[None]:
    """Within this block of a migration nothing is journalled: the reader does nothing."""
    connection.execute("UPDATE journal_state SET last_paper_id = -1")
    yield
    _close_state(connection)


def _start_replay(connection: sqlite3.Connection) -> None:
    # Rows come back in reverse order, so a child may stand for a moment without its parent.
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("UPDATE journal_state SET last_paper_id = -1")


def _close_state(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE journal_state SET action_id = NULL, last_paper_id = ?", (NO_ACTION,))


@dataclass(frozen=True, slots=True)
class _Layout:
    table: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    where: str
    """The condition that finds a row by its primary key."""


def _layouts(connection: sqlite3.Connection) -> dict[str, _Layout]:
    layouts = {}
    for table in JOURNALLED:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        keys = [column[1] for column in sorted(columns, key=lambda c: c[5]) if column[5]]
        where = " AND ".join(f"{key} = ?" for key in keys)
        names = tuple(column[1] for column in columns)
        layouts[table] = _Layout(table, names, tuple(keys), where)
    return layouts


def _read_row(connection: sqlite3.Connection, layout: _Layout, row_key: str) -> str | None:
    image = _json_object((name, name) for name in layout.columns)
    row = connection.execute(
        f"SELECT {image} FROM {layout.table} WHERE {layout.where}",
        json.loads(row_key),
    ).fetchone()
    return row[0] if row else None


def _delete_row(connection: sqlite3.Connection, layout: _Layout, row_key: str) -> None:
    connection.execute(f"DELETE FROM {layout.table} WHERE {layout.where}", json.loads(row_key))


def _insert_row(connection: sqlite3.Connection, layout: _Layout, row: dict[str, object]) -> None:
    marks = ", ".join("?" for _ in row)
    connection.execute(
        f"INSERT INTO {layout.table} ({', '.join(row)}) VALUES ({marks})", list(row.values())
    )


def _read_whole_paper(
    connection: sqlite3.Connection, layouts: dict[str, _Layout], row_key: str
) -> str:
    """The paper and all its rows: {"papers": [row], "authors": [row, …], …} as JSON."""
    (paper_id,) = json.loads(row_key)
    parts = {}
    for table in ("papers", *OF_A_PAPER):
        image = _json_object((name, name) for name in layouts[table].columns)
        owner = "id" if table == "papers" else "paper_id"
        rows = connection.execute(
            f"SELECT {image} FROM {table} WHERE {owner} = ?", (paper_id,)
        ).fetchall()
        if rows:
            parts[table] = [json.loads(row[0]) for row in rows]
    return json.dumps(parts, ensure_ascii=False)


def _is_category_in_use(connection: sqlite3.Connection, row_key: str) -> bool:
    """Whether a category still holds papers or categories, put there by later actions."""
    (category_id,) = json.loads(row_key)
    row = connection.execute(
        """SELECT EXISTS (SELECT 1 FROM paper_categories WHERE category_id = ?1)
           OR EXISTS (SELECT 1 FROM categories WHERE parent_id = ?1)""",
        (category_id,),
    ).fetchone()
    return bool(row[0])


def _set_row(connection: sqlite3.Connection, layout: _Layout, row: Row, other: Row) -> None:
    """Give the columns in which the two images differ the values of the first.

    The others stay: something that is not undone, such as a citekey given away, may have set them.
    An update that changed the key itself is found by the key it has now.
    """
    changed = {name: value for name, value in row.items() if value != other[name]}
    keys = [other[name] for name in layout.keys]
    for name in changed.keys() & set(FIELDWISE.get(layout.table, ())):
        found = connection.execute(
            f"SELECT {name} FROM {layout.table} WHERE {layout.where}", keys
        ).fetchone()
        if found and found[0] != other[name]:
            changed[name] = _fields_set(found[0], row[name], other[name])
    assignments = ", ".join(f"{name} = ?" for name in changed)
    connection.execute(
        f"UPDATE {layout.table} SET {assignments} WHERE {layout.where}", [*changed.values(), *keys]
    )


def _fields_set(found: str, wanted: str, other: str) -> str:
    """``found`` with the fields in which two JSON objects differ as the first of them has them."""
    fields, old, new = json.loads(found), json.loads(wanted), json.loads(other)
    for name in old.keys() | new.keys():
        if name not in old:
            fields.pop(name, None)
        elif name not in new or old[name] != new[name]:
            fields[name] = old[name]
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)


def _refuse_when_overtaken(connection: sqlite3.Connection, action: LoggedAction) -> None:
    later = connection.execute(
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
