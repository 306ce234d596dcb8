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
"""Stands for an entry that no library can be in step with."""
NOTHING = "-"
"""Stands for what waits of an entry, if nothing does; earlier versions did not tell."""


def stamp_of(fields: Fields, entry: StoredEntry | None) -> str:
    """Return whose entry it is, what it is in step with, and what of that it has no place for."""
    if entry is None or entry.paper_id is None or entry.state is not EntryState.LINKED:
        return UNKNOWN
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
    return "".join(stamp.split(" ", 2)[2:])


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
