"""Stamps: what is kept of the entries of earlier versions of a document.

A stamp tells of an entry whose it was, what the library said of it, and what of that waited for a
place in the file.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from papertrack.store.database import to_json
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.sync.items import Category
from papertrack.sync.threeway import Fields, Values

UNKNOWN = "?"
"""Stands for an entry that no library can be in step with; what it was may follow."""
_BASE = "\x1f"
"""Stands before what an entry said; no JSON has it."""
NOTHING = "-"
"""Stands for what waits of an entry, if nothing does; earlier versions did not tell."""


def stamp_of(fields: Fields, entry: StoredEntry | None) -> str:
    """Return whose entry it is, what it is in step with, and what of that it has no place for."""
    if entry is None:
        return UNKNOWN
    if entry.paper_id is None or entry.state is not EntryState.LINKED:
        return f"{UNKNOWN} {UNKNOWN} {to_json(_without_id(entry))}"
    stamp = stamp_saying(fields, entry.paper_id, entry.category, entry.library | entry.refused)
    if not entry.refused and entry.held_in is None:
        return f"{stamp} {NOTHING}"
    waiting = Waiting(
        refused=entry.refused,
        then={name: entry.library[name] for name in entry.refused if name in entry.library},
        category=entry.category,
        held_in=entry.held_in,
    )
    return f"{stamp} {to_json(waiting._asdict())}"


def told_of(stamp: str) -> str:
    """The part of a stamp that tells what waits; nothing in one of earlier times."""
    return "".join(without_base(stamp).split(" ", 2)[2:])


def is_unknown(stamp: str) -> bool:
    """Whether the entry says nothing that a library could be in step with."""
    return stamp.startswith(UNKNOWN)


def entry_told(stamp: str) -> StoredEntry:
    """The entry itself, as it was, of a stamp that tells it of one ``is_unknown``."""
    known = json.loads(told_of(stamp))
    held_in = known["held_in"]
    return StoredEntry(
        **known
        | {
            "category": tuple(known["category"]),
            "state": EntryState(known["state"]),
            "held_in": None if held_in is None else tuple(map(tuple, held_in)),
        }
    )


def _without_id(entry: StoredEntry) -> Values:
    told = entry._asdict() | {"state": entry.state.value}
    del told["id"]
    return told


def with_base(stamp: str, base: Values) -> str:
    """A stamp that tells also what an entry said when it was read, which was otherwise than it
    reads now, among others."""
    return f"{stamp}{_BASE}{to_json(base)}"


def without_base(stamp: str) -> str:
    return stamp.partition(_BASE)[0]


def base_told(stamp: str) -> Values | None:
    """What the entry said, if the stamp tells it."""
    told = stamp.partition(_BASE)[2]
    return json.loads(told) if told else None


class Waiting(NamedTuple):
    """What an entry that was written had no place for."""

    refused: Values
    then: Values
    """What the library counts as having said of that."""
    category: Category
    held_in: tuple[Category, ...] | None


def stamp_saying(fields: Fields, paper_id: int, category: Category, library: Values) -> str:
    said = to_json([category, fields.exported(library)])
    return f"{paper_id} {hashlib.sha256(said.encode()).hexdigest()[:16]}"


def paper_of(stamp: str) -> int:
    return int(stamp.partition(" ")[0])


def said_in(stamp: str) -> str:
    """The part of a stamp that tells what the library said."""
    return " ".join(stamp.split(" ", 2)[:2])


def waiting_of(stamp: str) -> Waiting:
    told = told_of(stamp)
    if told in ("", NOTHING):
        return Waiting({}, {}, (), None)
    known = json.loads(told)
    held_in = known["held_in"]
    return Waiting(
        known["refused"],
        known["then"],
        tuple(known["category"]),
        None if held_in is None else tuple(map(tuple, held_in)),
    )
