"""Settling what devices set differently: said once more, by one who has seen all that was said."""

from __future__ import annotations

from papertrack.store.share import kept
from papertrack.store.share.fold import Registers, going_with, resolve, resolve_all
from papertrack.store.share.lines import Cells, Line, to_text
from papertrack.store.share.names import Names
from papertrack.store.share.outbox import put_out
from papertrack.store.share.rows import Rows
from papertrack.store.share.saying import next_act, take_note
from papertrack.store.share.writing import Writing
from papertrack.store.store import Store


def settle_cells(store: Store, thing: str, chosen: dict[str, str]) -> None:
    """Let each of these cells of a thing be what a device said of it. Part of an action.

    It is said in the log also where it is what counts already: from then on it is known that
    whoever said it knew of the others.
    """
    registers = kept.load(store, thing)
    before = resolve_all(registers)
    values: Cells = {}
    for cell, device in chosen.items():
        values |= _said_with(registers, cell, device)
    changes = {cell: (resolve(registers, cell), value) for cell, value in values.items()}
    act, saw = next_act(store)
    title = str(before.get("papers/title") or thing)
    line = Line(act, store.stamp(), saw, "settle", thing, changes, title)
    kept.note_act(store, act, saw, None)
    take_note(store, registers, line)
    put_out(store, f"{act.device}/{line.at[:7]}.log", to_text(line))
    store.complete_log()
    writing = Writing(store, Rows(store, Names(store)), store.stamp())
    writing.write({thing: (before, resolve_all(registers))})


def _said_with(registers: Registers, cell: str, device: str) -> Cells:
    """What a device said of a cell last, and of those that follow from it."""
    said = [head for head in registers[cell] if head.act.device == device][-1]
    following = (
        (other, head.value)
        for other in going_with(cell)
        for head in registers.get(other, ())
        if head.act == said.act
    )
    return {cell: said.value, **dict(following)}
