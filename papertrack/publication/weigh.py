"""From all that sources say of a paper to one proposal, or to the reasons why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papertrack.publication.guard import NAMED, Claim, Closed, Evidence, closed_locks, first_year
from papertrack.publication.record import Record, published_doi
from papertrack.publication.titles import Titles, relate
from papertrack.publication.venues import is_workshop
from papertrack.records import Identifier, PaperFacts
from papertrack.same_work.places import is_same_venue

_ORDER = tuple(Evidence)
_ACL = "10.18653/v1/"
"""With which the DOIs of papers in the ACL Anthology begin, before their ids there."""
_UNREGISTERED = Closed("registry", "nobody who registers DOIs has told what this one names")
_SEVERAL = Closed("title", "its title fits several publications")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A publication that passed the guard, with what speaks for it."""

    evidence: Evidence
    venue: str
    year: int | None
    doi: str | None
    published_type: str | None
    publication: tuple[tuple[str, str], ...]
    identifiers: tuple[Identifier, ...]
    sources: tuple[str, ...]
    """By their names; ``arxiv-api`` of what the authors say."""

    def is_same(self, other: Proposal) -> bool:
        """Whether both are of one publication, however much each says of it."""
        if self.doi and other.doi:
            return self.doi == other.doi
        is_one = is_same_venue(self.venue, other.venue) is True
        return is_one and (self.year == other.year or None in (self.year, other.year))


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a source says and the guard does not believe."""

    source: str
    title: str | None
    venue: str | None
    doi: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What all sources together come to."""

    proposal: Proposal | None
    doubts: tuple[Doubt, ...]
    unconfirmed: tuple[str, ...] = ()
    """The DOIs of works under another title that an abstract could confirm, and nobody told one."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The records of one publication: those with one DOI, or one record without."""

    records: tuple[Record, ...]
    evidence: Evidence

    @property
    def best(self) -> Record:
        """The record that says what is written: that of the registry."""
        return next((one for one in self.records if "registry" in one.remarks), self.records[0])


def weigh(paper: PaperFacts, records: Sequence[Record], claim: Claim | None = None) -> Weighed:
    """The publication that the records speak for, and what of them is not believed.

    Of several that pass the guard the one with the strongest evidence is proposed. Where only
    likeness speaks for several, none is: nothing tells which it is. What the authors say alone is
    proposed as such.
    """
    passed: list[_Candidate] = []
    doubts: list[Doubt] = []
    unconfirmed: list[str] = []
    for candidate in _candidates(paper, records):
        closed = tuple(_closed(paper, candidate, claim))
        if closed:
            doubts.append(_doubt(candidate, closed))
            unconfirmed += _unconfirmed(paper, candidate, closed)
        else:
            passed.append(candidate)
    chosen, unsure = _chosen(passed)
    doubts += [_doubt(one, (_SEVERAL,)) for one in unsure]
    proposal = _proposal(chosen) if chosen else _claimed(paper, claim)
    return Weighed(proposal, tuple(doubts), tuple(unconfirmed))


def describe(paper: PaperFacts, records: Sequence[Record]) -> Weighed:
    """What the DOI of a work that is on no preprint server names, if the titles agree."""
    told = next((one for one in records if "registry" in one.remarks), None)
    if told is None:
        return Weighed(None, ())
    candidate = _Candidate((told,), Evidence.DOI)
    locks = ("title", "venue") if paper.title else ("venue",)
    closed = [one for one in closed_locks(paper, told, Evidence.DOI) if one.lock in locks]
    if closed:
        return Weighed(None, (_doubt(candidate, closed),))
    return Weighed(_proposal(candidate), ())


def _candidates(paper: PaperFacts, records: Sequence[Record]) -> Iterator[_Candidate]:
    groups: dict[object, list[Record]] = {}
    for number, record in enumerate(records):
        groups.setdefault(_name_of(record) or number, []).append(record)
    for several in groups.values():
        yield _Candidate(tuple(several), _evidence(paper, several))


def _name_of(record: Record) -> str | None:
    """By which the records of one publication are known: its DOI, or what its DOI would be."""
    acl = record.facts.identifier("acl")
    return record.doi or (f"{_ACL}{acl.lower()}" if acl else None)


def _evidence(paper: PaperFacts, records: Sequence[Record]) -> Evidence:
    """What speaks for these records, before the guard has looked at them."""
    arxiv_id, doi = paper.identifier("arxiv"), published_doi(paper)
    if arxiv_id and any(one.links(arxiv_id) for one in records):
        return Evidence.LINKED
    if doi and records[0].doi == doi:
        return Evidence.DOI
    is_titled = any(_is_titled_alike(paper, one.facts) for one in records)
    return Evidence.TITLE if is_titled else Evidence.ABSTRACT


def _closed(paper: PaperFacts, candidate: _Candidate, claim: Claim | None) -> Iterator[Closed]:
    if candidate.best.doi and "registry" not in candidate.best.remarks:
        yield _UNREGISTERED
    for record in candidate.records:
        known = _with_abstract(record, candidate.records)
        for closed in closed_locks(paper, known, candidate.evidence, claim):
            if not _is_better_known(closed, record, candidate):
                yield closed


def _is_better_known(closed: Closed, record: Record, candidate: _Candidate) -> bool:
    """Whether the registry knows better where and when it appeared: others guess, or shorten."""
    best = candidate.best
    return record is not best and "registry" in best.remarks and closed.lock in ("years", "venue")


def _with_abstract(record: Record, others: Sequence[Record]) -> Record:
    """The record with an abstract: its own, or that of another one under the same title."""
    if record.facts.abstract:
        return record
    titled = [
        one for one in others if one.facts.abstract and _is_titled_alike(record.facts, one.facts)
    ]
    if not titled:
        return record
    return record._replace(facts=record.facts._replace(abstract=titled[0].facts.abstract))


def _is_titled_alike(one: PaperFacts, other: PaperFacts) -> bool:
    titles = one.title or "", other.title or ""
    return all(titles) and relate(*titles) == (Titles.ONE, None)


def _chosen(passed: Sequence[_Candidate]) -> tuple[_Candidate | None, Sequence[_Candidate]]:
    """The best of those that passed, and those between which only a title decides."""
    if not passed:
        return None, ()
    ordered = sorted(passed, key=_rank)
    rivals = [one for one in ordered if one.evidence is ordered[0].evidence]
    if ordered[0].evidence not in NAMED and _are_several(rivals):
        return None, rivals
    return ordered[0], ()


def _rank(candidate: _Candidate) -> tuple[int, bool, bool]:
    venue = candidate.best.facts.venue or ""
    is_registered = "registry" in candidate.best.remarks
    return _ORDER.index(candidate.evidence), is_workshop(venue), not is_registered


def _are_several(candidates: Sequence[_Candidate]) -> bool:
    """Whether these are more than one publication; sources write one venue in many ways."""
    first, *others = map(_proposal, candidates)
    return not all(first.is_same(other) or _may_be_same(first, other) for other in others)


def _may_be_same(one: Proposal, other: Proposal) -> bool:
    return None in (one.doi, other.doi) and one.year == other.year


def _proposal(candidate: _Candidate) -> Proposal:
    facts = candidate.best.facts
    known = dict.fromkeys(i for one in candidate.records for i in one.facts.identifiers)
    return Proposal(
        candidate.evidence,
        facts.venue or "",
        facts.year,
        candidate.best.doi,
        facts.published_type,
        facts.publication,
        tuple(one for one in known if one.scheme != "arxiv" and not _is_arxivs(one)),
        tuple(dict.fromkeys(one.source for one in candidate.records)),
    )


def _is_arxivs(identifier: Identifier) -> bool:
    facts = PaperFacts(identifiers=(identifier,))
    return identifier.scheme == "doi" and published_doi(facts) is None


def _claimed(paper: PaperFacts, claim: Claim | None) -> Proposal | None:
    """What only the authors say; what they say of another century is a slip."""
    first = first_year(paper)
    if claim is None or (first and claim.year and not -10 <= claim.year - first <= 10):
        return None
    said = Evidence.COMMENT, claim.venue, claim.year, None, None, (), (), ("arxiv-api",)
    return Proposal(*said)


def _doubt(candidate: _Candidate, closed: Sequence[Closed]) -> Doubt:
    best = candidate.best
    reasons = tuple(dict.fromkeys(one.reason for one in closed))
    return Doubt(best.source, best.facts.title, best.facts.venue, best.doi, reasons)


def _unconfirmed(
    paper: PaperFacts, candidate: _Candidate, closed: Sequence[Closed]
) -> Iterator[str]:
    """The DOI that an identifier names, where only the title is another one."""
    best = candidate.best
    is_named = candidate.evidence in NAMED and paper.abstract is not None
    told = _with_abstract(best, candidate.records).facts.abstract
    if best.doi and is_named and not told and {one.lock for one in closed} == {"title"}:
        yield best.doi
