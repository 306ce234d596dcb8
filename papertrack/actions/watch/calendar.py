"""When arXiv announces: days are those of US Eastern time, as arXiv counts them.

https://info.arxiv.org/help/availability.html: announced at 20:00 Eastern, Sunday to Thursday; the
feeds and listings of it bear the date of the next day, Monday to Friday.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")

MONDAY, THURSDAY, FRIDAY = 0, 3, 4
WINTER_BREAK = ((12, 24), (1, 1))
"""First and last day of the break in which arXiv skips two or three evenings, each year others."""
FIXED_HOLIDAYS = ((1, 1), (6, 19), (7, 4))
"""New Year, Juneteenth and Independence Day; on a weekend they are kept on the nearest weekday."""
MOVING_HOLIDAYS = ((1, MONDAY, 3), (9, MONDAY, 1), (11, THURSDAY, 4))
"""Month, weekday and which of them: Martin Luther King Day, Labor Day, Thanksgiving."""


def eastern_day(now: datetime) -> date:
    """The day at arXiv at this moment."""
    return now.astimezone(EASTERN).date()


def has_list(day: date) -> bool:
    """Whether lists bear this date, holidays aside: Monday to Friday."""
    return day.weekday() < 5


def may_be_holiday(day: date) -> bool:
    """Whether the list of this day may be missing because arXiv did not announce on its eve.

    A hint for words and warnings only, as holidays also come at short notice: what was announced
    is decided by ids. The holidays are those of arXiv's tables of 2022 to 2026
    (arxiv-base, ``arxiv/db/arxiv_holidays_seed.sql``).
    """
    # Monday's list is frozen on Friday.
    days_back = 3 if day.weekday() == MONDAY else 1
    return any(_is_holiday(day - timedelta(days=back)) for back in range(days_back + 1))


def _is_holiday(day: date) -> bool:
    break_begins, break_ends = WINTER_BREAK
    if (day.month, day.day) >= break_begins or (day.month, day.day) <= break_ends:
        return True
    if (day.month, day.weekday(), (day.day + 6) // 7) in MOVING_HOLIDAYS:
        return True
    kept = {day}
    if day.weekday() == FRIDAY:
        kept.add(day + timedelta(days=1))
    elif day.weekday() == MONDAY:
        kept.add(day - timedelta(days=1))
    return any((one.month, one.day) in FIXED_HOLIDAYS for one in kept)


def list_days(first: date, last: date) -> list[date]:
    """The days from first to last (both included) that should have a list, newest first."""
    days = [last - timedelta(days=n) for n in range((last - first).days + 1)]
    return [day for day in days if has_list(day)]


def lists_due(after: date, until: date) -> int:
    """Return how many lists are due after one day, up to and including another, without
    holidays."""
    return sum(not may_be_holiday(day) for day in list_days(after + timedelta(days=1), until))
