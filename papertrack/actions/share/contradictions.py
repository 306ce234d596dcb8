"""What devices set differently without knowing of each other, and the reader's word on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from papertrack.store.share import kept
from papertrack.store.share.fold import resolve_all
from papertrack.store.share.settling import settle_cells
from papertrack.store.share.taking import all_contradictions
from papertrack.store.store import Store
from papertrack.text import plural

_CALLED = {"parent_id": "place", "is_paused": "pause", "at": "date"}
"""Columns that readers call otherwise."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What devices set differently without knowing of each other."""

    thing: str
    title: str
    cell: str
    said: tuple[tuple[str, object], ...]
    """Device and value; the last one counts for now."""

    @property
    def field(self) -> str:
        """What was set, as readers call it."""
        table, _, name = self.cell.partition("/")
        if table == "readings":
            return "a reading"
        return _CALLED.get(name, (name or table).replace("_", " "))

    @property
    def devices(self) -> list[str]:
        """Those that said something, each once."""
        return list(dict.fromkeys(device for device, _ in self.said))


def read_contradictions(store: Store) -> list[Contradiction]:
    """What is to be settled: by saying who is right, or by setting it again, on any device."""
    found = []
    for thing, cells in all_contradictions(store).items():
        registers = kept.load(store, thing)
        title = str(resolve_all(registers).get("papers/title") or thing)
        for cell in cells:
            said = tuple((head.act.device, head.value) for head in registers[cell])
            found.append(Contradiction(thing, title, cell, said))
    return found


def settle(store: Store, answers: Iterable[tuple[Contradiction, str]]) -> int:
    """Let what a device said count, for each contradiction the one that is right, on all devices.

    It is one action. Returns how many were settled; an answer whose contradiction is gone by now,
    as when another device has settled it, is none.
    """
    with store.action("settle") as action:
        present = read_contradictions(store)
        wanted = sorted((one.thing, one.cell, by) for one, by in answers if one in present)
        for thing, group in groupby(wanted, key=lambda answer: answer[0]):
            settle_cells(store, thing, {cell: device for _, cell, device in group})
        action.summary = plural(len(wanted), "contradiction")
    return len(wanted)
