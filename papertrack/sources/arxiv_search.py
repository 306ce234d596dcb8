"""Search arXiv: translate queries to arXiv's grammar, and fetch results without deep paging."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, TypedDict, Unpack

import arxiv

from papertrack.errors import UsageError
from papertrack.queries import nodes
from papertrack.queries.parser import format_query
from papertrack.sources.arxiv_api import fetch_page
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.source import SourceRecord
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

PAGE_RESULTS = 200
"""Results per request. arXiv allows 2,000, but asks for slices; large pages often time out."""
EXTRA_RESULTS = 20
"""Extra results, because those of the last minute come again on the next request."""
PREFIXES = {
    None: "all",
    "title": "ti",
    "author": "au",
    "abstract": "abs",
    "comment": "co",
    "venue": "jr",
    "arxiv_category": "cat",
}
"""Fields of the query language, and arXiv's prefixes (user manual, 5.1)."""
FIRST_DAY = date(1991, 1, 1)
LAST_DAY = date(2099, 12, 31)


class Scope(TypedDict, total=False):
    """Categories and dates of a search; without them, all of arXiv."""

    categories: Sequence[str]
    since: date | None
    """The first day of submission of version 1."""
    until: date | None
    """The last day of submission of version 1."""


def build_query(query: nodes.Query, *, today: date, **scope: Unpack[Scope]) -> str:
    """Return the query in arXiv's grammar, not yet percent-encoded.

    arXiv reads operators without precedence and from the right, so each pair gets parentheses.
    Words are always quoted. Raises UsageError for what arXiv cannot search: a field that only the
    library has, or a query with negative terms only.
    """
    since, until = scope.get("since"), scope.get("until")
    parts = [_compile(query, today)] if query != nodes.And(()) else []
    if categories := scope.get("categories"):
        parts.append(_join([_category(name) for name in categories], "OR"))
    if since or until:
        parts.append(_submitted(since or FIRST_DAY, until or LAST_DAY))
    if not parts:
        raise UsageError("An empty query would find all of arXiv: add search terms.")
    return _join(parts, "AND")


def search(
    door: Door, query: nodes.Query, *, today: date, limit: int, **scope: Unpack[Scope]
) -> tuple[SourceRecord, ...]:
    """Return the newest ``limit`` papers (by submission of version 1), each once, newest first.

    arXiv's pages have no tie-breaker, and deep ones fail. So each further request asks for papers
    submitted up to the minute of the last result, and never for a second page. Raises the errors of
    ``build_query`` and SourceFailure.
    """
    records: dict[str, SourceRecord] = {}
    text = build_query(query, today=today, **scope)
    border: datetime | None = None
    while True:
        bounded = text if border is None else _join([text, _submitted(FIRST_DAY, border)], "AND")
        size = min(PAGE_RESULTS, limit - len(records) + EXTRA_RESULTS)
        by_date = arxiv.SortCriterion.SubmittedDate
        page = fetch_page(door, arxiv.Search(bounded, max_results=size, sort_by=by_date), size)
        count_before = len(records)
        records |= {record.identifier.value: record for record in page.records}
        if len(records) >= limit or page.total <= len(page.records) + page.unreadable:
            return tuple(records.values())[:limit]
        if len(records) == count_before:
            content = f"{len(page.records)} of {page.total} results and repeats them"
            raise unexpected(content, host_of(door.endpoints["api_url"]))
        border = datetime.fromisoformat(min(r.facts.submitted or "" for r in page.records))


def search_title(door: Door, title: str, *, limit: int) -> tuple[SourceRecord, ...]:
    """Return at most ``limit`` papers with these words in the title, by arXiv's relevance.

    The words are searched as a phrase, then, if no paper has it, separately. Raises UsageError for
    a title without letters or digits, and SourceFailure.
    """
    words = _plain(title).split()
    phrase = nodes.Term("title", nodes.Phrase(title))
    all_words = nodes.And(tuple(nodes.Term("title", nodes.Text(word)) for word in words))
    for query in (phrase, all_words) if len(words) > 1 else (phrase,):
        request = arxiv.Search(build_query(query, today=LAST_DAY), max_results=limit)
        if records := fetch_page(door, request, limit).records:
            return records
    return ()


def _compile(node: nodes.Query, today: date) -> str:
    match node:
        case nodes.Term(field, value):
            return _term(field, value, today)
        case nodes.And(parts):
            negative = [part.part for part in parts if isinstance(part, nodes.Not)]
            positive = [part for part in parts if not isinstance(part, nodes.Not)]
            if not positive:
                raise _only_negative(node)
            text = _join([_compile(part, today) for part in positive], "AND")
            return _join([text, *(_compile(part, today) for part in negative)], "ANDNOT")
        case nodes.Or(parts):
            return _join([_compile(part, today) for part in parts], "OR")
        case nodes.Not():
            raise _only_negative(node)


def _only_negative(node: nodes.Query) -> UsageError:
    return UsageError(
        f"arXiv cannot search for {format_query(node)!r} alone: add a term to look for."
    )


def _term(
    field: str | None,
    value: nodes.Text | nodes.Phrase | nodes.Prefix | nodes.Comparison | nodes.Range,
    today: date,
) -> str:
    if isinstance(value, nodes.Comparison | nodes.Range):
        if field not in ("year", "submitted"):
            raise _unknown_field(field)
        first, after = nodes.date_interval(value, today)
        last = date.fromisoformat(after) - timedelta(days=1) if after else LAST_DAY
        return _submitted(date.fromisoformat(first) if first else FIRST_DAY, last)
    if field == "arxiv_category":
        return _category(value.text + "*" * isinstance(value, nodes.Prefix))
    if field not in PREFIXES:
        raise _unknown_field(field)
    words = _plain(value.text)
    if not words:
        raise UsageError(f"{value.text!r} has no letter or digit that arXiv can search for.")
    if isinstance(value, nodes.Prefix) and words.isalnum():
        return f"{PREFIXES[field]}:{words}*"
    return f'{PREFIXES[field]}:"{words}"'


def _unknown_field(field: str | None) -> UsageError:
    fields = ", ".join([*(name for name in PREFIXES if name), "submitted", "year"])
    return UsageError(f"arXiv cannot search by {field}, only by {fields}.")


def _plain(text: str) -> str:
    """Return words without anything that arXiv takes for syntax, above all ``_``."""
    return clean(re.sub(r"[^\w.+#'’-]|_", " ", text)).strip("-.'’ ")


def _category(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z]+(?:-[A-Za-z]+)*(?:\.(?:[A-Za-z]+(?:-[A-Za-z]+)*|\*))?\*?", name):
        raise UsageError(f"{name!r} is not an arXiv category: write one such as cs.LG or cs.*")
    return f"cat:{name}"


def _submitted(since: date, until: date | datetime) -> str:
    # A day ends with its last minute; a time is the end itself.
    end = (
        f"{until.astimezone(UTC):%Y%m%d%H%M}"
        if isinstance(until, datetime)
        else f"{until:%Y%m%d}2359"
    )
    return f"submittedDate:[{since:%Y%m%d}0000 TO {end}]"


def _join(parts: Sequence[str], operator: str) -> str:
    text = parts[0]
    for part in parts[1:]:
        text = f"({text} {operator} {part})"
    return text
