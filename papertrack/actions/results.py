"""Results of actions, in values that JSON can represent.

A result is a dataclass: its fields are the printed keys, and ``sentences()`` describes it to
people. Keys are added, never changed; unknown values are null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from enum import Enum
from typing import Any, TypeVar

_Shape = TypeVar("_Shape")


def shaped(shape: type[_Shape], source: object, **others: object) -> _Shape:
    """Return a dataclass of this shape: the fields in ``others``, and the rest from ``source``."""
    names = {field.name for field in fields(shape)} - set(others)  # type: ignore[arg-type]
    return shape(**{name: getattr(source, name) for name in names}, **others)


def plain(value: Any) -> Any:
    """Return a result in JSON values: dataclasses and named tuples become objects, times and paths
    become texts."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if names := _names_in(value):
        return {key_of(name): plain(getattr(value, name)) for name in names}
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(map(plain, value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _names_in(value: object) -> list[str]:
    """Return the field names of a dataclass or a named tuple."""
    names: Any = getattr(value, "__dataclass_fields__", getattr(value, "_fields", ()))
    return [name for name in names if not name.startswith("_")]


class OfPapers:
    """A result about several papers; its sentences are those of each paper's result."""

    __slots__ = ()
    papers: Sequence[Any]

    def sentences(self) -> Iterator[str]:
        for paper in self.papers:
            yield from paper.sentences()


def key_of(name: str) -> str:
    """Return the JSON key of a field: ``pass`` is a Python keyword, so its field is
    ``pass_number``."""
    return "pass" if name == "pass_number" else name
