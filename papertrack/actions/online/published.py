"""Find where papers were published, and suggest the publications.

For each group of papers papertrack reads arXiv's records again, asks services that link arXiv ids
to publications, confirms their answers with DOI registries, and searches titles only if the
authors mention a publication. It stores the results of a group before it begins the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal

from papertrack.actions.online.enrich import enrich_paper, select_ids
from papertrack.actions.online.fetching import Case, Outage, ServiceClient, ServiceClients
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
from papertrack.sources.published.linking import References
from papertrack.sources.published.registries import Crossref
from papertrack.sources.published.service import WorkRequest
from papertrack.sources.published.services import ARXIV, LINKING, REGISTRIES, SEARCHED
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_paper, get_papers, known_title_keys
from papertrack.store.papers import complete_paper, known_fields
from papertrack.store.store import Store
from papertrack.store.suggestions import Look, Proposed, note_looks, read_looks, read_proposed
from papertrack.text import few, plural, title_key

_SOONEST = timedelta(days=7)
_LATEST = timedelta(days=90)
_OLD = timedelta(days=4 * 365)
"""Older preprints are asked about once, and again only when the user names them."""
_PLACE = re.compile(r"(?<=\S)\s*,|\s+(?=\S*\d|vol)", re.IGNORECASE)
_GROUP = 500
"""Papers that are looked up before the results are stored."""
State = Literal["published", "nothing found", "not asked", "could not look"]
_UNPUBLISHED_TYPES = (None, "misc", "online", "article", "unpublished", "techreport")


@dataclass(slots=True, kw_only=True)
class PublicationCase(Case):
    """A paper to look up, with the answers about it."""

    paper_id: int
    citekey: str
    looks: Sequence[Look]
    """Which services answered about it, and when."""
    proposed: Sequence[Proposed]
    is_named: bool
    """Whether the user selected it, rather than the nightly run."""
    checked: set[WorkRequest] = field(default_factory=set)
    """Identifiers that a registry has answered about, even if it does not know them."""
    weighed: Outcome = field(default_factory=lambda: Outcome(None, ()))
    is_new: bool = False
    """Whether the suggestion is new to the user."""
    completed: tuple[str, ...] = ()
    """Fields that were completed for a work with only a DOI."""

    @property
    def is_found(self) -> bool:
        """Whether a publication with better evidence than the authors' claim was found."""
        proposal = self.weighed.proposal
        return proposal is not None and proposal.evidence is not Evidence.COMMENT

    @property
    def is_settled(self) -> bool:
        """Whether the publication was found by an identifier."""
        p = self.weighed.proposal
        return p is not None and p.evidence in BY_IDENTIFIER

    @property
    def unconfirmed(self) -> tuple[WorkRequest, ...]:
        """DOIs of works with another title, which an abstract could confirm."""
        dois = () if self.is_settled else self.weighed.unconfirmed
        return tuple(WorkRequest((Identifier("doi", doi),)) for doi in dois)

    @property
    def unchecked(self) -> list[WorkRequest]:
        """DOIs and ACL Anthology ids that a registry was not asked about yet."""
        records = [record for record in self.records if "registry" not in record.remarks]
        all_facts = [self.facts, *(record.facts for record in records)]
        dois = dict.fromkeys(doi for facts in all_facts if (doi := published_doi(facts)))
        acl_ids = (record.facts.identifier("acl") for record in records if record.doi is None)
        identifiers = [Identifier("doi", doi) for doi in dois]
        identifiers += [Identifier("acl", acl_id) for acl_id in acl_ids if acl_id]
        return [sought for i in identifiers if (sought := WorkRequest((i,))) not in self.checked]

    @property
    def arxiv_id(self) -> str | None:
        """Return the arXiv id, or None."""
        return self.facts.identifier("arxiv")

    @property
    def proposal(self) -> Proposal | None:
        """Return the publication found now, or suggested earlier; None if there is none."""
        if self.weighed.proposal is None and is_settled(self.proposed):
            return proposal_of(self.proposed[-1].value)
        return self.weighed.proposal

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Return the records that are not accepted, and why."""
        return self.weighed.doubts

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the names of services that answered, now or recently."""
        earlier = {look.source for look in self.looks} - self.unanswered
        return tuple(sorted(self.answered | earlier))

    @property
    def state(self) -> State:
        """Return the result of the lookup."""
        if self.proposal:
            return "published"
        if self.unanswered:
            return "could not look"
        return "nothing found" if self.asked else "not asked"

    def weigh(self) -> None:
        """Decide again which publication the records support."""
        if self.facts.identifier("arxiv") is None:
            self.weighed = describe(self.facts, self.records)
        else:
            self.weighed = weigh(self.facts, self.records, claim_of(self.facts))


def select_nightly(store: Store) -> list[PublicationCase]:
    """Return saved or read papers for the nightly run; those with the oldest lookup come first."""
    papers = [paper for paper in select(store, ()) if not is_settled(paper.proposed)]
    return sorted(papers, key=lambda paper: min((look.at for look in paper.looks), default=""))


def retry_interval(age: timedelta) -> timedelta:
    """Return how long to wait between two lookups: a week for new papers, up to three months."""
    share = min(1.0, max(0.0, age / _OLD))
    return _SOONEST + share * (_LATEST - _SOONEST)


def age_of(facts: PaperFacts, now: datetime) -> timedelta:
    """Return the age of a paper's first version; zero if unknown."""
    arxiv_id = facts.identifier("arxiv")
    month = facts.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    if month is None or len(month) < 7:
        return timedelta(0)
    return now - datetime(int(month[:4]), int(month[5:7]), 1, tzinfo=now.tzinfo)


def select(store: Store, words: Sequence[str]) -> list[PublicationCase]:
    """Return papers to look up: those the words select, or without words all saved or read ones.

    Leaves out papers with a known publication and papers without arXiv id and DOI. Raises
    NotFoundError for an identifier that no paper has, UsageError for a malformed query.
    """
    papers = [
        paper
        for paper in _selected_papers(store, words)
        if paper.facts.kind == "paper"
        and (paper.facts.identifier("arxiv") or published_doi(paper.facts))
        and not is_known_published(paper.facts)
    ]
    ids = [paper.id for paper in papers]
    looks, proposed = read_looks(store, ids), read_proposed(store, ids)
    return [
        PublicationCase(
            facts=paper.facts,
            paper_id=paper.id,
            citekey=paper.citekey,
            looks=looks.get(paper.id, ()),
            proposed=proposed.get(paper.id, ()),
            is_named=bool(words),
        )
        for paper in papers
    ]


def _selected_papers(store: Store, words: Sequence[str]) -> list[Paper]:
    papers = get_papers(store, select_ids(store, words))
    return [paper for paper in papers if words or paper.decision == "saved" or paper.passes_done]


def is_known_published(facts: PaperFacts) -> bool:
    """Return whether the library knows venue or type, authors and year of the publication."""
    has_venue = facts.venue is not None and not is_server(facts.venue)
    is_whole = facts.published_type not in _UNPUBLISHED_TYPES
    return (has_venue or is_whole) and bool(facts.authors) and facts.year is not None


def claim_of(facts: PaperFacts) -> Claim | None:
    """Return the publication that the authors name in arXiv's journal reference or comment."""
    venues = find_venues(facts.comment) if facts.comment else ()
    claims = [Claim(venue, year_in(venue)) for venue in venues]
    if facts.journal_ref and not is_server(facts.journal_ref):
        # ``Phys. Rev. D`` in ``Phys. Rev. D 105, 023507 (2022)``: up to a volume, page or date.
        name = _PLACE.split(facts.journal_ref.strip(), maxsplit=1)[0]
        place = " ".join(name.split()).strip(" ,;:")
        claims.insert(0, Claim(place, year_in(facts.journal_ref)))
    return claims[0]._replace(also=tuple(claims[1:])) if claims else None


def is_settled(proposed: Iterable[Proposed]) -> bool:
    """Return whether there is an open or accepted suggestion with evidence beyond a comment."""
    return any(p.state != "rejected" and p.value["evidence"] != Evidence.COMMENT for p in proposed)


@dataclass
class LookupRun:
    """One run: the services to ask, and their failures."""

    store: Store
    door: Door
    keys: Mapping[str, str | None]
    refresh: bool = False
    """Whether to ask again about papers that were looked up recently."""
    search: bool = False
    """Whether to search titles even if the authors mention no publication."""

    @cached_property
    def _clients(self) -> ServiceClients:
        return ServiceClients(self.door, self.keys)

    def due(self, papers: Sequence[PublicationCase]) -> list[PublicationCase]:
        """Return the papers that some service should be asked about now."""
        names = [service.name for service in LINKING if self._clients.has(service.name)]
        return [paper for paper in papers if any(self._is_due(paper, name) for name in names)]

    def _is_due(self, paper: PublicationCase, source: str) -> bool:
        """Whether a service should be asked about a paper now."""
        if self.refresh:
            return True
        if is_settled(paper.proposed):
            return False  # There is a suggestion already.
        last = next((look.at for look in paper.looks if look.source == source), None)
        if last is None:
            return True
        now = self.store.now()
        age = age_of(paper.facts, now)
        is_time = now - datetime.fromisoformat(last) >= retry_interval(age)
        return is_time and (paper.is_named or age < _OLD)

    @property
    def outages(self) -> tuple[Outage, ...]:
        """Return the services that could not be asked, and why."""
        return self._clients.outages

    def look(self, papers: Sequence[PublicationCase]) -> Iterator[PublicationCase]:
        """Look these papers up and store the results, group by group."""
        for start in range(0, len(papers), _GROUP):
            cases = papers[start : start + _GROUP]
            self._ask_arxiv(cases)
            self._confirm([case for case in cases if self._is_due(case, Crossref.name)])
            for service in LINKING:
                self._ask(service.name, [case for case in cases if not case.is_settled])
            self._ask_abstracts(cases)
            for service in SEARCHED:
                unfound = [case for case in cases if not case.is_found]
                searched = [case for case in unfound if self.search or claim_of(case.facts)]
                self._ask(service.name, searched)
            yield from self._keep(cases)

    def _ask_arxiv(self, cases: Sequence[PublicationCase]) -> None:
        """Update papers from arXiv's records, as `papertrack enrich` does.

        Authors often add DOI, journal reference and comment late.
        """
        due = [case for case in cases if self._is_due(case, ARXIV.name)]
        news = []
        for case, _ in self._clients.ask(ARXIV.name, due):
            news += [(case, r.facts) for r in case.records if _is_news(case.facts, r.facts)]
            case.records = []  # The record of the preprint is none of a publication.
        if not news:
            return
        with self.store.action("enrich") as action:
            for case, facts in news:
                identifier = Identifier("arxiv", case.facts.identifier("arxiv") or "")
                enrich_paper(self.store, case.paper_id, SourceRecord(identifier, facts, ARXIV.name))
                paper = get_paper(self.store, case.paper_id)
                case.facts, case.citekey = paper.facts, paper.citekey
            action.summary = f"enriched {few([case.citekey for case, _ in news])}"

    def _ask(self, name: str, cases: Sequence[PublicationCase]) -> None:
        """Ask one service about these papers, and confirm its records with the registries."""
        asked = self._clients.ask(name, [case for case in cases if self._is_due(case, name)])
        self._confirm([case for case, _ in asked])

    def _confirm(self, cases: Sequence[PublicationCase]) -> None:
        """Ask the registries about new identifiers, and decide on the publications."""
        for service in REGISTRIES:
            asked = self._clients.ask(service.name, cases, lambda case: case.unchecked)
            for case, hits in asked:
                case.checked |= hits.keys()
        for case in cases:
            case.weigh()

    def _ask_abstracts(self, cases: Sequence[PublicationCase]) -> None:
        """Ask linking services for abstracts of publications with another title.

        Registries often have no abstract to compare. A linking service may have one under the
        publication's DOI.
        """
        for service in LINKING:
            due = [case for case in cases if self._is_due(case, service.name)]
            for case, _ in self._clients.ask(service.name, due, lambda case: case.unconfirmed):
                case.weigh()

    def _keep(self, cases: Sequence[PublicationCase]) -> Iterator[PublicationCase]:
        """Store a group's proposals as one action, and which services answered about the others.

        If the user undoes the action, these papers are looked up again.
        """
        store = self.store
        if proposals := [(case, case.weighed.proposal) for case in cases if case.weighed.proposal]:
            with store.action("published") as action:
                for case, proposal in proposals:
                    if case.facts.identifier("arxiv") is None:
                        case.completed = self._complete(case)
                    else:
                        case.is_new = keep_proposal(store, case.paper_id, proposal)
                number = sum(case.is_new for case in cases)
                action.summary = f"{plural(number, 'publication')} proposed"
        linking = {service.name for service in (*LINKING, *SEARCHED)}
        looks = []
        for case in (case for case in cases if not (case.is_new or case.completed)):
            # If a registry did not answer, ask the linking services again next time.
            is_unconfirmed = any(registry.name in case.unanswered for registry in REGISTRIES)
            services = sorted(
                case.answered - case.unanswered - (linking if is_unconfirmed else set())
            )
            looks += [(case.paper_id, name) for name in services]
        with store.transaction():
            note_looks(store, looks)
        yield from cases

    def _complete(self, case: PublicationCase) -> tuple[str, ...]:
        """Fill empty fields of a work that has only a DOI; return their names."""
        record = next(record for record in case.records if "registry" in record.remarks)
        facts = record.facts._replace(identifiers=())
        keep = known_fields(case.facts)
        paper_id = case.paper_id
        return tuple(complete_paper(self.store, paper_id, facts, source=record.source, keep=keep))


def _is_news(stored: PaperFacts, facts: PaperFacts) -> bool:
    """Whether arXiv's record has something new about the publication or the version."""
    fields = ("comment", "journal_ref", "version", "is_withdrawn")
    is_new = any(getattr(facts, name) not in (None, getattr(stored, name)) for name in fields)
    return is_new or not set(facts.identifiers) <= set(stored.identifiers) or not stored.authors


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the library does not have, and the papers that cite it."""

    record: Record
    cited_by: tuple[str, ...]
    """The citekeys of citing papers."""

    @property
    def title_key(self) -> str:
        """Return a key that is equal for all spellings of the title."""
        return title_key(self.record.facts.title or "")


@dataclass(frozen=True, slots=True)
class CitedWorks:
    """The result of asking for references."""

    works: tuple[CitedWork, ...]
    """The works; the most cited come first."""
    papers: int
    """The number of papers asked about."""
    unanswered: int
    """The number of papers without an answer."""
    outage: Outage | None


def find_cited_works(
    store: Store, door: Door, keys: Mapping[str, str | None], words: Sequence[str], *, least: int
) -> CitedWorks:
    """Return works that at least ``least`` papers cite and the library does not have.

    Reads the references of the papers that ``words`` select, or without words of all saved or
    read ones. Raises SourceUnavailableError if there is no source to ask.
    """
    if References.setting not in door.endpoints:
        raise SourceUnavailableError(
            "No request was sent: Semantic Scholar has no address in this test setup."
        )
    client = ServiceClient(References(), door, keys.get(References.key_setting))
    by_citekey = {
        p.citekey: WorkRequest(p.facts.identifiers) for p in _selected_papers(store, words)
    }
    supported = {key: work for key, work in by_citekey.items() if client.knows(work)}
    hits = client.look_up(supported.values())
    references = {key: hits[work] for key, work in supported.items() if work in hits}
    works = _missing_works(store, [w for w in _merge_works(references) if len(w.cited_by) >= least])
    works.sort(key=lambda work: (-len(work.cited_by), work.title_key))
    unanswered = len(supported) - len(references)
    return CitedWorks(tuple(works), len(supported), unanswered, client.outage)


def _missing_works(store: Store, works: Sequence[CitedWork]) -> list[CitedWork]:
    """Return the works that the library does not have, by identifier or title."""
    owners = find_papers(store, {i for work in works for i in work.record.facts.identifiers})
    titles = known_title_keys(store, {work.title_key for work in works})
    return [
        work
        for work in works
        if not {*work.record.facts.identifiers} & owners.keys() and work.title_key not in titles
    ]


def _merge_works(cited: Mapping[str, Iterable[Record]]) -> list[CitedWork]:
    """Merge records with a common identifier or title into works, with all papers citing them."""
    indices: dict[Identifier | str, int] = {}
    works: list[tuple[Record, dict[str, None]]] = []
    for citekey, records in cited.items():
        for record in records:
            title = title_key(record.facts.title or "")
            keys: tuple[Identifier | str, ...] = record.facts.identifiers
            keys = (*keys, title) if title else keys
            index = next((indices[key] for key in keys if key in indices), len(works))
            if index == len(works):
                works.append((record, {}))
            works[index][1][citekey] = None
            indices |= dict.fromkeys(keys, index)
    return [CitedWork(record, tuple(citekeys)) for record, citekeys in works]
