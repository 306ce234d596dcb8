"""The calls that ``calls.c`` wrote down, and what each of them does to the files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Call:
    """One thing that a process asked of the disk."""

    name: str
    path: str
    other: str
    """The second path of a call that has two: the new name, or where a link leads."""
    number: int
    """Where it writes, how long the file becomes, or its mode."""
    data: bytes

    @property
    def ends_transaction(self) -> bool:
        """Whether it is the one by which SQLite commits: the removal of its journal."""
        return self.name == "unlink" and self.path.endswith("-journal")


def read_calls(log: Path) -> list[Call]:
    """All calls of a run, in their order."""
    return list(_read(log.read_bytes()))


def _read(text: bytes) -> Iterator[Call]:
    place = 0
    while place < len(text):
        end = text.index(b"\n", place)
        name, path, other, number, size = os.fsdecode(text[place:end]).split("\t")
        place = end + 1 + int(size)
        yield Call(name, path, other, int(number), text[end + 1 : place])


def apply(call: Call) -> None:
    """Do what a call did. One that failed then, such as the removal of what is not there, fails
    again."""
    try:
        _apply(call)
    except OSError:
        return


def _apply(call: Call) -> None:
    match call.name:
        case "write":
            with open(call.path, "r+b") as file:  # noqa: PTH123
                file.seek(call.number)
                file.write(call.data)
        case "create":
            Path(call.path).touch()
        case "truncate":
            os.truncate(call.path, call.number)
        case "mkdir":
            Path(call.path).mkdir()
        case "rmdir":
            Path(call.path).rmdir()
        case "unlink":
            Path(call.path).unlink()
        case "rename":
            Path(call.path).replace(call.other)
        case "link":
            Path(call.other).hardlink_to(call.path)
        case "symlink":
            Path(call.path).symlink_to(call.other)
        case "mode":
            Path(call.path).chmod(call.number & 0o7777)
