"""A fortnight with everything that goes wrong at arXiv, night by night."""

from __future__ import annotations

from datetime import date

from tests.watch.announced_days import CATEGORIES, Truth, announce, days, ordinary_day
from tests.watch.conftest import Nights

HOLIDAY = date(2026, 11, 27)
"""The list after Thanksgiving, on whose evening arXiv announces nothing."""


def november(day: int) -> date:
    return date(2026, 11, day)


def script(nights: Nights) -> Truth:
    """Two weeks and two days of announcements; returns all of them."""
    truth: Truth = set()
    for day in days(november(16), 16):
        if day.weekday() < 5 and day != HOLIDAY:
            truth |= announce(nights.fake.calendar, day, ordinary_day(day))
    return truth


def seen(nights: Nights) -> list[tuple[str, str, int | None]]:
    """What is kept, without the filler of the feed that overflowed."""
    return nights.store.connection.execute(
        """SELECT arxiv_id, iif(kind IN ('new', 'cross'), 'first', 'replace'), version
           FROM announcements WHERE arxiv_id NOT LIKE '2301.%' ORDER BY 1, 2"""
    ).fetchall()


def states(nights: Nights, day: date, **options: object) -> tuple[int, dict[str, str]]:
    report = nights.run(day, **options)
    return report.exit_code, {look.category: look.state for look in report.categories}


def both(state: str) -> dict[str, str]:
    return dict.fromkeys(CATEGORIES, state)


def test_every_announcement_of_a_bad_fortnight_is_seen_once_and_each_night_says_what_it_was(
    nights: Nights,
) -> None:
    fake, calendar = nights.fake, nights.fake.calendar
    truth = script(nights)
    nights.topic("decoding", '"speculative decoding"', *CATEGORIES)

    assert states(nights, november(16)) == (0, both("new"))
    assert states(nights, november(17)) == (0, both("new"))

    calendar.feed_days["cs.LG"] = november(17)  # yesterday's batch under today's date
    assert states(nights, november(18)) == (0, {"cs.LG": "stale", "cs.CL": "new"})
    calendar.feed_days.clear()

    calendar.unknown_feeds.add("cs.CL")
    assert states(nights, november(19)) == (4, {"cs.LG": "new", "cs.CL": "could-not-look"})
    calendar.unknown_feeds.clear()

    fake.fail("feed", "overflow", times=1)
    assert states(nights, november(20)) == (0, both("new"))

    assert states(nights, november(21)) == (0, both("nothing-announced"))
    assert states(nights, november(22)) == (0, both("nothing-announced"))

    # The machine is off on the 23rd and the 24th.
    assert states(nights, november(25)) == (0, both("new"))

    for service in ("feed", "site", "api", "oai"):
        fake.fail(service, "rate")
    assert states(nights, november(26)) == (4, both("could-not-look"))
    fake.heal()

    report = nights.run(HOLIDAY)
    assert (report.exit_code, {look.state for look in report.categories}) == (
        0,
        {"nothing-announced"},
    )
    assert sum(look.unseen for look in report.categories) == 8, (
        "Thursday's lists are read on Friday"
    )
    assert states(nights, november(28)) == (0, both("nothing-announced"))

    for category in CATEGORIES:
        calendar.feed_days[category] = november(26)
    fake.fail("site", "wrong-count")
    assert states(nights, november(30)) == (4, both("could-not-look"))
    fake.heal()
    calendar.feed_days.clear()

    assert states(nights, date(2026, 12, 1)) == (0, both("new"))

    kept = seen(nights)
    assert [one[:2] for one in kept] == sorted(one[:2] for one in truth), "missing or kept twice"
    versions = {one[:2]: one[2] for one in truth}
    # A listing page does not say which version it shows.
    assert all(version in (None, versions[name, group]) for name, group, version in kept)
    decoding = {name for name, group, _ in truth if group == "first" and name.endswith("01")}
    assert set(nights.inbox()) == decoding
