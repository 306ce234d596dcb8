"""What this device says of what it did: made of the journal, so that no verb can forget to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from papertrack.store.changes.triggers import unwatched
from papertrack.store.database import Database
from papertrack.store.share import kept
from papertrack.store.share.fold import PRESENT, Registers, apply, resolve
from papertrack.store.share.layout import THINGS
from papertrack.store.share.lines import Act, Cells, Line, differences, to_text
from papertrack.store.share.names import Names
from papertrack.store.share.outbox import put_out
from papertrack.store.share.private import private_kinds, veiled
from papertrack.store.share.rows import Rows, Things

Touched = dict[str, set[int]]
"""Table of things → the numbers of rows that may say something else now."""
_TITLES = (
    *("papers/title", "papers/citekey", "categories/name", "topics/name", "documents/path"),
    "forgotten/term",
)


@dataclass(frozen=True, slots=True)
class Doing:
    """What was done, for the log."""

    verb: str
    summary: str
    at: str
    action_id: int | None = None


def say_action(db: Database, doing: Doing, action_id: int, others: Iterable[int] = ()) -> None:
    """Say what an action changed, and what is otherwise with these other papers."""
    touched = touched_by(db, action_id)
    touched["papers"].update(others)
    say(db, doing, touched)


def beside(db: Database, action_id: int) -> set[int]:
    """The papers that undo of an action, or doing it again, would change without having been
    changed by it: those that have its rows by now, or rows that refer to them."""
    rows = Rows(db, Names(db))
    found: set[int] = set()
    sql = "SELECT table_name, row_key FROM changes WHERE action_id = ?"
    for table, row_key in db.execute(sql, (action_id,)).fetchall():
        key = json.loads(row_key)
        found |= rows.holding(table, key)
        found |= rows.referring(table, key[0]) if table in THINGS else set()
    return found


def say_replay(db: Database, doing: Doing, action_id: int, others: Iterable[int]) -> None:
    """Say what undo of an action, or doing it again, changed: that and these other papers."""
    _leave_where_they_are(db, action_id)
    say_action(db, doing, action_id, others)


def _leave_where_they_are(db: Database, action_id: int) -> None:
    """Take away what came back a second time: a reading whose name another row has by now, which
    another device brought back, or moved to the paper that this one was made one with."""
    rows = Rows(db, Names(db))
    papers = touched_by(db, action_id)["papers"]
    with unwatched(db):
        for layout in rows.layouts.values():
            for row_id in rows.unnamed(layout, papers) if layout.is_named else ():
                if rows.names.is_anothers(layout.table, row_id):
                    db.execute(f"DELETE FROM {layout.table} WHERE id = ?", (row_id,))


def touched_by(db: Database, action_id: int) -> Touched:
    """The things that an action changed."""
    touched: Touched = {table: set() for table in THINGS}
    rows = db.execute(
        """SELECT DISTINCT table_name, row_key, paper_id FROM changes
           WHERE action_id = ? AND table_name <> 'entries'""",
        (action_id,),
    )
    for table, row_key, paper_id in rows:
        if table in touched:
            touched[table].add(json.loads(row_key)[0])
        else:
            touched["papers"].add(paper_id)
        if table == "different":
            touched["papers"].update(json.loads(row_key))
    return touched


def everything(db: Database) -> Touched:
    """All things of the library."""
    return {table: set(db.select_column(f"SELECT id FROM {table}")) for table in THINGS}


def say(db: Database, doing: Doing, touched: Touched) -> int:
    """Say what is otherwise with these things than the logs say, in one act of this device.

    Returns how many lines it took; none where the logs say it all. They are in the outbox then.
    """
    act, saw = next_act(db)
    lines: list[Line] = []
    for thing, registers, changes, title in _news(Rows(db, Names(db)), db, touched):
        words = title if lines else doing.summary or title
        line = Line(act, doing.at, saw, doing.verb, thing, changes, words)
        if not lines:
            kept.note_act(db, act, saw, doing.action_id)
        take_note(db, registers, line)
        lines.append(line)
    if lines:
        put_out(db, f"{act.device}/{doing.at[:7]}.log", "".join(map(to_text, lines)))
    return len(lines)


def next_act(db: Database) -> tuple[Act, dict[str, int]]:
    """What this device does next is called so; and what it knows of all devices by now."""
    saw, device = kept.last_acts(db), kept.own_device(db)
    assert device is not None
    return Act(max(saw.values(), default=0) + 1, device), saw


def take_note(db: Database, registers: Registers, line: Line) -> None:
    """Let a line say what it says, and remember that it did."""
    apply(registers, line, lambda act: kept.saw_of(db, act))
    kept.save(db, line.thing, registers)
    kept.note_line(db, line)


_News = tuple[str, Registers, dict[str, tuple[object, object]], str]


def _news(rows: Rows, db: Database, touched: Touched) -> Iterator[_News]:
    """Each thing that is otherwise than the logs say: its name, what they say, what changed, and
    its title."""
    kinds = private_kinds(db)
    for thing, here in read_touched(rows, touched).items():
        registers = kept.load(db, thing)
        said = {cell: resolve(registers, cell) for cell in registers if rows.knows(cell)}
        now = veiled(here, said, kinds)
        if not now:
            rows.names.forget_gone(thing)
            if not said.get(PRESENT):
                continue
        # Of a thing that is gone nothing is said but that: it may come back as it was.
        before: Cells = {k: v for k, v in said.items() if now or k == PRESENT}
        if changes := differences(before, now):
            yield thing, registers, changes, _title(now or said)


def _title(cells: Cells) -> str:
    return next((str(cells[cell]) for cell in _TITLES if cells.get(cell)), "")


def read_touched(rows: Rows, touched: Touched) -> Things:
    """These things as they are, and those they refer to that had no name yet; nothing is known of
    what is gone, or goes by another name."""
    things: dict[str, Things] = {table: {} for table in THINGS}
    for table, ids in touched.items():
        things[table] |= _read_named(rows, table, sorted(ids))
    while rows.names.born:
        born, rows.names.born = rows.names.born, []
        for table, row_id in born:
            if table in things and row_id not in touched.get(table, ()):
                things[table] |= rows.read(table, [row_id])
    return {name: cells for found in things.values() for name, cells in found.items()}


def _read_named(rows: Rows, table: str, ids: list[int]) -> Things:
    found = rows.read(table, ids)
    for row_id in ids:
        for name in rows.names.names_of(table, row_id):
            found.setdefault(name, {})
    return found
