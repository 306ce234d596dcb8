"""Find where papers were published: which services link them, which confirm it, what to suggest.

Papers are asked about in groups. For each group papertrack reads arXiv's own records again, asks
services that link arXiv ids, has DOI registries confirm the answers, and searches titles only if
the authors mention a publication. It saves the results of a group before it begins the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal

from papertrack.actions.online.enrich import enrich_paper, papers_meant
from papertrack.actions.online.fetching import Case, ServiceClient, ServiceClients, Silence
from papertrack.actions.online.suggestions import keep_proposal, proposal_of
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers import arxiv_month
from papertrack.matching.publications import (
    BY_IDENTIFIER,
    Claim,
    Doubt,
    Evidence,
    Outcome,
    Proposal,
    Record,
    describe,
    published_doi,
    weigh,
)
from papertrack.matching.venues import find_venues, is_server, year_in
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.sources.published.crossref import Crossref
from papertrack.sources.published.registry import ARXIV, LINKING, REGISTRIES, SEARCHED
from papertrack.sources.published.semantic_scholar import References
from papertrack.sources.published.witness import Hits, Sought
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import (
    find_papers,
    get_paper,
    get_papers,
    known_title_keys,
)
from papertrack.store.papers import complete_paper, known_fields
from papertrack.store.store import Store
from papertrack.store.suggestions import Look, Proposed, note_looks, read_looks, read_proposed
from papertrack.text import few, plural, title_key

_SOONEST = timedelta(days=7)
_LATEST = timedelta(days=90)
_OLD = timedelta(days=4 * 365)
"""Older preprints are asked about once, and again only when somebody names them."""
_PLACE = re.compile(r"(?<=\S)\s*,|\s+(?=\S*\d|vol)", re.IGNORECASE)
_UNPUBLISHED_TYPES = (None, "misc", "online", "article", "unpublished", "techreport")


@dataclass(slots=True, kw_only=True)
class Wanted(Case):
    """A paper to ask about, and what came of it."""

    paper_id: int
    citekey: str
    looks: Sequence[Look]
    """Which services answered about it, and when."""
    proposed: Sequence[Proposed]
    is_named: bool
    """Whether the reader asked for it, rather than the nightly run."""
    checked: set[Sought] = field(default_factory=set)
    """What a registry has answered about, be it that it knows no such thing."""
    weighed: Outcome = field(default_factory=lambda: Outcome(None, ()))
    is_new: bool = False
    """Whether the suggestion is new to the reader."""
    completed: tuple[str, ...] = ()
    """Fields that were completed for a work with only a DOI."""

    @property
    def is_found(self) -> bool:
        """Whether a publication with better evidence than the authors' claim was found."""
        found = self.weighed.proposal
        return found is not None and found.evidence is not Evidence.COMMENT

    @property
    def is_settled(self) -> bool:
        """Whether an identifier names the publication that was found."""
        found = self.weighed.proposal
        return found is not None and found.evidence in BY_IDENTIFIER

    @property
    def unconfirmed(self) -> tuple[Sought, ...]:
        """The DOIs of works under another title that an abstract could confirm."""
        dois = () if self.is_settled else self.weighed.unconfirmed
        return tuple(Sought((Identifier("doi", doi),)) for doi in dois)

    @property
    def named(self) -> list[Sought]:
        """What came up that has a registry, and was not looked up there: each DOI, and each paper
        of the ACL Anthology."""
        others = [one for one in self.records if "registry" not in one.remarks]
        told = [self.facts, *(one.facts for one in others)]
        dois = dict.fromkeys(doi for facts in told if (doi := published_doi(facts)))
        acl = (one.facts.identifier("acl") for one in others if one.doi is None)
        found = [Identifier("doi", doi) for doi in dois]
        found += [Identifier("acl", one) for one in acl if one]
        return [sought for one in found if (sought := Sought((one,))) not in self.checked]

    def take_confirmations(
        self, name: str, told: Mapping[Sought, tuple[Record, ...] | None]
    ) -> None:
        """Take what a registry says that identifiers name; None of those without an answer."""
        for one, records in told.items():
            if records is None:
                self.silent.add(name)
                continue
            self.records += [new for new in records if new not in self.records]
            self.answered.add(name)
            self.checked.add(one)

    def take_abstracts(self, name: str, hits: Hits) -> None:
        """Take what a service says of those; who does not answer now is asked again."""
        asked = self.unconfirmed
        for one in asked:
            self.records += hits.get(one, ())
        if not hits.keys() >= {*asked}:
            self.answered.discard(name)
            self.silent.add(name)
        self.weigh()

    def weigh(self) -> None:
        """Decide anew which publication the records speak for."""
        if self.facts.identifier("arxiv") is None:
            self.weighed = describe(self.facts, self.records)
        else:
            self.weighed = weigh(self.facts, self.records, claim_of(self.facts))


def tonight(store: Store) -> list[Wanted]:
    """Return the papers that a nightly run asks about: saved or read, those asked longest ago
    first."""
    waiting = [one for one in select(store, ()) if not is_settled(one.proposed)]
    return sorted(waiting, key=lambda one: min((look.at for look in one.looks), default=""))


def patience(age: timedelta) -> timedelta:
    """Return how long a paper of this age is not asked about again: a week, later three months."""
    share = min(1.0, max(0.0, age / _OLD))
    return _SOONEST + share * (_LATEST - _SOONEST)


def age_of(facts: PaperFacts, now: datetime) -> timedelta:
    """Return the age of a paper's first version; None if unknown."""
    arxiv_id = facts.identifier("arxiv")
    month = facts.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    if month is None or len(month) < 7:
        return timedelta(0)
    return now - datetime(int(month[:4]), int(month[5:7]), 1, tzinfo=now.tzinfo)


def select(store: Store, words: Sequence[str]) -> list[Wanted]:
    """Return the selected papers: named, found by a query, or (without words) all saved or read
    ones.

    They are preprints without a known publication, or have only a DOI. Raises NotFoundError for
    an identifier that no paper has, UsageError for a malformed query.
    """
    papers = [
        one
        for one in _meant(store, words)
        if one.facts.kind == "paper"
        and (one.facts.identifier("arxiv") or published_doi(one.facts))
        and not is_known_published(one.facts)
    ]
    ids = [paper.id for paper in papers]
    looks, proposed = read_looks(store, ids), read_proposed(store, ids)
    return [
        Wanted(
            facts=paper.facts,
            paper_id=paper.id,
            citekey=paper.citekey,
            looks=looks.get(paper.id, ()),
            proposed=proposed.get(paper.id, ()),
            is_named=bool(words),
        )
        for paper in papers
    ]


def _meant(store: Store, words: Sequence[str]) -> list[Paper]:
    papers = get_papers(store, papers_meant(store, words))
    return [one for one in papers if words or one.decision == "saved" or one.passes_done]


def is_known_published(facts: PaperFacts) -> bool:
    """Return whether the library knows where it was published, with authors and year."""
    has_venue = facts.venue is not None and not is_server(facts.venue)
    is_whole = facts.published_type not in _UNPUBLISHED_TYPES
    return (has_venue or is_whole) and bool(facts.authors) and facts.year is not None


def claim_of(facts: PaperFacts) -> Claim | None:
    """Return where the authors say at arXiv that it appeared, in the journal reference or a
    comment."""
    said = find_venues(facts.comment) if facts.comment else ()
    claims = [Claim(venue, year_in(venue)) for venue in said]
    if facts.journal_ref and not is_server(facts.journal_ref):
        # ``Phys. Rev. D`` of ``Phys. Rev. D 105, 023507 (2022)``: up to a volume, page or date.
        name = _PLACE.split(facts.journal_ref.strip(), maxsplit=1)[0]
        place = " ".join(name.split()).strip(" ,;:")
        claims.insert(0, Claim(place, year_in(facts.journal_ref)))
    return claims[0]._replace(also=tuple(claims[1:])) if claims else None


def is_settled(proposed: Iterable[Proposed]) -> bool:
    """Return whether a publication with better evidence than the authors' claim is suggested or
    was answered."""
    return any(
        one.state != "rejected" and one.value["evidence"] != Evidence.COMMENT for one in proposed
    )


State = Literal["published", "nothing found", "not asked", "could not look"]
_GROUP = 500


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The result of looking for one paper."""

    paper_id: int
    citekey: str
    arxiv_id: str | None
    state: State
    proposal: Proposal | None
    is_new: bool
    """Whether the suggestion is new to the reader."""
    completed: tuple[str, ...]
    """Fields that were completed for a work with only a DOI."""
    doubts: tuple[Doubt, ...]
    asked: tuple[str, ...]
    """The names of services that answered, now or recently."""
    silent: tuple[str, ...]
    """The services that could not be asked."""


@dataclass
class Looking:
    """One run: the services to ask, and their failures."""

    store: Store
    door: Door
    keys: Mapping[str, str | None]
    refresh: bool = False
    """Whether to ask also what was asked recently."""
    search: bool = False
    """Whether to search titles of which the authors say nothing."""

    @cached_property
    def _clients(self) -> ServiceClients:
        return ServiceClients(self.door, self.keys)

    def due(self, papers: Sequence[Wanted]) -> list[Wanted]:
        """Return those of these papers that some service should be asked about now."""
        names = [one.name for one in LINKING if self._clients.has(one.name)]
        return [paper for paper in papers if any(self._is_due(paper, name) for name in names)]

    def _is_due(self, paper: Wanted, source: str) -> bool:
        """Whether a service should be asked about a paper now."""
        if self.refresh:
            return True
        if is_settled(paper.proposed):
            return False  # Of what is proposed nobody else need be asked.
        last = next((look.at for look in paper.looks if look.source == source), None)
        if last is None:
            return True
        now = self.store.now()
        age = age_of(paper.facts, now)
        is_time = now - datetime.fromisoformat(last) >= patience(age)
        return is_time and (paper.is_named or age < _OLD)

    @property
    def silences(self) -> tuple[Silence, ...]:
        """Return the services that could not be asked, and why."""
        return self._clients.silences

    def look(self, papers: Sequence[Wanted]) -> Iterator[LookedAt]:
        """Look for these papers, and store the results, group by group."""
        for start in range(0, len(papers), _GROUP):
            cases = papers[start : start + _GROUP]
            self._ask_arxiv(cases)
            self._confirm([one for one in cases if self._is_due(one, Crossref.name)])
            for witness in LINKING:
                self._ask(witness.name, [one for one in cases if not one.is_settled])
            self._ask_abstracts(cases)
            for witness in SEARCHED:
                unfound = [one for one in cases if not one.is_found]
                searched = [one for one in unfound if self.search or claim_of(one.facts)]
                self._ask(witness.name, searched)
            yield from self._keep(cases)

    def _ask_arxiv(self, cases: Sequence[Wanted]) -> None:
        """Read arXiv's own records again, as `papertrack enrich` does: DOI, journal reference and
        comment come late."""
        due = [one for one in cases if self._is_due(one, ARXIV.name)]
        told = self._clients.ask(ARXIV.name, due)
        found = [(case, record.facts) for case, records in told for record in records or ()]
        news = [(case, facts) for case, facts in found if _is_news(case.facts, facts)]
        if not news:
            return
        with self.store.action("enrich") as action:
            for case, facts in news:
                own = Identifier("arxiv", case.facts.identifier("arxiv") or "")
                enrich_paper(self.store, case.paper_id, SourceRecord(own, facts, ARXIV.name))
                paper = get_paper(self.store, case.paper_id)
                case.facts, case.citekey = paper.facts, paper.citekey
            action.summary = f"enriched {few([case.citekey for case, _ in news])}"

    def _ask(self, name: str, cases: Sequence[Wanted]) -> None:
        """Ask one service about these papers, and let others confirm what it says."""
        told = self._clients.ask(name, [one for one in cases if self._is_due(one, name)])
        for case, records in told:
            case.records += records or ()
        self._confirm([case for case, _ in told])

    def _confirm(self, cases: Sequence[Wanted]) -> None:
        """Ask those who register publications what the identifiers name that came up."""
        for witness in REGISTRIES:
            name = witness.name
            hits = self._clients.look_up(name, (one for case in cases for one in case.named))
            for case in cases:
                told = {one: hits.get(one) for one in case.named if self._clients.knows(name, one)}
                case.take_confirmations(name, told)
        for case in cases:
            case.weigh()

    def _ask_abstracts(self, cases: Sequence[Wanted]) -> None:
        """Ask who links arXiv ids by the DOI of what has got another title: they may know it apart
        from the preprint, with the abstract that its registry does not have."""
        for witness in LINKING:
            name = witness.name
            open_ = [one for one in cases if one.unconfirmed and self._is_due(one, name)]
            if not self._clients.has(name):
                continue
            hits = self._clients.look_up(name, (doi for one in open_ for doi in one.unconfirmed))
            for case in open_:
                case.take_abstracts(name, hits)

    def _keep(self, cases: Sequence[Wanted]) -> Iterator[LookedAt]:
        """Keep what was found of a group: proposals in one action, and who was asked about the
        others. What is undone of it is asked about again."""
        store = self.store
        if found := [(one, one.weighed.proposal) for one in cases if one.weighed.proposal]:
            with store.action("published") as action:
                for case, proposal in found:
                    if case.facts.identifier("arxiv") is None:
                        case.completed = self._complete(case)
                    else:
                        case.is_new = keep_proposal(store, case.paper_id, proposal)
                number = sum(case.is_new for case in cases)
                action.summary = f"{plural(number, 'publication')} proposed"
        linking = {one.name for one in (*LINKING, *SEARCHED)}
        looks = []
        for case in (one for one in cases if not (one.is_new or one.completed)):
            # What nobody could confirm is asked again.
            is_unconfirmed = any(one.name in case.silent for one in REGISTRIES)
            told = sorted(case.answered - (linking if is_unconfirmed else set()))
            looks += [(case.paper_id, name) for name in told]
        with store.transaction():
            note_looks(store, looks)
        yield from map(_looked_at, cases)

    def _complete(self, case: Wanted) -> tuple[str, ...]:
        """Fill in what a work that has only a DOI lacks; what it has stays."""
        told = next(one for one in case.records if "registry" in one.remarks)
        facts = told.facts._replace(identifiers=())
        kept = known_fields(case.facts)
        paper_id = case.paper_id
        return tuple(complete_paper(self.store, paper_id, facts, source=told.source, keep=kept))


def _is_news(known: PaperFacts, facts: PaperFacts) -> bool:
    """Whether arXiv says more than the library knows of where it appeared, or of its version."""
    said = ("comment", "journal_ref", "version", "is_withdrawn")
    is_other = any(getattr(facts, name) not in (None, getattr(known, name)) for name in said)
    return is_other or not set(facts.identifiers) <= set(known.identifiers) or not known.authors


def _looked_at(case: Wanted) -> LookedAt:
    proposal = case.weighed.proposal
    before = [look.source for look in case.looks if look.source not in case.silent]
    if proposal is None and is_settled(case.proposed):
        proposal = proposal_of(case.proposed[-1].value)
    asked = tuple(sorted({*case.answered, *before}))
    state: State = "could not look" if case.silent else "nothing found" if asked else "not asked"
    state = "published" if proposal else state
    names = case.paper_id, case.citekey, case.facts.identifier("arxiv")
    new, doubts, silent = case.completed, case.weighed.doubts, tuple(sorted(case.silent))
    return LookedAt(*names, state, proposal, case.is_new, new, doubts, asked, silent)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the library does not have, and the papers that cite it."""

    record: Record
    cited_by: tuple[str, ...]
    """The citekeys of citing papers."""

    @property
    def title_key(self) -> str:
        """Return what is equal of its title in all spellings."""
        return title_key(self.record.facts.title or "")


@dataclass(frozen=True, slots=True)
class Cited:
    """The result of asking for references."""

    works: tuple[CitedWork, ...]
    """The works, those that most papers cite first."""
    papers: int
    """The number of papers asked about."""
    unheard: int
    """The number of papers without an answer."""
    silence: Silence | None


def cited_by_mine(
    store: Store,
    door: Door,
    keys: Mapping[str, str | None],
    words: Sequence[str],
    *,
    least: int,
) -> Cited:
    """Return the works that at least ``least`` papers cite and the library does not have.

    Asks about the papers that were saved or read, or those named or found by a query. Raises
    SourceUnavailableError if no source may be asked.
    """
    if References.setting not in door.endpoints:
        raise SourceUnavailableError(
            "No source was asked: Semantic Scholar has no address in this test setup."
        )
    client = ServiceClient(References(), door, keys.get(References.key_setting))
    works = {paper.citekey: Sought(paper.facts.identifiers) for paper in _meant(store, words)}
    sought = {key: one for key, one in works.items() if client.knows(one)}
    hits = client.look_up(sought.values())
    cited = {key: hits[work] for key, work in sought.items() if work in hits}
    found = _unknown(store, [one for one in _gathered(cited) if len(one.cited_by) >= least])
    found.sort(key=lambda one: (-len(one.cited_by), one.title_key))
    return Cited(tuple(found), len(sought), len(sought) - len(cited), client.silence)


def _unknown(store: Store, works: Sequence[CitedWork]) -> list[CitedWork]:
    """Those that are not in the library, also by their titles."""
    owned = find_papers(store, {i for one in works for i in one.record.facts.identifiers})
    titles = known_title_keys(store, {one.title_key for one in works})
    return [
        one
        for one in works
        if not {*one.record.facts.identifiers} & owned.keys() and one.title_key not in titles
    ]


def _gathered(cited: Mapping[str, Iterable[Record]]) -> list[CitedWork]:
    """Each work once, with all who cite it: known again by an identifier or its title."""
    names: dict[Identifier | str, int] = {}
    found: list[tuple[Record, dict[str, None]]] = []
    for citekey, records in cited.items():
        for record in records:
            title = title_key(record.facts.title or "")
            told: tuple[Identifier | str, ...] = record.facts.identifiers
            told = (*told, title) if title else told
            at = next((names[name] for name in told if name in names), len(found))
            if at == len(found):
                found.append((record, {}))
            found[at][1][citekey] = None
            names |= dict.fromkeys(told, at)
    return [CitedWork(record, tuple(keys)) for record, keys in found]
