"""What this library keeps of all logs: what they say of each thing, and which acts it knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from papertrack.store.database import Database, to_json
from papertrack.store.share.fold import Head, Registers
from papertrack.store.share.lines import Act, Line, compacted_acts, digest, each_once


def own_device(db: Database) -> str | None:
    """What this device is called in the library; None in a library that is not shared."""
    found = db.select_value("SELECT device FROM share_self")
    return None if found is None else str(found)


def call_device(db: Database, device: str) -> None:
    """Write under this name from now on."""
    db.insert("share_self (id, device)", (1, device), "(id) DO UPDATE SET device = excluded.device")


def load(db: Database, thing: str) -> Registers:
    """What the logs say of a thing."""
    found = db.select_value("SELECT cells FROM share_things WHERE name = ?", (thing,))
    return _registers(found) if found else {}


def load_all(db: Database) -> Iterator[tuple[str, Registers]]:
    """What the logs say of each thing."""
    for thing, cells in db.execute("SELECT name, cells FROM share_things ORDER BY name"):
        yield thing, _registers(cells)


def _registers(cells: str) -> Registers:
    return {
        cell: [Head(Act(number, device), value) for number, device, value in heads]
        for cell, heads in json.loads(cells).items()
    }


def save(db: Database, thing: str, registers: Registers) -> None:
    """Keep what the logs say of a thing."""
    cells = {
        cell: [(head.act.number, head.act.device, head.value) for head in heads]
        for cell, heads in registers.items()
    }
    db.insert(
        "share_things (name, cells)",
        (thing, to_json(cells)),
        "(name) DO UPDATE SET cells = excluded.cells",
    )


def things_said_twice(db: Database) -> list[str]:
    """The things of which a cell may have been set on two devices without knowing of each other:
    others need not be loaded to know that they have none."""
    return db.select_column(
        "SELECT name FROM share_things WHERE cells GLOB '*], [[][0-9]*' ORDER BY name"
    )


def last_acts(db: Database) -> dict[str, int]:
    """The last act of each device that is known here."""
    return dict(db.execute("SELECT device, max(number) FROM share_acts GROUP BY device").fetchall())


def act_counts(db: Database) -> dict[str, int]:
    """How many acts of each device are known here."""
    return dict(db.execute("SELECT device, count(*) FROM share_acts GROUP BY device").fetchall())


def saw_of(db: Database, act: Act) -> Mapping[str, int]:
    """What the writer of an act had seen."""
    found = db.select_value(
        "SELECT saw FROM share_acts WHERE device = ? AND number = ?", (act.device, act.number)
    )
    return dict(json.loads(found)) if found else {}


def note_act(
    db: Database,
    act: Act,
    saw: Mapping[str, int],
    action_id: int | None,
    *,
    is_foreign: bool = False,
) -> None:
    """Remember an act, and which action of this library it is."""
    db.insert(
        "share_acts (device, number, saw, action_id, is_foreign)",
        (act.device, act.number, dict(saw), action_id, is_foreign),
        "DO NOTHING",
    )


def leave_to_name(db: Database, action_id: int) -> None:
    """Have undo take an action back only when it is named: the reader of this device did not do it,
    and other devices do the same by themselves."""
    db.execute("UPDATE share_acts SET is_foreign = 1 WHERE action_id = ?", (action_id,))


def has_act(db: Database, act: Act) -> bool:
    """Whether an act of this name is known here."""
    sql = "SELECT EXISTS (SELECT 1 FROM share_acts WHERE device = ? AND number = ?)"
    return bool(db.select_value(sql, (act.device, act.number)))


def note_line(db: Database, line: Line) -> None:
    """Remember that a line was taken in."""
    row = (line.act.device, line.act.number, line.thing, digest(line))
    db.insert("share_lines (device, number, thing, said)", row, "DO NOTHING")


def unknown(db: Database, lines: Iterable[Line]) -> list[Line]:
    """Those lines that were not taken in yet, each once."""
    lines = list(lines)
    shorter = compacted_acts(lines)
    return [line for line in each_once(lines) if not _is_known(db, line, shorter)]


def _is_known(db: Database, line: Line, shorter: Mapping[str, int]) -> bool:
    """Whether a line was taken in: itself, or, of a log that tells in part what it told, the whole
    of it. Of lines that were taken in before this was kept it is not known what they said."""
    device, number = line.act.device, line.act.number
    said = db.select_column(
        "SELECT said FROM share_lines WHERE device = ? AND number = ? AND thing = ?",
        (device, number, line.thing),
    )
    is_in_part = number <= shorter.get(device, 0)
    return bool(said) and (is_in_part or b"" in said or digest(line) in said)
