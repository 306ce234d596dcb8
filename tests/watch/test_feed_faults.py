"""Every fault that a feed can have: the night says so, and nothing is missing in the end."""

from __future__ import annotations

from datetime import date

import pytest

from tests.watch.announced_days import announce, days, ordinary_day
from tests.watch.conftest import Nights

MONDAY, TUESDAY, WEDNESDAY = days(date(2026, 11, 16), 3)
FAULTS = """
    rate rate-seconds rate-200 busy gateway server-error not-found html html-as-xml
    plain-as-xml empty redirect-foreign redirect-loop cut broken-gzip brotli bomb latin-1 nul
    vertical-tab doctype nested overflow unknown-kind feed-error short-of-length reset
    short-of-chunks six-digits rate-huge rate-garbage redirect-metadata redirect-file
""".split()


def prepare(nights: Nights) -> set[tuple[str, str]]:
    truth = set()
    for day in (MONDAY, TUESDAY, WEDNESDAY):
        truth |= announce(nights.fake.calendar, day, ordinary_day(day))
    nights.topic("decoding", '"speculative decoding"', "cs.LG", "cs.CL")
    nights.run(MONDAY)
    return {(arxiv_id, group) for arxiv_id, group, _ in truth}


def seen(nights: Nights) -> list[tuple[str, str]]:
    rows = nights.store.connection.execute(
        """SELECT arxiv_id, iif(kind IN ('new', 'cross'), 'first', 'replace') FROM announcements
           WHERE arxiv_id NOT LIKE '2301.%' ORDER BY 1, 2"""
    )
    return rows.fetchall()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_feed_is_made_up_for_by_the_listing_page(nights: Nights, fault: str) -> None:
    truth = prepare(nights)
    nights.fake.fail("feed", fault)
    report = nights.run(TUESDAY)
    assert [look.state for look in report.categories] == ["new", "new"]
    assert all(look.failed for look in report.categories), "the fault is told"
    assert report.exit_code == 0
    nights.fake.heal()
    nights.run(WEDNESDAY)
    assert seen(nights) == sorted(truth)


@pytest.mark.parametrize("fault", ["rate", "html", "cut", "reset", "forbidden"])
def test_when_feed_and_listing_are_broken_the_next_night_makes_up_for_it(
    nights: Nights, fault: str
) -> None:
    truth = prepare(nights)
    for service in ("feed", "site"):
        nights.fake.fail(service, fault)
    report = nights.run(TUESDAY)
    assert {look.state for look in report.categories} == {"could-not-look"}
    assert report.exit_code == 4
    assert any("cs.LG" in note for note in report.notes)
    nights.fake.heal()
    assert nights.run(WEDNESDAY).exit_code == 0
    assert seen(nights) == sorted(truth)


def test_one_entry_that_cannot_be_read_does_not_cost_the_others(nights: Nights) -> None:
    truth = prepare(nights)
    nights.fake.fail("feed", "duplicate-item")
    report = nights.run(TUESDAY)
    assert report.exit_code == 0
    nights.fake.heal()
    nights.run(WEDNESDAY)
    assert seen(nights) == sorted(truth)
