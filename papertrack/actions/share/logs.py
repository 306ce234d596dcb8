"""The logs of a library as files: which of them grew, and what is new in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from papertrack.store.share.lines import Line, ReadLines, read_lines
from papertrack.store.share.outbox import NEVER, TAIL, LogMark
from papertrack.text import plural


@dataclass(frozen=True, slots=True)
class GrownLog:
    """What is new in a log."""

    path: str
    read: ReadLines
    mark: LogMark
    """How far it is read when its lines are taken in."""


def sizes(folder: Path) -> dict[str, int]:
    """The size of each log, by its path in the folder: all that a look costs."""
    return dict(_sizes(folder))


def _sizes(folder: Path) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as devices:
        names = sorted(entry.name for entry in devices if entry.is_dir(follow_symlinks=False))
    for name in names:
        with os.scandir(folder / name) as files:
            for entry in files:
                if entry.name.endswith(".log") and entry.is_file(follow_symlinks=False):
                    yield f"{name}/{entry.name}", entry.stat().st_size


def grown(folder: Path, found: Mapping[str, int], marks: Mapping[str, LogMark]) -> list[GrownLog]:
    """Read on in the logs that are longer than they were. Raises OSError."""
    return [
        _read_on(folder, path, marks.get(path, NEVER))
        for path, size in sorted(found.items())
        if size > marks.get(path, NEVER).size
    ]


def replaced(
    folder: Path, found: Mapping[str, int], marks: Mapping[str, LogMark]
) -> list[GrownLog]:
    """What stands in the logs that are shorter than they were; it is still remembered how long that
    is. Raises OSError."""
    return [
        GrownLog(path, read_lines((folder / path).read_bytes()), marks[path])
        for path in shrunk(found, marks)
        if path in found
    ]


def shrunk(found: Mapping[str, int], marks: Mapping[str, LogMark]) -> list[str]:
    """The logs that are shorter than they were, or gone."""
    return [path for path, mark in sorted(marks.items()) if found.get(path, 0) < mark.size]


def read_logs(folder: Path, device: str) -> list[Line]:
    """All lines that stand in the logs of a device by now. Raises OSError."""
    paths = [path for path in sizes(folder) if path.startswith(f"{device}/")]
    return [line for path in paths for line in read_lines((folder / path).read_bytes()).lines]


def about_unreadable(path: str, read: ReadLines) -> str:
    """What there is to say of a log with lines that could not be read."""
    return (
        f"journal/{path}: {plural(len(read.unreadable), 'line')} could not be read, and stayed as "
        "they are. If they are cut or hold marks of a merge, mend the file; if they are of a newer "
        "papertrack, upgrade."
    )


def _read_on(folder: Path, path: str, mark: LogMark) -> GrownLog:
    with (folder / path).open("rb") as file:
        file.seek(mark.size - len(mark.tail))
        data = file.read()
        if not data.startswith(mark.tail):
            # Something was changed in what was read: all of it is read again, and lines that are
            # known are known by their names.
            file.seek(0)
            data, mark = file.read(), NEVER
    start = len(mark.tail)
    read = read_lines(data[start:])
    whole = data[: start + read.length]
    size = mark.size + read.length
    unreadable = mark.unreadable + len(read.unreadable)
    return GrownLog(path, read, LogMark(size, whole[-TAIL:], unreadable, 0))
