"""What stays on this device: of each thing the others are told what they were told before.

Kinds of what the reader notes can be private. The rows that hold such a thing go out without it,
and come in without touching it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from papertrack.store.database import Database, to_json
from papertrack.store.share.lines import Cells

KINDS = ("takeaways", "minutes", "notes", "discards")
_COLUMNS = {"takeaways": ("readings", "takeaway"), "minutes": ("readings", "minutes")}
_TABLES = {"notes": "notes"}
_DECISION = "paper_states/decision"
_OF_DECISIONS = (
    *(_DECISION, "paper_states/decided_at", "paper_states/decision_reason"),
    *("paper_states/in_hand_since", "paper_states/snoozed_until"),
)


def private_kinds(db: Database) -> frozenset[str]:
    """The kinds that stay here."""
    return frozenset(json.loads(db.select_value("SELECT private FROM share_self") or "[]"))


def keep_private(db: Database, kinds: Iterable[str]) -> None:
    """Let these kinds stay here from now on. What was told of others stays told."""
    db.execute("UPDATE share_self SET private = ?", (to_json(sorted(kinds)),))


def private_columns(kinds: Iterable[str]) -> Mapping[str, set[str]]:
    """Tables → columns of theirs that stay here."""
    found: dict[str, set[str]] = {}
    for table, column in (_COLUMNS[kind] for kind in kinds if kind in _COLUMNS):
        found.setdefault(table, set()).add(column)
    return found


def veiled(now: Cells, said: Cells, kinds: Iterable[str]) -> Cells:
    """A thing as others may know it: in place of what stays here what was ``said`` of that."""
    kinds = set(kinds)
    if not kinds or not now:
        return now
    tables = {_TABLES[kind] for kind in kinds if kind in _TABLES}
    columns = private_columns(kinds)
    shown = {
        cell: _veiled_row(value, said.get(cell), columns.get(_table(cell), set()))
        for cell, value in now.items()
        if _table(cell) not in tables
    }
    shown |= {cell: value for cell, value in said.items() if _table(cell) in tables}
    if "discards" in kinds and now.get(_DECISION) == "discarded":
        before = {_DECISION: "inbox"} | said
        shown |= {cell: before.get(cell) for cell in _OF_DECISIONS}
    return {cell: value for cell, value in shown.items() if value is not None}


def _table(cell: str) -> str:
    return cell.partition("/")[0]


def _veiled_row(row: object, said: object, columns: set[str]) -> object:
    if not columns or not isinstance(row, dict):
        return row
    shown = {name: value for name, value in row.items() if name not in columns}
    known = said if isinstance(said, dict) else {}
    return shown | {name: known[name] for name in sorted(columns) if name in known}
