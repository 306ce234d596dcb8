"""The journal: what each action changed, for undo and redo.

Triggers on the journalled tables write it (see ``trigger_texts``). So no code can forget to, and a
write outside an action fails. A change has its table and the row's key; for an update also the
changed columns, before and after; for a deletion the whole row. The row of an insertion is stored,
for redo, only when it is undone. If an action adds a paper, only the row in ``papers`` is written:
the paper's other rows are removed and restored with it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from papertrack.errors import ConflictError, NotFoundError, PapertrackError
from papertrack.store.database import Database, to_json

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
"""Tables whose rows belong to one paper (``paper_id``) and are removed with it."""

JOURNALLED = (*("papers", *OF_A_PAPER, "categories", "topics", "documents", "entries"), "forgotten")
"""Tables whose changes triggers write to the journal."""

NO_ACTION = 2**62
"""The ``last_paper_id`` while no action is open, higher than the id of any paper.

So every write outside an action reaches the journal, which refuses it.
"""

UNJOURNALLED = {"papers": ("is_citekey_given",), "paper_states": ("passes_done",)}
"""Columns whose change alone is not journalled.

Showing a citation key is no action of the user, and other triggers count passes from readings.
"""

_PAPER_OF = {**dict.fromkeys((*OF_A_PAPER, "entries"), "{row}.paper_id"), "papers": "{row}.id"}
"""The column, by table, with the paper of a row."""


class Layout(NamedTuple):
    """The current columns of a journalled table."""

    columns: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def where(self) -> str:
        """The SQL condition that finds a row by its primary key."""
        return " AND ".join(f"{key} = ?" for key in self.keys)

    def row_as_json(self, row: str = "") -> str:
        """Return SQL for a whole row as JSON; in triggers, ``row`` is ``old.`` or ``new.``."""
        pairs = ", ".join(f"'{name}', {row}{name}" for name in self.columns)
        return f"json_object({pairs})"

    def changed(self) -> str:
        """Return a query, for triggers, for the columns that an update changed.

        Its one row has their former and new values as JSON (``was``, ``now``), and their number
        (``columns``).
        """
        values = ", ".join(f"('{name}', old.{name}, new.{name})" for name in self.columns)
        # A change from upper to lower case counts, even in a column that ignores case.
        return f"""
                SELECT json_group_object(name, was) AS was, json_group_object(name, now) AS now,
                       count(*) AS columns
                FROM (SELECT '' AS name, '' AS was, '' AS now UNION ALL VALUES {values})
                WHERE was COLLATE BINARY IS NOT now"""


def layouts_of(db: Database, tables: Iterable[str] = JOURNALLED) -> dict[str, Layout]:
    """Return the columns and primary key of those of the tables that this library has."""
    # One statement, because every write checks the triggers, which are made from its result.
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
    """Create the journal's triggers for the current columns of these tables, or replace them."""
    for name, text in trigger_texts(db, tables).items():
        db.execute(f"DROP TRIGGER IF EXISTS {name}")
        db.execute(text)


def trigger_texts(db: Database, tables: Iterable[str] = JOURNALLED) -> dict[str, str]:
    """Return the SQL of the journal's triggers for the tables' current columns, by name."""
    return {
        f"journal_{table}_{operation}": _trigger(table, operation, layout)
        for table, layout in layouts_of(db, tables).items()
        for operation in ("insert", "update", "delete")
    }


@contextmanager
def without_journal(db: Database) -> Iterator[None]:
    """Switch the journal off within this block, to restore or migrate rows."""
    # Rows are restored in reverse order, so a row may exist before the row that it refers to.
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("UPDATE journal_state SET last_paper_id = -1")
    yield
    close_state(db)


@contextmanager
def part_of_action(db: Database) -> Iterator[None]:
    """Journal changes within this block if an action is open; allow them without one."""
    is_open = db.select_value("SELECT action_id FROM journal_state") is not None
    with nullcontext() if is_open else without_journal(db):
        yield


def close_state(db: Database) -> None:
    """Close the open action: from now on the journal refuses writes."""
    db.execute("UPDATE journal_state SET action_id = NULL, last_paper_id = ?", (NO_ACTION,))


@cache
def _trigger(table: str, operation: str, layout: Layout) -> str:
    row = "old" if operation == "delete" else "new"
    # The row of an insert is read only on undo; otherwise imports would be stored twice.
    event, old, new, found = operation.upper(), "NULL", "NULL", "journal_state"
    if operation == "delete":
        old = layout.row_as_json("old.")
    elif operation == "update":
        acts = [name for name in layout.columns if name not in UNJOURNALLED.get(table, ())]
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
    """Return the SQL condition for a row to be journalled.

    Rows of papers that the open action has added are not.
    """
    last_paper = "(SELECT last_paper_id FROM journal_state)"
    if table in OF_A_PAPER:
        is_update = operation == "update"
        owner = "min(old.paper_id, new.paper_id)" if is_update else f"{row}.paper_id"
        # A row without a paper, such as a proposal to add one, is always journalled.
        return f"ifnull({owner}, 0) <= {last_paper}"
    if table == "papers" and operation != "insert":
        return f"{row}.id <= {last_paper}"
    return f"{last_paper} >= 0"


# Without `from __future__ import annotations`: see ``records``.


Row = dict[str, Any]
"""A journalled row: values by column; for an update, only the columns that changed."""
FIELDWISE = {"entries": ("base", "library")}
"""Columns with JSON objects whose fields are undone one by one.

A later export may have set other fields.
"""
_HAS_EFFECT = """
    SELECT EXISTS (SELECT 1 FROM changes WHERE action_id = ?1)
        OR EXISTS (SELECT 1 FROM replaced_files WHERE action_id = ?1)
"""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """An action in the log."""

    id: int
    verb: str
    summary: str
    at: str
    state: str
    """``done``, ``undone`` (redo can repeat it) or ``superseded`` (undone, and redo cannot)."""
    can_undo: bool

    @property
    def description(self) -> str:
        """What the action did: its verb and summary."""
        if self.summary.startswith(self.verb):
            return self.summary
        return f"{self.verb}: {self.summary}" if self.summary else self.verb

    @property
    def about(self) -> str:
        """The summary without the verb, for lists that show the verb in a column."""
        return self.summary.removeprefix(f"{self.verb}:").lstrip()


_LOGGED = "SELECT id, verb, summary, at, state, can_undo FROM actions"
SHARE_VERB = "share"
"""The verb of actions that apply changes by others in a shared library."""
_SESSION_LENGTH = timedelta(hours=24)
"""The age from which an action counts as one of another session, even in the same terminal."""


@cache
def current_session() -> str:
    """Return an identifier of this terminal session.

    The user remembers what was done in it today. Undo asks before it reverses anything else: by a
    scheduled job, in another terminal, or long ago.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        boot = ""  # Session numbers repeat after a restart; only Linux identifies the boot.
    session = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    return f"{boot}:{session}"


def is_recent(at: str, now: datetime) -> bool:
    """Return whether an action at this time (ISO 8601) may belong to the current session."""
    return now.astimezone() - datetime.fromisoformat(at) < _SESSION_LENGTH


def is_of_this_session(db: Database, action_id: int) -> bool:
    """Return whether an action was done in this terminal session, however long ago."""
    found = db.select_value("SELECT sitting FROM actions WHERE id = ?", (action_id,))
    return bool(found == current_session())


def begin(db: Database, verb: str, summary: str, at: str, *, can_undo: bool) -> int:
    """Open an action within the open transaction; return its id."""
    row = (verb, summary, at, can_undo, current_session())
    cursor = db.insert("actions (verb, summary, at, can_undo, sitting)", row)
    db.execute(
        """UPDATE journal_state SET action_id = ?,
           last_paper_id = (SELECT ifnull(max(id), 0) FROM papers)""",
        (cursor.lastrowid,),
    )
    return int(cursor.lastrowid or 0)


def finish(db: Database, action_id: int, summary: str) -> bool:
    """Close an action; return whether it changed anything. If not, it is deleted."""
    close_state(db)
    if not db.select_value(_HAS_EFFECT, (action_id,)):
        db.execute("DELETE FROM actions WHERE id = ?", (action_id,))
        return False
    db.execute("UPDATE actions SET summary = ? WHERE id = ?", (summary, action_id))
    if db.select_value("SELECT can_undo FROM actions WHERE id = ?", (action_id,)):
        db.execute("UPDATE actions SET state = 'superseded' WHERE state = 'undone'")
    return True


def revision(db: Database) -> str:
    """Return a text that changes with every change of the library, and every undo and redo.

    Exports do not count, because they only change the stored state of their own document.
    """
    newest = db.select_value(
        """SELECT c.id FROM changes c JOIN actions a ON a.id = c.action_id
           WHERE a.verb <> 'export' ORDER BY c.id DESC LIMIT 1"""
    )
    undone = "SELECT id FROM actions WHERE state IN ('undone', 'superseded') ORDER BY id"
    return to_json([newest, db.select_column(undone)])


def touched_papers(db: Database, action_id: int) -> list[int]:
    """Return the papers that an action changed, and both papers of pairs marked as different."""
    return db.select_column(
        """SELECT paper_id FROM changes WHERE action_id = ?1 AND paper_id IS NOT NULL
           UNION SELECT value FROM changes, json_each(row_key)
           WHERE action_id = ?1 AND table_name = 'different'""",
        (action_id,),
    )


def changed_papers(db: Database, action_id: int) -> tuple[set[int], set[int]]:
    """Return the papers that an action added, and the other papers that it changed.

    Changes of stored entries and original records alone do not count.
    """
    rows = db.execute(
        """SELECT paper_id, max(table_name = 'papers' AND operation = 'insert') FROM changes
           WHERE action_id = ? AND paper_id IS NOT NULL
           AND table_name NOT IN ('entries', 'originals')
           GROUP BY paper_id""",
        (action_id,),
    ).fetchall()
    return {row[0] for row in rows if row[1]}, {row[0] for row in rows if not row[1]}


def find_action(db: Database, state: str, action_id: int | None = None) -> LoggedAction | None:
    """Return the next action to undo (``done``) or redo (``undone``), or the one with this id.

    Actions of others are undone only by their id. Returns None if there is no such action.
    """
    order = "DESC" if state == "done" else "ASC"
    return db.find_record(
        LoggedAction,
        f"""{_LOGGED}
            WHERE state = ?1 AND can_undo = 1
            AND CASE WHEN ?2 IS NULL THEN verb <> ?3 ELSE id = ?2 END
            ORDER BY id {order} LIMIT 1""",
        (state, action_id, SHARE_VERB),
    )


def not_to_undo(db: Database, action_id: int) -> PapertrackError:
    """Return the error for an action that cannot be undone."""
    action = db.find_record(LoggedAction, f"{_LOGGED} WHERE id = ?", (action_id,))
    if action is None:
        return NotFoundError(f"There is no action {action_id}; `papertrack log` lists them.")
    named = f"Action {action_id} ({action.description})"
    if action.state != "done":
        return ConflictError(f"{named} is already undone.")
    return ConflictError(
        f"{named} changed no paper, and is not undone by itself. Undo what changed the papers, "
        "which `papertrack log` lists; then `papertrack export` or `sync` changes the files back."
    )


def revert(db: Database, action: LoggedAction) -> None:
    """Undo an action. Raises ConflictError if a later change depends on it."""
    _refuse_when_overtaken(db, action)
    newest_first = _changes(db, action)[::-1]
    layouts = layouts_of(db)
    with _replayed(db, action, "undone"):
        # Categories are removed last: their rows in paper_categories are removed with them, and
        # the rows of papers must be read before.
        for change in sorted(newest_first, key=lambda change: change.table == "categories"):
            table, key, old, new = change.table, change.key, change.old, change.new
            if old is None:
                image = _read_image(db, layouts, table, key)
                db.execute("UPDATE changes SET new = ? WHERE id = ?", (image, change.id))
                if image is not None:
                    _delete_row(db, table, layouts[table], key)
            elif new is not None:
                _set_row(db, table, layouts[table], key, old, new)
            else:
                _insert_row(db, table, old)


def no_longer_fits(action_id: int | None) -> ConflictError:
    """Return the error for a row that the database refuses to restore.

    Another row has its key now, or a row that it refers to is gone. The database may find that only
    at the end of the transaction.
    """
    return ConflictError(
        f"Action {action_id} no longer fits later changes: what it would restore exists "
        "again, or its paper or category is gone. Undo the later actions first; "
        "`papertrack log` lists them."
    )


def reapply(db: Database, action: LoggedAction) -> None:
    """Redo an undone action."""
    layouts = layouts_of(db)
    with _replayed(db, action, "done"):
        for change in _changes(db, action):
            table, old, new = change.table, change.old, change.new
            if new is not None and old is not None:
                key = [
                    old.get(name, value)
                    for name, value in zip(layouts[table].keys, change.key, strict=True)
                ]
                _set_row(db, table, layouts[table], key, new, old)
            elif old is not None:
                _delete_row(db, table, layouts[table], change.key)
            elif new is None:
                continue  # A category that was still in use when undo should have removed it.
            elif table == "papers":
                for part, rows in new.items():
                    for row in rows:
                        _insert_row(db, part, row)
            else:
                _insert_row(db, table, new)


@contextmanager
def _replayed(db: Database, action: LoggedAction, state: str) -> Iterator[None]:
    """Switch the journal off within this block, and set the action's state after it."""
    with without_journal(db):
        yield
        db.execute("UPDATE actions SET state = ? WHERE id = ?", (state, action.id))


class _Change(NamedTuple):
    """A row that an action added, updated or deleted."""

    id: int
    table: str
    key: list[object]
    """The primary key; after an update, the new one."""
    old: Row | None
    """The former values; None for an added row."""
    new: Row | None
    """The new values; None for a deleted row.

    For an added row, None unless it was undone; for a paper then all its rows, by table.
    """


def _changes(db: Database, action: LoggedAction) -> list[_Change]:
    return db.select_records(
        _Change,
        "SELECT id, table_name, row_key, old, new FROM changes WHERE action_id = ? ORDER BY id",
        (action.id,),
    )


def read_log(db: Database, *, paper_id: int | None = None, limit: int = 50) -> list[LoggedAction]:
    """Return the last actions, newest first; with a paper, only those that changed it."""
    return db.select_records(
        LoggedAction,
        f"""{_LOGGED}
           WHERE ?1 IS NULL OR id IN (SELECT action_id FROM changes WHERE paper_id = ?1)
           ORDER BY id DESC LIMIT ?2""",
        (paper_id, limit),
    )


_OWNER = {"papers": "id = ?1", "different": "paper_id = ?1 OR other_id = ?1"}
"""SQL conditions for the rows of a paper, in tables without just the column ``paper_id``."""


def _read_image(
    db: Database, layouts: dict[str, Layout], table: str, key: list[object]
) -> str | None:
    """Return the row that an undo deletes, as JSON, for redo.

    Returns None for a category still in use, and for a missing row. For a paper, returns all its
    rows: {"papers": [row], "authors": [row, …], …}.
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
           OR EXISTS (SELECT 1 FROM categories WHERE ifnull(parent_id, 0) = ?1)""",
        key,
    ):
        return None
    layout = layouts[table]
    image = db.select_value(f"SELECT {layout.row_as_json()} FROM {table} WHERE {layout.where}", key)
    return None if image is None else str(image)


def _delete_row(db: Database, table: str, layout: Layout, key: list[object]) -> None:
    db.execute(f"DELETE FROM {table} WHERE {layout.where}", key)


def _insert_row(db: Database, table: str, row: Row) -> None:
    db.insert(f"{table} ({', '.join(row)})", list(row.values()))


def _set_row(
    db: Database, table: str, layout: Layout, key: Sequence[object], row: Row, other: Row
) -> None:
    """Set the changed columns of a row to their values in ``row``; other columns stay.

    ``other`` are the values on the other side of the change, and ``key`` is the row's key there.
    """
    changed = dict(row)
    for name in changed.keys() & set(FIELDWISE.get(table, ())):
        found = db.select_value(f"SELECT {name} FROM {table} WHERE {layout.where}", key)
        if found is not None and found != other[name]:
            changed[name] = _fields_set(found, row[name], other[name])
    assignments = ", ".join(f"{name} = ?" for name in changed)
    db.execute(f"UPDATE {table} SET {assignments} WHERE {layout.where}", (*changed.values(), *key))


def _fields_set(found: str, wanted: str, other: str) -> str:
    """Return the JSON object ``found``, with the fields changed between two objects reset.

    Fields in which ``wanted`` and ``other`` differ get their values from ``wanted``.
    """
    fields, old, new = json.loads(found), json.loads(wanted), json.loads(other)
    for name in old.keys() | new.keys():
        if name not in old:
            fields.pop(name, None)
        elif name not in new or old[name] != new[name]:
            fields[name] = old[name]
    return to_json(fields)


_STANDS_ON_READING = """(
    (l.table_name = 'papers' AND l.operation = 'delete')
    OR (l.table_name = 'readings' AND l.operation = 'update')
    OR (l.table_name = 'readings' AND l.operation = 'insert' AND EXISTS (
        SELECT 1 FROM readings n WHERE n.id = l.row_key ->> 0 AND NOT EXISTS (
            SELECT 1 FROM readings r
            WHERE r.paper_id = n.paper_id AND r.id < n.id AND r.pass >= n.pass))))"""
"""SQL condition: the later change ``l`` depends on a reading, so the reading cannot be undone.

It removed the reading's paper, edited a reading, or recorded a higher pass.
"""


def _refuse_when_overtaken(db: Database, action: LoggedAction) -> None:
    later = db.execute(
        f"""SELECT a.id, a.verb FROM changes c
           JOIN changes l ON l.paper_id = c.paper_id AND l.action_id > c.action_id
           JOIN actions a ON a.id = l.action_id AND a.state = 'done' AND a.can_undo = 1
           WHERE c.action_id = ? AND l.table_name NOT IN ('documents', 'entries')
           AND ((l.table_name = c.table_name AND l.row_key = c.row_key)
                OR (c.table_name = 'readings' AND {_STANDS_ON_READING})
                OR (c.table_name = 'papers' AND c.operation = 'insert'))
           ORDER BY a.id DESC LIMIT 1""",
        (action.id,),
    ).fetchone()
    if later:
        raise ConflictError(
            f"Action {action.id} ({action.verb}) cannot be undone: action {later[0]} ({later[1]}) "
            f"changed the same paper since. Undo that one first: `papertrack undo {later[0]}`."
        )
