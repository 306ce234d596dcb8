"""Which papers are asked about, and whom it is time to ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from papertrack.actions.enrich.references import resolve_references
from papertrack.identifiers import arxiv_month, identify
from papertrack.matching.publications import Claim, Evidence, published_doi
from papertrack.matching.venues import find_venues, is_server, year_in
from papertrack.queries.parser import parse_query
from papertrack.records import Paper, PaperFacts
from papertrack.store import listing
from papertrack.store.lookup import find_by_citekey, get_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Look, Proposed, read_looks, read_proposed

_SOONEST = timedelta(days=7)
_LATEST = timedelta(days=90)
_OLD = timedelta(days=4 * 365)
"""What was not published by then is asked about once, and again only when somebody names it."""
_PLACE = re.compile(r"(?<=\S)\s*,|\s+(?=\S*\d|vol)", re.IGNORECASE)
_UNPUBLISHED_TYPES = (None, "misc", "online", "article", "unpublished", "techreport")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A paper that is asked about."""

    paper: Paper
    looks: tuple[Look, ...]
    """Who answered about it, and when."""
    proposed: tuple[Proposed, ...]
    is_named: bool
    """Whether the reader asked for it, rather than the night."""

    def is_due(self, source: str, now: datetime, *, refresh: bool) -> bool:
        """Whether it is time to ask this service about it."""
        if refresh:
            return True
        last = next((look.at for look in self.looks if look.source == source), None)
        age = age_of(self.paper.facts, now)
        if last is None:
            return True
        return now - datetime.fromisoformat(last) >= patience(age) and (self.is_named or age < _OLD)


def tonight(store: Store) -> list[Wanted]:
    """The papers that a night asks about: saved or read, those longest not asked about first."""
    waiting = [one for one in select(store, ()) if not is_settled(one.proposed)]
    return sorted(waiting, key=lambda one: min((look.at for look in one.looks), default=""))


def patience(age: timedelta) -> timedelta:
    """How long nobody is asked again about a paper of this age: a week, later three months."""
    share = min(1.0, max(0.0, age / _OLD))
    return _SOONEST + share * (_LATEST - _SOONEST)


def age_of(facts: PaperFacts, now: datetime) -> timedelta:
    """How old a paper's first version is; nothing where that is not known."""
    arxiv_id = facts.identifier("arxiv")
    month = facts.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    if month is None or len(month) < 7:
        return timedelta(0)
    return now - datetime(int(month[:4]), int(month[5:7]), 1, tzinfo=now.tzinfo)


def select(store: Store, words: Sequence[str]) -> list[Wanted]:
    """The papers meant: named, found by a query, or (without words) all that were saved or read.

    Those of which the library knows where they were published are left out. Raises NotFoundError
    for an identifier that no paper has, UsageError for a malformed query.
    """
    papers = [one for one in get_papers(store, meant(store, words)) if _is_asked_about(one)]
    if not words:
        papers = [one for one in papers if one.decision == "saved" or one.passes_done]
    return _wanted(store, papers, bool(words))


def _wanted(store: Store, papers: Sequence[Paper], is_named: bool) -> list[Wanted]:
    ids = [paper.id for paper in papers]
    looks, proposed = read_looks(store, ids), read_proposed(store, ids)
    return [
        Wanted(
            paper,
            tuple(looks.get(paper.id, ())),
            tuple(proposed.get(paper.id, ())),
            is_named,
        )
        for paper in papers
    ]


def meant(store: Store, words: Sequence[str]) -> list[int]:
    """The papers that references name, or that a query finds."""
    if words and all(identify(word) or find_by_citekey(store, word) is not None for word in words):
        return resolve_references(store, words)
    return listing.find_ids(store, parse_query(" ".join(words)), order="id")


def _is_asked_about(paper: Paper) -> bool:
    """Whether it is a preprint of which nothing says where it appeared, or has a bare DOI."""
    facts = paper.facts
    if facts.kind != "paper" or not (facts.identifier("arxiv") or published_doi(facts)):
        return False
    return not is_known_published(facts)


def is_known_published(facts: PaperFacts) -> bool:
    """Whether the library itself says where it appeared, with the authors and the year."""
    has_venue = facts.venue is not None and not is_server(facts.venue)
    is_whole = facts.published_type not in _UNPUBLISHED_TYPES
    return (has_venue or is_whole) and bool(facts.authors) and facts.year is not None


def claim_of(facts: PaperFacts) -> Claim | None:
    """Where the authors say at arXiv that it appeared: in the journal reference or a comment, or
    in several places there."""
    said = find_venues(facts.comment) if facts.comment else ()
    claims = [Claim(venue, year_in(venue)) for venue in said]
    if facts.journal_ref and not is_server(facts.journal_ref):
        claims.insert(0, Claim(_name_in(facts.journal_ref), year_in(facts.journal_ref)))
    return claims[0]._replace(also=tuple(claims[1:])) if claims else None


def _name_in(journal_ref: str) -> str:
    """``Phys. Rev. D`` of ``Phys. Rev. D 105, 023507 (2022)``: up to a volume, a page or a date."""
    return " ".join(_PLACE.split(journal_ref.strip(), maxsplit=1)[0].split()).strip(" ,;:")


def is_settled(proposed: Iterable[Proposed]) -> bool:
    """Whether something is proposed, or was answered, that more than the authors say."""
    return any(
        one.state != "rejected" and one.value["evidence"] != Evidence.COMMENT for one in proposed
    )
