"""What actions return, in values that JSON has.

A result is a dataclass: its fields are the keys that are printed, and ``sentences()`` says it to
people. Keys are added to, never changed; what is unknown is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Any


def plain(value: Any) -> Any:
    """A result in values that JSON has: dataclasses and named tuples are objects of their fields,
    a moment or a path is a text."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if names := _names_in(value):
        return {key_of(name): plain(getattr(value, name)) for name in names}
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(map(plain, value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _names_in(value: object) -> list[str]:
    """The fields of a dataclass or a named tuple."""
    names: Any = getattr(value, "__dataclass_fields__", getattr(value, "_fields", ()))
    return [name for name in names if not name.startswith("_")]


class OfPapers:
    """What a result about several papers says: what it says of each."""

    __slots__ = ()
    papers: Sequence[Any]

    def sentences(self) -> Iterator[str]:
        for paper in self.papers:
            yield from paper.sentences()


def key_of(name: str) -> str:
    """The key of a field: ``pass`` is a word of Python, so its field is called ``pass_number``."""
    return "pass" if name == "pass_number" else name
