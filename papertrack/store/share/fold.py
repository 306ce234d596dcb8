"""What the lines of all devices together say of a thing. Pure, and the same on every device.

A cell holds what was last said of it: the *heads*, which nobody who spoke later had seen. Two of
them that differ were said without knowledge of each other. What then counts is decided by the kind
of the cell, the same way everywhere; what contradicts is named as well, for the reader to settle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from papertrack.records import READER
from papertrack.store.database import to_json
from papertrack.store.share.lines import Act, Cells, Line

PRESENT = "present"
"""The cell that says whether a thing is there; all that works on a thing says that it is."""


class Head(NamedTuple):
    """What one act said of a cell."""

    act: Act
    value: Any


Registers = dict[str, list[Head]]
"""Cell → its heads, in the order of their acts, and of what they say."""
SawOf = Callable[[Act], Mapping[str, int]]
"""What the writer of an act had seen."""

_BEST: Mapping[str, Callable[[Iterable[Any]], Any]] = {
    "paper_states/passes_done": max,
    "paper_states/snoozed_until": max,
    "papers/version": max,
    "papers/is_citekey_given": max,
    "papers/added": min,
}
"""Cells of which the highest or the lowest counts, whoever said it."""
_GIVES_WAY = {"paper_states/decision": "inbox"}
"""What stands against nothing that was decided."""
_FOLLOWING = {
    *("papers/citekey", "papers/title_key", "paper_states/decided_at"),
    *("paper_states/in_hand_since", "categories/position", "documents/title"),
}
"""Cells that follow from others, or in which the order is all that matters."""
_GOING_WITH = {
    "papers/title": ("papers/title_key",),
    "paper_states/decision": ("paper_states/decided_at",),
}
"""Cells → those that say more of the same, and are another's where the cell is."""
_READERS_OWN = ("readings",)
"""Tables of rows that the reader wrote; others hold what sources said, or only that a row is."""


def apply(registers: Registers, line: Line, saw_of: SawOf) -> None:
    """Let a line say what it says of its thing. In which order lines come does not matter, as long
    as each comes after those that its writer had seen. What two acts of one name say stands beside
    each other, as what was said without knowledge of the other does."""
    said = {cell: new for cell, (_, new) in line.changes.items()}
    for cell, value in ({PRESENT: True} | said).items():
        heads = registers.get(cell, [])
        if any(_is_later(head.act, line, saw_of) for head in heads):
            continue
        own = Head(line.act, value)
        kept = [head for head in heads if not line.has_seen(head.act) and head != own]
        registers[cell] = sorted([*kept, own], key=_place) if kept else [own]


def _is_later(act: Act, line: Line, saw_of: SawOf) -> bool:
    """Whether an act came after the line's, and knew it."""
    if act.device == line.act.device:
        return act.number > line.act.number
    return act > line.act and saw_of(act).get(line.act.device, 0) >= line.act.number


def _place(head: Head) -> tuple[Act, str]:
    return head.act, to_json(head.value)


def resolve(registers: Registers, cell: str) -> Any:
    """What counts of a cell; None where it is empty."""
    values = _candidates(registers, cell)
    if not values:
        return None
    best = _BEST.get(cell)
    return best(values) if best and len(values) > 1 else values[-1]


def _candidates(registers: Registers, cell: str) -> list[Any]:
    """The values that may count, each once, the one of the last act at the end."""
    values: list[Any] = []
    for head in registers.get(cell, ()):
        values = [value for value in values if value != head.value] + [head.value]
    if len(values) < 2:
        return values
    # A row that was added or changed is not lost to a removal that did not know of it.
    if any(value is True or isinstance(value, dict) for value in values) or cell in _BEST:
        values = [value for value in values if value is not None]
    weak = _GIVES_WAY.get(cell)
    return [value for value in values if value != weak] if weak else values


def is_contradiction(registers: Registers, cell: str) -> bool:
    """Whether two devices said of a cell what cannot both count, and did not know of each other."""
    if cell in _BEST or cell in _FOLLOWING or len(_candidates(registers, cell)) < 2:
        return False
    table, _, name = cell.partition("/")
    if table == "papers":
        return _is_readers(registers, name)
    if table == "authors":
        return _is_readers(registers, table)
    if any(isinstance(head.value, dict) for head in registers[cell]):
        return table in _READERS_OWN or "settings" in name
    return cell != PRESENT


def _is_readers(registers: Registers, field: str) -> bool:
    """Whether a reader set a field of a paper; else it is as good as what any source says."""
    return any(
        isinstance(head.value, dict) and head.value.get("source") == READER
        for head in registers.get(f"field_sources/{field}", ())
    )


def contradictions(registers: Registers) -> list[str]:
    """The cells of a thing that are to be settled."""
    return [cell for cell in sorted(registers) if is_contradiction(registers, cell)]


def going_with(cell: str) -> tuple[str, ...]:
    """The cells that are settled with one: what follows from it, and whose word it is."""
    table, _, name = cell.partition("/")
    source = f"field_sources/{name or table}"
    return *_GOING_WITH.get(cell, ()), source


def is_present(registers: Registers) -> bool:
    """Whether the thing is there."""
    return resolve(registers, PRESENT) is True


def resolve_all(registers: Registers) -> Cells:
    """All that counts of a thing; nothing of one that is not there."""
    if not is_present(registers):
        return {}
    values = {cell: resolve(registers, cell) for cell in registers}
    return {cell: value for cell, value in values.items() if value is not None}
