"""When arXiv announces: the days of its lists, in New York's time, and its holidays."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from papertrack.actions.watch.calendar import (
    eastern_day,
    has_list,
    list_days,
    lists_due,
    may_be_holiday,
)
from tests.watch.announced_days import days

SKIPPED = """
    2022-01-17 2022-06-20 2022-09-05 2022-11-24 2022-12-27 2022-12-29
    2023-01-16 2023-06-19 2023-07-04 2023-09-04 2023-11-23 2023-12-25 2023-12-27
    2024-01-15 2024-06-19 2024-07-04 2024-09-02 2024-11-28 2024-12-25 2024-12-26 2024-12-31
    2025-01-01 2025-01-20 2025-06-19 2025-07-04 2025-09-01 2025-11-27 2025-12-25 2025-12-30
    2026-01-01 2026-01-19 2026-06-19 2026-07-03 2026-09-07 2026-11-26 2026-12-25 2026-12-29
    2026-12-31
""".split()
"""The evenings of holidays on which arXiv did not announce, without its staff's retreats."""


def next_list(eve: date) -> date:
    return next(day for day in days(eve, 5)[1:] if has_list(day))


@pytest.mark.parametrize("evening", SKIPPED)
def test_the_list_after_an_evening_that_arxiv_skipped_may_be_missing(evening: str) -> None:
    assert may_be_holiday(next_list(date.fromisoformat(evening)))


@pytest.mark.parametrize("year", [2022, 2026, 2027, 2031, 2040])
def test_in_any_year_few_lists_may_be_missing(year: int) -> None:
    lists = list_days(date(year, 1, 1), date(year, 12, 31))
    hints = [day for day in lists if may_be_holiday(day)]
    assert 14 <= len(hints) <= 22
    assert all(day.month in (1, 6, 7, 9, 11, 12) for day in hints)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-18T04:59:59", "2026-11-17"),  # 23:59 in winter
        ("2026-11-18T05:00:00", "2026-11-18"),
        ("2026-07-01T03:59:59", "2026-06-30"),  # 23:59 in summer
        ("2026-07-01T04:00:00", "2026-07-01"),
        ("2026-03-08T06:59:59", "2026-03-08"),  # the hour that summer time leaves out
        ("2026-03-08T07:00:00", "2026-03-08"),
        ("2026-11-01T05:30:00", "2026-11-01"),  # half past one, twice
        ("2026-11-01T06:30:00", "2026-11-01"),
        ("2027-01-01T04:59:59", "2026-12-31"),
        ("2027-01-01T05:00:00", "2027-01-01"),
    ],
)
def test_the_day_is_that_of_new_york(moment: str, day: str) -> None:
    now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert eastern_day(now) == date.fromisoformat(day)


def test_lists_are_due_on_weekdays_that_are_no_holidays() -> None:
    friday, tuesday = date(2026, 11, 13), date(2026, 11, 17)
    assert list_days(friday, tuesday) == [tuesday, date(2026, 11, 16), friday]
    assert lists_due(friday, tuesday) == 2
    assert lists_due(tuesday, tuesday) == 0
    assert lists_due(date(2026, 12, 23), date(2027, 1, 1)) == 0, "the winter break warns nobody"
