"""Taking in what other devices did: each act becomes an action of this library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from papertrack.store import journal
from papertrack.store.database import Database
from papertrack.store.share import compaction, kept, lists
from papertrack.store.share.compaction import take_compactions
from papertrack.store.share.fold import (
    PRESENT,
    Registers,
    contradictions,
    is_present,
    resolve_all,
)
from papertrack.store.share.lines import Line, compacted_acts, deliverable, is_compaction
from papertrack.store.share.lists import is_list, take_lists
from papertrack.store.share.names import Names
from papertrack.store.share.rows import Rows
from papertrack.store.share.saying import (
    Doing,
    Touched,
    everything,
    say,
    take_note,
)
from papertrack.store.share.writing import Change, Writing, table_of
from papertrack.store.store import Store


class Revived(NamedTuple):
    """A paper that is there again, for whoever worked on it did not know that it was removed."""

    citekey: str
    line: Line
    removers: frozenset[str]
    """The devices that had removed it."""


@dataclass(slots=True)
class Taken:
    """What came of taking in."""

    acts: int = 0
    lines: int = 0
    devices: set[str] = field(default_factory=set)
    waiting: list[Line] = field(default_factory=list)
    """What stands on lines that have not come yet."""
    refused: list[Line] = field(default_factory=list)
    """Lines that do not fit this library, such as those of a newer papertrack."""
    clashes: list[tuple[str, str]] = field(default_factory=list)
    revived: list[Revived] = field(default_factory=list)


def take_in(store: Store, lines: Iterable[Line]) -> Taken:
    """Take in the lines that were not yet, each after what its writer knew.

    Part of a transaction that is open. What they say is written as actions that undo takes back.
    """
    taken = Taken()
    ready, taken.waiting = deliverable(kept.unknown(store, lines), kept.last_acts(store))
    writing = Writing(store, Rows(store, Names(store)), store.stamp())
    shorter = compacted_acts(ready)
    for act, group in groupby(ready, key=lambda line: line.act):
        # Of an act that a log tells in part only undo would make something else.
        is_whole = act.number > shorter.get(act.device, 0) and not kept.has_act(store, act)
        _take_act(store, writing, list(group), taken, is_whole=is_whole)
    _mend(store, writing)
    taken.clashes = writing.clashes
    return taken


def _mend(store: Store, writing: Writing) -> None:
    """Write once more what clashed: what stood in its way may have gone since. What still
    clashes is noted anew."""
    clashes, writing.clashes = writing.clashes, []
    if not clashes:
        return
    action_id = journal.begin(store, "settle", "", store.stamp(), can_undo=False)
    things = {name for pair in clashes for name in pair}
    told = _told_and_here(store, things)
    # First what goes: it may have the name of what is there.
    _write_all(store, writing, {thing: change for thing, change in told.items() if not change[1]})
    before: dict[str, Change] = {}
    for _ in things:
        # As often as one makes room for another.
        if (told := _told_and_here(store, things)) == before:
            break
        _write_all(store, writing, told)
        before = told
    # What was called otherwise and is not any more is to be said as well; and what came back into
    # the place of another may not be there for good.
    writing.clashes += [(one, one) for pair in clashes for one in pair] + clashes
    journal.finish(store, action_id, "")


def _take_act(
    store: Store, writing: Writing, lines: Sequence[Line], taken: Taken, *, is_whole: bool
) -> None:
    """Do what one act did."""
    first = lines[0]
    action_id = journal.begin(store, first.verb, first.words, first.at, can_undo=is_whole)
    kept.note_act(store, first.act, first.saw, action_id, is_foreign=True)
    changes: dict[str, Change] = {}
    take_lists(store, filter(is_list, lines))
    take_compactions(store, filter(is_compaction, lines))
    for line in (line for line in lines if _is_a_thing(line.thing)):
        registers = kept.load(store, line.thing)
        before, removers = resolve_all(registers), _removers(registers)
        take_note(store, registers, line)
        now = resolve_all(registers)
        # Two acts of one name come as one, and may both say something of a thing.
        changes[line.thing] = changes.get(line.thing, (before, now))[0], now
        if removers and now and PRESENT not in line.changes and table_of(line.thing) == "papers":
            taken.revived.append(Revived(str(now.get("papers/citekey")), line, removers))
    refused = _write_all(store, writing, changes)
    taken.refused += [line for line in lines if line.thing in refused]
    if not journal.finish(store, action_id, first.words):
        store.execute("UPDATE share_acts SET action_id = NULL WHERE action_id = ?", (action_id,))
    taken.acts += 1
    taken.lines += len(lines)
    taken.devices.add(first.act.device)


def _is_a_thing(name: str) -> bool:
    """Whether this names what is the reader's, neither a list of arXiv's nor a device."""
    return not name.startswith((lists.PREFIX, compaction.PREFIX))


def _removers(registers: Registers) -> frozenset[str]:
    """The devices whose word it is that a thing is gone; none of one that is there."""
    heads = registers.get(PRESENT, ())
    return frozenset() if is_present(registers) else frozenset(one.act.device for one in heads)


def _told_and_here(store: Store, things: Iterable[str]) -> dict[str, Change]:
    """What is here of these things, and what the logs say of them."""
    rows = Rows(store, Names(store))
    found = {}
    for thing in sorted(things):
        table, row_id = table_of(thing), rows.names.row_of(thing)
        if row_id is not None and rows.names.name_of(table, row_id) == thing:
            here = rows.read(table, [row_id]).get(thing, {})
            found[thing] = here, resolve_all(kept.load(store, thing))
    return found


def _write_all(db: Database, writing: Writing, changes: dict[str, Change]) -> set[str]:
    """Write what an act says; when some of it does not fit, thing by thing, as far as it does.
    Returns the things that do not fit."""
    if _fits(db, writing, changes):
        return set()
    return {name for name, change in changes.items() if not _fits(db, writing, {name: change})}


def _fits(db: Database, writing: Writing, changes: dict[str, Change]) -> bool:
    db.execute("SAVEPOINT taking")
    clashes = list(writing.clashes)
    try:
        writing.write(changes)
    except sqlite3.IntegrityError:
        db.execute("ROLLBACK TO taking")
        writing.clashes = clashes
        return False
    finally:
        db.execute("RELEASE taking")
    return True


def settle(store: Store, verb: str, things: Iterable[str], summary: str) -> int:
    """Say of these things what is otherwise here than the logs say; return the number of lines."""
    names = Names(store)
    touched: Touched = {table: set() for table in everything(store)}
    for thing in things:
        if (row_id := names.row_of(thing)) is not None:
            touched[table_of(thing)].add(row_id)
    return say(store, Doing(verb, summary, store.stamp()), touched)


def all_contradictions(store: Store) -> dict[str, list[str]]:
    """The cells of each thing that two devices set differently without knowing of each other."""
    found = {
        thing: contradictions(kept.load(store, thing)) for thing in kept.things_said_twice(store)
    }
    return {thing: cells for thing, cells in found.items() if cells}
