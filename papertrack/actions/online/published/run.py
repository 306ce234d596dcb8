"""Looking where papers were published: who links them, who confirms it, what is proposed.

In groups: of each arXiv's own record is looked at again, then those who link arXiv ids are asked,
those who register DOIs confirm what they say, and titles are searched only where the authors say
that there is something to find. What came of a group is kept before the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from papertrack.actions.enrich.run import enrich_paper
from papertrack.actions.online.published.hearing import ARXIV, Hearings, Silence
from papertrack.actions.online.published.proposals import keep_proposal, proposal_of
from papertrack.actions.online.published.selection import Wanted, claim_of, is_settled
from papertrack.matching.publications import (
    Doubt,
    Evidence,
    Proposal,
    Record,
    Weighed,
    describe,
    published_doi,
    weigh,
)
from papertrack.records import Identifier, PaperFacts
from papertrack.sources.published.crossref import Crossref
from papertrack.sources.published.registry import LINKING, REGISTRIES, SEARCHED
from papertrack.sources.published.witness import Sought
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import get_paper
from papertrack.store.papers import complete_paper, known_fields
from papertrack.store.store import Store
from papertrack.store.suggestions import note_looks
from papertrack.text import few, plural

State = Literal["published", "nothing found", "not asked", "could not look"]
_GROUP = 500


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What came of looking for one paper."""

    paper_id: int
    citekey: str
    arxiv_id: str | None
    state: State
    proposal: Proposal | None
    is_new: bool
    """Whether the reader has not seen the proposal yet."""
    completed: tuple[str, ...]
    """Fields of a work with a DOI alone that were filled in."""
    doubts: tuple[Doubt, ...]
    asked: tuple[str, ...]
    """The services that answered, now or lately, by their names."""
    silent: tuple[str, ...]
    """Those that could not be asked."""


@dataclass(slots=True)
class _Case:
    """One paper while it is looked for."""

    wanted: Wanted
    facts: PaperFacts
    citekey: str
    records: list[Record] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    checked: set[Sought] = field(default_factory=set)
    """What a registry has answered about, be it that it knows no such thing."""
    weighed: Weighed = field(default_factory=lambda: Weighed(None, ()))

    @property
    def sought(self) -> Sought:
        """It as services are asked about it."""
        authors = [one.name for one in self.facts.authors[:1]]
        return Sought(self.facts.identifiers, self.facts.title, *authors)

    @property
    def is_settled(self) -> bool:
        found = self.weighed.proposal
        return found is not None and found.evidence in (Evidence.LINKED, Evidence.DOI)

    @property
    def unconfirmed(self) -> tuple[Sought, ...]:
        """The DOIs of works under another title that an abstract could confirm."""
        dois = () if self.is_settled else self.weighed.unconfirmed
        return tuple(Sought((Identifier("doi", doi),)) for doi in dois)

    def take_abstracts(self, name: str, heard: Mapping[Sought, tuple[Record, ...]]) -> None:
        """Take what a service says of those; who does not answer now is asked again."""
        for one in self.unconfirmed:
            if one in heard:
                self.records += heard[one]
            else:
                self.heard.discard(name)
                self.silent.add(name)
        self.weigh()

    def weigh(self) -> None:
        if self.facts.identifier("arxiv") is None:
            self.weighed = describe(self.facts, self.records)
        else:
            self.weighed = weigh(self.facts, self.records, claim_of(self.facts))


class Looking:
    """One run: whom it asks, and how they fail."""

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
        self._door = door
        self._refresh = refresh
        self._search = search
        self._hearings = Hearings(door, keys)

    def due(self, papers: Sequence[Wanted]) -> list[Wanted]:
        """Those of these papers about which it is time to ask somebody again."""
        names = [one.name for one in LINKING if one.name in self._hearings.by_name]
        now = self._store.now()
        return [
            one
            for one in papers
            if any(one.is_due(name, now, refresh=self._refresh) for name in names)
        ]

    @property
    def silences(self) -> tuple[Silence, ...]:
        """The services that could not be asked, and why."""
        return self._hearings.silences

    def look(self, papers: Sequence[Wanted]) -> Iterator[LookedAt]:
        """Look for these papers, and keep what was found, group by group."""
        for start in range(0, len(papers), _GROUP):
            cases = [
                _Case(one, one.paper.facts, one.paper.citekey)
                for one in papers[start : start + _GROUP]
            ]
            self._ask_arxiv(cases)
            self._confirm([one for one in cases if self._is_due(one, Crossref.name)])
            for witness in LINKING:
                self._ask(witness.name, [one for one in cases if not one.is_settled])
            self._ask_abstracts(cases)
            self._search_titles(cases)
            yield from self._keep(cases)

    def _ask_arxiv(self, cases: Sequence[_Case]) -> None:
        """Read arXiv's own records again: DOI, journal reference and comment come late."""
        due = {
            Identifier("arxiv", arxiv_id): one
            for one in cases
            if (arxiv_id := one.facts.identifier("arxiv")) and self._is_due(one, ARXIV)
        }
        for batch, told in self._hearings.ask_arxiv(list(due)):
            self._take_records(due, told.records if told else ())
            for one in batch:
                (due[one].heard if told else due[one].silent).add(ARXIV)

    def _take_records(
        self, due: Mapping[Identifier, _Case], records: Sequence[SourceRecord]
    ) -> None:
        """Keep what is new in arXiv's own records, as `papertrack enrich` does."""
        news = [one for one in records if _is_news(due[one.identifier].facts, one.facts)]
        if not news:
            return
        with self._store.action("enrich") as action:
            for record in news:
                case = due[record.identifier]
                enrich_paper(self._store, case.wanted.paper.id, record)
                paper = get_paper(self._store, case.wanted.paper.id)
                case.facts, case.citekey = paper.facts, paper.citekey
            action.summary = f"enriched {few([due[one.identifier].citekey for one in news])}"

    def _is_due(self, case: _Case, source: str) -> bool:
        """Whether it is time to ask about a paper: of what is proposed nobody else need be."""
        if is_settled(case.wanted.proposed) and not self._refresh:
            return False
        return case.wanted.is_due(source, self._store.now(), refresh=self._refresh)

    def _ask(self, name: str, cases: Sequence[_Case]) -> None:
        """Ask one service about these papers, and let others confirm what it says."""
        hearing = self._hearings.by_name.get(name)
        due = [one for one in cases if self._is_due(one, name)]
        due = [one for one in due if hearing and hearing.witness.answers_for(one.sought)]
        if hearing is None or not due:
            return
        heard = hearing.ask([one.sought for one in due])
        for case in due:
            if case.sought in heard:
                case.records += heard[case.sought]
                case.heard.add(name)
            else:
                case.silent.add(name)
        self._confirm(due)

    def _confirm(self, cases: Sequence[_Case]) -> None:
        """Ask those who register publications what the identifiers name that came up."""
        for witness in REGISTRIES:
            hearing = self._hearings.by_name.get(witness.name)
            wanted = dict.fromkeys(one for case in cases for one in _ids(case))
            asked = [one for one in wanted if hearing and hearing.witness.answers_for(one)]
            heard = hearing.ask(asked) if hearing and asked else {}
            for case in cases:
                for one in _ids(case):
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
        for name in (one.name for one in LINKING):
            hearing = self._hearings.by_name.get(name)
            open_ = [one for one in cases if one.unconfirmed and self._is_due(one, name)]
            if hearing is None or not open_:
                continue
            heard = hearing.ask([doi for one in open_ for doi in one.unconfirmed])
            for case in open_:
                case.take_abstracts(name, heard)

    def _search_titles(self, cases: Sequence[_Case]) -> None:
        for witness in SEARCHED:
            open_ = [one for one in cases if _is_unfound(one)]
            self._ask(witness.name, [one for one in open_ if self._search or claim_of(one.facts)])

    def _keep(self, cases: Sequence[_Case]) -> Iterator[LookedAt]:
        """Keep what was found of a group: proposals in one action, and who was asked about the
        others. What is undone of it is asked about again."""
        store = self._store
        found = [one for one in cases if one.weighed.proposal]
        news: dict[int, bool] = {}
        completed: dict[int, tuple[str, ...]] = {}
        if found:
            with store.action("published") as action:
                for one in found:
                    self._keep_one(one, news, completed)
                action.summary = f"{plural(sum(news.values()), 'publication')} proposed"
        kept = {paper_id for paper_id, is_news in {**news, **completed}.items() if is_news}
        others = [one for one in cases if one.wanted.paper.id not in kept]
        with store.transaction():
            note_looks(
                store, [(one.wanted.paper.id, name) for one in others for name in _told(one)]
            )
        for one in cases:
            paper_id = one.wanted.paper.id
            yield _looked_at(one, news.get(paper_id, False), completed.get(paper_id, ()))

    def _keep_one(
        self, case: _Case, news: dict[int, bool], completed: dict[int, tuple[str, ...]]
    ) -> None:
        paper_id, proposal = case.wanted.paper.id, case.weighed.proposal
        assert proposal
        if case.facts.identifier("arxiv") is None:
            completed[paper_id] = self._complete(case)
        else:
            news[paper_id] = keep_proposal(self._store, paper_id, proposal)

    def _complete(self, case: _Case) -> tuple[str, ...]:
        """Fill in what a work that has only a DOI lacks; what it has stays."""
        told = next(one for one in case.records if "registry" in one.remarks)
        facts = told.facts._replace(identifiers=())
        kept = known_fields(case.facts)
        paper_id = case.wanted.paper.id
        return tuple(complete_paper(self._store, paper_id, facts, source=told.source, keep=kept))


def _is_news(known: PaperFacts, facts: PaperFacts) -> bool:
    """Whether arXiv says more than the library knows of where it appeared, or of its version."""
    said = ("comment", "journal_ref", "version", "is_withdrawn")
    is_other = any(getattr(facts, name) not in (None, getattr(known, name)) for name in said)
    return is_other or not set(facts.identifiers) <= set(known.identifiers) or not known.authors


def _ids(case: _Case) -> list[Sought]:
    """What came up that has a registry: each DOI, and each paper of the ACL Anthology."""
    told = [case.facts, *(one.facts for one in case.records if "registry" not in one.remarks)]
    dois = dict.fromkeys(doi for facts in told if (doi := published_doi(facts)))
    found = [Sought((Identifier("doi", doi),)) for doi in dois]
    for record in case.records:
        acl = record.facts.identifier("acl")
        if acl and record.doi is None and "registry" not in record.remarks:
            found.append(Sought((Identifier("acl", acl),)))
    return [one for one in found if one not in case.checked]


def _is_unfound(case: _Case) -> bool:
    proposal = case.weighed.proposal
    return proposal is None or proposal.evidence is Evidence.COMMENT


def _told(case: _Case) -> list[str]:
    """The services whose answer is complete: what nobody could confirm is asked again."""
    is_unconfirmed = any(one.name in case.silent for one in REGISTRIES)
    linking = {one.name for one in (*LINKING, *SEARCHED)}
    return sorted(case.heard - (linking if is_unconfirmed else set()))


def _looked_at(case: _Case, is_new: bool, completed: tuple[str, ...]) -> LookedAt:
    proposal = case.weighed.proposal
    before = [look.source for look in case.wanted.looks if look.source not in case.silent]
    if proposal is None and is_settled(case.wanted.proposed):
        proposal = proposal_of(case.wanted.proposed[-1].value)
    asked = tuple(sorted({*case.heard, *before}))
    state: State = "could not look" if case.silent else "nothing found" if asked else "not asked"
    return LookedAt(
        case.wanted.paper.id,
        case.citekey,
        case.facts.identifier("arxiv"),
        "published" if proposal else state,
        proposal,
        is_new,
        completed,
        case.weighed.doubts,
        asked,
        tuple(sorted(case.silent)),
    )
