"""Enrich the library's papers from the sources, and stop cleanly when a source fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from papertrack.actions.online.fetching import fetch_records, lookup_states
from papertrack.actions.online.network import acquire_lock
from papertrack.actions.references import resolve_references
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers import identify
from papertrack.identifiers.addresses import normalise_url
from papertrack.library import Library
from papertrack.matching.venues import find_venue
from papertrack.queries.nodes import And, Not, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.records import Identifier, Link, Paper, PaperFacts
from papertrack.sources.failures import CoolingDown, Refused, SourceFailure
from papertrack.sources.mentions import find_links
from papertrack.sources.registry import has_stand_in, title_of
from papertrack.sources.source import Answers, SourceRecord
from papertrack.sources.transport import Door
from papertrack.store import listing
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import (
    citekey_of,
    field_sources,
    find_by_citekey,
    find_paper,
    find_papers,
    get_paper,
)
from papertrack.store.papers import READER, complete_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import UNKNOWN, Asked, read_suggestions, remember_answer, suggest
from papertrack.text import few, fold, is_same_title

SUGGESTED_ROLES = ("code", "project", "data", "model", "demo", "video", "slides")
"""Roles of addresses in an abstract or comment that are suggested as links."""
PRESERVED_SOURCES = {
    "title": (READER, "document", "bibtex"),
    # A README row often names the first author only, so authors from documents are replaced.
    "authors": (READER, "bibtex"),
    "submitted": (READER,),
}
"""Field → the sources whose values enriching does not replace."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened to a paper since the library, or the user, last saw it."""

    kind: Literal["version", "title", "withdrawn"]
    old: str | int | None
    """The version that was read, or the former title; None for a withdrawal."""
    new: str | int | None


@dataclass(frozen=True, slots=True)
class EnrichedPaper:
    """What one record changed in one paper."""

    paper_id: int
    citekey: str
    arxiv_id: str | None
    source: str
    """The source's name in the registry: ``arxiv-api``, ``oai``, ``datacite``."""
    changed: tuple[str, ...]
    """The names of fields that are new or different."""
    suggestions: int
    """How many new suggestions there are."""
    news: tuple[News, ...]
    conflicts: tuple[str, ...]
    """A sentence for each identifier that belongs to another paper."""


def enrich_paper(store: Store, paper_id: int, record: SourceRecord) -> EnrichedPaper:
    """Complete a paper from a record. Call it within an action.

    Keeps values that the user edited, titles from files and authors from .bib files; a
    different value of the source becomes a suggestion. Replaces a citekey that was made without
    an author. Raises NotFoundError.
    """
    paper = get_paper(store, paper_id)
    facts, conflicts = _own_identifiers(store, paper_id, record)
    owners = field_sources(store, paper_id)
    keep = [field for field, sources in PRESERVED_SOURCES.items() if owners.get(field) in sources]
    facts = _without_poorer(paper.facts, facts, keep)
    old_ids = {s.id for s in read_suggestions(store, paper_id=paper_id)}
    changed = complete_paper(store, paper_id, facts, source=record.source, keep=keep)
    for field, value in _suggested_values(paper.facts, record.facts):
        suggest(store, paper_id, field, value, source=record.source)
    remember_answer(store, paper_id, record.identifier, record.source)
    citekey = Citekeys(store).improve(paper)
    return EnrichedPaper(
        paper_id=paper_id,
        citekey=citekey,
        arxiv_id=facts.identifier("arxiv"),
        source=record.source,
        changed=tuple(changed),
        suggestions=len({s.id for s in read_suggestions(store, paper_id=paper_id)} - old_ids),
        news=tuple(_news(paper, facts, changed)),
        conflicts=conflicts,
    )


def _own_identifiers(
    store: Store, paper_id: int, record: SourceRecord
) -> tuple[PaperFacts, tuple[str, ...]]:
    """Drop identifiers that other papers have; return a message for each of them too."""
    facts = record.facts
    owners = {
        identifier: owner
        for identifier, owner in find_papers(store, facts.identifiers).items()
        if owner != paper_id
    }
    citekey = citekey_of(store, paper_id)
    conflicts = tuple(
        f"{identifier.scheme}:{identifier.value} belongs to {citekey_of(store, owner)}, but "
        f"{title_of(record.source)} gives it to {citekey}: `papertrack merge` merges the "
        "two if they are one work."
        for identifier, owner in owners.items()
    )
    identifiers = tuple(identifier for identifier in facts.identifiers if identifier not in owners)
    return facts._replace(identifiers=identifiers), conflicts


def _without_poorer(stored: PaperFacts, facts: PaperFacts, fields: Sequence[str]) -> PaperFacts:
    """Drop values that say less than the library's, or that only spell a kept field differently.

    An older version and a month in place of a day say less.
    """
    dropped = [name for name in fields if _is_same(name, stored, facts)]
    dates = ((n, getattr(stored, n) or "", getattr(facts, n)) for n in ("submitted", "updated"))
    dropped += [name for name, old, new in dates if new and old.startswith(new)]
    if facts.version and stored.version and facts.version < stored.version:
        dropped += [n for n in PaperFacts._fields if n != "identifiers" and getattr(stored, n)]
    empty = PaperFacts()
    return facts._replace(**{name: getattr(empty, name) for name in dropped})


def _is_same(field: str, stored: PaperFacts, facts: PaperFacts) -> bool:
    if field == "authors":
        names = [
            [fold(author.name).replace(".", "") for author in side.authors]
            for side in (stored, facts)
        ]
        return names[0] == names[1]
    old, new = getattr(stored, field) or "", getattr(facts, field) or ""
    return is_same_title(old, new) if field == "title" else new.startswith(old or "-")


def _suggested_values(stored: PaperFacts, facts: PaperFacts) -> Iterator[tuple[str, object]]:
    """Yield links and a venue from the comment and abstract; arXiv has no fields for them."""
    comment, abstract = facts.comment or "", facts.abstract or ""
    addresses = set(map(_address, stored.links))
    for link in (*find_links(comment), *find_links(abstract)):
        if link.role in SUGGESTED_ROLES and _address(link) not in addresses:
            addresses.add(_address(link))
            yield "links", (link.role, link.url, link.label)
    if stored.venue is None and (venue := find_venue(comment)):
        yield "venue", venue


def _address(link: Link) -> str:
    return normalise_url(link.url) or link.url


def _news(paper: Paper, facts: PaperFacts, changed: Sequence[str]) -> Iterator[News]:
    read_version = max((reading.version or 0 for reading in paper.readings), default=0)
    if "version" in changed and 0 < read_version < (facts.version or 0):
        yield News("version", read_version, facts.version)
    old, new = paper.facts.title, facts.title
    if "title" in changed and old and new and not is_same_title(old, new):
        yield News("title", old, new)
    if "is_withdrawn" in changed and facts.is_withdrawn:
        yield News("withdrawn", None, None)


ASK_UNKNOWN_AGAIN = {"arxiv": timedelta(days=1)}
"""The query API lists new papers up to a day after their announcement."""
ASK_OTHERS_AGAIN = timedelta(days=30)
"""Registries know a DOI from its first day, so an unknown one is rarely asked about again."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers a command selects, and which of them to ask sources about."""

    to_ask: tuple[Asked, ...]
    answered: int
    """The number of papers with an earlier answer."""
    without_source: int
    """The number of papers without an identifier that a source can look up."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A paper that the sources do not know."""

    citekey: str
    identifier: Identifier


@dataclass(frozen=True, slots=True)
class EnrichedBatch:
    """What one answer changed; it is stored already."""

    papers: tuple[EnrichedPaper, ...]
    unknown: tuple[Unknown, ...]
    done: int
    """The number of papers answered so far, including these."""


class EnrichStopped(SourceUnavailableError):
    """Raised when some papers could not be enriched now. The others are stored."""

    def __init__(self, message: str, retry_at: datetime | None) -> None:
        super().__init__(message)
        self.retry_at = retry_at
        """When to try again; None means at once."""


def select_ids(store: Store, words: Sequence[str], *, with_discarded: bool = True) -> list[int]:
    """Return the ids of the papers that the words name or, as a query, match.

    Words are names if each is an identifier or a citekey. Raises NotFoundError for an identifier
    that no paper has, UsageError for a malformed query.
    """
    if words and all(identify(word) or find_by_citekey(store, word) is not None for word in words):
        return resolve_references(store, words)
    query = parse_query(" ".join(words))
    if not with_discarded:
        parts = query.parts if isinstance(query, And) else (query,)
        query = And((*parts, Not(Term("is", Text("discarded")))))
    return listing.find_ids(store, query, order="id")


def select_papers(
    store: Store, words: Sequence[str], *, with_discarded: bool = False, refresh: bool = False
) -> Selection:
    """Select the papers to enrich by name or query; without words, all papers.

    Leaves out papers with an earlier answer, unless ``refresh`` is set. Records of a fallback
    source and unknown ids are asked about again after some time. Raises NotFoundError for an
    identifier that no paper has, UsageError for a malformed query.
    """
    paper_ids = select_ids(store, words, with_discarded=with_discarded)
    lookups = lookup_states(store, paper_ids)
    to_ask = tuple(lookup for lookup in lookups if refresh or _is_due(lookup, store.now()))
    return Selection(to_ask, len(lookups) - len(to_ask), len(paper_ids) - len(lookups))


def enrich_papers(store: Store, door: Door, papers: Sequence[Asked]) -> Iterator[EnrichedBatch]:
    """Ask about these papers and store each answer as one action.

    An interruption keeps what is stored. Raises EnrichStopped when some papers got no answer.
    """
    works = {paper.identifier: paper.source for paper in papers}
    done = 0
    try:
        for answers in fetch_records(door, works):
            done += len(answers)
            yield EnrichedBatch(*_store_answers(store, answers), done)
    except SourceFailure as failure:
        raise EnrichStopped(
            f"{done} of {len(works)} papers enriched; {_describe_stop(failure, store.now())}",
            failure.retry_at,
        ) from failure


@contextmanager
def lock_enrichment(library: Library, on_wait: Callable[[], None]) -> Iterator[None]:
    """Let only one process at a time enrich this library; call ``on_wait`` before waiting.

    Select the papers inside the block, after the other process has stored its answers. Raises
    PapertrackError when the library's folder cannot be written.
    """
    lock = acquire_lock(library, "enrich", seconds=0)
    if lock is None:
        on_wait()
        lock = acquire_lock(library, "enrich", seconds=-1)
    assert lock is not None  # It was waited for as long as it took.
    try:
        yield
    finally:
        lock.release()


def _store_answers(
    store: Store, answers: Answers
) -> tuple[tuple[EnrichedPaper, ...], tuple[Unknown, ...]]:
    """Store these answers as one action; return completed and unknown papers."""
    enriched, unknown = [], []
    with store.action("enrich") as action:
        for identifier, record in answers.items():
            paper_id = find_paper(store, [identifier])
            if paper_id is None:
                continue  # It was merged or removed since the request.
            if record:
                enriched.append(enrich_paper(store, paper_id, record))
            else:
                remember_answer(store, paper_id, identifier, UNKNOWN)
                unknown.append(Unknown(citekey_of(store, paper_id), identifier))
        citekeys = [*(paper.citekey for paper in enriched), *(paper.citekey for paper in unknown)]
        action.summary = f"enriched {few(citekeys)}"
    return tuple(enriched), tuple(unknown)


def _is_due(lookup: Asked, now: datetime) -> bool:
    if lookup.source is None or lookup.at is None:
        return True
    if lookup.source == UNKNOWN:
        retry_interval = ASK_UNKNOWN_AGAIN.get(lookup.identifier.scheme, ASK_OTHERS_AGAIN)
        return now - datetime.fromisoformat(lookup.at) >= retry_interval
    return has_stand_in(lookup.identifier, lookup.source)


def _describe_stop(failure: SourceFailure, now: datetime) -> str:
    """Say why the run stopped, and when to run again."""
    if failure.retry_at is None:
        return f"{failure.host} {failure.what}. Run `papertrack enrich` again to continue."
    # Round up, so that a request in the minute shown is allowed.
    moment = failure.retry_at.astimezone(now.tzinfo) + timedelta(seconds=59)
    when = f"{moment:%H:%M %Z}" if moment.date() == now.date() else f"{moment:%Y-%m-%d %H:%M %Z}"
    what = f"{failure.what}; the next request is possible from"
    if isinstance(failure, CoolingDown | Refused):
        wait = "asks us to wait until"
        what = f"{failure.what} and {wait}" if isinstance(failure, Refused) else wait
    return f"{failure.host} {what} {when}. Run again then."
