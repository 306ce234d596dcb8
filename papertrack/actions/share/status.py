"""Which devices a library has, and what of their logs is not taken in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from papertrack.actions.share.logs import sizes
from papertrack.library import Library
from papertrack.store.share import kept
from papertrack.store.share.outbox import LogMark, log_marks
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Device:
    """A device, as this one knows it."""

    device: str
    is_this: bool
    acts: int
    last: int
    """The number of its last act that was taken in."""
    unread: int
    """Bytes of its logs that were not taken in: they stand on what has not come yet."""
    unreadable: int
    """Lines that are cut, damaged or of a newer papertrack."""


def read_status(store: Store, library: Library) -> list[Device]:
    """The devices of the library, this one first; none of a library that is not shared."""
    own = kept.own_device(store)
    if own is None:
        return []
    acts, last, marks = kept.act_counts(store), kept.last_acts(store), log_marks(store)
    found = sizes(library.journal)
    devices = {own, *acts, *(path.partition("/")[0] for path in found)}
    return [
        Device(
            name,
            name == own,
            acts.get(name, 0),
            last.get(name, 0),
            sum(_unread(size, marks.get(path)) for path, size in _of(found, name).items()),
            sum(mark.unreadable for mark in _of(marks, name).values()),
        )
        for name in sorted(devices, key=lambda name: (name != own, name))
    ]


_T = TypeVar("_T")


def _of(found: Mapping[str, _T], device: str) -> dict[str, _T]:
    return {path: one for path, one in found.items() if path.startswith(device + "/")}


def _unread(size: int, mark: LogMark | None) -> int:
    return max(0, size - (mark.size if mark else 0))
