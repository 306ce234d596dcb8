"""Split a file with git's conflict markers into the versions that were merged. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

_MARKS = {b"<<<<<<<": "ours", b"|||||||": "base", b"=======": "theirs", b">>>>>>>": "both"}
_FOLLOWING = {"both": ("ours",), "ours": ("base", "theirs"), "base": ("theirs",)}
"""The part of a conflict → the parts that may follow it."""


@dataclass(slots=True)
class Conflict:
    """The lines between the markers of one conflict."""

    line: int
    """The line of the file that the conflict starts in."""
    ours: list[bytes] = field(default_factory=list)
    base: list[bytes] | None = None
    """The common ancestor's lines, if the merge wrote them."""
    theirs: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Torn:
    """The three versions of a file. ``base`` holds only what the file shows of it."""

    base: bytes
    ours: bytes
    theirs: bytes
    both: bytes
    """What a file is if each conflict keeps the lines of both sides."""
    conflicts: tuple[Conflict, ...]


def take_apart(data: bytes) -> Torn | None:
    """Return the versions that a conflicted file holds.

    None if the file has no conflict markers, or if they are out of order.
    """
    if b"<<<<<<<" not in data:  # The usual case.
        return None
    try:
        parts = list(_parts(data))
    except ValueError:
        return None
    conflicts = tuple(part for part in parts if isinstance(part, Conflict))
    if not conflicts:
        return None
    base, ours, theirs = (b"".join(_side(part, number) for part in parts) for number in range(3))
    both = b"".join(
        part if isinstance(part, bytes) else b"".join([*part.ours, *part.theirs]) for part in parts
    )
    return Torn(base, ours, theirs, both, conflicts)


def _side(part: bytes | Conflict, number: int) -> bytes:
    if isinstance(part, bytes):
        return part
    base = _common(part.ours, part.theirs) if part.base is None else part.base
    return b"".join((base, part.ours, part.theirs)[number])


def _common(ours: list[bytes], theirs: list[bytes]) -> list[bytes]:
    """Return the lines that both sides have: neither side can have added them alone."""
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [line for block in blocks for line in ours[block.a : block.a + block.size]]


def _parts(data: bytes) -> Iterator[bytes | Conflict]:
    """Yield the lines of a file, and its conflicts.

    Raises ValueError for markers out of order.
    """
    place, conflict = "both", Conflict(0)
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        mark = _mark_of(line, place)
        if mark is None:
            yield from _take(conflict, place, line)
            continue
        if mark not in _FOLLOWING.get(place, ("both",)):
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


def _take(conflict: Conflict, place: str, line: bytes) -> Iterator[bytes]:
    if place == "both":
        yield line
    elif place == "base" and conflict.base is not None:
        conflict.base.append(line)
    else:
        (conflict.ours if place == "ours" else conflict.theirs).append(line)


def _mark_of(line: bytes, place: str) -> str | None:
    """Return the part that a marker line starts, or None if the line is no marker.

    A line of ``=======`` outside of a conflict underlines a Markdown heading.
    """
    mark = _MARKS.get(line[:7])
    rest = line[7:].rstrip(b"\r\n")
    if mark is None or (rest and not rest.startswith(b" ")):
        return None
    return None if mark in ("base", "theirs") and place == "both" else mark
