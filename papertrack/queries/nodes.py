"""The syntax tree of a query as frozen data, and the days that date comparisons mean."""

# Without `from __future__ import annotations`: see ``records``.

from datetime import date, timedelta
from typing import Literal, NamedTuple, TypeAlias

Operator = Literal["<", "<=", "=", ">=", ">"]


class _TypedEquality:
    """Makes a tuple equal only to tuples of its own class."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), super().__hash__()))


class _Typed(NamedTuple):
    text: str


class Text(_TypedEquality, _Typed):
    """One bare word, as typed; its field defines how it is compared (``FieldType``)."""

    __slots__ = ()


class Phrase(_TypedEquality, _Typed):
    """Quoted text: these words next to each other, in this order."""

    __slots__ = ()


class Prefix(_TypedEquality, _Typed):
    """``specul*``: words with this beginning. Stored without the star, never empty."""

    __slots__ = ()


class Age(NamedTuple):
    """An age: ``30d``, ``2w``, ``6m`` (calendar months) or ``1y``."""

    number: int
    unit: Literal["d", "w", "m", "y"]


class Comparison(NamedTuple):
    """``<2``, ``>=2024-03``, ``<30d``.

    The bound is an int in number fields. In date fields it is an ISO date as precise as typed
    (``"2024"``, ``"2024-03"``, ``"2024-03-12"``) or an age; see ``date_interval``.
    """

    operator: Operator
    bound: int | str | Age


class Range(NamedTuple):
    """``2020-2024``, both ends included. Open ranges are comparisons."""

    low: int | str
    high: int | str


Value: TypeAlias = Text | Phrase | Prefix | Comparison | Range


class Term(NamedTuple):
    """One condition."""

    field: str | None
    """The name of one of ``FIELDS``, never an alias; None for text in any field."""
    value: Value


class Not(NamedTuple):
    """A negated node."""

    part: "Query"


class _Parts(NamedTuple):
    parts: tuple["Query", ...]


class And(_TypedEquality, _Parts):
    """A conjunction of at least two parts, none of them an ``And``; without parts, everything."""

    __slots__ = ()


class Or(_TypedEquality, _Parts):
    """A disjunction of at least two parts, none of them an ``Or``."""

    __slots__ = ()


Query: TypeAlias = And | Or | Not | Term

EVERYTHING = And(())
"""The empty query."""


# Older is earlier: an age of less than 30 days is a date after the day 30 days ago.
_OPERATOR_OF_AGE: dict[Operator, Operator] = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}


def date_interval(value: Comparison | Range, today: date) -> tuple[str | None, str | None]:
    """Return the days that a date comparison accepts: the first day, and the day after the last.

    Both are ISO dates, None where there is no limit. A bound that is not a full date means its
    whole period: ``>2024`` begins on 2025-01-01, ``<=2024-03`` ends before 2024-04-01. Ages are
    counted in whole days back from ``today``. A stored date without a day, such as ``2023-09``,
    counts as the first day of its period.
    """
    if isinstance(value, Range):
        return _period(value.low, today)[0], _period(value.high, today)[1]
    first, after = _period(value.bound, today)
    operator = _OPERATOR_OF_AGE[value.operator] if isinstance(value.bound, Age) else value.operator
    intervals: dict[Operator, tuple[str | None, str | None]] = {
        "<": (None, first),
        "<=": (None, after),
        "=": (first, after),
        ">=": (first, None),
        ">": (after or date.max.isoformat(), None),
    }
    return intervals[operator]


def _period(bound: int | str | Age, today: date) -> tuple[str, str | None]:
    """Return the first day of a bound, and the day after its last, or None."""
    if isinstance(bound, Age):
        first, days = _days_ago(bound, today), 1
    else:
        numbers = [int(part) for part in str(bound).split("-")]
        first = date(*[*numbers, 1, 1][:3])
        days = _length(first, len(numbers))
    try:
        return first.isoformat(), (first + timedelta(days)).isoformat()
    except OverflowError:
        return first.isoformat(), None


def _length(first: date, precision: int) -> int:
    """Return the days in the year (1), the month (2) or the day (3) that begins on ``first``."""
    if precision == 1:
        return (date(first.year, 12, 31) - first).days + 1
    return _days_of(first.year, first.month) if precision == 2 else 1


def _days_of(year: int, month: int) -> int:
    from calendar import monthrange  # Only queries about months and ages need it.

    return monthrange(year, month)[1]


def _days_ago(age: Age, today: date) -> date:
    try:
        return day_after(today, age._replace(number=-age.number))
    except (ValueError, OverflowError):
        return date.min


def day_after(day: date, age: Age) -> date:
    """Return the day this many days, weeks, months or years later, or the month's last day.

    Raises ValueError or OverflowError beyond the calendar.
    """
    if age.unit in ("d", "w"):
        return day + timedelta(days=age.number * (7 if age.unit == "w" else 1))
    months = day.year * 12 + day.month - 1 + age.number * (12 if age.unit == "y" else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, _days_of(year, month)))
