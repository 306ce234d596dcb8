"""The query language: what is written is what is read, and mistakes are named with their place."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.errors import UsageError
from papertrack.queries.fields import FIELDS
from papertrack.queries.nodes import (
    EVERYTHING,
    Age,
    And,
    Comparison,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    Range,
    Term,
    Text,
    Value,
    date_interval,
)
from papertrack.queries.parser import MAX_DEPTH, MAX_LENGTH, MAX_TERMS, format_query, parse_query
from papertrack.records import DECISIONS, KINDS
from tests.timing import assert_seconds


def word(text: str, field: str | None = None) -> Term:
    return Term(field, Text(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", EVERYTHING),
        ("  \n", EVERYTHING),
        ("moe", word("moe")),
        ('"mixture of experts"', Term(None, Phrase("mixture of experts"))),
        ("specul*", Term(None, Prefix("specul"))),
        ("a b", And((word("a"), word("b")))),
        ("a AND b", And((word("a"), word("b")))),
        ("a OR b c", Or((word("a"), And((word("b"), word("c")))))),
        ("(a OR b) c", And((Or((word("a"), word("b"))), word("c")))),
        ("a (b (c))", And((word("a"), word("b"), word("c")))),
        ("NOT a b", And((Not(word("a")), word("b")))),
        ("-a -(b c)", And((Not(word("a")), Not(And((word("b"), word("c"))))))),
        ('-tag:moe -"x y"', And((Not(word("moe", "tag")), Not(Term(None, Phrase("x y")))))),
        ("self-attention", word("self-attention")),
        ("and or not", And((word("and"), word("or"), word("not")))),
        ('"AND" "-a" "x:y"', And(tuple(Term(None, Phrase(t)) for t in ("AND", "-a", "x:y")))),
        (r'"a \"b\" \\ \n"', Term(None, Phrase('a "b" \\ \\n'))),
        ("title:moe", word("moe", "title")),
        (
            "T:moe A:tri Y:2024",
            And((word("moe", "title"), word("tri", "author"), Term("year", Comparison("=", 2024)))),
        ),
        ('title:"speculative decoding"', Term("title", Phrase("speculative decoding"))),
        ("title:(a OR author:b)", Or((word("a", "title"), word("b", "author")))),
        ("title:((a OR b))", Or((word("a", "title"), word("b", "title")))),
        ("title:AND", word("AND", "title")),
        ("category:LLM/Serving", word("LLM/Serving", "category")),
        ("cat:cs.*", Term("arxiv_category", Prefix("cs."))),
        ("arXiv:2309.06180", word("2309.06180", "arxiv")),
        ("https://arxiv.org/abs/1", word("https://arxiv.org/abs/1", "id")),
        ("key:kwon2023", word("kwon2023", "citekey")),
        ("3D:x", word("3D:x")),
        ("is:Inbox has:tags", And((word("inbox", "is"), word("tag", "has")))),
        ('is:"inbox"', word("inbox", "is")),
        ("pass:2", Term("pass", Comparison("=", 2))),
        ("pass:<2", Term("pass", Comparison("<", 2))),
        ("rating:>=3", Term("rating", Comparison(">=", 3))),
        ("year:2020-2024", Term("year", Range(2020, 2024))),
        ("year:2024-2024", Term("year", Range(2024, 2024))),
        ("year:2020..2024", Term("year", Range(2020, 2024))),
        ("year:2024-", Term("year", Comparison(">=", 2024))),
        ("year:-2020", Term("year", Comparison("<=", 2020))),
        ("added:<30d", Term("added", Comparison("<", Age(30, "d")))),
        ("added:=1y", Term("added", Comparison("=", Age(1, "y")))),
        ("added:1y", Term("added", Comparison("<=", Age(1, "y")))),
        ("read:2024-03", Term("read", Comparison("=", "2024-03"))),
        ("updated:>2024-03-12", Term("updated", Comparison(">", "2024-03-12"))),
        ("submitted:2020-2024", Term("submitted", Range("2020", "2024"))),
        ("submitted:2024-03..2024-06-15", Term("submitted", Range("2024-03", "2024-06-15"))),
        ("submitted:2024-03-", Term("submitted", Comparison(">=", "2024-03"))),
        ("submitted:..2024", Term("submitted", Comparison("<=", "2024"))),
    ],
)
def test_each_spelling_has_its_meaning(text: str, expected: Query) -> None:
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("moe autor:x", 5, 'did you mean "author"?'),
        ("is:inbx", 1, "did you mean is:inbox?"),
        ("has:codes2", 1, "did you mean has:code?"),
        ("foo:bar", 1, 'no field "foo"; there are: title, author, abstract,'),
        ("is:zzz", 1, "no is:zzz; there are: inbox, saved,"),
        ("kind:book", 1, "here are: paper, post, project, resource"),
        ("a (b", 3, 'a "(" that is never closed'),
        ("a (", 3, 'a "(" that is never closed'),
        ("title:(b", 1, 'a "(" that is never closed'),
        ("a)", 2, 'a ")" that closes nothing'),
        (")", 1, 'a ")" that closes nothing'),
        ("a ()", 3, "nothing between ( and )"),
        ('a "b', 3, "a quote that is never closed"),
        ('title:"b\\"', 7, "a quote that is never closed"),
        ('" "', 1, "quotes around nothing"),
        ("a AND", 3, "nothing after AND"),
        ("a AND OR b", 3, "nothing after AND"),
        ("(a OR)", 4, "nothing after OR"),
        ("NOT", 1, "nothing after NOT"),
        ("OR a", 1, "nothing before OR"),
        ("(AND a)", 2, "nothing before AND"),
        ("a - b", 3, 'a "-" before nothing'),
        ("a (-)", 4, 'a "-" before nothing'),
        ("title: x", 1, "no value after title:"),
        ("*", 1, 'a "*" with no letters before it'),
        ("pass:two", 1, '"two" is not a number'),
        ("pass:٢", 1, "is not a number"),
        ("year:2024-2020", 1, "ends before it begins"),
        ("added:2024-02-30", 1, '"2024-02-30" is not a date'),
        ("added:2024-13..2025", 1, "is not a date"),
        ("added:soon", 1, "such as 2024"),
        ("added:<30h", 1, "is not a date"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, at: int, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_query(text)
    assert f"at character {at}: " in str(caught.value)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000 + "a",
        "NOT " * 1000 + "a",
        "-" * 4000 + "a",
        "title:(" * 500 + "a",
        "a " * (MAX_TERMS + 1),
        "a" * (MAX_LENGTH + 1),
        "(" * 1_000_000,
        '"' * 4001,
        '"' + "\\" * 4000,
        "x" * 3000 + ":a",
    ],
)
def test_hostile_queries_are_refused_at_once(text: str) -> None:
    def refused() -> None:
        with pytest.raises(UsageError):
            parse_query(text)

    assert_seconds(0.05, refused)


def test_the_deepest_query_can_be_walked() -> None:
    text = "(a OR b " * MAX_DEPTH + "c" + ")" * MAX_DEPTH
    query = parse_query(text)
    assert parse_query(format_query(query)) == query


free_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
words = st.text("abAN*-:\\é机", min_size=1, max_size=5)
numbers = st.integers(0, 3000)
days = st.dates().map(date.isoformat)
dates = st.one_of(days, days.map(lambda day: day[:7]), days.map(lambda day: day[:4]))
ages = st.builds(Age, st.integers(0, 999), st.sampled_from("dwmy"))
operators = st.sampled_from(["<", "<=", "=", ">=", ">"])


def ranges_of(ends: st.SearchStrategy) -> st.SearchStrategy[Range]:
    whole = st.tuples(ends, ends).map(sorted)
    return whole.map(lambda pair: Range(pair[0], pair[1]))


VALUES = {
    "words": st.one_of(
        free_text.filter(str.strip).map(Phrase),
        words.filter(lambda text: text.strip("*")).map(lambda text: Prefix(text.rstrip("*"))),
        st.text("abc-1.", min_size=1, max_size=5).map(Text),
    ),
    "number": st.one_of(st.builds(Comparison, operators, numbers), ranges_of(numbers)),
    "date": st.one_of(st.builds(Comparison, operators, dates | ages), ranges_of(days)),
}


@st.composite
def terms(draw: st.DrawFn) -> Term:
    field = draw(st.sampled_from(FIELDS))
    if field.type == "choice":
        return word(draw(st.sampled_from([name for name, _ in field.values])), field.name)
    return Term(field.name, draw(VALUES["words" if field.type == "name" else field.type]))


bare_terms = st.one_of(
    st.text("abc1", min_size=1, max_size=4).map(word),
    free_text.filter(str.strip).map(lambda text: Term(None, Phrase(text))),
)


def joined(kind: type[And] | type[Or], parts: list[Query]) -> Query:
    """As the parser joins: nothing of one kind directly within itself."""
    flat = [p for part in parts for p in (part.parts if isinstance(part, kind) else (part,))]
    return kind(tuple(flat))


queries = st.recursive(
    terms() | bare_terms,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: joined(And, parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: joined(Or, parts)),
    ),
    max_leaves=8,
)


@given(queries)
def test_a_printed_query_is_read_as_the_same_query(query: Query) -> None:
    assert parse_query(format_query(query)) == query


@given(st.text('ab ()"-*:\\<>=.109dANDORT\u00a0\n机', max_size=40) | st.text(max_size=40))
def test_any_text_is_a_query_that_prints_or_a_usage_error(text: str) -> None:
    try:
        query = parse_query(text)
    except UsageError:
        return
    assert parse_query(format_query(query)) == query


@given(st.text(max_size=10))
def test_what_a_message_quotes_is_harmless(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_query(f'is:"{text}x" nofield:x')
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["AND", "-a", "a:b", "a*", "https://a", "a b", 'a"b', "a(b"])
def test_a_program_can_ask_for_any_word(text: str) -> None:
    """A word that would be read as something else is printed in quotes."""
    assert parse_query(format_query(word(text))) == Term(None, Phrase(text))


TERM = Term(None, Text("a"))
TODAY = date(2026, 3, 31)


@pytest.mark.parametrize(
    ("value", "first", "after"),
    [
        (Comparison("=", "2024"), "2024-01-01", "2025-01-01"),
        (Comparison("=", "2024-12"), "2024-12-01", "2025-01-01"),
        (Comparison("=", "2024-02-29"), "2024-02-29", "2024-03-01"),
        (Comparison("<", "2024-03"), None, "2024-03-01"),
        (Comparison("<=", "2024-03"), None, "2024-04-01"),
        (Comparison(">", "2024"), "2025-01-01", None),
        (Comparison(">=", "2024"), "2024-01-01", None),
        (Comparison("<=", "9999"), None, None),
        (Range("2020", "2024-06"), "2020-01-01", "2024-07-01"),
        (Comparison("<", Age(30, "d")), "2026-03-02", None),
        (Comparison("<=", Age(30, "d")), "2026-03-01", None),
        (Comparison(">", Age(2, "w")), None, "2026-03-17"),
        (Comparison(">=", Age(2, "w")), None, "2026-03-18"),
        (Comparison("=", Age(0, "d")), "2026-03-31", "2026-04-01"),
        (Comparison("<=", Age(1, "m")), "2026-02-28", None),
        (Comparison("<=", Age(1, "y")), "2025-03-31", None),
        (Comparison("<=", Age(99999, "y")), "0001-01-01", None),
    ],
)
def test_a_date_means_these_days(
    value: Comparison | Range, first: str | None, after: str | None
) -> None:
    assert date_interval(value, TODAY) == (first, after)


def test_a_part_of_a_query_equals_none_of_another_kind() -> None:
    assert Text("a") == Text("a") != Phrase("a") != Prefix("a") != ("a",)
    assert And((TERM,)) == And((TERM,)) != Or((TERM,)) != Not(TERM)
    assert len({Text("a"), Phrase("a"), Prefix("a"), Text("a")}) == 3


def value_of(text: str) -> Value:
    query = parse_query(text)
    assert isinstance(query, Term)
    return query.value


@given(days, dates | ages.map(lambda age: f"{age.number}{age.unit}"))
def test_smaller_equal_and_greater_share_all_days_between_them(day: str, bound: str) -> None:
    def holds(operator: str) -> bool:
        value = value_of(f"added:{operator}{bound}")
        assert isinstance(value, Comparison)
        first, after = date_interval(value, TODAY)
        return (first is None or first <= day) and (after is None or day < after)

    assert [holds("<"), holds("="), holds(">")].count(True) == 1
    assert holds("<=") == (holds("<") or holds("="))
    assert holds(">=") == (holds(">") or holds("="))


def test_every_name_of_a_field_is_unique_and_every_field_is_explained() -> None:
    names = [name for field in FIELDS for name in (field.name, *field.aliases)]
    assert len(set(names)) == len(names)
    assert all(field.help and bool(field.values) == (field.type == "choice") for field in FIELDS)


def test_every_kind_and_decision_of_a_record_can_be_asked_for() -> None:
    for kind in KINDS:
        assert parse_query(f"kind:{kind}") == word(kind, "kind")
        assert parse_query(f"is:{kind}") == word(kind, "is")
    for decision in DECISIONS:
        assert parse_query(f"decision:{decision}") == word(decision, "decision")
        assert parse_query(f"is:{decision}") == word(decision, "is")
