"""Enrich the library's papers from the sources, and stop cleanly when a source fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from papertrack.actions.online.fetching import asked_about, fetch_records
from papertrack.actions.online.network import take_lock
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
from papertrack.sources.source import Fetched, SourceRecord
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

OFFERED_ROLES = ("code", "project", "data", "model", "demo", "video", "slides")
"""Roles of addresses in an abstract or comment that are suggested as links; others are mere
references."""
KEPT_FROM = {
    "title": (READER, "document", "bibtex"),
    # A README's row often names the first author only: that is no text to keep.
    "authors": (READER, "bibtex"),
    "submitted": (READER,),
}
"""Fields that keep the value of the reader or a file, and which sources these are."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened to a paper since the library, or the reader, last saw it."""

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
    """Complete a paper from a record; call it within an action.

    Values that the reader edited, and titles (from .bib files also authors) from files, are
    kept: if the source differs, its value becomes a suggestion. A citekey that was made without
    a known author is replaced. Raises NotFoundError.
    """
    paper = get_paper(store, paper_id)
    facts, conflicts = _own_identifiers(store, paper_id, record)
    owners = field_sources(store, paper_id)
    keep = [field for field, sources in KEPT_FROM.items() if owners.get(field) in sources]
    facts = _without_less(paper.facts, facts, keep)
    before = {one.id for one in read_suggestions(store, paper_id=paper_id)}
    changed = complete_paper(store, paper_id, facts, source=record.source, keep=keep)
    for field, value in _offers(paper.facts, record.facts):
        suggest(store, paper_id, field, value, source=record.source)
    remember_answer(store, paper_id, record.identifier, record.source)
    citekey = Citekeys(store).improve(paper)
    return EnrichedPaper(
        paper_id=paper_id,
        citekey=citekey,
        arxiv_id=facts.identifier("arxiv"),
        source=record.source,
        changed=tuple(changed),
        suggestions=len({one.id for one in read_suggestions(store, paper_id=paper_id)} - before),
        news=tuple(_news(paper, facts, changed)),
        conflicts=conflicts,
    )


def _own_identifiers(
    store: Store, paper_id: int, record: SourceRecord
) -> tuple[PaperFacts, tuple[str, ...]]:
    """The facts without identifiers that other papers have, and a sentence for each of those."""
    facts = record.facts
    theirs = {
        found: owner
        for found, owner in find_papers(store, facts.identifiers).items()
        if owner != paper_id
    }
    citekey = citekey_of(store, paper_id)
    conflicts = tuple(
        f"{found.scheme}:{found.value} belongs to {citekey_of(store, owner)}, but "
        f"{title_of(record.source)} gives it to {citekey}: `papertrack merge` merges the "
        "two if they are one work."
        for found, owner in theirs.items()
    )
    kept = tuple(found for found in facts.identifiers if found not in theirs)
    return facts._replace(identifiers=kept), conflicts


def _without_less(known: PaperFacts, facts: PaperFacts, kept: Sequence[str]) -> PaperFacts:
    """The facts without what says less than the library knows, or only spells otherwise what is
    kept.

    Less is all of an older version, and a month where the day is known.
    """
    less = [name for name in kept if _is_same(name, known, facts)]
    dates = ((n, getattr(known, n) or "", getattr(facts, n)) for n in ("submitted", "updated"))
    less += [name for name, then, now in dates if now and then.startswith(now)]
    if facts.version and known.version and facts.version < known.version:
        less += [n for n in PaperFacts._fields if n != "identifiers" and getattr(known, n)]
    nothing = PaperFacts()
    return facts._replace(**{name: getattr(nothing, name) for name in less})


def _is_same(field: str, known: PaperFacts, facts: PaperFacts) -> bool:
    if field == "authors":
        names = [
            [fold(author.name).replace(".", "") for author in some.authors]
            for some in (known, facts)
        ]
        return names[0] == names[1]
    old, new = getattr(known, field) or "", getattr(facts, field) or ""
    return is_same_title(old, new) if field == "title" else new.startswith(old or "-")


def _offers(known: PaperFacts, facts: PaperFacts) -> Iterator[tuple[str, object]]:
    """What the authors mention and arXiv has no field for: addresses and a venue."""
    comment, abstract = facts.comment or "", facts.abstract or ""
    seen = set(map(_address, known.links))
    for link in (*find_links(comment), *find_links(abstract)):
        if link.role in OFFERED_ROLES and _address(link) not in seen:
            seen.add(_address(link))
            yield "links", (link.role, link.url, link.label)
    if known.venue is None and (venue := find_venue(comment)):
        yield "venue", venue


def _address(link: Link) -> str:
    return normalise_url(link.url) or link.url


def _news(before: Paper, facts: PaperFacts, changed: Sequence[str]) -> Iterator[News]:
    read = max((reading.version or 0 for reading in before.readings), default=0)
    if "version" in changed and 0 < read < (facts.version or 0):
        yield News("version", read, facts.version)
    old, new = before.facts.title, facts.title
    if "title" in changed and old and new and not is_same_title(old, new):
        yield News("title", old, new)
    if "is_withdrawn" in changed and facts.is_withdrawn:
        yield News("withdrawn", None, None)


ASK_UNKNOWN_AGAIN = {"arxiv": timedelta(days=1)}
"""New papers were missing from the query API for up to a day after their announcement."""
ASK_OTHERS_AGAIN = timedelta(days=30)
"""A registered DOI is known from its first day on."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers of a command, and those that sources must still be asked about."""

    to_ask: tuple[Asked, ...]
    answered: int
    """Papers that a source has already answered about."""
    without_source: int
    """Papers without an identifier that a source knows."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A paper that no asked source knows."""

    citekey: str
    identifier: Identifier


@dataclass(frozen=True, slots=True)
class Enriched:
    """The result of one answer: stored, whatever follows."""

    papers: tuple[EnrichedPaper, ...]
    unknown: tuple[Unknown, ...]
    done: int
    """The number of papers answered so far, including these."""


class EnrichStopped(SourceUnavailableError):
    """Some papers could not be enriched now. The others are stored."""

    def __init__(self, message: str, retry_at: datetime | None) -> None:
        super().__init__(message)
        self.retry_at = retry_at
        """When to continue; None: at once."""


def papers_meant(store: Store, words: Sequence[str], *, with_discarded: bool = True) -> list[int]:
    """Return the papers that words name, if each is an identifier or a citekey, else those that
    they find as a query. Raises NotFoundError for an identifier that no paper has, UsageError
    for a malformed query."""
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
    """Select the papers to enrich: named by references, found by a query, or (without words)
    all.

    Words are references if each is an identifier or a citekey. Papers that were answered are
    asked again only with ``refresh``, except that poorer records of a fallback source are
    completed, and unknown ids tried once a day. Raises NotFoundError for an identifier that no
    paper has, UsageError for a malformed query.
    """
    paper_ids = papers_meant(store, words, with_discarded=with_discarded)
    known = asked_about(store, paper_ids)
    to_ask = tuple(asked for asked in known if refresh or _is_due(asked, store.now()))
    return Selection(to_ask, len(known) - len(to_ask), len(paper_ids) - len(known))


def enrich_papers(store: Store, door: Door, papers: Sequence[Asked]) -> Iterator[Enriched]:
    """Ask about these papers and store each answer as one action.

    An interruption loses nothing that was stored. Raises EnrichStopped when some papers got no
    answer.
    """
    asked = [one.identifier for one in papers]
    has_record = frozenset(p.identifier for p in papers if p.source not in (None, UNKNOWN))
    was_missing = frozenset(p.identifier for p in papers if p.source == UNKNOWN)
    done = 0
    try:
        answers = fetch_records(door, asked, has_record=has_record, was_missing=was_missing)
        for fetched in answers:
            done += len(fetched.records) + len(fetched.missing)
            yield Enriched(*_store_answer(store, fetched), done)
    except SourceFailure as failure:
        raise EnrichStopped(
            f"{done} of {len(asked)} papers enriched; {_what_to_do(failure, store.now())}",
            failure.retry_at,
        ) from failure


@contextmanager
def only_enrichment(library: Library, on_wait: Callable[[], None]) -> Iterator[None]:
    """Wait until no other process enriches this library; ``on_wait`` is called if one does.

    Select the papers inside: those that the other process enriched need not be asked again.
    Raises PapertrackError when the library's folder cannot be written.
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
    store: Store, fetched: Fetched
) -> tuple[tuple[EnrichedPaper, ...], tuple[Unknown, ...]]:
    """Store one answer as one action: the papers it completed, and those that are unknown."""
    enriched, unknown = [], []
    with store.action("enrich") as action:
        for record in fetched.records:
            # While sources were asked, the paper may have been merged into another, or removed.
            paper_id = find_paper(store, [record.identifier])
            if paper_id is not None:
                enriched.append(enrich_paper(store, paper_id, record))
        for identifier in fetched.missing:
            paper_id = find_paper(store, [identifier])
            if paper_id is not None:
                remember_answer(store, paper_id, identifier, UNKNOWN)
                unknown.append(Unknown(citekey_of(store, paper_id), identifier))
        citekeys = [*(one.citekey for one in enriched), *(one.citekey for one in unknown)]
        action.summary = f"enriched {few(citekeys)}"
    return tuple(enriched), tuple(unknown)


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
        return f"{failure.host} {failure.what}. Run `papertrack enrich` again to continue."
    # Rounded up: at that minute it is possible.
    moment = failure.retry_at.astimezone(now.tzinfo) + timedelta(seconds=59)
    when = f"{moment:%H:%M %Z}" if moment.date() == now.date() else f"{moment:%Y-%m-%d %H:%M %Z}"
    what = f"{failure.what}; the next request is possible from"
    if isinstance(failure, CoolingDown | Refused):
        is_told = isinstance(failure, Refused)
        what = f"{failure.what} and asks us to wait until" if is_told else "asks us to wait until"
    return f"{failure.host} {what} {when}. Run again then."
