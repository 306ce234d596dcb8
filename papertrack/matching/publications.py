"""Whether a preprint has been published: what sources say of a work, four locks, one proposal.

The locks are people, title, years and venue, and each says why it does not open. What a source
says of identifiers decides how wide a lock opens, and never opens one alone: sources mix up works,
and so do the DOIs that authors type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from papertrack.identifiers import arxiv_month, parse_arxiv_id, url_of
from papertrack.matching.judge import Description, Pair
from papertrack.matching.titles import (
    Likeness,
    compare_titles,
    is_in_one_mould,
    is_long_enough,
    is_one_abstract,
    is_same_abstract,
)
from papertrack.matching.venues import (
    appears_in,
    is_conference,
    is_journal,
    is_same_venue,
    is_server,
    is_workshop,
    year_in,
)
from papertrack.records import Identifier, PaperFacts
from papertrack.text import plural, shorten, to_ascii

Remark = Literal[
    "registry",  # it comes from where the DOI is registered: it decides what the DOI names
    "preprint",  # of a preprint server or a repository, whatever its venue is called
    "update",  # an erratum, a retraction notice: a work about another one
    "series",  # its venue is a series of books, not what appeared in it
    "guessed year",  # the year may be the preprint's
    "refused",  # submitted there and withdrawn, rejected or not decided
]


class Record(NamedTuple):
    """One work as a source describes it, as far as the guard looks at it."""

    source: str
    """The source's name: ``crossref``."""
    facts: PaperFacts
    """Its ``arxiv`` identifiers are those that the source itself links the work to."""
    remarks: frozenset[Remark] = frozenset()
    years: frozenset[int] = frozenset()
    """All years that it names: in print, online."""

    @property
    def doi(self) -> str | None:
        """The DOI of the published work; None where it has none, or only that of the preprint."""
        return published_doi(self.facts)

    def links(self, arxiv_id: str | None) -> bool:
        """Whether the source says that it is the work of this arXiv id."""
        known = (one.value for one in self.facts.identifiers if one.scheme == "arxiv")
        return arxiv_id is not None and arxiv_id in known


def published_doi(facts: PaperFacts) -> str | None:
    """The first DOI that is not the one which arXiv gives each of its papers; else None."""
    dois = (one.value for one in facts.identifiers if one.scheme == "doi")
    return next((doi for doi in dois if parse_arxiv_id(doi) is None), None)


def published_address(facts: PaperFacts) -> str | None:
    """Where the published work is found, by its strongest identifier; None where only the
    preprint's are known."""
    doi = published_doi(facts)
    named = [Identifier("doi", doi)] if doi else []
    named += [one for one in facts.identifiers if one.scheme in ("acl", "openreview")]
    return url_of(named[0]) if named else None


LockName = Literal["people", "title", "years", "venue", "registry"]
"""The four, and that of ``weigh``: what a DOI names is what its registry says."""


class Evidence(StrEnum):
    """What speaks for a publication, the strongest first. No score: each is a reason."""

    LINKED = "linked"
    """A source links the arXiv id itself."""
    DOI = "doi"
    """The DOI that arXiv has of the authors, confirmed by title and authors."""
    TITLE = "title"
    """Title and authors agree."""
    ABSTRACT = "abstract"
    """Abstract and authors agree, under another title."""
    COMMENT = "comment"
    """Only the authors say so, in their comment or journal reference at arXiv."""


class Closed(NamedTuple):
    """A lock that does not open, and why."""

    lock: LockName
    reason: str


class Claim(NamedTuple):
    """What the authors say at arXiv: where their paper has appeared or will."""

    venue: str
    year: int | None = None
    also: tuple[Claim, ...] = ()
    """Where else they say it did: a journal after a conference."""


_YEARS = {
    Evidence.LINKED: (10, 10),
    Evidence.DOI: (10, 10),
    Evidence.TITLE: (1, 5),
    Evidence.ABSTRACT: (1, 5),
}
"""Years that the publication may lie before and after the first version: what is old is put on
arXiv too, and an identifier says that it is."""
NAMED = frozenset({Evidence.LINKED, Evidence.DOI})
"""An identifier names the work; what else speaks for it is likeness alone."""
_OF_KEY = 3
"""Letters of a name that are compared with DBLP's key: it writes umlauts in its own way."""
_OTHER_KINDS = {
    **dict.fromkeys(("mvbook", "proceedings", "collection", "mvcollection", "reference"), "book"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "thesis"),
    **dict.fromkeys(("techreport", "report"), "report"),
    **{kind: kind for kind in ("book", "dataset", "software")},
}
"""What has a paper's title and is not that paper, unless its authors say so."""


def closed_locks(
    paper: PaperFacts, record: Record, evidence: Evidence, claim: Claim | None = None
) -> tuple[Closed, ...]:
    """The locks that keep this record from being the paper's publication; none if it is."""
    pair = Pair(Description.of(paper), Description.of(record.facts))
    looks = (
        ("people", _people(paper, record.facts, pair, evidence)),
        ("title", _title(paper, record.facts, pair, evidence)),
        ("years", _years(paper, record, evidence)),
        ("venue", _venue(record, evidence, claim)),
    )
    return tuple(Closed(name, reason) for name, reasons in looks for reason in reasons)  # type: ignore[arg-type]


def _people(paper: PaperFacts, told: PaperFacts, pair: Pair, evidence: Evidence) -> Iterator[str]:
    common, key = pair.people, told.identifier("dblp")
    # It begins with the first author's name: ``conf/nips/VaswaniSPUJGKP17``.
    name = re.match("[A-Za-z]+", (key or "").rpartition("/")[2])
    family = re.sub("[^a-z]", "", to_ascii(pair.one.people[0].family)) if pair.one.people else ""
    if published_doi(told) is None and name and not name[0].lower().startswith(family[:_OF_KEY]):
        yield f"DBLP's key is of other authors: {key}"
    if common is None:
        yield "the authors cannot be compared"
    elif not common.is_enough:
        yield f"{plural(common.number, 'author')} in common"
    elif evidence not in NAMED and not common.is_nearly_all:
        yield f"only {plural(common.number, 'author')} in common"


def _title(paper: PaperFacts, told: PaperFacts, pair: Pair, evidence: Evidence) -> Iterator[str]:
    if not paper.title or not told.title:
        yield "it has no title"
    elif against := pair.titles.against or pair.titles.version:
        yield against
    elif pair.titles.is_one:
        if evidence is Evidence.TITLE and not (pair.is_telling and " " in paper.title):
            yield "the title is too short to identify a work"
    elif not _is_retitled(paper, told, pair, evidence):
        yield f"another title: {shorten(told.title, 90)}"


def _is_retitled(paper: PaperFacts, told: PaperFacts, pair: Pair, evidence: Evidence) -> bool:
    """Whether a work has got another title when it came out.

    One that an identifier names may, of the same people: with or without a subtitle if its abstract
    is no other one, or any with the same abstract. That of a companion differs in the words of the
    title: what authors renamed so is left to the reader.
    """
    titles, others = paper.title or "", told.title or ""
    texts = (titles, paper.abstract or ""), (others, told.abstract or "")
    if pair.people is None:
        return False
    if evidence not in NAMED:
        is_known = evidence is Evidence.ABSTRACT and pair.people.is_same
        return is_known and is_same_abstract(*texts)
    if pair.people.of_shorter < 1:
        return False
    is_one = is_one_abstract(paper.abstract, told.abstract)
    if pair.likeness is Likeness.CUT and is_long_enough(titles, others):
        return is_one is not False
    return is_one is True and not is_in_one_mould(*texts)


def _years(paper: PaperFacts, record: Record, evidence: Evidence) -> Iterator[str]:
    first, year = first_year(paper), record.facts.year
    if year is None or "guessed year" in record.remarks:
        yield "its year of publication is not known"
        return
    before, after = _YEARS[evidence]
    if first is not None and not first - before <= year <= first + after:
        yield f"it appeared in {year}, and the first version is of {first}"


def first_year(paper: PaperFacts) -> int | None:
    """The year of the first version, as the source or the arXiv id says."""
    arxiv_id = paper.identifier("arxiv")
    month = paper.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    return int(month[:4]) if month else None


def _venue(record: Record, evidence: Evidence, claim: Claim | None) -> Iterator[str]:
    facts, venue = record.facts, record.facts.venue
    if "preprint" in record.remarks or (venue and is_server(venue)):
        yield f"{venue or 'it'} is a preprint server"
    elif "refused" in record.remarks:
        yield "it was submitted there, but not accepted"
    elif "update" in record.remarks:
        yield "it is a notice about another work"
    elif "series" in record.remarks or not venue:
        yield "its venue is not known"
    elif (kind := _OTHER_KINDS.get(facts.published_type or "")) and evidence is not Evidence.DOI:
        yield f"it is a {kind}"
    elif claim and evidence not in NAMED:
        against = [tuple(_against_claim(record, one)) for one in (claim, *claim.also)]
        yield from against[0] if all(against) else ()


def _against_claim(record: Record, claim: Claim) -> Iterator[str]:
    """Workshop, conference and journal have versions of their own: the authors say which."""
    venue, kind = record.facts.venue or "", record.facts.published_type
    year = claim.year or year_in(claim.venue)
    is_other_kind = False
    if not is_same_venue(venue, claim.venue) and not appears_in(claim.venue, venue):
        if is_journal(claim.venue):
            is_other_kind = kind == "inproceedings" and not is_journal(venue)
        else:
            is_article = kind == "article" and is_journal(venue)
            is_other_kind = is_article and is_conference(claim.venue)
    if is_workshop(venue) != is_workshop(claim.venue) or is_other_kind:
        yield f"the authors say {shorten(claim.venue, 60)}"
    elif year and record.facts.year and abs(year - record.facts.year) > 1:
        yield f"the authors say {year}"


_ORDER = tuple(Evidence)
_ACL = "10.18653/v1/"
"""With which the DOIs of papers in the ACL Anthology begin, before their ids there."""
_UNREGISTERED = Closed("registry", "the registry of this DOI did not say which work it names")
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
    """The DOIs of works under another title that an abstract could confirm if a source gave one."""


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
    """Group the records of one publication by its DOI, or by what its DOI would be."""
    groups: dict[object, list[Record]] = {}
    for number, record in enumerate(records):
        acl = record.facts.identifier("acl")
        name = record.doi or (f"{_ACL}{acl.lower()}" if acl else number)
        groups.setdefault(name, []).append(record)
    for several in groups.values():
        yield _Candidate(tuple(several), _evidence(paper, several))


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
    best = candidate.best
    is_registered = "registry" in best.remarks
    if best.doi and not is_registered:
        yield _UNREGISTERED
    for record in candidate.records:
        known = _with_abstract(record, candidate.records)
        for closed in closed_locks(paper, known, candidate.evidence, claim):
            # The registry knows better where and when it appeared: others guess, or shorten.
            is_guess = is_registered and record is not best and closed.lock in ("years", "venue")
            if not is_guess:
                yield closed


def _with_abstract(record: Record, others: Sequence[Record]) -> Record:
    """The record with an abstract: its own, or that of another one under the same title."""
    titled = (one.facts for one in others if _is_titled_alike(record.facts, one.facts))
    told = record.facts.abstract or next((one.abstract for one in titled if one.abstract), None)
    return record._replace(facts=record.facts._replace(abstract=told))


def _is_titled_alike(one: PaperFacts, other: PaperFacts) -> bool:
    titles = one.title or "", other.title or ""
    return all(titles) and compare_titles(*titles).is_one


def _chosen(passed: Sequence[_Candidate]) -> tuple[_Candidate | None, Sequence[_Candidate]]:
    """The best of those that passed, and those between which only a title decides."""
    if not passed:
        return None, ()
    ordered = sorted(passed, key=_rank)
    rivals = [one for one in ordered if one.evidence is ordered[0].evidence]
    first, *others = map(_proposal, rivals)
    # Sources write one venue in many ways.
    is_one = all(
        first.is_same(other) or (None in (first.doi, other.doi) and first.year == other.year)
        for other in others
    )
    return (ordered[0], ()) if is_one or ordered[0].evidence in NAMED else (None, rivals)


def _rank(candidate: _Candidate) -> tuple[int, bool, bool]:
    best = candidate.best
    is_beside = is_workshop(best.facts.venue or "")
    return _ORDER.index(candidate.evidence), is_beside, "registry" not in best.remarks


def _proposal(candidate: _Candidate) -> Proposal:
    facts = candidate.best.facts
    known = dict.fromkeys(i for one in candidate.records for i in one.facts.identifiers)
    return Proposal(
        *(candidate.evidence, facts.venue or "", facts.year, candidate.best.doi),
        *(facts.published_type, facts.publication),
        tuple(one for one in known if one.scheme != "arxiv" and parse_arxiv_id(one.value) is None),
        tuple(dict.fromkeys(one.source for one in candidate.records)),
    )


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
