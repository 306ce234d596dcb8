"""When arXiv announces: days are in US Eastern time, as arXiv counts them.

https://info.arxiv.org/help/availability.html: announced at 20:00 Eastern, Sunday to Thursday;
feeds and listings bear the date of the next day, Monday to Friday.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")

MONDAY, THURSDAY, FRIDAY = 0, 3, 4
WINTER_BREAK = ((12, 24), (1, 1))
"""The days between which arXiv skips two or three evenings, which vary by year."""
FIXED_HOLIDAYS = ((1, 1), (6, 19), (7, 4))
"""New Year, Juneteenth and Independence Day; on a weekend they are observed on the nearest
weekday."""
MOVING_HOLIDAYS = ((1, MONDAY, 3), (9, MONDAY, 1), (11, THURSDAY, 4))
"""Month, weekday and which of these: Martin Luther King Day, Labor Day, Thanksgiving."""


def eastern_day(now: datetime) -> date:
    """Return the day at arXiv at this moment."""
    return now.astimezone(EASTERN).date()


def has_list(day: date) -> bool:
    """Return whether listings can have this date, ignoring holidays: Monday to Friday."""
    return day.weekday() < 5


def may_be_holiday(day: date) -> bool:
    """Return whether arXiv may have made no announcement on the evening before this day.

    This is only a hint for messages and warnings, as holidays also come at short notice: ids decide
    what was announced. The holidays are those in arXiv's tables for 2022 to 2026 (arxiv-base,
    ``arxiv/db/arxiv_holidays_seed.sql``).
    """
    # Monday's list is frozen on Friday.
    days_back = 3 if day.weekday() == MONDAY else 1
    return any(_is_holiday(day - timedelta(days=back)) for back in range(days_back + 1))


def _is_holiday(day: date) -> bool:
    break_begins, break_ends = WINTER_BREAK
    date_of_day = day.month, day.day
    # A holiday at a weekend is kept on the Friday before or the Monday after.
    beside = day + timedelta(days={FRIDAY: 1, MONDAY: -1}.get(day.weekday(), 0))
    return (
        not break_ends < date_of_day < break_begins
        or (day.month, day.weekday(), (day.day + 6) // 7) in MOVING_HOLIDAYS
        or not {date_of_day, (beside.month, beside.day)}.isdisjoint(FIXED_HOLIDAYS)
    )


def list_days(first: date, last: date) -> list[date]:
    """Return the days from first to last (inclusive) that should have a list, newest first."""
    days = [last - timedelta(days=n) for n in range((last - first).days + 1)]
    return [day for day in days if has_list(day)]


def lists_due(after: date, until: date) -> int:
    """Return how many lists are due after one day, to another inclusive, without holidays."""
    return sum(not may_be_holiday(day) for day in list_days(after + timedelta(days=1), until))
