"""The topic language: what matches, why, and how fast."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.queries.matcher import (
    TOPIC_FIELDS,
    AnnouncedText,
    Hit,
    announced_text,
    describe_hits,
    make_matcher,
)
from papertrack.queries.nodes import And, Not, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.parser import format_query, parse_query
from tests.timing import assert_seconds
from tests.watch.topic_table import QUERIES, announcements


def text_of(
    title: str, abstract: str, authors: list[str], comment: str, categories: list[str]
) -> AnnouncedText:
    return announced_text(
        title=title,
        abstract=abstract,
        authors=authors,
        comment=comment,
        arxiv_categories=categories,
    )


TEXTS = {number: text_of(*parts) for number, parts in announcements().items()}


def test_the_table_is_as_large_as_it_says() -> None:
    assert len(TEXTS) == 40
    assert len(QUERIES) == len({query for query, _ in QUERIES}) == 60


@pytest.mark.parametrize(("query", "expected"), QUERIES, ids=[query for query, _ in QUERIES])
def test_each_query_matches_just_the_announcements_of_the_table(query: str, expected: str) -> None:
    matcher = make_matcher(parse_query(query))
    found = [number for number, text in TEXTS.items() if matcher.matches(text)]
    assert found == [int(number) for number in expected.split()]


def test_the_reasons_name_each_wanted_term_with_the_fields_it_stands_in() -> None:
    matcher = make_matcher(
        parse_query('("speculative decoding" OR moe) author:"tri dao" draft* NOT survey')
    )
    hits = matcher.hits(TEXTS[1])
    assert hits == (
        Hit("speculative decoding", ("title",)),
        Hit("tri dao", ("author",)),
        Hit("draft*", ("title", "abstract")),
    )
    assert describe_hits(hits) == (
        "speculative decoding (title); tri dao (author); draft* (title, abstract)"
    )


@pytest.mark.parametrize("letter", ["", "é"])
def test_words_at_the_ends_of_paragraphs_are_words(letter: str) -> None:
    text = announced_text(
        title="A", abstract=f"We decode{letter}.\n\nIt needs caches\n\nMore of it"
    )
    for query in ("caches", "It", "more", '"caches more"'):
        assert make_matcher(parse_query(query)).matches(text), query


def test_what_is_doubly_refused_is_wanted() -> None:
    matcher = make_matcher(parse_query("NOT (NOT moe)"))
    assert [hit.term for hit in matcher.hits(TEXTS[9])] == ["moe"]


def test_terms_are_counted_among_texts() -> None:
    matcher = make_matcher(parse_query("title:diffusion OR lora"))
    texts = list(TEXTS.values())
    assert [matcher.count_term(term, texts) for term in ("diffusion", "lora")] == [3, 2]


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("tag:moe", "tag:moe"),
        ("pass:<2 moe", "pass:<2"),
        ("moe NOT is:inbox", "is:inbox"),
        ("", "A topic needs something to look for"),
        ('"++"', "no letter or digit"),
    ],
)
def test_what_an_announcement_cannot_answer_is_refused_by_name(query: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint.replace("+", r"\+").replace("?", r"\?")):
        make_matcher(parse_query(query))


WORDS = ["moe", "draft", "decoding", "naïve", "K-means", "推测", "4-bit", "Gödel's", "a"]
values = st.one_of(
    st.sampled_from(WORDS).map(Text),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join).map(Phrase),
    st.sampled_from(["dra", "mo", "Naï"]).map(Prefix),
)
terms = st.builds(Term, st.sampled_from([None, *TOPIC_FIELDS]), values)
texts = st.builds(
    text_of,
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=6).map(". ".join),
    st.lists(st.sampled_from(["Tri Dao", "Kurt Gödel", "A Draft"]), max_size=2),
    st.sampled_from(["", "moe, 4 pages"]),
    st.lists(st.sampled_from(["cs.LG", "moe", "a"]), max_size=2),
)


def trees(depth: int) -> st.SearchStrategy[Query]:
    if depth == 0:
        return terms
    inner = trees(depth - 1)
    pairs = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        terms,
        inner.map(Not),
        pairs.map(lambda parts: And(tuple(p for p in parts if not isinstance(p, And)))),
        pairs.map(lambda parts: Or(tuple(p for p in parts if not isinstance(p, Or)))),
    ).filter(lambda query: not isinstance(query, And | Or) or len(query.parts) >= 2)


@given(trees(2), texts)
def test_a_query_printed_and_read_again_matches_the_same(query: Query, text: AnnouncedText) -> None:
    again = parse_query(format_query(query))
    assert make_matcher(again).matches(text) == make_matcher(query).matches(text)


@given(trees(1), trees(1), texts)
def test_and_or_and_not_mean_what_logic_says(
    left: Query, right: Query, text: AnnouncedText
) -> None:
    def holds(query: Query) -> bool:
        return make_matcher(query).matches(text)

    assert holds(And((left, right))) == (holds(left) and holds(right))
    assert holds(Or((left, right))) == (holds(left) or holds(right))
    assert holds(Not(left)) == (not holds(left))


@given(terms, texts)
def test_a_term_has_hits_exactly_when_it_matches(term: Term, text: AnnouncedText) -> None:
    matcher = make_matcher(term)
    assert bool(matcher.hits(text)) == matcher.matches(text)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_looked_through(title: str, abstract: str) -> None:
    text = announced_text(title=title, abstract=abstract, authors=[title])
    make_matcher(parse_query('moe OR "a b" OR dra*')).hits(text)


@pytest.mark.parametrize(
    "query",
    [
        " OR ".join(f'"{"a " * 9}b{n}"' for n in range(150)),
        "(" * 49 + "NOT aa*" + ")" * 49,
        " ".join(f"NOT {'a' * 15}{n}*" for n in range(200)),
    ],
)
def test_a_pathological_query_answers_within_50_ms(query: str) -> None:
    text = announced_text(title="a " * 200, abstract="a " * 5_000 + "aaaa", authors=["a a"] * 3000)

    def answer() -> None:
        matcher = make_matcher(parse_query(query))
        matcher.matches(text)
        matcher.hits(text)

    assert_seconds(0.05, answer)
