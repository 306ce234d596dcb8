"""Searching arXiv: a grammar that means what the user wrote, and no deep pages."""

from __future__ import annotations

import re
from datetime import date, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.queries.nodes import And, Not, Or, Phrase, Query, Term
from papertrack.queries.parser import parse_query
from papertrack.sources import arxiv_search
from papertrack.sources.arxiv_search import build_query, search
from papertrack.sources.failures import BadAnswer
from papertrack.sources.transport import Door
from tests.fake_arxiv import FakeArxiv, Work, synthesise
from tests.fake_arxiv.query import matches

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("kv", 'all:"kv"'),
        ('"speculative decoding"', 'all:"speculative decoding"'),
        ("title:moe author:dean", '(ti:"moe" AND au:"dean")'),
        ("a b c", '((all:"a" AND all:"b") AND all:"c")'),
        ("a OR b c", '(all:"a" OR (all:"b" AND all:"c"))'),
        ("a NOT b NOT c", '((all:"a" ANDNOT all:"b") ANDNOT all:"c")'),
        ("NOT b a", '(all:"a" ANDNOT all:"b")'),
        ("author:del_maestro", 'au:"del maestro"'),
        ("specul*", "all:specul*"),
        ("self-super*", 'all:"self-super"'),
        ("cat:cs.LG", "cat:cs.LG"),
        ("cat:cs.*", "cat:cs.*"),
        ("year:2024", "submittedDate:[202401010000 TO 202412312359]"),
        ("submitted:<30d", "submittedDate:[202610220000 TO 209912312359]"),
        ("submitted:2024-03..2024-06", "submittedDate:[202403010000 TO 202406302359]"),
        ("venue:nature abs:gene co:code", '((jr:"nature" AND abs:"gene") AND co:"code")'),
        ('"C++ (or C#)"', 'all:"C++ or C#"'),
    ],
)
def test_a_query_is_written_in_arxivs_grammar(query: str, expected: str) -> None:
    assert build_query(parse_query(query), today=TODAY) == expected


def test_categories_and_days_narrow_a_query() -> None:
    text = build_query(
        parse_query("kv"),
        today=TODAY,
        categories=["cs.LG", "cs.CL"],
        since=date(2024, 1, 1),
        until=date(2024, 1, 31),
    )
    assert text == (
        '((all:"kv" AND (cat:cs.LG OR cat:cs.CL)) AND submittedDate:[202401010000 TO 202401312359])'
    )


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("NOT a", "add a term"),
        ("a OR NOT b", "add a term"),
        ("", "empty"),
        ("tag:moe", "tag"),
        ("pass:<2", "pass"),
        ("is:inbox", "is"),
        ('cat:"x)OR(y"', "category"),
        ('"_ _"', "letter"),
    ],
)
def test_what_arxiv_cannot_look_for_is_refused_by_name(query: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        build_query(parse_query(query), today=TODAY)


WORDS = st.sampled_from(["folding", "caches", "at rest", "graphs", "twice"])
TERMS = WORDS.map(lambda word: Term("title", Phrase(word)))
QUERIES = st.recursive(
    TERMS,
    lambda part: (
        st.tuples(part, part).map(And)
        | st.tuples(part, part).map(Or)
        | st.tuples(part, part.map(Not)).map(And)
    ),
    max_leaves=8,
)


def _means(query: Query, work: Work) -> bool:
    match query:
        case And(parts):
            return all(_means(part, work) for part in parts)
        case Or(parts):
            return any(_means(part, work) for part in parts)
        case Not(part):
            return not _means(part, work)
        case Term(_, value):
            return f" {value.text} " in f" {work.title.lower()} "  # type: ignore[union-attr]


@given(QUERIES)
def test_arxivs_odd_grammar_reads_the_query_as_it_is_meant(query: Query) -> None:
    text = build_query(query, today=TODAY)
    for number in range(1, 12):
        work = synthesise(f"2409.{number:05}")
        assert work
        assert matches(text, work) == _means(query, work)


@given(st.text(max_size=60))
def test_no_word_breaks_out_of_its_quotes(text: str) -> None:
    try:
        built = build_query(Term("title", Phrase(text)), today=TODAY)
    except UsageError:
        return
    assert re.fullmatch(r'ti:"[^"_()\[\]:\\]+"', built)


def _put_many(fake: FakeArxiv, count: int, minutes: int) -> list[str]:
    fake.shelf.known.clear()
    for number in range(1, count + 1):
        work = synthesise(f"2409.{number:05}")
        assert work
        time = f"2024-09-01T{number // minutes // 60:02}:{number // minutes % 60:02}:00Z"
        fake.shelf.put(Work(**{**vars(work), "title": "the same word", "versions": (time,)}))
    return [f"2409.{number:05}" for number in range(count, 0, -1)]


def test_many_results_come_in_slices_by_date_and_never_from_a_second_page(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arxiv_search, "PAGE_RESULTS", 40)
    ids = _put_many(fake_arxiv, 150, minutes=7)
    records = search(door, parse_query("same"), today=TODAY, limit=1000)
    assert sorted(record.identifier.value for record in records) == sorted(ids)
    times = [record.facts.submitted or "" for record in records]
    assert times == sorted(times, reverse=True)
    assert all("start=0" in request.path for request in fake_arxiv.asked())
    assert len(fake_arxiv.asked()) <= 6


def test_the_newest_come_first_and_a_small_search_is_one_request(
    door: Door, fake_arxiv: FakeArxiv
) -> None:
    ids = _put_many(fake_arxiv, 150, minutes=1)
    records = search(door, parse_query("same"), today=TODAY, limit=10)
    assert [record.identifier.value for record in records] == ids[:10]
    assert len(fake_arxiv.asked()) == 1


def test_a_search_encodes_its_query_once(door: Door, fake_arxiv: FakeArxiv) -> None:
    search(door, parse_query('author:"Čapek" title:"Gödel–Erdős"'), today=TODAY, limit=5)
    sent = parse_qs(urlsplit(fake_arxiv.asked()[0].path).query)["search_query"]
    assert sent == ['(au:"Čapek" AND ti:"Gödel Erdős")']


def test_results_that_repeat_for_ever_are_an_error(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arxiv_search, "PAGE_RESULTS", 10)
    _put_many(fake_arxiv, 50, minutes=1000)  # All in one minute: more than a page.
    with pytest.raises(BadAnswer, match="repeats"):
        search(door, parse_query("same"), today=TODAY, limit=100)


def test_an_empty_page_of_many_results_is_an_error(door: Door, fake_arxiv: FakeArxiv) -> None:
    _put_many(fake_arxiv, 5, minutes=1)
    fake_arxiv.fail("api", "no-entries")
    with pytest.raises(BadAnswer, match="0 entries, of 5"):
        search(door, parse_query("same"), today=TODAY, limit=100)


def test_a_second_slice_that_comes_empty_is_an_error(
    door: Door, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arxiv_search, "PAGE_RESULTS", 10)
    _put_many(fake_arxiv, 30, minutes=2)
    fake_arxiv.fail("api", "later-empty")
    with pytest.raises(BadAnswer):
        search(door, parse_query("same"), today=TODAY, limit=100)
    assert len(fake_arxiv.asked()) == 2


def test_nothing_found_is_no_error(door: Door) -> None:
    assert search(door, parse_query("xyzzy"), today=TODAY, limit=5) == ()


def test_days_are_inclusive(door: Door) -> None:
    day = date(2024, 8, 8)
    found = [
        len(search(door, parse_query("speculative"), today=TODAY, since=s, until=u, limit=5))
        for s, u in [(day, day), (day + timedelta(1), None), (None, day - timedelta(1))]
    ]
    assert found == [1, 0, 0]
