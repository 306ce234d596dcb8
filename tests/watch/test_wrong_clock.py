"""A clock that was wrong for a while costs no announcement and brings no flood when it is right."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from papertrack.actions.watch.calendar import EASTERN
from papertrack.actions.watch.look import MOST_TRIES
from papertrack.actions.watch.run import category_status
from tests.watch.announced_days import announce, days, ordinary_day
from tests.watch.conftest import Nights

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = days(date(2026, 11, 16), 5)


@pytest.fixture
def week(nights: Nights) -> Nights:
    """An ordinary week, and a topic about one of its papers a day."""
    for day in days(MONDAY, 5):
        announce(nights.fake.calendar, day, ordinary_day(day))
    nights.topic("decoding", '"speculative decoding"', "cs.LG")
    return nights


def run_with_clock_at(nights: Nights, day: date) -> None:
    """A run whose clock is wrong: at arXiv it is the day of the last right one."""
    nights.now = datetime(day.year, day.month, day.day, 3, 17, tzinfo=EASTERN)
    nights.run()


@pytest.mark.parametrize("ahead", [timedelta(days=30), timedelta(days=5 * 365)])
def test_lists_of_days_that_were_yet_to_come_are_read_when_they_come(
    week: Nights, ahead: timedelta
) -> None:
    week.run(MONDAY)
    # So often that no page is asked for any more: OAI answers, and knows what day it is.
    for more in range(MOST_TRIES + 1):
        run_with_clock_at(week, MONDAY + ahead + timedelta(days=more))
    for day in (TUESDAY, WEDNESDAY, THURSDAY):
        (look,) = week.run(day).categories
        assert (look.state, look.unseen, look.matched) == ("new", 5, 1)


def test_a_clock_that_is_ahead_is_told_with_both_days(week: Nights) -> None:
    week.run(MONDAY)
    run_with_clock_at(week, date(2031, 11, 17))
    status = category_status(week.store, "cs.LG", date(2031, 11, 17))
    assert status.last_look is not None
    assert any("2031-11-17" in what and "2026-11-16" in what for what in status.last_look.failed)


def test_news_of_a_day_that_is_yet_to_come_hides_no_silence(week: Nights) -> None:
    week.run(MONDAY)
    week.fake.calendar.today = TUESDAY
    run_with_clock_at(week, date(2031, 11, 17))
    week.run(WEDNESDAY)
    assert category_status(week.store, "cs.LG", WEDNESDAY).last_news == WEDNESDAY


@pytest.mark.parametrize("wrong", [date(1970, 1, 1), date(2025, 11, 17)])
def test_a_clock_that_was_set_back_makes_no_years_missing(week: Nights, wrong: date) -> None:
    week.run(MONDAY)
    run_with_clock_at(week, wrong)
    before = len(week.fake.asked())
    week.run(TUESDAY)
    assert len(week.fake.asked()) == before + 1
    assert category_status(week.store, "cs.LG", TUESDAY).missing == ()


def test_a_first_night_before_the_clock_was_set_makes_no_decades_missing(week: Nights) -> None:
    week.fake.calendar.today = MONDAY
    for service in ("feed", "site"):
        week.fake.fail(service, "reset")
    run_with_clock_at(week, date(1970, 1, 1))
    week.fake.heal()
    (look,) = week.run(MONDAY).categories
    assert (look.state, look.unseen) == ("new", 5)
    assert not week.fake.asked("oai")
