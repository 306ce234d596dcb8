"""What a device said long ago, in fewer lines: of each only what still counts.

What a line says of a cell counts until somebody who knew of it says something else. After that it
counts on no device, and can be left out of its log: which lines others stand on is said by one line
more, so that nobody waits for what is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import filterfalse

from papertrack.store.share import kept
from papertrack.store.share.fold import PRESENT, Registers, resolve
from papertrack.store.share.lines import (
    COMPACTED,
    Act,
    Line,
    digest,
    is_compaction,
    read_compacted,
    to_text,
)
from papertrack.store.share.outbox import forget_logs, put_out
from papertrack.store.share.saying import next_act, take_note
from papertrack.store.store import Store

PREFIX = "device:"
"""How the names of devices begin, as things of which a compaction is said."""
_NAME = re.compile(r"(\d{4}-\d\d)(?:\.\d+)?\.log")


def month_of(path: str) -> str | None:
    """The month that a log of papertrack's is of, ``2026-11``: the last one, if it was made of
    several. None of a file that papertrack gave no such name, as a sync program's copy."""
    found = _NAME.fullmatch(path.rpartition("/")[2])
    return found and found[1]


def compact(
    store: Store, lines: Sequence[Line], counting: Sequence[Line], until: str, paths: Sequence[str]
) -> str:
    """Say once more, in one log, what still counts of these lines of this device; they were in the
    logs at ``paths``, of no later month than ``until``. Part of a transaction.

    Returns the path of that log in the journal's folder.
    """
    act, saw = next_act(store)
    file = f"{act.device}/{until}.{act.number}.log"
    acts = max((line.act.number for line in lines if line.act.device == act.device), default=0)
    registers = kept.load(store, PREFIX + act.device)
    change = resolve(registers, COMPACTED), {"acts": acts, "file": file}
    words = f"{len(counting)} of {len(lines)} lines until {until}"
    last = Line(act, store.stamp(), saw, "compact", PREFIX + act.device, {COMPACTED: change}, words)
    kept.note_act(store, act, saw, None)
    take_note(store, registers, last)
    forget_logs(store, paths)
    put_out(store, file, "".join(map(to_text, [*counting, last])))
    store.complete_log()
    return file


def counting_of(store: Store, lines: Iterable[Line]) -> Iterator[Line]:
    """Of each line what nobody who knew of it said otherwise since; what says no more than that is
    not there. What brought a thing says all that it did: without that there may be no row of it
    until somebody says more."""
    registers = cache(lambda thing: kept.load(store, thing))
    for line in filterfalse(is_compaction, lines):
        said = registers(line.thing)
        if line.changes.get(PRESENT, (None, None))[1]:
            yield line
            continue
        changes = {cell: one for cell, one in line.changes.items() if _is_by(said, cell, line.act)}
        if changes or _is_by(said, PRESENT, line.act):
            yield replace(line, changes=changes)


def _is_by(registers: Registers, cell: str, act: Act) -> bool:
    return any(head.act == act for head in registers.get(cell, ()))


def said_nowhere(store: Store, device: str, lines: Iterable[Line]) -> list[str]:
    """The things of which what a device said still counts, though it is in none of these lines,
    which are all in its logs."""
    said: dict[tuple[Act, str], list[Line]] = {}
    for line in lines:
        said.setdefault((line.act, line.thing), []).append(line)
    return [
        thing
        for thing, registers in kept.load_all(store)
        if any(
            head.act.device == device
            and not any(_says(one, cell, head.value) for one in said.get((head.act, thing), ()))
            for cell, heads in registers.items()
            for head in heads
        )
    ]


def _says(line: Line, cell: str, value: object) -> bool:
    """Whether a line says this of a cell; any says that its thing is there, if nothing else."""
    return line.changes[cell][1] == value if cell in line.changes else cell == PRESENT


def take_compactions(store: Store, lines: Iterable[Line]) -> None:
    """Note that other devices made their logs shorter. Part of a transaction."""
    for line in lines:
        take_note(store, kept.load(store, line.thing), line)


def is_replaced(store: Store, path: str) -> bool:
    """Whether what a log said is in another one by now, as its device says."""
    _, file = _compacted(store, path.partition("/")[0])
    month, until = month_of(path), month_of(file)
    return bool(month and until and month <= until and path != file)


def unsaid(store: Store, device: str, lines: Iterable[Line]) -> set[tuple[int, str]]:
    """The acts of a device, with their things, that were taken in here and are in none of these
    lines, though its log is not said to go on without them."""
    acts, _ = _compacted(store, device)
    known = store.execute(
        "SELECT number, thing, said FROM share_lines WHERE device = ? AND number > ?",
        (device, acts),
    ).fetchall()
    there = {(line.act.number, line.thing, said) for line in lines for said in (digest(line), b"")}
    return {(number, thing) for number, thing, _ in set(known) - there}


def _compacted(store: Store, device: str) -> tuple[int, str]:
    return read_compacted(resolve(kept.load(store, PREFIX + device), COMPACTED))
