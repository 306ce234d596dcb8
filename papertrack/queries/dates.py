"""What a comparison of dates means in days."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from papertrack.queries.nodes import Age, Comparison, Operator, Range

# Older is earlier: an age of less than 30 days is a date after the day 30 days ago.
_MIRRORED: dict[Operator, Operator] = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}


def date_interval(value: Comparison | Range, today: date) -> tuple[str | None, str | None]:
    """The days that a date's comparison accepts: the first one, and the first one after them.

    Both are ISO dates, None where there is no limit. A bound that is not a full date is its whole
    period: ``>2024`` begins on 2025-01-01, ``<=2024-03`` ends before 2024-04-01. Ages are counted
    in whole days back from ``today``. A stored date that is less precise, such as ``2023-09``,
    stands for the first day of its period.
    """
    if isinstance(value, Range):
        return _period(value.low, today)[0], _period(value.high, today)[1]
    first, after = _period(value.bound, today)
    operator = _MIRRORED[value.operator] if isinstance(value.bound, Age) else value.operator
    intervals: dict[Operator, tuple[str | None, str | None]] = {
        "<": (None, first),
        "<=": (None, after),
        "=": (first, after),
        ">=": (first, None),
        ">": (after or date.max.isoformat(), None),
    }
    return intervals[operator]


def _period(bound: int | str | Age, today: date) -> tuple[str, str | None]:
    """Its first day, and the day after its last; None after the last day that there is."""
    days = 1
    if isinstance(bound, Age):
        first = _days_ago(bound, today)
    else:
        numbers = [int(part) for part in str(bound).split("-")]
        first = date(*[*numbers, 1, 1][:3])
        if len(numbers) == 1:
            days = 365 + calendar.isleap(first.year)
        elif len(numbers) == 2:
            days = calendar.monthrange(first.year, first.month)[1]
    try:
        return first.isoformat(), (first + timedelta(days)).isoformat()
    except OverflowError:
        return first.isoformat(), None


def _days_ago(age: Age, today: date) -> date:
    """The same day so many days, weeks, months or years earlier; the month's last if too short."""
    try:
        if age.unit in ("d", "w"):
            return today - timedelta(days=age.count * (7 if age.unit == "w" else 1))
        months = today.year * 12 + today.month - 1 - age.count * (12 if age.unit == "y" else 1)
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(today.day, calendar.monthrange(year, month)[1]))
    except (ValueError, OverflowError):
        return date.min
