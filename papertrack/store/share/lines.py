"""One line of a device's log: what one act says of one thing, to be read by people and by git.

A log is only ever appended to, by one device. Its lines stand for themselves: each names its act,
and the last act of every device that its writer knew, so that lines may be doubled, cut or come in
any order. Fields are parted by tabs; what changed is JSON, ``{"cell": [old, new]}``, or ``[new]``
where nothing was. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2s
from typing import Any, NamedTuple

from papertrack.store.database import to_json

Cells = dict[str, Any]
"""What is known of a thing: cell → value. A cell that is not there is empty."""
COMPACTED = "compacted"
"""The cell by which a device says up to which act what is not in its log any more counts for
nothing: ``{"acts": number, "file": path}``."""
_ACT = re.compile(r"([a-z0-9][a-z0-9-]*):([1-9][0-9]{0,14})")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)")
_FIELDS = 7
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


class Act(NamedTuple):
    """The name of an act. Acts are ordered by their numbers, each above all that its device knew
    of; clocks say nothing."""

    number: int
    device: str

    def __str__(self) -> str:
        return f"{self.device}:{self.number}"


@dataclass(frozen=True, slots=True)
class Line:
    """What one act says of one thing."""

    act: Act
    at: str
    saw: Mapping[str, int]
    """The last act of every device, its own too, that the writer had taken in."""
    verb: str
    thing: str
    changes: Mapping[str, tuple[Any, Any]]
    """Cell → what was there and what is; None where nothing is."""
    words: str = ""
    """For who reads the log: the summary of the act on its first line, the thing's title on
    others."""

    def has_seen(self, act: Act) -> bool:
        """Whether the writer knew of another act."""
        return self.saw.get(act.device, 0) >= act.number


@dataclass(frozen=True, slots=True)
class ReadLines:
    """What was found in the text of a log."""

    lines: tuple[Line, ...]
    unreadable: tuple[str, ...]
    """Lines that are cut, damaged, or of a newer papertrack."""
    length: int
    """How many bytes hold whole lines: what follows has no end yet."""


def to_text(line: Line) -> str:
    """The line as it stands in a log, with its end."""
    changes = {
        cell: [new] if old is None else [old, new] for cell, (old, new) in line.changes.items()
    }
    saw = ",".join(f"{device}:{number}" for device, number in sorted(line.saw.items()))
    fields = (line.at, str(line.act), saw or "-", line.verb, line.thing, to_json(changes))
    # JSON writes no control character as it is, except those that only some programs end lines at.
    texts = (*(_CONTROL.sub(_escaped, field) for field in fields), _CONTROL.sub(" ", line.words))
    return "\t".join(texts).rstrip("\t") + "\n"


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\u{ord(char):04x}" for char in match[0])


def digest(line: Line) -> bytes:
    """What tells a line from one that says something else of the same thing, in an act of the same
    name: of another device that has the name, or had it before a backup was restored."""
    changes = {cell: list(pair) for cell, pair in line.changes.items()}
    return blake2s(f"{line.at} {line.verb} {to_json(changes)}".encode(), digest_size=6).digest()


def each_once(lines: Iterable[Line]) -> list[Line]:
    """These lines, of those that are doubled one."""
    found: dict[tuple[Act, str], list[Line]] = {}
    for line in lines:
        same = found.setdefault((line.act, line.thing), [])
        if line not in same:
            same.append(line)
    return [line for same in found.values() for line in same]


def read_lines(data: bytes) -> ReadLines:
    """Read the whole lines of a log; those that cannot be read are named, and stop nothing."""
    length = data.rfind(b"\n") + 1
    lines, unreadable = [], []
    for raw in data[:length].split(b"\n"):
        text = raw.decode("utf-8", "replace").rstrip("\r")
        if not text.strip():
            continue
        line = parse_line(text)
        if line is None:
            unreadable.append(text)
        else:
            lines.append(line)
    return ReadLines(tuple(lines), tuple(unreadable), length)


def parse_line(text: str) -> Line | None:
    """The line that a text is, or None for one that cannot be read."""
    at, act, saw, verb, thing, changes, words = (*text.split("\t"), *[""] * _FIELDS)[:_FIELDS]
    found, seen, cells = _ACT.fullmatch(act), _parse_saw(saw), _parse_changes(changes)
    if not found or seen is None or cells is None or not thing or not _STAMP.fullmatch(at):
        return None
    return Line(Act(int(found[2]), found[1]), at, seen, verb, thing, cells, words)


def _parse_saw(text: str) -> dict[str, int] | None:
    matches = [] if text == "-" else [_ACT.fullmatch(part) for part in text.split(",")]
    if not all(matches):
        return None
    return {match[1]: int(match[2]) for match in matches if match}


def _parse_changes(text: str) -> dict[str, tuple[Any, Any]] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    if not all(isinstance(pair, list) and len(pair) in (1, 2) for pair in found.values()):
        return None
    return {cell: (pair[0] if pair[1:] else None, pair[-1]) for cell, pair in found.items()}


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What changed between two states of a thing."""
    return {
        cell: (before.get(cell), now.get(cell))
        for cell in sorted(before.keys() | now.keys())
        if before.get(cell) != now.get(cell)
    }


def deliverable(lines: Iterable[Line], known: Mapping[str, int]) -> tuple[list[Line], list[Line]]:
    """The lines in an order in which each comes after all that its writer knew; and those that
    must wait, because something they stand on has not come yet.

    ``known`` is the last act of each device that was taken in before.
    """
    reached = dict(known)
    ready: list[Line] = []
    waiting: list[Line] = []
    # An act's number is above those of all that its writer knew.
    in_order = sorted(lines, key=lambda one: one.act)
    for device, acts in compacted_acts(in_order).items():
        reached[device] = max(reached.get(device, 0), acts)
    for line in in_order:
        if all(reached.get(device, 0) >= number for device, number in line.saw.items()):
            ready.append(line)
            device = line.act.device
            reached[device] = max(reached.get(device, 0), line.act.number)
        else:
            waiting.append(line)
    return ready, waiting


def is_compaction(line: Line) -> bool:
    """Whether a line says that its device made its log shorter."""
    return COMPACTED in line.changes


def compacted_acts(lines: Iterable[Line]) -> dict[str, int]:
    """Up to which act the log of each device is shorter, as these lines say."""
    found: dict[str, int] = {}
    for line in filter(is_compaction, lines):
        acts, _ = read_compacted(line.changes[COMPACTED][1])
        found[line.act.device] = max(found.get(line.act.device, 0), acts)
    return found


def read_compacted(said: Any) -> tuple[int, str]:
    """Up to which act a device's log is shorter, and the path of the log that has what still
    counts of it; 0 and nothing where it never was."""
    found = said if isinstance(said, dict) else {}
    acts, file = found.get("acts"), found.get("file")
    return acts if isinstance(acts, int) else 0, file if isinstance(file, str) else ""
