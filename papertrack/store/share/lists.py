"""Which lists of arXiv are known, as lines: so that a job that keeps no database misses no day.

A list is no thing of the reader's: it has no row of its own, no undo, and no contradictions. What
one device looked at the others need not look at again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from papertrack.store.database import Database, to_json
from papertrack.store.share import kept
from papertrack.store.share.fold import resolve
from papertrack.store.share.lines import Cells, Line, differences, to_text
from papertrack.store.share.outbox import put_out
from papertrack.store.share.saying import next_act, take_note
from papertrack.store.store import Store
from papertrack.store.watch import runs

PREFIX = "list:"
"""How the names of lists begin, before arXiv's category."""
_DAY = "announcement_days/"
_TRIES = "missed_days/"
_LAST = "watch_looks/last"


def say_lists(store: Store) -> int:
    """Say what is known of lists otherwise than the logs say, in one act; return the number of
    lines. Part of a transaction."""
    act, saw = next_act(store)
    said = 0
    for name, now in _here(store).items():
        registers = kept.load(store, name)
        before = {cell: resolve(registers, cell) for cell in registers if "/" in cell}
        if changes := differences({k: v for k, v in before.items() if v is not None}, now):
            line = Line(act, store.stamp(), saw, "watch", name, changes, _words(now))
            kept.note_act(store, act, saw, None)
            take_note(store, registers, line)
            put_out(store, f"{act.device}/{line.at[:7]}.log", to_text(line))
            said += 1
    if said:
        store.complete_log()
    return said


def _words(now: Cells) -> str:
    look = now.get(_LAST)
    return f"{look['unseen']} unseen of {look['announced']}: {look['state']}" if look else ""


def known_lists(db: Database) -> dict[str, Cells]:
    """The days of each category whose lists are known."""
    found: dict[str, Cells] = {}
    rows = db.execute("SELECT category, day, source, announced FROM announcement_days")
    for category, day, source, announced in rows:
        said = {"source": source, "announced": announced}
        found.setdefault(PREFIX + category, {})[_DAY + day] = said
    return found


def _here(store: Store) -> dict[str, Cells]:
    found = known_lists(store)
    for category, day, tries in store.execute("SELECT category, day, tries FROM missed_days"):
        found.setdefault(PREFIX + category, {})[_TRIES + day] = {"tries": tries}
    for category in store.select_column("SELECT DISTINCT category FROM watch_looks"):
        if (last := runs.last_look(store, category)) is not None:
            run, look = last
            told = {"at": run.at, "day": str(run.day), "finished_at": run.finished_at}
            shared = told | asdict(look) | {"failed": list(look.failed)}
            del shared["category"]
            cells = found.setdefault(PREFIX + category, {})
            cells[_LAST] = {name: value for name, value in shared.items() if value is not None}
    return found


def is_list(line: Line) -> bool:
    """Whether a line is of a list."""
    return line.thing.startswith(PREFIX)


def take_lists(store: Store, lines: Iterable[Line]) -> None:
    """Note what another device has looked at. Part of a transaction."""
    for line in lines:
        category, registers = line.thing.removeprefix(PREFIX), kept.load(store, line.thing)
        take_note(store, registers, line)
        for cell in line.changes:
            value = resolve(registers, cell)
            if isinstance(value, dict):
                _take_cell(store, category, cell, value)


def _take_cell(store: Store, category: str, cell: str, value: dict[str, Any]) -> None:
    if cell.startswith(_DAY):
        day = date.fromisoformat(cell.removeprefix(_DAY))
        announced = int(value["announced"])
        runs.mark_day(store, category, day, source=str(value["source"]), announced=announced)
    elif cell.startswith(_TRIES):
        row = (category, cell.removeprefix(_TRIES), int(value["tries"]))
        known = runs.known_days(store, category)
        if date.fromisoformat(row[1]) not in known:
            update = "(category, day) DO UPDATE SET tries = max(tries, excluded.tries)"
            store.insert("missed_days (category, day, tries)", row, update)
    elif cell == _LAST:
        _take_look(store, category, value)


def _take_look(store: Store, category: str, value: dict[str, Any]) -> None:
    """Keep a look, unless a later one is known here."""
    last = runs.last_look(store, category)
    if last is not None and last[0].at >= str(value["at"]):
        return
    run = (value["at"], value["day"], value.get("finished_at"))
    run_id = store.select_value("SELECT id FROM watch_runs WHERE at = ? AND day = ?", run[:2])
    if run_id is None:
        run_id = store.insert("watch_runs (at, day, finished_at)", run).lastrowid
    columns = ("state", "announced", "unseen", "matched", "failed", "last_new_id", "batch")
    look = value | {"failed": to_json(value.get("failed") or [])}
    store.insert(
        f"watch_looks (run_id, category, {', '.join(columns)})",
        (run_id, category, *map(look.get, columns)),
        "DO NOTHING",
    )
