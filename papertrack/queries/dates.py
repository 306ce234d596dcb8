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
        first, _ = _period(value.low, today)
        _, after = _period(value.high, today)
        return first.isoformat(), _iso_or_open(after)
    first, after = _period(value.bound, today)
    is_age = isinstance(value.bound, Age)
    match _MIRRORED[value.operator] if is_age else value.operator:
        case "<":
            return None, first.isoformat()
        case "<=":
            return None, _iso_or_open(after)
        case "=":
            return first.isoformat(), _iso_or_open(after)
        case ">=":
            return first.isoformat(), None
        case _:
            return (after or date.max).isoformat(), None


def _iso_or_open(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _period(bound: int | str | Age, today: date) -> tuple[date, date | None]:
    """Its first day, and the day after its last; None after the last day that there is."""
    if isinstance(bound, Age):
        day = _days_ago(bound, today)
        return day, day + timedelta(days=1)
    numbers = [int(part) for part in str(bound).split("-")]
    first = date(*[*numbers, 1, 1][:3])
    try:
        return first, _next(first, len(numbers))
    except (ValueError, OverflowError):
        return first, None


def _next(first: date, precision: int) -> date:
    """The day after a year (1), a month (2) or a day (3) that begins on ``first``."""
    match precision:
        case 1:
            return date(first.year + 1, 1, 1)
        case 2:
            return date(first.year + first.month // 12, first.month % 12 + 1, 1)
        case _:
            return first + timedelta(days=1)


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
