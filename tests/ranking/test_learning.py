"""The ranking of a library: what decisions say, what is kept of it, and what never is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from papertrack.actions import ranking as wishes
from papertrack.actions.add import add_references
from papertrack.actions.organise import remove_papers
from papertrack.actions.ranking import (
    best_outside,
    example_of,
    explain,
    judge,
    learn_model,
    parse_records,
    present_model,
    rank_records,
    refresh,
    weight_of_reason,
)
from papertrack.actions.reading import set_decision
from papertrack.actions.undo import undo
from papertrack.actions.watch.match import narrower_topics
from papertrack.errors import NotFoundError, UsageError
from papertrack.holdings import Announcement
from papertrack.library import create_library
from papertrack.queries.parser import parse_query
from papertrack.ranking.model import Model
from papertrack.records import Author, Identifier, PaperFacts, Reading
from papertrack.sources.source import SourceRecord
from papertrack.store import states
from papertrack.store.listing import find_ids
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import add_papers
from papertrack.store.store import Store
from papertrack.store.watch.announcements import record_batch
from papertrack.store.watch.ranks import (
    Label,
    decisions_stamp,
    find_model,
    find_rank,
    forgotten_terms,
    papers_without_rank,
    read_labels,
    read_standings,
)
from papertrack.store.watch.topics import add_match, add_topic, attach_topic
from tests.fresh_store import fresh_store

NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
TODAY = date(2026, 11, 16)
WANTED = ["speculative decoding", "draft tokens", "key value cache", "long contexts"]
OTHERS = ["protein folding", "crop yields", "traffic lights", "tidal waves", "bird songs"]


def facts(number: int, about: list[str], author: str = "Ada Byron") -> PaperFacts:
    chosen = random.Random(number)
    return PaperFacts(
        title=f"{chosen.choice(about).capitalize()}, part {number}",
        abstract=". ".join(f"On {chosen.choice(about)} and {chosen.choice(about)}" for _ in "abc"),
        identifiers=(Identifier("arxiv", f"2611.{number + 1:05}"),),
        authors=(Author(author),),
        arxiv_categories=("cs.LG",),
        primary_category="cs.LG",
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with fresh_store(tmp_path / "papertrack.db", now=lambda: NOW) as opened:
        yield opened


def add(store: Store, papers: list[PaperFacts], decision: str) -> list[int]:
    with store.action("add"):
        return add_papers(store, papers, source="announcement", decision=decision)  # type: ignore[arg-type]


def announce(store: Store, papers: list[PaperFacts], day: date) -> None:
    batch = [Announcement(one.identifier("arxiv") or "", 1, "new", one) for one in papers]
    record_batch(store, "cs.LG", batch, day=day, source="feed")


@pytest.fixture
def read(store: Store) -> Store:
    """A library with sixty decisions, announcements let pass, and an inbox of eight."""
    add(store, [facts(n, WANTED, "Grace Hopper") for n in range(30)], "saved")
    add(store, [facts(n, OTHERS) for n in range(100, 130)], "discarded")
    announce(store, [facts(n, OTHERS) for n in range(200, 260)], TODAY - timedelta(days=3))
    inbox = [facts(n, OTHERS if n % 2 else WANTED) for n in range(300, 308)]
    add(store, inbox, "inbox")
    return store


def inbox(store: Store) -> list[int]:
    return find_ids(store, parse_query("is:inbox"), order="rank")


def numbers(store: Store, ids: list[int]) -> list[int]:
    values = store.connection.execute(
        "SELECT paper_id, value FROM identifiers WHERE scheme = 'arxiv'"
    )
    by_id = {paper_id: int(value[5:]) - 1 for paper_id, value in values}
    return [by_id[one] for one in ids]


def test_what_is_like_the_saved_papers_comes_first(read: Store) -> None:
    refresh(read, TODAY)
    assert [n % 2 for n in numbers(read, inbox(read))] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_without_a_decision_the_order_is_that_of_the_topics(store: Store) -> None:
    ids = add(store, [facts(n, WANTED) for n in range(6)], "inbox")
    with store.action("topic"):
        topic = add_topic(store, "t", "decoding")
        for paper_id, score in zip(ids, [1.0, 3.0, 2.0, 3.0, 0.5], strict=False):
            attach_topic(store, paper_id, topic, reason="decoding (title)", score=score)
    wanted = [ids[1], ids[3], ids[2], ids[0], ids[4], ids[5]]
    assert inbox(store) == wanted
    assert refresh(store, TODAY) == Model()
    assert inbox(store) == wanted


def test_the_same_library_gives_the_same_order_and_scores(read: Store) -> None:
    refresh(read, TODAY)
    first = [find_rank(read, one) for one in inbox(read)]
    read.connection.execute("DELETE FROM rank_model")
    read.connection.execute("DELETE FROM ranks")
    refresh(read, TODAY)
    assert [find_rank(read, one) for one in inbox(read)] == first


def test_the_model_is_kept_until_a_decision_comes(read: Store) -> None:
    present_model(read, TODAY)
    kept = find_model(read)
    assert kept is not None
    assert present_model(read, TODAY) == kept[0]
    with read.action("save"):
        states.decide(read, inbox(read)[0], "saved")
    assert present_model(read, TODAY).decisions == kept[0].decisions + 1


def test_more_of_one_paper_and_less_of_another_is_news_together(read: Store) -> None:
    first, second = [one.paper_id for one in read_labels(read, limit=2)]
    before = decisions_stamp(read)
    wishes.wish(read, [first], "more")
    wishes.wish(read, [second], "less")
    one_way = decisions_stamp(read)
    wishes.wish(read, [first], "less")
    wishes.wish(read, [second], "more")
    assert len({before, one_way, decisions_stamp(read)}) == 3


def test_the_ranking_is_no_doing_of_the_readers(read: Store) -> None:
    count = "SELECT count(*) FROM changes"
    before = read.select_value(count)
    refresh(read, TODAY)
    assert read.select_value(count) == before


def test_a_paper_that_is_put_into_the_inbox_has_its_place_in_it_at_once(read: Store) -> None:
    refresh(read, TODAY)
    (saved,) = add(read, [facts(400, WANTED)], "saved")
    set_decision(read, [saved], "inbox")
    put_back = find_rank(read, saved)
    assert put_back is not None
    assert put_back.words
    record = SourceRecord(Identifier("arxiv", "2611.00402"), facts(401, WANTED), "arxiv")
    (added,) = add_references(
        read, ["2611.00402"], decision="inbox", records={record.identifier: record}
    )
    assert find_rank(read, added.id) is not None
    # As the whole inbox has it when it is ranked again.
    before = inbox(read)
    refresh(read, TODAY)
    assert inbox(read) == before


def test_the_first_paper_of_an_empty_inbox_is_ranked_by_what_was_learnt(read: Store) -> None:
    model = present_model(read, TODAY)
    assert model.decisions
    assert read.select_value("SELECT count(*) FROM ranks") == 0
    (paper,) = add(read, [facts(400, WANTED)], "saved")
    set_decision(read, [paper], "inbox")
    assert find_rank(read, paper) is not None


@pytest.mark.parametrize("decision", ["saved", "discarded"])
def test_a_ranking_that_knows_one_side_alone_says_of_no_paper_on_which_it_is(
    store: Store, decision: str
) -> None:
    add(store, [facts(n, WANTED) for n in range(60)], decision)
    waiting = add(store, [facts(n, OTHERS + WANTED) for n in range(300, 308)], "inbox")
    model = refresh(store, TODAY)
    assert not model.is_sided
    assert find_model(store) == (model, decisions_stamp(store))
    # They have an order, and no side.
    assert all(find_rank(store, one) for one in waiting)
    assert {one.score for one in read_standings(store, waiting).values()} == {None}
    assert explain(store, waiting[0], TODAY).is_like_kept is None
    announce(store, [facts(n, WANTED) for n in range(400, 410)], TODAY)
    since = read_announced_since(store)
    assert best_outside(store, model, seen_since=since, wanted=5) == []
    # What is let pass, or decided otherwise, is the other side.
    add(store, [facts(1000, OTHERS)], "discarded" if decision == "saved" else "saved")
    assert refresh(store, TODAY).is_sided
    assert None not in {one.score for one in read_standings(store, waiting).values()}
    assert explain(store, waiting[0], TODAY).is_like_kept is not None


def read_announced_since(store: Store) -> str:
    return str(store.select_value("SELECT min(seen_at) FROM announcements"))


def test_ranking_one_paper_reads_no_other(read: Store) -> None:
    refresh(read, TODAY)
    (paper,) = add(read, [facts(400, WANTED)], "saved")
    asked: list[str] = []
    read.connection.set_trace_callback(asked.append)
    set_decision(read, [paper], "inbox")
    read.connection.set_trace_callback(None)
    (reading,) = (sql for sql in asked if "p.announced" in sql and "paper_topics" in sql)
    assert [row[0] for row in read.execute(reading)] == [paper]


def label(**values: object) -> Label:
    one = Label(1, "Tidal waves", "", [], "saved", None, None, 0, False, None, "2026-11-16")
    return one._replace(**values)


def weight(**values: object) -> float:
    example = example_of(label(**values), NOW)
    return round(example.weight if example.is_wanted else -example.weight, 2)


def test_passes_count_more_than_saving_and_ratings_scale() -> None:
    weights = [weight(passes_done=n) for n in range(4)]
    assert weights == sorted(weights)
    assert 0 < weights[0] < weights[1] < weights[3]
    assert weight(is_in_hand=True) > weight()
    assert weight(rating=5) > weight(rating=3) == weight() > weight(rating=1) > 0


def test_a_discarded_paper_speaks_against_others_unless_it_was_read() -> None:
    assert weight(decision="discarded") < 0
    assert weight(decision="discarded", passes_done=1) > 0
    assert weight(decision="discarded", reason="off topic") < weight(decision="discarded")


@pytest.mark.parametrize("reason", ["duplicate", "read the survey instead", "known", "Later"])
def test_a_reason_that_is_not_the_papers_worth_says_nothing(reason: str) -> None:
    assert weight_of_reason(reason) == weight(decision="discarded", reason=reason) == 0


def test_old_decisions_say_less() -> None:
    assert weight(at="2026-05-20") == pytest.approx(weight() / 2, abs=0.01)
    assert weight(at="no day at all") == weight()


def test_a_wish_goes_before_the_decision() -> None:
    assert weight(decision="discarded", wish="more") > 0 > weight(passes_done=3, wish="less")


def test_why_names_words_authors_topic_and_the_nearest_paper_that_was_read(read: Store) -> None:
    near = read_labels(read, limit=100)[-1].paper_id
    with read.action("pass"):
        states.record_pass(read, near, Reading(2, None, None, None, "drafts are cheap"))
    (paper,) = add(read, [facts(400, WANTED, "Grace Hopper")], "inbox")
    with read.action("topic"):
        topic = add_topic(read, "t", "decoding")
        attach_topic(read, paper, topic, reason="decoding (title)", score=1.0)
    found = explain(read, paper, TODAY)
    assert found.score is not None
    assert found.score > 0
    assert found.words
    assert found.authors == ("Grace Hopper",)
    assert found.near is not None
    assert (found.near.passes_done, found.near.takeaway) == (2, "drafts are cheap")
    assert found.topics == (("t", "decoding (title)"),)


def test_nothing_is_near_where_nothing_was_read(read: Store) -> None:
    assert explain(read, inbox(read)[0], TODAY).near is None


def test_more_and_less_are_undone_as_a_whole(read: Store) -> None:
    paper = inbox(read)[0]
    before = learn_model(read, TODAY)
    wishes.wish(read, [paper], "less")
    assert learn_model(read, TODAY) != before
    read.undo()
    assert learn_model(read, TODAY) == before


def test_forgetting_is_undone_and_redone(read: Store) -> None:
    wishes.forget(read, "Decoding")
    wishes.forget(read, "grace hopper")
    assert forgotten_terms(read) == ["@grace hopper", "decoding"]
    model = learn_model(read, TODAY)
    assert not [term for term in model.weights if "decoding" in term or "hopper" in term]
    read.undo()
    read.undo()
    assert forgotten_terms(read) == []
    read.redo()
    assert forgotten_terms(read) == ["decoding"]
    assert wishes.recall(read, "decoding") == "decoding"


def test_what_the_ranking_does_not_see_cannot_be_forgotten(read: Store) -> None:
    for typed in ("the", "$x$", "one of three words"):
        with pytest.raises(UsageError):
            wishes.forget(read, typed)
    with pytest.raises(NotFoundError):
        wishes.recall(read, "decoding")


def test_outside_of_the_topics_the_best_come_if_they_are_like_what_is_kept(read: Store) -> None:
    news = [facts(n, WANTED if n < 503 else OTHERS) for n in range(500, 510)]
    announce(read, news, TODAY)
    model = present_model(read, TODAY)
    since = NOW.isoformat()
    found = best_outside(read, model, seen_since=since, wanted=None)
    assert len(found) == 3
    assert len(best_outside(read, model, seen_since=since, wanted=50)) == 3
    assert best_outside(read, model, seen_since=since, wanted=0) == []
    assert best_outside(read, Model(), seen_since=since, wanted=5) == []
    few = replace(model, decisions=49)
    assert best_outside(read, few, seen_since=since, wanted=None) == []
    with read.action("topic"):
        add_match(read, add_topic(read, "t", "x"), found[0], reason="x (title)", score=1.0)
    assert found[0] not in best_outside(read, model, seen_since=since, wanted=None)


def test_any_records_are_ranked_and_none_is_added(read: Store) -> None:
    lines = "\n".join(
        f'{{"arxiv_id": "2612.0000{n}", "title": "{title}"}}'
        for n, title in enumerate(["Bird songs", "Draft tokens in speculative decoding"])
    )
    before = list(read.connection.iterdump())
    ranked = rank_records(read, parse_records(lines, "x"), ["cs.LG"], TODAY)
    assert [one.record.arxiv_id for one in ranked] == ["2612.00001", "2612.00000"]
    assert list(read.connection.iterdump()) == before


@pytest.mark.parametrize(
    "spelling", ["2611.00001v3", "arXiv:2611.00001", "https://arxiv.org/abs/2611.00001"]
)
def test_a_record_is_known_by_any_spelling_of_its_id(read: Store, spelling: str) -> None:
    (record,) = parse_records(json.dumps({"title": "Any", "arxiv_id": spelling}), "x")
    (ranked,) = rank_records(read, [record], ["cs.LG"], TODAY)
    assert (record.arxiv_id, ranked.citekey) == ("2611.00001", citekey_of(read, 1))


def test_what_is_no_arxiv_id_is_kept_without_commands_to_the_terminal() -> None:
    (record,) = parse_records(json.dumps({"title": "Any", "arxiv_id": "no\x1b[31mid"}), "x")
    assert record.arxiv_id == "no[31mid"


@pytest.mark.parametrize(
    "text", ["{", '{"abstract": "x"}', "[1]", "7", "[" * 100_000, '{"a":' * 100_000]
)
def test_what_is_no_record_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match="here"):
        parse_records(text, "here")


def test_the_trial_is_honest_about_too_little(store: Store) -> None:
    found = judge(store, TODAY)
    assert not found.is_telling
    assert (found.decisions, found.kept) == (0, 0)


def test_the_trial_learns_only_from_what_was_decided_before(store: Store) -> None:
    now = NOW - timedelta(days=30)
    store.now = lambda: now
    add(store, [facts(n, WANTED) for n in range(20)], "saved")
    store.now = lambda: NOW
    news = [facts(n, WANTED if n < 612 else OTHERS) for n in range(600, 640)]
    announce(store, news, TODAY - timedelta(days=2))
    add(store, news[:12], "saved")
    found = judge(store, TODAY)
    assert (found.decisions, found.announced, found.kept) == (20, 40, 12)
    assert found.is_telling
    assert found.first_by_rank == 10


def test_fewer_like_this_offers_a_word_that_nothing_kept_has(read: Store) -> None:
    (paper,) = add(read, [facts(700, ["quantum decoding"])], "inbox")
    with read.action("topic"):
        topic = add_topic(read, "t", "decoding")
        attach_topic(read, paper, topic, reason="decoding (title)", score=1.0)
    ((name, query),) = narrower_topics(read, paper)
    assert (name, query) == ("t", '(decoding) AND NOT "quantum decoding"')
    parse_query(query)


def test_a_place_is_looked_for_at_the_same_cost_in_any_inbox(read: Store) -> None:
    (paper,) = add(read, [facts(800, WANTED)], "inbox")

    def steps() -> int:
        taken = count()
        read.connection.set_progress_handler(lambda: next(taken) < 0, 1)
        papers_without_rank(read, [paper])
        read.connection.set_progress_handler(None, 1)
        return next(taken)

    in_a_small_one = steps()
    add(read, [facts(n, WANTED) for n in range(900, 1000)], "inbox")
    assert steps() == in_a_small_one


def test_a_paper_that_undo_brings_back_has_its_place_again(read: Store, tmp_path: Path) -> None:
    refresh(read, TODAY)
    before = inbox(read)
    with read.action("rm") as action:
        remove_papers(read, before[1:3])
    assert inbox(read) == [before[0], *before[3:]]
    library, _ = create_library(tmp_path / "library")
    undo(read, library, action.id)
    assert inbox(read) == before
