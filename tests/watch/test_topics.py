"""Making topics, previewing them, and searching arXiv's past."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from papertrack.actions.watch.match import (
    FOLLOWED_AUTHOR,
    Score,
    plain_score,
    rarity_of,
)
from papertrack.actions.watch.topics import (
    PastSearch,
    create_topic,
    delete_topic,
    edit_topic,
    preview_query,
)
from papertrack.errors import ConflictError, NotFoundError, SourceUnavailableError, UsageError
from papertrack.queries.matcher import Hit
from papertrack.store.watch.topics import get_topic, list_topics
from tests.fake_arxiv import Announced
from tests.watch.announced_days import announce, days, make_work, ordinary_day
from tests.watch.conftest import Nights

MONDAY = date(2026, 11, 16)


def test_a_topic_is_kept_as_it_was_said_in_one_spelling(nights: Nights) -> None:
    made = create_topic(
        nights.store,
        "  decoding ",
        "( moe  OR   title:x ) -survey",
        arxiv_categories=["CS.lg", "cs.LG", "math.MP"],
        has_cross_lists=False,
        category=("LLM",),
    )
    assert made == get_topic(nights.store, "DECODING")
    assert made.query == "(moe OR title:x) NOT survey"
    assert made.arxiv_categories == ("cs.LG", "math-ph")
    assert (made.has_cross_lists, made.category) == (False, ("LLM",))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"query": "tag:moe"}, "tag:moe"),
        ({"query": ""}, "needs search terms"),
        ({"query": "("}, "never closed"),
        ({"query": "x", "arxiv_categories": ["cs.XX"]}, "not an arXiv category"),
        ({"query": "x", "arxiv_categories": ["cs"]}, "whole archive"),
        ({"query": "x", "name": " "}, "1 to 60"),
        ({"query": "x", "name": "y" * 61}, "1 to 60"),
    ],
)
def test_a_topic_that_makes_no_sense_is_refused(
    nights: Nights, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        create_topic(nights.store, **{"name": "t", **options})  # type: ignore[arg-type]
    assert list_topics(nights.store) == []


def test_names_are_taken_without_regard_to_case_and_unknown_ones_name_the_nearest(
    nights: Nights,
) -> None:
    create_topic(nights.store, "decoding", "moe")
    create_topic(nights.store, "other", "moe")
    with pytest.raises(ConflictError, match="topic edit"):
        create_topic(nights.store, "Decoding", "x")
    with pytest.raises(ConflictError):
        edit_topic(nights.store, "other", new_name="DECODING")
    with pytest.raises(NotFoundError, match="Did you mean decoding"):
        get_topic(nights.store, "decodin")


def test_edit_changes_what_is_given_and_undo_takes_it_back(nights: Nights) -> None:
    before = create_topic(nights.store, "decoding", "moe", arxiv_categories=["cs.LG"])
    after = edit_topic(nights.store, "decoding", query="lora", new_name="adapters")
    assert after == replace(before, query="lora", name="adapters")
    nights.store.undo()
    assert list_topics(nights.store) == [before]


def test_a_dry_run_changes_nothing(nights: Nights) -> None:
    with nights.store.trial():
        create_topic(nights.store, "decoding", "moe")
    assert list_topics(nights.store) == []


def test_a_topic_that_was_removed_and_brought_back_goes_on_where_it_was(nights: Nights) -> None:
    for day in days(MONDAY, 2):
        announce(nights.fake.calendar, day, ordinary_day(day))
    nights.topic("decoding", '"speculative decoding"', "cs.LG")
    nights.run(MONDAY)
    delete_topic(nights.store, "decoding")
    nights.store.undo()
    report = nights.run(date(2026, 11, 17))
    assert report.papers_new == 1
    assert len(nights.inbox()) == 2


def test_a_preview_tells_the_rate_and_the_last_hits_and_changes_nothing(nights: Nights) -> None:
    for day in days(MONDAY, 2):
        announce(nights.fake.calendar, day, ordinary_day(day))
    nights.topic("other", "nothingofthekind", "cs.LG")
    for day in days(MONDAY, 2):
        nights.run(day)
    found = preview_query(
        nights.store,
        "title:speculative OR title:graphs",
        today=nights.now.date(),
        days=14,
        default_categories=("cs.LG",),
    )
    assert (found.days, found.matched, found.looked_at) == (2, 4, 8)
    assert found.verdict == "matches 2 of 4 a day"
    assert [hit.arxiv_id for hit in found.last_hits] == [
        "2611.01702",
        "2611.01701",
        "2611.01602",
        "2611.01601",
    ]
    assert found.last_hits[0].reason == "graphs (title)"
    assert nights.inbox() == []


def test_a_preview_says_too_broad_too_narrow_and_nothing_kept_yet(nights: Nights) -> None:
    def verdict(query: str) -> str:
        return preview_query(
            nights.store, query, today=MONDAY, days=14, default_categories=("cs.LG",)
        ).verdict

    assert "run `papertrack watch` first" in verdict("moe")
    works = [make_work(f"2611.{n:05}", f"Broad {n}", ("cs.LG",)) for n in range(1, 51)]
    announce(nights.fake.calendar, MONDAY, map(Announced, works))
    nights.topic("other", "nothingofthekind", "cs.LG")
    nights.run(MONDAY)
    assert verdict("broad") == "matches 50 of 50 a day: too broad?"
    assert verdict("moe") == "matches 0 of 50 a day: too narrow?"


@pytest.mark.parametrize(
    ("query", "wider"),
    [
        ("transformer", ("transformer*", 2)),
        ("transformers NOT graphs", ("transformer* NOT graphs", 2)),
        ("title:transformers OR absent", ("title:transformer* OR absent*", 2)),
        ("transformer*", None),
        ('"transformer"', None),
        ("author:ada", None),
        ("serving", None),
    ],
)
def test_a_preview_tells_when_other_endings_of_its_words_would_match_more(
    nights: Nights, query: str, wider: tuple[str, int] | None
) -> None:
    titles = ["A transformer", "Transformers for all", "Serving"]
    works = [make_work(f"2611.0000{n}", title, ("cs.LG",)) for n, title in enumerate(titles, 1)]
    announce(nights.fake.calendar, MONDAY, map(Announced, works))
    nights.topic("other", "nothingofthekind", "cs.LG")
    nights.run(MONDAY)
    found = preview_query(nights.store, query, today=MONDAY, days=14, default_categories=("cs.LG",))
    assert (found.wider and (found.wider.query, found.wider.matched)) == wider


def test_the_score_prefers_titles_rare_terms_followed_authors_and_home() -> None:
    rarity = {"moe": 3.0, "model": 0.5, "Tri Dao": 0.0}

    def score(*hits: Hit, is_home: bool = False, read_share: float = 0.0) -> Score:
        found = hits or (Hit("moe", ("abstract",)),)
        return plain_score(found, rarity, is_home=is_home, read_share=read_share)

    def value(*hits: Hit, **more: Any) -> float:
        return score(*hits, **more).value

    assert value() == 3.0
    assert value(Hit("moe", ("title",))) == 6.0
    assert value(Hit("model", ("title",))) < value()
    assert value(Hit("Tri Dao", ("author",))) == FOLLOWED_AUTHOR
    assert value(is_home=True) > value(read_share=0.5) > value()
    assert score().reason == "moe (abstract)"


def test_a_term_is_the_rarer_the_fewer_texts_have_it() -> None:
    rarities = [rarity_of(count, 500) for count in (0, 1, 50, 250, 500)]
    assert rarities == sorted(rarities, reverse=True)
    assert rarities[-1] > 0


def backfill(
    nights: Nights, since: date = date(2026, 9, 1), today: date = MONDAY, *, is_again: bool = False
) -> list[tuple[date, date, int]]:
    slices = past(nights, since, today, is_again=is_again).search(nights.door())
    return [(one.first, one.last, len(one.new_papers)) for one in slices]


def past(
    nights: Nights, since: date, today: date = MONDAY, *, is_again: bool = False
) -> PastSearch:
    topic = get_topic(nights.store, "decoding")
    return PastSearch(nights.store, topic, ("cs.LG",), since, today, is_again)


def stock(nights: Nights) -> None:
    works = [
        replace(
            make_work(f"26{month:02}.00001", f"Speculative decoding in {month}", ("cs.LG",)),
            versions=(f"2026-{month:02}-05T10:00:00Z",),
        )
        for month in (8, 9, 10, 11)
    ]
    nights.fake.shelf.known = {work.arxiv_id: work for work in works}
    nights.topic("decoding", '"speculative decoding"', "cs.LG")


def test_backfill_searches_month_by_month_back_to_the_day(nights: Nights) -> None:
    stock(nights)
    found = backfill(nights)
    assert found == [
        (date(2026, 10, 17), date(2026, 11, 16), 1),
        (date(2026, 9, 16), date(2026, 10, 16), 1),
        (date(2026, 9, 1), date(2026, 9, 15), 1),
    ]
    assert nights.inbox() == ["2609.00001", "2610.00001", "2611.00001"]
    assert backfill(nights, is_again=True) == [(first, last, 0) for first, last, _ in found]


def test_what_a_backfill_has_searched_is_not_asked_again(nights: Nights) -> None:
    stock(nights)
    backfill(nights)
    assert backfill(nights) == backfill(nights, date(2026, 10, 1)) == []
    assert backfill(nights, date(2026, 8, 1)) == [(date(2026, 8, 1), date(2026, 8, 31), 1)]
    later = MONDAY + timedelta(days=3)
    assert backfill(nights, date(2026, 8, 1), later) == [(date(2026, 11, 9), later, 0)]
    assert backfill(nights, date(2026, 8, 1), later) == []
    edit_topic(nights.store, "decoding", query="decoding")
    assert len(backfill(nights)) == 3, "another question"


def test_days_between_two_backfills_are_asked_when_they_are_wanted(nights: Nights) -> None:
    stock(nights)
    backfill(nights, today=date(2026, 9, 5))
    assert backfill(nights, date(2026, 11, 1)) == [(date(2026, 11, 1), MONDAY, 1)]
    days = [(first, last) for first, last, _ in backfill(nights)]
    assert days == [(date(2026, 10, 1), date(2026, 10, 31)), (date(2026, 9, 1), date(2026, 9, 30))]


def test_an_interrupted_backfill_goes_on_where_it_stopped(nights: Nights) -> None:
    stock(nights)
    nights.fake.fail("api", "server-error", times=0)
    slices = past(nights, date(2026, 9, 1)).search(nights.door())
    next(slices)
    nights.fake.fail("api", "server-error")
    with pytest.raises(SourceUnavailableError):
        next(slices)
    nights.fake.heal()
    assert nights.inbox() == ["2611.00001"]

    def left_since(since: date) -> list[tuple[date, date]]:
        return past(nights, since).slices_left()

    left = left_since(date(2026, 9, 1))
    assert [first for first, _ in left] == [date(2026, 9, 16), date(2026, 9, 1)]
    tomorrow = left_since(date(2026, 9, 2))
    assert [first for first, _ in tomorrow] == [date(2026, 9, 16), date(2026, 9, 2)]
    farther = left_since(date(2026, 8, 31))
    assert [first for first, _ in farther] == [date(2026, 9, 16), date(2026, 8, 31)]
    assert [new for _, _, new in backfill(nights)] == [1, 1]
