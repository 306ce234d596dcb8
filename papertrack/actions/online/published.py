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
from typing import Literal

from papertrack.actions.online.enrich import enrich_paper, select_ids
from papertrack.actions.online.fetching import Case, Outage, ServiceRun
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
from papertrack.sources.published.service import Service
from papertrack.sources.published.services import ARXIV, CROSSREF, LINKING, REGISTRIES, SEARCHED
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_paper, get_papers, known_title_keys
from papertrack.store.papers import complete_paper, known_fields
from papertrack.store.store import Store
from papertrack.store.suggestions import Proposed, note_looks, read_looks, read_proposed
from papertrack.text import few, plural, title_key

_SOONEST = timedelta(days=7)
_LATEST = timedelta(days=90)
_OLD = timedelta(days=4 * 365)
"""Older preprints are asked about once, and again only when the user names them."""
_PLACE = re.compile(r"(?<=\S)\s*,|(?<!\s)\s++(?=\S*\d|vol)", re.IGNORECASE)
_GROUP = 500
"""Papers that are looked up before the results are stored."""
State = Literal["published", "nothing found", "not asked", "could not look"]
_UNPUBLISHED_TYPES = (None, "misc", "online", "article", "unpublished", "techreport")


@dataclass(kw_only=True)
class PublicationCase(Case):
    """A paper to look up, with the answers about it."""

    paper_id: int
    citekey: str
    looks: Mapping[str, str]
    """When services last answered about it, by their names."""
    proposed: Sequence[Proposed]
    is_named: bool
    """Whether the user selected it, rather than the nightly run."""
    outcome: Outcome = field(default_factory=lambda: Outcome(None, ()))
    is_new: bool = False
    """Whether the suggestion is new to the user."""
    completed: tuple[str, ...] = ()
    """Fields that were completed for a work with only a DOI."""

    @property
    def arxiv_id(self) -> str | None:
        return self.facts.identifier("arxiv")

    @property
    def records(self) -> list[Record]:
        """The services' records of publications, without arXiv's of the preprint."""
        return [record for record in super().records if record.source != ARXIV.name]

    @property
    def preprints(self) -> list[Record]:
        """arXiv's record, if it was asked now."""
        return [record for record in super().records if record.source == ARXIV.name]

    @property
    def evidence(self) -> Evidence | None:
        """The evidence of the publication that was found now; None if none was."""
        return self.outcome.proposal.evidence if self.outcome.proposal else None

    @property
    def has_suggestion(self) -> bool:
        """Whether there is an open or accepted suggestion with evidence beyond a comment."""
        values = (p.value for p in self.proposed if p.state != "rejected")
        return any(value["evidence"] != Evidence.COMMENT for value in values)

    @property
    def proposal(self) -> Proposal | None:
        """The publication found now, or suggested earlier; None if there is none."""
        if self.outcome.proposal is None and self.has_suggestion:
            return proposal_of(self.proposed[-1].value)
        return self.outcome.proposal

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The records that are not accepted, and why."""
        return self.outcome.doubts

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of services that answered, now or recently."""
        return tuple(sorted({*super().asked, *(self.looks.keys() - {*self.silent})}))

    @property
    def state(self) -> State:
        """The result of the lookup."""
        if self.proposal:
            return "published"
        if self.silent:
            return "could not look"
        return "nothing found" if self.asked else "not asked"

    def unchecked(self) -> list[PaperFacts]:
        """Return DOIs and ACL Anthology ids that no registry has answered about yet."""
        records = [record for record in self.records if "registry" not in record.remarks]
        all_facts = [self.facts, *(record.facts for record in records)]
        dois = dict.fromkeys(doi for facts in all_facts if (doi := published_doi(facts)))
        acl_ids = (record.facts.identifier("acl") for record in records if record.doi is None)
        requests = [_request("doi", doi) for doi in dois]
        requests += [_request("acl", acl_id) for acl_id in acl_ids if acl_id]
        return [
            request
            for request in requests
            if all(self.answers.get((registry.name, request)) is None for registry in REGISTRIES)
        ]

    def unconfirmed(self) -> list[PaperFacts]:
        """Return DOIs of works with another title, which an abstract could confirm."""
        dois = () if self.evidence in BY_IDENTIFIER else self.outcome.unconfirmed
        return [_request("doi", doi) for doi in dois]

    def weigh(self) -> None:
        """Decide again which publication the records support."""
        if self.arxiv_id is None:
            self.outcome = describe(self.facts, self.records)
        else:
            self.outcome = weigh(self.facts, self.records, claim_of(self.facts))


def _request(scheme: str, value: str) -> PaperFacts:
    return PaperFacts(identifiers=(Identifier(scheme, value),))


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
        and not _is_known_published(paper.facts)
    ]
    ids = [paper.id for paper in papers]
    looks, proposed = read_looks(store, ids), read_proposed(store, ids)
    return [
        PublicationCase(
            facts=paper.facts,
            paper_id=paper.id,
            citekey=paper.citekey,
            looks=looks.get(paper.id, {}),
            proposed=proposed.get(paper.id, ()),
            is_named=bool(words),
        )
        for paper in papers
    ]


def _selected_papers(store: Store, words: Sequence[str]) -> list[Paper]:
    papers = get_papers(store, select_ids(store, words))
    return [paper for paper in papers if words or paper.decision == "saved" or paper.passes_done]


def _is_known_published(facts: PaperFacts) -> bool:
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


def _age_of(facts: PaperFacts, now: datetime) -> timedelta:
    """Return the age of a paper's first version; zero if unknown."""
    arxiv_id = facts.identifier("arxiv")
    month = facts.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    if month is None or len(month) < 7:
        return timedelta(0)
    return now - datetime(int(month[:4]), int(month[5:7]), 1, tzinfo=now.tzinfo)


class LookupRun(ServiceRun):
    """One run: the services to ask, and their failures."""

    def __init__(
        self, store: Store, door: Door, *, refresh: bool = False, search: bool = False
    ) -> None:
        """With ``refresh``, ask again about papers that were looked up recently. With ``search``,
        search titles even if the authors mention no publication."""
        super().__init__(door)
        self._store, self._refresh, self._search = store, refresh, search

    def due(self) -> list[PublicationCase]:
        """Return the saved or read papers to look up now; those with the oldest lookup first."""
        services = list(filter(self.has, LINKING))
        cases = select(self._store, ())
        due = [case for case in cases if any(self._is_due(case, service) for service in services)]
        return sorted(due, key=lambda case: min(case.looks.values(), default=""))

    def _is_due(self, case: PublicationCase, service: Service) -> bool:
        """Return whether a service should be asked about a paper now.

        A new paper is asked about after a week again, and an older one after up to three months.
        """
        if self._refresh or case.has_suggestion:
            return self._refresh
        last = case.looks.get(service.name)
        if last is None:
            return True
        now = self._store.now()
        age = _age_of(case.facts, now)
        interval = _SOONEST + min(1.0, max(0.0, age / _OLD)) * (_LATEST - _SOONEST)
        is_time = now - datetime.fromisoformat(last) >= interval
        return is_time and (case.is_named or age < _OLD)

    def look(self, papers: Sequence[PublicationCase]) -> Iterator[PublicationCase]:
        """Look these papers up and store the results, group by group."""
        for start in range(0, len(papers), _GROUP):
            cases = papers[start : start + _GROUP]
            self._ask_arxiv(cases)
            self._confirm(case for case in cases if self._is_due(case, CROSSREF))
            for service in LINKING:
                self._ask_due(service, (c for c in cases if c.evidence not in BY_IDENTIFIER))
            for service in LINKING:
                # Registries often have no abstract to compare, and a linking service may have one.
                due = [case for case in cases if self._is_due(case, service)]
                self.ask(service, due, PublicationCase.unconfirmed)
                for case in due:
                    case.weigh()
            for service in SEARCHED:
                unfound = (c for c in cases if c.evidence in (None, Evidence.COMMENT))
                self._ask_due(service, (c for c in unfound if self._search or claim_of(c.facts)))
            self._keep(cases)
            yield from cases

    def _ask_arxiv(self, cases: Sequence[PublicationCase]) -> None:
        """Update papers from arXiv's records, as `papertrack enrich` does.

        Authors often add DOI, journal reference and comment late.
        """
        self.ask(ARXIV, [case for case in cases if self._is_due(case, ARXIV)])
        news = [
            (case, SourceRecord(Identifier("arxiv", case.arxiv_id or ""), record.facts, ARXIV.name))
            for case in cases
            for record in case.preprints
            if _is_news(case.facts, record.facts)
        ]
        if not news:
            return
        with self._store.action("enrich") as action:
            for case, record in news:
                enrich_paper(self._store, case.paper_id, record)
                paper = get_paper(self._store, case.paper_id)
                case.facts, case.citekey = paper.facts, paper.citekey
            action.summary = f"enriched {few([case.citekey for case, _ in news])}"

    def _ask_due(self, service: Service, cases: Iterable[PublicationCase]) -> None:
        """Ask a service about the papers that are due, and confirm its records."""
        due = [case for case in cases if self._is_due(case, service)]
        self.ask(service, due)
        self._confirm(due)

    def _confirm(self, cases: Iterable[PublicationCase]) -> None:
        """Ask the registries about new identifiers, and decide on the publications."""
        cases = list(cases)
        for registry in REGISTRIES:
            self.ask(registry, cases, PublicationCase.unchecked)
        for case in cases:
            case.weigh()

    def _keep(self, cases: Sequence[PublicationCase]) -> None:
        """Store a group's proposals as one action, and which services answered about the others.

        If the user undoes the action, these papers are looked up again.
        """
        store = self._store
        if proposals := [(c, c.outcome.proposal) for c in cases if c.outcome.proposal]:
            with store.action("published") as action:
                for case, proposal in proposals:
                    if case.arxiv_id is None:
                        case.completed = self._complete(case)
                    else:
                        case.is_new = keep_proposal(store, case.paper_id, proposal)
                number = sum(case.is_new for case in cases)
                action.summary = f"{plural(number, 'publication')} proposed"
        looks = []
        for case in (case for case in cases if not (case.is_new or case.completed)):
            services = {name for name, _ in case.answers} - {*case.silent}
            if not {registry.name for registry in REGISTRIES}.isdisjoint(case.silent):
                # Ask again what the registries could not confirm.
                services -= {service.name for service in (*LINKING, *SEARCHED)}
            looks += [(case.paper_id, name) for name in sorted(services)]
        with store.transaction():
            note_looks(store, looks)

    def _complete(self, case: PublicationCase) -> tuple[str, ...]:
        """Fill empty fields of a work that has only a DOI; return their names."""
        record = next(record for record in case.records if "registry" in record.remarks)
        facts = record.facts._replace(identifiers=())
        keep = known_fields(case.facts)
        paper_id = case.paper_id
        return tuple(complete_paper(self._store, paper_id, facts, source=record.source, keep=keep))


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
        """A key that is equal for all spellings of the title."""
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
    outages: tuple[Outage, ...]


def find_cited_works(store: Store, door: Door, words: Sequence[str], *, least: int) -> CitedWorks:
    """Return works that at least ``least`` papers cite and the library does not have.

    Reads the references of the papers that ``words`` select, or without words of all saved or
    read ones. Raises SourceUnavailableError if there is no source to ask.
    """
    run = ServiceRun(door)
    if not run.has(service := References()):
        raise SourceUnavailableError(
            "No request was sent: Semantic Scholar has no address in this test setup."
        )
    cases = {paper.citekey: Case(facts=paper.facts) for paper in _selected_papers(store, words)}
    run.ask(service, cases.values())
    cited = [work for work in _merge_works(cases) if len(work.cited_by) >= least]
    works = sorted(_missing_works(store, cited), key=lambda w: (-len(w.cited_by), w.title_key))
    unanswered = sum(bool(case.silent) for case in cases.values())
    papers = sum(bool(case.answers) for case in cases.values())
    return CitedWorks(tuple(works), papers, unanswered, run.outages)


def _missing_works(store: Store, works: Sequence[CitedWork]) -> list[CitedWork]:
    """Return the works that the library does not have, by identifier or title."""
    owners = find_papers(store, {i for work in works for i in work.record.facts.identifiers})
    titles = known_title_keys(store, {work.title_key for work in works})
    return [
        work
        for work in works
        if owners.keys().isdisjoint(work.record.facts.identifiers) and work.title_key not in titles
    ]


def _merge_works(cases: Mapping[str, Case]) -> list[CitedWork]:
    """Merge records with a common identifier or title into works, with all papers citing them."""
    works: dict[Identifier | str, tuple[Record, dict[str, None]]] = {}
    for citekey, case in cases.items():
        for record in case.records:
            title = title_key(record.facts.title or "")
            keys: list[Identifier | str] = [*record.facts.identifiers, *([title] if title else ())]
            work = next((works[key] for key in keys if key in works), (record, {}))
            work[1][citekey] = None
            for key in keys:
                works.setdefault(key, work)
    merged = {id(work): work for work in works.values()}
    return [CitedWork(record, tuple(citekeys)) for record, citekeys in merged.values()]
