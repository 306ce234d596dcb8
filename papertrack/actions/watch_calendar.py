"""When arXiv announces: days are those of US Eastern time, as arXiv counts them.

https://info.arxiv.org/help/availability.html: announced at 20:00 Eastern, Sunday to Thursday; the
feeds and listings of it bear the date of the next day, Monday to Friday.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")

HOLIDAYS = frozenset(
    date.fromisoformat(day) for day in ("2026-11-26", "2026-12-25", "2026-12-29", "2026-12-31")
)
"""Days on which arXiv said it would not announce (its availability page, June 2026). A hint for
words only: holidays also move at short notice, and what was announced is decided by ids."""
YEARLY_HOLIDAYS = ((1, 1), (12, 25))


def eastern_day(now: datetime) -> date:
    """The day at arXiv at this moment."""
    return now.astimezone(EASTERN).date()


def has_list(day: date) -> bool:
    """Whether lists bear this date, holidays aside: Monday to Friday."""
    return day.weekday() < 5


def may_be_holiday(day: date) -> bool:
    """Whether the list of this day may be missing because arXiv did not announce on its eve."""
    return any(
        near in HOLIDAYS or (near.month, near.day) in YEARLY_HOLIDAYS
        for near in (day, day - timedelta(days=1))
    )


def list_days(first: date, last: date) -> list[date]:
    """The days from first to last (both included) that should have a list, newest first."""
    days = [last - timedelta(days=n) for n in range((last - first).days + 1)]
    return [day for day in days if has_list(day)]


def lists_due(after: date, until: date) -> int:
    """How many lists are due after one day until another (included), holidays aside."""
    return sum(not may_be_holiday(day) for day in list_days(after + timedelta(days=1), until))
