"""The tree of a query: plain, frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Operator = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Text:
    """One bare word, as typed; how it is compared is the field's affair (``FieldType``)."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """What stood in quotes: these words next to each other, in this order."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """``specul*``: words that begin so. Without the star, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Age:
    """How long ago: ``30d``, ``2w``, ``6m`` (calendar months) or ``1y``."""

    count: int
    unit: Literal["d", "w", "m", "y"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``<2``, ``>=2024-03``, ``<30d``.

    The bound is an int in number fields. In date fields it is an ISO date as precise as typed
    (``"2024"``, ``"2024-03"``, ``"2024-03-12"``) or an age; see ``date_interval``.
    """

    operator: Operator
    bound: int | str | Age


@dataclass(frozen=True, slots=True)
class Range:
    """``2020-2024``: both ends are part of it. Open ranges are comparisons."""

    low: int | str
    high: int | str


Value: TypeAlias = Text | Phrase | Prefix | Comparison | Range


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that holds or not."""

    field: str | None
    """The name of one of ``FIELDS``, never an alias; None for text in any field."""
    value: Value


@dataclass(frozen=True, slots=True)
class Not:
    """What does not hold."""

    part: Query


@dataclass(frozen=True, slots=True)
class And:
    """All of two or more parts, none of them itself an ``And``; no part at all is everything."""

    parts: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One at least of two or more parts, none of them itself an ``Or``."""

    parts: tuple[Query, ...]


Query: TypeAlias = And | Or | Not | Term

EVERYTHING = And(())
"""The empty query."""
