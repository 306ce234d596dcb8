"""Searching arXiv's past for a topic, in slices of submission dates that can be resumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from papertrack.actions.watch.inbox import Arrivals, take_in
from papertrack.actions.watch.match import Scorer, Watcher, make_watcher, text_of
from papertrack.queries.parser import parse_query
from papertrack.sources.arxiv_search import search
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.store import Store
from papertrack.store.watch.topics import (
    Backfill,
    finish_backfill,
    get_backfill,
    get_topic,
    set_backfill,
)

SLICE_DAYS = 31
SLICE_LIMIT = 2000
"""Papers in one slice: a topic that finds more in a month finds too much."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What one slice of the past brought."""

    first: date
    last: date
    found: int
    """Papers that arXiv found and the topic, asked again, agrees with."""
    new_papers: tuple[int, ...]
    is_cut: bool
    """Whether there was more than ``SLICE_LIMIT``."""


def backfill_topic(
    store: Store,
    door: Door,
    name: str,
    *,
    since: date,
    today: date,
    default_categories: tuple[str, ...],
    citekey_template: str = "{auth}{year}{shorttitle}",
) -> Iterator[Slice]:
    """Search arXiv from today back to a day, month by month; each slice is one action.

    A search that was interrupted, with the same query and as far back, goes on where it stopped.
    Raises
    NotFoundError for the name, UsageError for a query that arXiv cannot be asked, and
    SourceFailure in the middle: what was found before stays.
    """
    topic = get_topic(store, name)
    watcher = make_watcher(topic, default_categories)
    categories = topic.arxiv_categories or default_categories
    query = parse_query(topic.query)
    for first, last in slices_left(store, name, since=since, today=today):
        records = search(
            door,
            query,
            today=today,
            categories=categories,
            since=first,
            until=last,
            limit=SLICE_LIMIT,
        )
        with store.action("backfill", f"{topic.name}: {first} to {last}"):
            brought = _take_in_all(store, watcher, records, citekey_template)
            set_backfill(store, Backfill(topic.id, topic.query, since, first))
        yield Slice(first, last, *brought, is_cut=len(records) >= SLICE_LIMIT)
    finish_backfill(store, topic.id)


def slices_left(store: Store, name: str, *, since: date, today: date) -> list[tuple[date, date]]:
    """The first and last days of the slices that are still to be asked for, newest first."""
    topic = get_topic(store, name)
    state = get_backfill(store, topic.id)
    # As far back, not from the same day: "90d" is another day tomorrow.
    is_resumed = state is not None and state.query == topic.query and state.since <= since
    last = state.reached - timedelta(days=1) if state and is_resumed else today
    slices = []
    while last >= since:
        first = max(since, last - timedelta(days=SLICE_DAYS - 1))
        slices.append((first, last))
        last = first - timedelta(days=1)
    return slices


def _take_in_all(
    store: Store, watcher: Watcher, records: Sequence[SourceRecord], citekey_template: str
) -> tuple[int, tuple[int, ...]]:
    """Take in those of the records that the topic wants; their number, and the new papers."""
    # arXiv stems words and knows no hyphens: the topic's own reading of its query decides.
    texts = [(text_of(record.facts), record.facts) for record in records]
    scorer = Scorer(store, [text for text, _ in texts])
    arrivals = Arrivals()
    wanted = [(text, facts) for text, facts in texts if watcher.takes(text)]
    for text, facts in wanted:
        score = scorer.score(watcher, text)
        take_in(
            store,
            watcher.topic,
            facts,
            arrivals,
            reason=score.reason,
            score=score.value,
            citekey_template=citekey_template,
        )
    return len(wanted), tuple(arrivals.new)
