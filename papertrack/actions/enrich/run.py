"""Enriching: completing the library's papers from the sources, whatever the weather there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from papertrack.actions.enrich.paper import EnrichedPaper, enrich_paper
from papertrack.actions.enrich.references import resolve_references
from papertrack.actions.online.fetching import asked_about, fetch_records
from papertrack.actions.online.locks import take_lock
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers import identify
from papertrack.library import Library
from papertrack.queries.nodes import And, Not, Query, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.records import Identifier
from papertrack.sources.failures import CoolingDown, Refused, SourceFailure
from papertrack.sources.registry import has_stand_in
from papertrack.sources.source import Fetched
from papertrack.sources.transport import Door
from papertrack.store import listing
from papertrack.store.answers import UNKNOWN, Asked, remember_answer
from papertrack.store.lookup import citekey_of, find_by_citekey, find_paper
from papertrack.store.store import Store
from papertrack.text import few

ASK_UNKNOWN_AGAIN = {"arxiv": timedelta(days=1)}
"""New papers were missing from the query API for up to a day after their announcement."""
ASK_OTHERS_AGAIN = timedelta(days=30)
"""A DOI is known where it is registered from its first day on."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers that a command is about, and which of them sources are to be asked about."""

    to_ask: tuple[Asked, ...]
    answered: int
    """Papers that a source has answered about already."""
    without_source: int
    """Papers without an identifier that a source answers for."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A paper that nobody knows who was asked."""

    citekey: str
    identifier: Identifier


@dataclass(frozen=True, slots=True)
class Enriched:
    """What came of one answer: stored, whatever comes after it."""

    papers: tuple[EnrichedPaper, ...]
    unknown: tuple[Unknown, ...]
    done: int
    """Papers answered about so far, these included."""
    total: int


class EnrichStopped(SourceUnavailableError):
    """Not all papers could be enriched now. Those that were, are stored."""

    def __init__(self, message: str, retry_at: datetime | None) -> None:
        super().__init__(message)
        self.retry_at = retry_at
        """When it makes sense to go on; None: at once."""


def select_papers(
    store: Store, words: Sequence[str], *, with_discarded: bool = False, refresh: bool = False
) -> Selection:
    """The papers to enrich: named by references, found by a query, or (without words) all.

    Words are references when each is an identifier or a citekey. Papers that were answered about
    are asked again only with ``refresh``, except that the poorer records of a stand-in are
    completed, and unknown ids tried once a day. Raises NotFoundError for an identifier that no
    paper has, UsageError for a malformed query.
    """
    paper_ids = _papers_meant(store, words, with_discarded=with_discarded)
    known = asked_about(store, paper_ids)
    to_ask = tuple(asked for asked in known if refresh or _is_due(asked, store.now()))
    return Selection(to_ask, len(known) - len(to_ask), len(paper_ids) - len(known))


def enrich_papers(
    store: Store, door: Door, papers: Sequence[Asked], *, citekey_template: str
) -> Iterator[Enriched]:
    """Ask about these papers and store what comes, one action for each answer.

    Breaking off between two answers, or in the middle of one, loses nothing that was stored.
    Raises EnrichStopped when some papers got no answer.
    """
    asked = [one.identifier for one in papers]
    has_record = frozenset(p.identifier for p in papers if p.source not in (None, UNKNOWN))
    done = 0
    try:
        for fetched in fetch_records(door, asked, has_record=has_record):
            done += len(fetched.records) + len(fetched.missing)
            enriched, unknown = _store_answer(store, fetched, citekey_template)
            yield Enriched(enriched, unknown, done, len(asked))
    except SourceFailure as failure:
        raise EnrichStopped(
            f"{done} of {len(asked)} papers enriched; {_what_to_do(failure, store.now())}",
            failure.retry_at,
        ) from failure


@contextmanager
def only_enrichment(library: Library, on_wait: Callable[[], None]) -> Iterator[None]:
    """Wait until no other process enriches this library; ``on_wait`` is told if one does.

    Select the papers inside: what the other one has enriched need not be asked for. Raises
    PapertrackError when the library's folder cannot be written.
    """
    lock = take_lock(library, "enrich", seconds=0)
    if lock is None:
        on_wait()
    while lock is None:
        lock = take_lock(library, "enrich", seconds=60)
    try:
        yield
    finally:
        lock.release()


def _store_answer(
    store: Store, fetched: Fetched, citekey_template: str
) -> tuple[tuple[EnrichedPaper, ...], tuple[Unknown, ...]]:
    """Store one answer as one action: the papers it completed, and those that are unknown."""
    enriched, unknown = [], []
    with store.action("enrich") as action:
        for record in fetched.records:
            # While sources were asked, the paper may have been merged into another, or removed.
            paper_id = find_paper(store, [record.identifier])
            if paper_id is not None:
                enriched.append(
                    enrich_paper(store, paper_id, record, citekey_template=citekey_template)
                )
        for identifier in fetched.missing:
            paper_id = find_paper(store, [identifier])
            if paper_id is not None:
                remember_answer(store, paper_id, identifier, UNKNOWN)
                unknown.append(Unknown(citekey_of(store, paper_id), identifier))
        citekeys = [*(one.citekey for one in enriched), *(one.citekey for one in unknown)]
        action.summary = f"enriched {few(citekeys)}"
    return tuple(enriched), tuple(unknown)


def _papers_meant(store: Store, words: Sequence[str], *, with_discarded: bool) -> list[int]:
    if words and all(_is_reference(store, word) for word in words):
        return resolve_references(store, words)
    query = parse_query(" ".join(words))
    if not with_discarded:
        query = And((*_parts(query), Not(Term("is", Text("discarded")))))
    return listing.find_ids(store, query, order="id")


def _is_reference(store: Store, word: str) -> bool:
    return identify(word) is not None or find_by_citekey(store, word) is not None


def _parts(query: Query) -> tuple[Query, ...]:
    return query.parts if isinstance(query, And) else (query,)


def _is_due(asked: Asked, now: datetime) -> bool:
    if asked.source is None or asked.at is None:
        return True
    if asked.source == UNKNOWN:
        patience = ASK_UNKNOWN_AGAIN.get(asked.identifier.scheme, ASK_OTHERS_AGAIN)
        return now - datetime.fromisoformat(asked.at) >= patience
    return has_stand_in(asked.identifier, asked.source)


def _what_to_do(failure: SourceFailure, now: datetime) -> str:
    """What stopped us, with host, status and the time of the next try."""
    if failure.retry_at is None:
        return f"{failure.host} {failure.what}. Run `papertrack enrich` again to go on."
    # Rounded up: at that minute it is possible.
    moment = failure.retry_at.astimezone(now.tzinfo) + timedelta(seconds=59)
    when = f"{moment:%H:%M %Z}" if moment.date() == now.date() else f"{moment:%Y-%m-%d %H:%M %Z}"
    if isinstance(failure, CoolingDown):
        return f"{failure.host} asks us to wait until {when}, run again then."
    if isinstance(failure, Refused):
        return f"{failure.host} {failure.what} and asks us to wait until {when}, run again then."
    return f"{failure.host} {failure.what}; it is asked again from {when} on, run again then."
