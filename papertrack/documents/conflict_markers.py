"""Split a file with git's conflict markers into the versions that were merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from papertrack.differences import equal_runs

_MARKS = {b"<<<<<<<": "ours", b"|||||||": "base", b"=======": "theirs", b">>>>>>>": "both"}
_NEXT_PARTS = {"both": ("ours",), "ours": ("base", "theirs"), "base": ("theirs",)}
"""Maps each part of a conflict to the parts that may follow it."""


@dataclass(slots=True)
class Conflict:
    """The lines of each side of one conflict."""

    line: int
    """The line of the file, counted from 1, where the conflict starts."""
    ours: list[bytes] = field(default_factory=list)
    base: list[bytes] | None = None
    """The lines of the common ancestor, if the merge wrote them."""
    theirs: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConflictedFile:
    """The three versions in a file with conflicts.

    ``base`` is incomplete unless the merge wrote the common ancestor's lines.
    """

    base: bytes
    ours: bytes
    theirs: bytes
    both: bytes
    """The text with the lines of both sides of each conflict, ours first."""
    conflicts: tuple[Conflict, ...]


def split_conflicts(data: bytes) -> ConflictedFile | None:
    """Return the versions that a file with conflict markers contains.

    None if it has no markers, or if they are out of order.
    """
    if b"<<<<<<<" not in data:  # The usual case.
        return None
    try:
        parts = list(_lines_and_conflicts(data))
    except ValueError:
        return None
    conflicts = tuple(part for part in parts if isinstance(part, Conflict))
    if not conflicts:
        return None
    base, ours, theirs = (b"".join(_side(part, number) for part in parts) for number in range(3))
    both = b"".join(
        part if isinstance(part, bytes) else b"".join([*part.ours, *part.theirs]) for part in parts
    )
    return ConflictedFile(base, ours, theirs, both, conflicts)


def _side(part: bytes | Conflict, number: int) -> bytes:
    """Return a part's lines in the base (0), ours (1) or theirs (2)."""
    if isinstance(part, bytes):
        return part
    base = _common(part.ours, part.theirs) if part.base is None else part.base
    return b"".join((base, part.ours, part.theirs)[number])


def _common(ours: list[bytes], theirs: list[bytes]) -> list[bytes]:
    """Return the lines that both sides share; they must come from the base."""
    runs = equal_runs(ours, theirs)
    return [line for run in runs for line in ours[run.start : run.start + run.length]]


def _lines_and_conflicts(data: bytes) -> Iterator[bytes | Conflict]:
    """Yield the lines of a file outside of conflicts, and its conflicts, in order.

    Raises ValueError if markers are out of order.
    """
    place, conflict = "both", Conflict(0)
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        mark = _mark_of(line, place)
        if mark is None:
            yield from _add_line(conflict, place, line)
            continue
        if mark not in _NEXT_PARTS.get(place, ("both",)):
            raise ValueError(number)
        if mark == "ours":
            conflict = Conflict(number)
        elif mark == "base":
            conflict.base = []
        elif mark == "both":
            yield conflict
        place = mark
    if place != "both":
        raise ValueError(place)


def _add_line(conflict: Conflict, place: str, line: bytes) -> Iterator[bytes]:
    """Add a line to a side of the conflict, or yield it if it is outside of conflicts."""
    if place == "both":
        yield line
    elif place == "base" and conflict.base is not None:
        conflict.base.append(line)
    else:
        (conflict.ours if place == "ours" else conflict.theirs).append(line)


def _mark_of(line: bytes, place: str) -> str | None:
    """Return the part of a conflict that a marker line starts; None for any other line.

    ``=======`` outside of a conflict is the underline of a Markdown heading.
    """
    mark = _MARKS.get(line[:7])
    rest = line[7:].rstrip(b"\r\n")
    if mark is None or (rest and not rest.startswith(b" ")):
        return None
    return None if mark in ("base", "theirs") and place == "both" else mark
