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
from typing import Literal

from papertrack.actions.online.enrich import enrich_paper, papers_meant
from papertrack.actions.online.fetching import ARXIV, Case, Hearing, Hearings, Silence
from papertrack.actions.online.suggestions import keep_proposal, proposal_of
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers import arxiv_month
from papertrack.matching.publications import (
    NAMED,
    Claim,
    Doubt,
    Evidence,
    Proposal,
    Record,
    Weighed,
    describe,
    published_doi,
    weigh,
)
from papertrack.matching.venues import find_venues, is_server, year_in
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.sources.published.crossref import Crossref
from papertrack.sources.published.registry import LINKING, REGISTRIES, SEARCHED
from papertrack.sources.published.semantic_scholar import References
from papertrack.sources.published.witness import Sought
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """A paper to ask about."""

    paper: Paper
    looks: tuple[Look, ...]
    """Which services answered about it, and when."""
    proposed: tuple[Proposed, ...]
    is_named: bool
    """Whether the reader asked for it, rather than the nightly run."""

    def is_due(self, source: str, now: datetime, *, refresh: bool) -> bool:
        """Return whether this service should be asked about it now."""
        if refresh:
            return True
        last = next((look.at for look in self.looks if look.source == source), None)
        age = age_of(self.paper.facts, now)
        if last is None:
            return True
        return now - datetime.fromisoformat(last) >= patience(age) and (self.is_named or age < _OLD)


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
        Wanted(one, tuple(looks.get(one.id, ())), tuple(proposed.get(one.id, ())), bool(words))
        for one in papers
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


@dataclass(slots=True, kw_only=True)
class _Case(Case):
    """One paper while it is looked for."""

    wanted: Wanted
    citekey: str
    checked: set[Sought] = field(default_factory=set)
    """What a registry has answered about, be it that it knows no such thing."""
    weighed: Weighed = field(default_factory=lambda: Weighed(None, ()))

    @property
    def paper_id(self) -> int:
        return self.wanted.paper.id

    @property
    def is_found(self) -> bool:
        found = self.weighed.proposal
        return found is not None and found.evidence is not Evidence.COMMENT

    @property
    def is_settled(self) -> bool:
        found = self.weighed.proposal
        return found is not None and found.evidence in NAMED

    @property
    def unconfirmed(self) -> tuple[Sought, ...]:
        """The DOIs of works under another title that an abstract could confirm."""
        dois = () if self.is_settled else self.weighed.unconfirmed
        return tuple(Sought((Identifier("doi", doi),)) for doi in dois)

    def take_abstracts(self, name: str, heard: Mapping[Sought, tuple[Record, ...]]) -> None:
        """Take what a service says of those; who does not answer now is asked again."""
        for one in self.unconfirmed:
            self.records += heard.get(one, ())
        if not heard.keys() >= {*self.unconfirmed}:
            self.heard.discard(name)
            self.silent.add(name)
        self.weigh()

    def weigh(self) -> None:
        if self.facts.identifier("arxiv") is None:
            self.weighed = describe(self.facts, self.records)
        else:
            self.weighed = weigh(self.facts, self.records, claim_of(self.facts))

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


class Looking:
    """One run: the services to ask, and their failures."""

    def __init__(
        self,
        store: Store,
        door: Door,
        keys: Mapping[str, str | None],
        *,
        refresh: bool = False,
        search: bool = False,
    ) -> None:
        self._store = store
        self._refresh = refresh
        self._search = search
        self._hearings = Hearings(door, keys)

    def due(self, papers: Sequence[Wanted]) -> list[Wanted]:
        """Return those of these papers that some service should be asked about now."""
        now, refresh = self._store.now(), self._refresh
        names = [one.witness.name for one in self._linking]
        return [p for p in papers if any(p.is_due(name, now, refresh=refresh) for name in names)]

    @property
    def _linking(self) -> list[Hearing]:
        """Those who link arXiv ids, of whom can be asked."""
        found = (self._hearings.by_name.get(one.name) for one in LINKING)
        return [one for one in found if one is not None]

    @property
    def silences(self) -> tuple[Silence, ...]:
        """Return the services that could not be asked, and why."""
        return self._hearings.silences

    def look(self, papers: Sequence[Wanted]) -> Iterator[LookedAt]:
        """Look for these papers, and store the results, group by group."""
        for start in range(0, len(papers), _GROUP):
            cases = [
                _Case(wanted=one, facts=one.paper.facts, citekey=one.paper.citekey)
                for one in papers[start : start + _GROUP]
            ]
            self._ask_arxiv(cases)
            self._confirm([one for one in cases if self._is_due(one, Crossref.name)])
            for witness in LINKING:
                self._ask(witness.name, [one for one in cases if not one.is_settled])
            self._ask_abstracts(cases)
            for witness in SEARCHED:
                unfound = [one for one in cases if not one.is_found]
                searched = [one for one in unfound if self._search or claim_of(one.facts)]
                self._ask(witness.name, searched)
            yield from self._keep(cases)

    def _ask_arxiv(self, cases: Sequence[_Case]) -> None:
        """Read arXiv's own records again, as `papertrack enrich` does: DOI, journal reference and
        comment come late."""
        due = [one for one in cases if self._is_due(one, ARXIV)]
        for answered, fetched in self._hearings.ask_arxiv(due):
            case_of = {case.facts.identifier("arxiv"): case for case in answered}
            told = [(case_of[one.identifier.value], one) for one in fetched.records]
            news = [(case, one) for case, one in told if _is_news(case.facts, one.facts)]
            if not news:
                continue
            with self._store.action("enrich") as action:
                for case, record in news:
                    enrich_paper(self._store, case.paper_id, record)
                    paper = get_paper(self._store, case.paper_id)
                    case.facts, case.citekey = paper.facts, paper.citekey
                action.summary = f"enriched {few([case.citekey for case, _ in news])}"

    def _is_due(self, case: _Case, source: str) -> bool:
        """Whether it is time to ask about a paper: of what is proposed nobody else need be."""
        if is_settled(case.wanted.proposed) and not self._refresh:
            return False
        return case.wanted.is_due(source, self._store.now(), refresh=self._refresh)

    def _ask(self, name: str, cases: Sequence[_Case]) -> None:
        """Ask one service about these papers, and let others confirm what it says."""
        asked = self._hearings.ask(name, [one for one in cases if self._is_due(one, name)])
        if asked:
            self._confirm([case for case, _ in asked])

    def _confirm(self, cases: Sequence[_Case]) -> None:
        """Ask those who register publications what the identifiers name that came up."""
        for witness in REGISTRIES:
            hearing = self._hearings.by_name.get(witness.name)
            wanted = dict.fromkeys(one for case in cases for one in case.named)
            asked = [one for one in wanted if hearing and hearing.witness.answers_for(one)]
            heard = hearing.ask(asked) if hearing and asked else {}
            for case in cases:
                for one in case.named:
                    if one in heard:
                        case.records += [new for new in heard[one] if new not in case.records]
                        case.heard.add(witness.name)
                        case.checked.add(one)
                    elif one in asked:
                        case.silent.add(witness.name)
        for case in cases:
            case.weigh()

    def _ask_abstracts(self, cases: Sequence[_Case]) -> None:
        """Ask who links arXiv ids by the DOI of what has got another title: they may know it apart
        from the preprint, with the abstract that its registry does not have."""
        for hearing in self._linking:
            name = hearing.witness.name
            open_ = [one for one in cases if one.unconfirmed and self._is_due(one, name)]
            heard = hearing.ask([doi for one in open_ for doi in one.unconfirmed])
            for case in open_:
                case.take_abstracts(name, heard)

    def _keep(self, cases: Sequence[_Case]) -> Iterator[LookedAt]:
        """Keep what was found of a group: proposals in one action, and who was asked about the
        others. What is undone of it is asked about again."""
        store = self._store
        news: dict[int, bool] = {}
        completed: dict[int, tuple[str, ...]] = {}
        found = [(one, one.weighed.proposal) for one in cases if one.weighed.proposal]
        if found:
            with store.action("published") as action:
                for case, proposal in found:
                    if case.facts.identifier("arxiv") is None:
                        completed[case.paper_id] = self._complete(case)
                    else:
                        news[case.paper_id] = keep_proposal(store, case.paper_id, proposal)
                action.summary = f"{plural(sum(news.values()), 'publication')} proposed"
        kept = {paper_id for paper_id, is_news in {**news, **completed}.items() if is_news}
        linking = {one.name for one in (*LINKING, *SEARCHED)}
        looks = []
        for case in cases:
            # What nobody could confirm is asked again.
            is_unconfirmed = any(one.name in case.silent for one in REGISTRIES)
            told = sorted(case.heard - (linking if is_unconfirmed else set()))
            looks += [(case.paper_id, name) for name in told if case.paper_id not in kept]
        with store.transaction():
            note_looks(store, looks)
        for case in cases:
            new, filled_in = news.get(case.paper_id, False), completed.get(case.paper_id, ())
            yield _looked_at(case, new, filled_in)

    def _complete(self, case: _Case) -> tuple[str, ...]:
        """Fill in what a work that has only a DOI lacks; what it has stays."""
        told = next(one for one in case.records if "registry" in one.remarks)
        facts = told.facts._replace(identifiers=())
        kept = known_fields(case.facts)
        paper_id = case.paper_id
        return tuple(complete_paper(self._store, paper_id, facts, source=told.source, keep=kept))


def _is_news(known: PaperFacts, facts: PaperFacts) -> bool:
    """Whether arXiv says more than the library knows of where it appeared, or of its version."""
    said = ("comment", "journal_ref", "version", "is_withdrawn")
    is_other = any(getattr(facts, name) not in (None, getattr(known, name)) for name in said)
    return is_other or not set(facts.identifiers) <= set(known.identifiers) or not known.authors


def _looked_at(case: _Case, is_new: bool, completed: tuple[str, ...]) -> LookedAt:
    proposal = case.weighed.proposal
    before = [look.source for look in case.wanted.looks if look.source not in case.silent]
    if proposal is None and is_settled(case.wanted.proposed):
        proposal = proposal_of(case.wanted.proposed[-1].value)
    asked = tuple(sorted({*case.heard, *before}))
    state: State = "could not look" if case.silent else "nothing found" if asked else "not asked"
    if proposal:
        state = "published"
    names = case.paper_id, case.citekey, case.facts.identifier("arxiv")
    doubts, silent = case.weighed.doubts, tuple(sorted(case.silent))
    return LookedAt(*names, state, proposal, is_new, completed, doubts, asked, silent)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the library does not have, and the papers that cite it."""

    record: Record
    cited_by: tuple[str, ...]
    """The citekeys of citing papers."""


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
    hearing = Hearing(References(), door, keys.get(References.key_setting))
    works = {paper.citekey: Sought(paper.facts.identifiers) for paper in _meant(store, words)}
    sought = {key: one for key, one in works.items() if hearing.witness.answers_for(one)}
    heard = hearing.ask(list(sought.values()))
    cited = {key: heard[work] for key, work in sought.items() if work in heard}
    found = [one for one in _gathered(cited) if len(one.cited_by) >= least]
    unknown = _unknown(store, found)
    unknown.sort(key=lambda one: (-len(one.cited_by), _title(one)))
    return Cited(tuple(unknown), len(sought), len(sought) - len(cited), hearing.silence)


def _unknown(store: Store, works: Sequence[CitedWork]) -> list[CitedWork]:
    """Those that are not in the library, also by their titles."""
    owned = find_papers(store, {i for one in works for i in one.record.facts.identifiers})
    titles = known_title_keys(store, {_title(one) for one in works})
    return [
        one
        for one in works
        if not {*one.record.facts.identifiers} & owned.keys() and _title(one) not in titles
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


def _title(work: CitedWork) -> str:
    return title_key(work.record.facts.title or "")
