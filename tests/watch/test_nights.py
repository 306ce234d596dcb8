"""What comes into the inbox, what never comes back, and how gaps are closed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from papertrack.actions.reading import set_decision
from papertrack.actions.watch.look import MOST_TRIES, PAGE_TRIES
from papertrack.actions.watch.run import RUN_SECONDS, category_status, is_settled
from papertrack.actions.watch.topics import edit_topic
from papertrack.errors import NotFoundError, StoreError
from papertrack.records import Identifier, Paper, PaperFacts, Reading
from papertrack.store.lookup import citekey_of, find_by_citekey, find_paper, get_paper
from papertrack.store.papers import add_paper, remove_paper
from papertrack.store.states import record_pass
from papertrack.store.watch.announcements import LOST, forget_before, mark_day, tries
from tests.fake_arxiv import Announced
from tests.watch.announced_days import announce, days, make_work, ordinary_day
from tests.watch.conftest import Nights

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = days(date(2026, 11, 16), 5)
SPECULATIVE = "2611.01601"
"""The paper of Monday that the topic is about."""


@pytest.fixture
def ordinary(nights: Nights) -> Nights:
    """An ordinary week of both categories, and a topic about one paper a day."""
    for day in days(MONDAY, 5):
        announce(nights.fake.calendar, day, ordinary_day(day))
    nights.topic("decoding", '"speculative decoding"', "cs.LG", "cs.CL")
    return nights


def paper_id(nights: Nights, arxiv_id: str) -> int:
    found = find_paper(nights.store, [Identifier("arxiv", arxiv_id)])
    assert found is not None
    return found


def know(nights: Nights, arxiv_id: str, **options: object) -> int:
    with nights.store.action("add"):
        return add_paper(
            nights.store,
            PaperFacts(title="Known", identifiers=(Identifier("arxiv", arxiv_id),)),
            source="test",
            **options,  # type: ignore[arg-type]
        )


def named(nights: Nights, citekeys: list[str]) -> list[Paper]:
    """The papers with these keys."""
    return [get_paper(nights.store, find_by_citekey(nights.store, one) or 0) for one in citekeys]


def test_a_category_that_arxiv_does_not_have_names_the_topics_to_mend(ordinary: Nights) -> None:
    ordinary.topic("my drafts", "draft", "cs.LG")
    ordinary.fake.calendar.unknown_feeds.add("cs.CL")
    report = ordinary.run(MONDAY)
    (problem,) = report.notes
    assert "answered 400: it has no feed for the category 'cs.CL'" in problem
    assert "`papertrack topic edit decoding --arxiv …`" in problem
    assert "my drafts" not in problem, "it does not look there"
    assert "watch.arxiv_categories" not in problem
    assert "at once" not in problem, "asking again may never help"
    ordinary.topic("default", "draft")
    assert "`papertrack config watch.arxiv_categories …`" in ordinary.run().notes[0]


def test_a_disk_that_fills_up_is_told_and_the_categories_before_are_kept(ordinary: Nights) -> None:
    huge = [
        make_work(f"2611.016{n}", "Speculative decoding", ("cs.CL",), abstract="word " * 2000)
        for n in range(10, 40)
    ]
    many = [*ordinary_day(MONDAY), *map(Announced, huge)]
    announce(ordinary.fake.calendar, MONDAY, many)

    def fill(category: str, done: int, total: int) -> None:
        if category == "cs.CL":
            ordinary.store.connection.execute("PRAGMA max_page_count = 1")  # No page more.

    with pytest.raises(StoreError, match=r"full or failing.*saved before it is kept.*Make room"):
        ordinary.run(MONDAY, on_look=fill)
    kept = "SELECT DISTINCT category FROM announcement_lists"
    assert ordinary.store.connection.execute(kept).fetchall() == [("cs.LG",)]
    ordinary.store.connection.execute("PRAGMA max_page_count = 1000000")
    assert ordinary.run().exit_code == 0
    assert len(ordinary.inbox()) == 31


def test_a_topic_that_cannot_look_stops_no_other_and_is_named_with_the_remedy(
    ordinary: Nights,
) -> None:
    ordinary.plan = replace(ordinary.plan, default_categories=())
    lost = ordinary.topic("my lost", '"speculative decoding"')
    report = ordinary.run(MONDAY)
    assert ordinary.inbox() == [SPECULATIVE]
    (warning,) = report.warnings
    assert "papertrack topic edit 'my lost' --arxiv" in warning
    assert warning in report.notes, "the digest says it too"
    with ordinary.store.action("topic"):
        edit_topic(ordinary.store, "my lost", arxiv_categories=["cs.LG"])
    assert ordinary.run().warnings == ()
    found = ordinary.store.connection.execute(
        "SELECT count(*) FROM paper_topics WHERE topic_id = ?", (lost,)
    ).fetchone()
    assert found == (1,), "once it can look, it sees what it missed"


def test_a_match_becomes_a_paper_in_the_inbox_with_topic_reason_and_category(
    nights: Nights,
) -> None:
    work = make_work(
        "2611.01601",
        "Speculative decoding at night",
        ("cs.LG", "cs.CL"),
        authors=("Ada Abara", "Bela Ito"),
        comment="7 pages",
    )
    announce(nights.fake.calendar, MONDAY, [Announced(work)])
    nights.topic("decoding", '"speculative decoding"', "cs.LG", category=("LLM", "Decoding"))
    report = nights.run(MONDAY)
    (paper,) = named(nights, report.citekeys)
    assert paper.decision == "inbox"
    assert paper.facts.title == "Speculative decoding at night"
    assert [author.name for author in paper.facts.authors] == ["Ada Abara", "Bela Ito"]
    assert paper.facts.primary_category == "cs.LG"
    assert paper.facts.announced == "2026-11-16"
    assert paper.topics == ("decoding",)
    assert paper.categories == (("LLM", "Decoding"),)
    assert [link.url for link in paper.facts.links] == ["https://arxiv.org/abs/2611.01601"]
    (reason,) = nights.store.connection.execute("SELECT reason FROM paper_topics").fetchone()
    assert reason == "speculative decoding (title)"


def test_an_ordinary_night_asks_once_for_each_category(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    before = len(ordinary.fake.asked())
    ordinary.run(TUESDAY)
    assert [request.path for request in ordinary.fake.asked()[before:]] == [
        "/atom/cs.LG",
        "/atom/cs.CL",
    ]


def test_a_second_run_of_the_day_asks_nothing_and_changes_nothing(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    before = len(ordinary.fake.asked())
    report = ordinary.run()
    assert len(ordinary.fake.asked()) == before
    assert [(look.state, look.unseen) for look in report.categories] == [("quiet", 0)] * 2
    assert report.exit_code == 0
    assert ordinary.inbox() == [SPECULATIVE]
    actions = ordinary.store.connection.execute("SELECT count(*) FROM actions WHERE verb = 'watch'")
    assert actions.fetchone() == (1,)


def test_the_last_night_that_brought_something_stays_on_record_after_runs_that_did_not(
    ordinary: Nights,
) -> None:
    ordinary.run(MONDAY)
    ordinary.fake.calendar.script[TUESDAY, "cs.LG"] = ()
    for day in (None, TUESDAY):
        ordinary.run(day)
        status = category_status(ordinary.store, "cs.LG", TUESDAY)
        assert status.last_look is not None
        assert status.last_look.unseen == 0
        look = status.last_look_with_news
        assert look is not None
        assert (look.day, look.announced, look.unseen, look.matched) == (MONDAY, 5, 5, 1)


def test_a_second_run_after_a_stale_feed_that_the_listing_made_up_for_is_quiet(
    ordinary: Nights,
) -> None:
    ordinary.run(MONDAY)
    ordinary.fake.calendar.feed_days["cs.LG"] = MONDAY
    first = ordinary.run(TUESDAY)
    assert {look.category: look.state for look in first.categories}["cs.LG"] == "stale"
    second = ordinary.run()
    assert [look.state for look in second.categories] == ["quiet", "quiet"]
    assert second.exit_code == 0, "nothing is missing"


@pytest.mark.parametrize("decision", ["saved", "inbox", "discarded"])
def test_a_paper_that_is_known_is_never_new(ordinary: Nights, decision: str) -> None:
    known = know(ordinary, SPECULATIVE, decision=decision)
    report = ordinary.run(MONDAY)
    assert report.papers_new == 0
    paper = get_paper(ordinary.store, known)
    assert paper.decision == decision
    assert paper.facts.title == "Known"
    assert paper.topics == (() if decision == "discarded" else ("decoding",))


def test_a_work_known_by_its_title_only_gets_its_arxiv_id(ordinary: Nights) -> None:
    with ordinary.store.action("add"):
        known = add_paper(
            ordinary.store, PaperFacts(title="Speculative Decoding on Day 16"), source="test"
        )
    report = ordinary.run(MONDAY)
    assert (report.citekeys, report.already_known) == ([], [citekey_of(ordinary.store, known)])
    assert get_paper(ordinary.store, known).facts.identifier("arxiv") == SPECULATIVE


def test_undo_takes_the_nights_papers_out_and_the_next_run_brings_them_back(
    ordinary: Nights,
) -> None:
    ordinary.run(MONDAY)
    ordinary.store.undo()
    assert ordinary.inbox() == []
    report = ordinary.run()
    assert report.papers_new == 1
    assert ordinary.inbox() == [SPECULATIVE]
    ordinary.store.undo()
    assert ordinary.run(TUESDAY).exit_code == 0
    assert ordinary.inbox() == [SPECULATIVE, "2611.01701"]


def test_discard_is_for_ever(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    set_decision(ordinary.store, [paper_id(ordinary, SPECULATIVE)], "discarded")
    for day in (TUESDAY, WEDNESDAY):
        ordinary.run(day, since=MONDAY)
    assert SPECULATIVE not in ordinary.inbox()


def test_what_the_reader_removed_stays_away_until_that_is_undone(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    with ordinary.store.action("rm"):
        remove_paper(ordinary.store, paper_id(ordinary, SPECULATIVE))
    assert ordinary.run(TUESDAY).papers_new
    assert SPECULATIVE not in ordinary.inbox()


def test_a_paper_that_two_categories_list_comes_once(nights: Nights) -> None:
    work = make_work("2611.01601", "Speculative decoding", ("cs.LG", "cs.CL"))
    announce(nights.fake.calendar, MONDAY, [Announced(work)])
    nights.topic("one", "speculative", "cs.LG")
    nights.topic("two", "decoding", "cs.CL")
    report = nights.run(MONDAY)
    assert report.papers_new == 1
    assert [one.topics for one in named(nights, report.citekeys)] == [("one", "two")]
    count = nights.store.connection.execute("SELECT count(*) FROM announcements")
    assert count.fetchone() == (1,)


def test_a_later_cross_list_is_news_only_to_a_topic_of_that_category(nights: Nights) -> None:
    work = make_work("2611.01601", "Speculative decoding", ("cs.LG",))
    other = make_work("2611.01602", "Draft models", ("cs.LG",))
    filler = make_work("2611.01603", "Filler", ("cs.CL",))
    calendar = nights.fake.calendar
    announce(calendar, MONDAY, [Announced(work), Announced(other), Announced(filler)])
    crossed = [replace(one, categories=("cs.LG", "cs.CL")) for one in (work, other)]
    calendar.script[TUESDAY, "cs.CL"] = [Announced(one, "cross") for one in crossed]
    calendar.script[TUESDAY, "cs.LG"] = [Announced(make_work("2611.01701", "New", ("cs.LG",)))]
    nights.topic("lg", "speculative", "cs.LG")
    nights.topic("cl", "speculative OR draft", "cs.CL")
    assert nights.run(MONDAY).papers_new == 1
    report = nights.run(TUESDAY)
    assert [one.facts.title for one in named(nights, report.citekeys)] == ["Draft models"]
    assert nights.inbox() == ["2611.01601", "2611.01602"]


def test_a_night_is_due_until_all_its_lists_are_known_and_then_no_more(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    ordinary.now += timedelta(days=1)
    assert not is_settled(ordinary.store, ordinary.plan), "nobody looked today"
    for service in ("feed", "site"):
        ordinary.fake.fail(service, "server-error")
    assert ordinary.run(TUESDAY).exit_code == 4
    assert not is_settled(ordinary.store, ordinary.plan)
    ordinary.fake.heal()
    for category in ("cs.LG", "cs.CL"):
        ordinary.fake.calendar.feed_days[category] = MONDAY
    assert ordinary.run().exit_code == 0, "the listing page has what the old feed lacks"
    assert is_settled(ordinary.store, ordinary.plan)
    ordinary.topic("dc", "kernel", "cs.DC")
    assert not is_settled(ordinary.store, ordinary.plan), "a further category is to be looked at"


def test_an_old_paper_cross_listed_elsewhere_is_no_news_to_who_does_not_look_there(
    nights: Nights,
) -> None:
    old = make_work("2408.00042", "Speculative decoding", ("cs.LG", "cs.CL"))
    calendar = nights.fake.calendar
    announce(calendar, MONDAY, [Announced(make_work("2611.01601", "Filler", ("cs.CL", "cs.LG")))])
    calendar.script[MONDAY, "cs.CL"] = [*calendar.script[MONDAY, "cs.CL"], Announced(old, "cross")]
    nights.topic("lg", "speculative", "cs.LG")
    nights.topic("primary", "speculative", "cs.LG", has_cross_lists=False)
    nights.topic("cl", "filler", "cs.CL")
    assert nights.run(MONDAY).exit_code == 0
    assert nights.inbox() == ["2611.01601"]


def test_a_cross_list_is_news_to_a_topic_whose_list_could_be_read_only_later(
    nights: Nights,
) -> None:
    old = make_work("2408.00042", "Speculative decoding", ("cs.DC", "cs.LG", "cs.CL"))
    calendar = nights.fake.calendar
    for name in ("cs.LG", "cs.CL"):
        calendar.script[MONDAY, name] = [Announced(old, "cross")]
        calendar.script[TUESDAY, name] = [Announced(make_work("2611.01701", "New", (name,)))]
    nights.topic("cl", "speculative", "cs.CL")
    nights.run(MONDAY)
    assert nights.inbox() == ["2408.00042"]
    nights.topic("lg", "speculative", "cs.LG")
    (paper,) = named(nights, nights.run().already_known)
    assert paper.topics == ("cl", "lg")
    for day in (None, TUESDAY, None):
        report = nights.run(day)
        assert (report.citekeys, report.already_known) == ([], [])


def test_without_cross_lists_only_the_primary_category_counts(nights: Nights) -> None:
    announce(nights.fake.calendar, MONDAY, ordinary_day(MONDAY))
    nights.topic("drafting", "drafting OR kernel", "cs.LG", has_cross_lists=False)
    assert nights.run(MONDAY).papers_new == 0
    edit_topic(nights.store, "drafting", has_cross_lists=True)
    assert nights.run(since=MONDAY).papers_new == 2


def test_a_replacement_of_a_saved_or_read_paper_is_reported_and_never_new(
    ordinary: Nights,
) -> None:
    work = make_work("2610.00042", "Speculative decoding, once more", ("cs.LG",), versions=3)
    calendar = ordinary.fake.calendar
    calendar.script[MONDAY, "cs.LG"] = [
        *calendar.script[MONDAY, "cs.LG"],
        Announced(work, "replace", 3),
    ]
    saved = know(ordinary, "2610.00042")
    read = know(ordinary, "2609.00016", decision="inbox")
    with ordinary.store.action("pass"):
        record_pass(ordinary.store, read, Reading(1))
    know(ordinary, "2610.00016", decision="discarded")
    report = ordinary.run(MONDAY)
    found = {(one.citekey, one.version) for one in report.replaced}
    assert found == {(citekey_of(ordinary.store, one), 3) for one in (saved, read)}
    assert get_paper(ordinary.store, saved).facts.version == 3
    assert "2610.00042" not in ordinary.inbox()


def test_a_new_topic_looks_ahead_and_with_since_back(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    ordinary.run(TUESDAY)
    ordinary.topic("graphs", "title:graphs", "cs.LG")
    assert "2611.01702" not in ordinary.inbox()
    ordinary.run(WEDNESDAY)
    graphs = ["2611.01802"]
    assert [one for one in ordinary.inbox() if one.endswith("02")] == graphs
    ordinary.run(since=TUESDAY)
    assert [one for one in ordinary.inbox() if one.endswith("02")] == ["2611.01702", *graphs]


def test_a_paused_topic_rests_and_catches_up(ordinary: Nights) -> None:
    ordinary.topic("graphs", "title:graphs", "cs.LG")
    edit_topic(ordinary.store, "graphs", is_paused=True)
    ordinary.run(MONDAY)
    assert "2611.01602" not in ordinary.inbox()
    edit_topic(ordinary.store, "graphs", is_paused=False)
    ordinary.run(TUESDAY)
    assert "2611.01602" in ordinary.inbox()


def test_an_edited_query_does_not_bring_back_what_it_no_longer_wants(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    ordinary.store.undo()
    edit_topic(ordinary.store, "decoding", query="title:graphs")
    ordinary.run(TUESDAY)
    assert ordinary.inbox() == ["2611.01702"]


def test_without_a_topic_nothing_is_asked(nights: Nights) -> None:
    with pytest.raises(NotFoundError, match="topic add"):
        nights.run(MONDAY)
    assert nights.fake.asked() == []


def test_announcements_are_forgotten_after_the_days_they_are_kept(ordinary: Nights) -> None:
    ordinary.plan = replace(ordinary.plan, keep_days=7)
    ordinary.run(MONDAY)
    ordinary.fake.calendar.script[date(2026, 11, 30), "cs.LG"] = ()
    ordinary.run(date(2026, 11, 30))
    kept = ordinary.store.connection.execute(
        "SELECT count(*) FROM announcements WHERE announced_on = '2026-11-16'"
    )
    assert kept.fetchone() == (0,)
    assert SPECULATIVE in ordinary.inbox(), "the paper itself stays"


def test_a_category_that_falls_silent_is_a_warning(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    for category in ("cs.LG", "cs.CL"):
        ordinary.fake.calendar.feed_days[category] = MONDAY
    for day in (TUESDAY, WEDNESDAY, THURSDAY):
        ordinary.fake.calendar.script[day, "cs.CL"] = ()
    assert ordinary.run(TUESDAY).warnings == ()
    assert ordinary.run(WEDNESDAY).warnings == ()
    (warning,) = ordinary.run(THURSDAY).warnings
    assert "cs.CL has had nothing new for 3 announcement days" in warning
    assert category_status(ordinary.store, "cs.CL", THURSDAY).days_without_news == 3


def test_a_feed_that_stands_still_is_never_new_again_however_long(ordinary: Nights) -> None:
    ordinary.plan = replace(ordinary.plan, keep_days=7)
    ordinary.run(MONDAY)
    calendar = ordinary.fake.calendar
    for day in days(TUESDAY, 14):
        for category in ("cs.LG", "cs.CL"):
            calendar.feed_days[category] = MONDAY
            calendar.script[day, category] = ()
    reports = [ordinary.run(day) for day in days(TUESDAY, 14)]
    assert {look.unseen for report in reports for look in report.categories} == {0}
    assert "new" not in {look.state for report in reports for look in report.categories}
    assert category_status(ordinary.store, "cs.LG", reports[-1].day).last_news == MONDAY
    assert [warning.split()[0] for warning in reports[-1].warnings] == ["cs.LG", "cs.CL"]


def test_a_category_that_never_had_anything_is_a_warning_too(ordinary: Nights) -> None:
    for day in days(MONDAY, 5):
        for category in ("cs.LG", "cs.CL"):
            ordinary.fake.calendar.script[day, category] = ()
    for day in days(MONDAY, 5):
        report = ordinary.run(day)
    assert "cs.LG has had nothing new for 4 announcement days (since the first fetch)." in (
        report.warnings
    )


def test_a_watch_that_no_longer_runs_is_a_warning(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    assert category_status(ordinary.store, "cs.LG", THURSDAY).warning is None
    warning = category_status(ordinary.store, "cs.LG", FRIDAY).warning
    assert warning is not None
    assert "cs.LG has not been fetched for 3 announcement days (since 2026-11-16)" in warning


def test_an_old_list_where_a_new_one_is_due_is_stale_and_no_success(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    for category in ("cs.LG", "cs.CL"):
        ordinary.fake.calendar.script[TUESDAY, category] = ()
    report = ordinary.run(TUESDAY)
    assert {look.state for look in report.categories} == {"stale"}
    assert report.exit_code == 5


def test_a_list_that_was_seen_in_full_before_is_quiet(ordinary: Nights) -> None:
    ordinary.run(MONDAY)
    calendar = ordinary.fake.calendar
    for category in ("cs.LG", "cs.CL"):
        calendar.script[TUESDAY, category] = calendar.script[MONDAY, category]
    # Replacements without a version are told by their day: these lists have none.
    for category in ("cs.LG", "cs.CL"):
        calendar.script[TUESDAY, category] = [
            one for one in calendar.script[TUESDAY, category] if "replace" not in one.kind
        ]
    report = ordinary.run(TUESDAY)
    assert {look.state for look in report.categories} == {"quiet"}
    assert report.exit_code == 0


def test_a_stale_feed_on_the_first_night_is_found_out_at_once(ordinary: Nights) -> None:
    ordinary.fake.calendar.feed_days["cs.LG"] = MONDAY
    ordinary.run(TUESDAY)
    assert ordinary.inbox() == [SPECULATIVE, "2611.01701"]


def test_a_gap_of_more_than_ninety_days_is_closed_by_oai(nights: Nights) -> None:
    announce(nights.fake.calendar, MONDAY, ordinary_day(MONDAY))
    nights.topic("decoding", '"speculative decoding"', "cs.LG")
    nights.run(MONDAY)
    missed = replace(
        make_work("2611.01701", "Speculative decoding in the gap", ("cs.LG",)),
        versions=("2026-11-17T10:00:00Z",),
    )
    nights.fake.shelf.known = {missed.arxiv_id: missed}
    later = date(2027, 3, 22)
    announce(nights.fake.calendar, later, [Announced(make_work("2703.00001", "X", ("cs.LG",)))])
    report = nights.run(later)
    assert nights.inbox() == [SPECULATIVE, "2611.01701"]
    asked = [request.path for request in nights.fake.asked("oai")]
    assert all("set=cs%3Acs%3ALG" in path and "from=2026-11-17" in path for path in asked)
    assert report.exit_code == 0
    assert category_status(nights.store, "cs.LG", later).missing == ()


def weekdays(first: date, count: int) -> list[date]:
    return [day for day in days(first, 2 * count) if day.weekday() < 5][:count]


@pytest.fixture
def unreadable_tuesday(ordinary: Nights) -> Nights:
    """Nothing ran on Tuesday, whose catch-up page is a 400 on every night."""
    calendar = ordinary.fake.calendar
    for day in weekdays(date(2026, 11, 23), 8):
        announce(calendar, day, ordinary_day(day))
    calendar.unreadable_days.add(TUESDAY)
    ordinary.run(MONDAY)
    return ordinary


def asked_for_tuesday(nights: Nights) -> int:
    return sum("2026-11-17" in request.path for request in nights.fake.asked())


def test_a_day_whose_page_stays_unreadable_is_read_by_oai(unreadable_tuesday: Nights) -> None:
    nights = unreadable_tuesday
    missed = replace(
        make_work("2611.01701", "Speculative decoding on Tuesday", ("cs.LG", "cs.CL")),
        versions=("2026-11-17T10:00:00Z",),
    )
    nights.fake.shelf.known = {missed.arxiv_id: missed}
    for day in weekdays(WEDNESDAY, PAGE_TRIES):
        assert nights.run(day).exit_code == 4
        assert missed.arxiv_id not in nights.inbox()
    assert nights.run(date(2026, 11, 23)).exit_code == 0
    assert missed.arxiv_id in nights.inbox()
    asked = asked_for_tuesday(nights)
    nights.run(date(2026, 11, 24))
    assert asked_for_tuesday(nights) == asked, "what is known is not asked for again"


def test_a_day_that_nothing_shows_is_given_up_and_named(unreadable_tuesday: Nights) -> None:
    nights = unreadable_tuesday
    nights.fake.fail("oai", "html")
    reports = [nights.run(day) for day in weekdays(WEDNESDAY, MOST_TRIES)]
    given_up = "the list of 2026-11-17 is lost: no source shows it"
    assert [given_up in look.failed for look in reports[-1].categories] == [True, True]
    status = category_status(nights.store, "cs.LG", reports[-1].day)
    assert (status.missing, status.lost) == ((), (TUESDAY,))
    asked = asked_for_tuesday(nights)
    after = nights.run(date(2026, 11, 26))
    assert (after.exit_code, asked_for_tuesday(nights)) == (0, asked)


def test_an_unreadable_page_keeps_no_other_missed_day_away(unreadable_tuesday: Nights) -> None:
    nights = unreadable_tuesday
    nights.fake.calendar.unreadable_days = {WEDNESDAY}
    nights.run(THURSDAY)
    assert "2611.01701" in nights.inbox()


def test_a_night_without_a_network_is_no_try(unreadable_tuesday: Nights) -> None:
    nights = unreadable_tuesday
    nights.fake.fail("site", "rate")
    nights.run(WEDNESDAY)
    assert tries(nights.store, "cs.LG") == {}


def test_when_the_time_is_over_the_rest_waits_for_the_next_run(ordinary: Nights) -> None:
    ticks = iter([0.0, 0.0, 0.0, RUN_SECONDS + 1])
    report = ordinary.run(MONDAY, clock=lambda: next(ticks, RUN_SECONDS + 1))
    assert report.exit_code == 4
    assert any(
        "time for one run is over" in problem
        for look in report.categories
        for problem in look.failed
    )
    assert ordinary.run(TUESDAY).exit_code == 0
    assert ordinary.inbox() == [SPECULATIVE, "2611.01701"]


def test_the_day_is_known_since_when_no_list_is_missing(ordinary: Nights) -> None:
    def since(day: date) -> date | None:
        return category_status(ordinary.store, "cs.LG", day).complete_since

    assert since(MONDAY) is None
    ordinary.run(MONDAY)
    ordinary.run(TUESDAY)
    assert (since(TUESDAY), since(WEDNESDAY)) == (MONDAY, MONDAY)
    # The list of a day on which nobody looked is not known until it is made up for.
    assert since(THURSDAY) is None
    ordinary.run(THURSDAY)
    assert since(THURSDAY) == MONDAY
    mark_day(ordinary.store, "cs.LG", days(THURSDAY, 3)[1], source=LOST, announced=0)
    assert since(days(THURSDAY, 3)[1]) == MONDAY
    assert since(days(THURSDAY, 3)[2]) is None


def catchup_pages(nights: Nights) -> list[str]:
    return [one.path for one in nights.fake.asked("site") if one.path.startswith("/catchup")]


def test_a_first_watch_looks_back_as_far_as_it_is_told(ordinary: Nights) -> None:
    report = ordinary.run(days(MONDAY, 5)[-1], since=MONDAY)
    asked = catchup_pages(ordinary)
    assert len(asked) == 2 * 4, "each day once in each category, today's aside"
    assert report.papers_new == 5
    assert report.exit_code == 0
    assert category_status(ordinary.store, "cs.LG", report.day).complete_since == MONDAY
    ordinary.run(since=MONDAY)
    assert catchup_pages(ordinary) == asked


def test_looking_back_asks_no_further_than_arxiv_shows(ordinary: Nights) -> None:
    ordinary.run(MONDAY, since=date(2020, 1, 1))
    asked = catchup_pages(ordinary)
    assert 2 * 60 <= len(asked) <= 2 * 65


def test_where_the_past_is_not_shown_today_is_known_all_the_same(ordinary: Nights) -> None:
    ordinary.fake.fail("site", "server-error")
    report = ordinary.run(TUESDAY, since=MONDAY)
    assert any("500" in problem for look in report.categories for problem in look.failed)


def test_days_that_are_not_kept_any_more_are_read_again(ordinary: Nights) -> None:
    for day in (MONDAY, TUESDAY, WEDNESDAY):
        ordinary.run(day)
    forget_before(ordinary.store, (ordinary.now - timedelta(hours=30)).isoformat())
    ordinary.topic("graphs", "title:graphs", "cs.LG")
    report = ordinary.run(since=MONDAY)
    assert {page.rpartition("/")[2] for page in catchup_pages(ordinary)} == {"2026-11-16?abs=True"}
    assert report.papers_new == 3
