"""Search arXiv, and say which results the library has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Unpack

from papertrack.queries.parser import parse_query
from papertrack.sources import arxiv_search
from papertrack.sources.arxiv_search import Scope, search
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_papers
from papertrack.store.store import Store
from papertrack.text import title_key


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper in arXiv's search results."""

    record: SourceRecord
    citekey: str | None
    """The library's key for it, if it has it."""
    decision: str | None
    """``inbox``, ``saved`` or ``discarded``, if the library has it."""


def search_arxiv(
    store: Store, door: Door, query: str, *, limit: int, **scope: Unpack[Scope]
) -> tuple[Candidate, ...]:
    """Return the newest papers that match a query, newest first.

    Raises UsageError for a query that is malformed or that arXiv cannot answer, and
    SourceUnavailableError.
    """
    today = store.now().date()
    return _look_up(store, search(door, parse_query(query), today=today, limit=limit, **scope))


def search_title(store: Store, door: Door, title: str, *, limit: int) -> tuple[Candidate, ...]:
    """Return papers with these words in the title: exact titles first, then by relevance.

    Raises UsageError for a text without letters, and SourceUnavailableError.
    """
    records = arxiv_search.search_title(door, title, limit=limit)
    key = title_key(title)
    return _look_up(store, sorted(records, key=lambda r: title_key(r.facts.title or "") != key))


def _look_up(store: Store, records: Iterable[SourceRecord]) -> tuple[Candidate, ...]:
    by_id = {record.identifier: record for record in records}
    owners = find_papers(store, by_id)
    papers = {paper.id: paper for paper in get_papers(store, list(owners.values()))}
    candidates = []
    for identifier, record in by_id.items():
        paper = papers.get(owners.get(identifier, -1))
        state = (paper.citekey, paper.decision) if paper else (None, None)
        candidates.append(Candidate(record, *state))
    return tuple(candidates)
