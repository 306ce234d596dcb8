"""Decide whether a preprint has been published: four checks ("locks") on sources' records.

The locks are people, title, years and venue, and each gives the reason if it stays closed.
Identifiers in a record widen what a lock accepts, but never open one alone: sources confuse works,
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
    is_by_pattern,
    is_long_enough,
    is_revised_abstract,
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
    "registry",  # it comes from the registry of the DOI, which decides what the DOI names
    "preprint",  # from a preprint server or a repository, whatever the venue is called
    "update",  # an erratum or a retraction notice, which is about another work
    "series",  # its venue is a series of books, and not the book
    "guessed year",  # the year may be that of the preprint
    "refused",  # submitted there, but withdrawn, rejected or undecided
]


class Record(NamedTuple):
    """One work as a source describes it, with the facts that the checks need."""

    source: str
    """The name of the source: ``crossref``."""
    facts: PaperFacts
    """The ``arxiv`` identifiers are those to which the source itself links the work."""
    remarks: frozenset[Remark] = frozenset()
    years: frozenset[int] = frozenset()
    """All years in the record: print, online."""

    @property
    def doi(self) -> str | None:
        """The DOI of the published work; None if there is none but that of the preprint."""
        return published_doi(self.facts)

    def links(self, arxiv_id: str | None) -> bool:
        """Return whether the source links the work to this arXiv id."""
        arxiv_ids = (i.value for i in self.facts.identifiers if i.scheme == "arxiv")
        return arxiv_id is not None and arxiv_id in arxiv_ids


def published_doi(facts: PaperFacts) -> str | None:
    """Return the first DOI that arXiv did not assign to the preprint itself, or None."""
    dois = (identifier.value for identifier in facts.identifiers if identifier.scheme == "doi")
    return next((doi for doi in dois if parse_arxiv_id(doi) is None), None)


def published_address(facts: PaperFacts) -> str | None:
    """Return the URL of the published work, or None if only preprint ids are known."""
    doi = published_doi(facts)
    identifiers = [Identifier("doi", doi)] if doi else []
    identifiers += [i for i in facts.identifiers if i.scheme in ("acl", "openreview")]
    return url_of(identifiers[0]) if identifiers else None


LockName = Literal["people", "title", "years", "venue", "registry"]
"""The four locks, and that of ``weigh``: only the registry decides what a DOI names."""


class Evidence(StrEnum):
    """Evidence for a publication, the strongest first. Each is a reason, not a score."""

    LINKED = "linked"
    """A source links the arXiv id itself."""
    DOI = "doi"
    """arXiv has this DOI from the authors, and title and authors confirm it."""
    TITLE = "title"
    """Title and authors agree."""
    ABSTRACT = "abstract"
    """Abstract and authors agree, under another title."""
    COMMENT = "comment"
    """Only the authors say so, in their comment or journal reference at arXiv."""


class ClosedLock(NamedTuple):
    """A lock that stays closed, and the reason."""

    lock: LockName
    reason: str


class Claim(NamedTuple):
    """Where the authors say, at arXiv, that their paper has appeared or will."""

    venue: str
    year: int | None = None
    also: tuple[Claim, ...] = ()
    """Further venues in the same claim: a journal after a conference."""


_ALLOWED_YEARS = {
    Evidence.LINKED: (10, 10),
    Evidence.DOI: (10, 10),
    Evidence.TITLE: (1, 5),
    Evidence.ABSTRACT: (1, 5),
}
"""Years that the publication may be before and after the first version.

Old papers are put on arXiv too, which an identifier confirms.
"""
BY_IDENTIFIER = frozenset({Evidence.LINKED, Evidence.DOI})
"""Here an identifier names the work; other evidence is only similarity."""
_KEY_LEN = 3
"""Letters of a name that are compared with DBLP's key, which has its own way with umlauts."""
_NOT_PAPERS = {
    **dict.fromkeys(("mvbook", "proceedings", "collection", "mvcollection", "reference"), "book"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "thesis"),
    **dict.fromkeys(("techreport", "report"), "report"),
    **{kind: kind for kind in ("book", "dataset", "software")},
}
"""Kinds of works that often have a paper's title but are not that paper."""


def closed_locks(
    paper: PaperFacts, record: Record, evidence: Evidence, claim: Claim | None = None
) -> tuple[ClosedLock, ...]:
    """Return the locks that stay closed for this record; none if it is the publication."""
    pair = Pair(Description.of(paper), Description.of(record.facts))
    checks = (
        ("people", _people(paper, record.facts, pair, evidence)),
        ("title", _title(paper, record.facts, pair, evidence)),
        ("years", _years(paper, record, evidence)),
        ("venue", _venue(record, evidence, claim)),
    )
    return tuple(ClosedLock(n, reason) for n, r in checks for reason in r)  # type: ignore[arg-type]


def _people(paper: PaperFacts, facts: PaperFacts, pair: Pair, evidence: Evidence) -> Iterator[str]:
    """Yield why the authors do not match."""
    common, key = pair.people, facts.identifier("dblp")
    # The key begins with the first author's name: ``conf/nips/VaswaniSPUJGKP17``.
    name = re.match("[A-Za-z]+", (key or "").rpartition("/")[2])
    family = re.sub("[^a-z]", "", to_ascii(pair.left.people[0].family)) if pair.left.people else ""
    if published_doi(facts) is None and name and not name[0].lower().startswith(family[:_KEY_LEN]):
        yield f"The DBLP key names other authors: {key}"
    if common is None:
        yield "the authors cannot be compared"
    elif not common.is_enough:
        yield f"{plural(common.number, 'author')} in common"
    elif evidence not in BY_IDENTIFIER and not common.is_nearly_all:
        yield f"only {plural(common.number, 'author')} in common"


def _title(paper: PaperFacts, facts: PaperFacts, pair: Pair, evidence: Evidence) -> Iterator[str]:
    """Yield why the title does not match."""
    if not paper.title or not facts.title:
        yield "it has no title"
    elif against := pair.titles.against or pair.titles.version:
        yield against
    elif pair.titles.is_one:
        if evidence is Evidence.TITLE and not (pair.is_telling and " " in paper.title):
            yield "the title is too short to identify a work"
    elif not _is_retitled(paper, facts, pair, evidence):
        yield f"another title: {shorten(facts.title, 90)}"


def _is_retitled(paper: PaperFacts, facts: PaperFacts, pair: Pair, evidence: Evidence) -> bool:
    """Return whether a work may have changed its title when it was published.

    The people must be the same. If an identifier names the work, a subtitle may differ unless the
    abstracts contradict it, and the whole title if the abstract is a revision. Companion papers
    differ in the same words in title and abstract; the user decides on these.
    """
    title, other_title = paper.title or "", facts.title or ""
    texts = (title, paper.abstract or ""), (other_title, facts.abstract or "")
    if pair.people is None:
        return False
    if evidence not in BY_IDENTIFIER:
        is_same_people = evidence is Evidence.ABSTRACT and pair.people.is_same
        return is_same_people and is_same_abstract(*texts)
    if pair.people.of_shorter < 1:
        return False
    is_revision = is_revised_abstract(paper.abstract, facts.abstract)
    if pair.likeness is Likeness.CUT and is_long_enough(title, other_title):
        return is_revision is not False
    return is_revision is True and not is_by_pattern(*texts)


def _years(paper: PaperFacts, record: Record, evidence: Evidence) -> Iterator[str]:
    """Yield why the year does not match."""
    first, year = first_year(paper), record.facts.year
    if year is None or "guessed year" in record.remarks:
        yield "its year of publication is not known"
        return
    before, after = _ALLOWED_YEARS[evidence]
    if first is not None and not first - before <= year <= first + after:
        yield f"it appeared in {year}, and the first version is of {first}"


def first_year(paper: PaperFacts) -> int | None:
    """Return the year of the first version, from the source or the arXiv id."""
    arxiv_id = paper.identifier("arxiv")
    month = paper.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    return int(month[:4]) if month else None


def _venue(record: Record, evidence: Evidence, claim: Claim | None) -> Iterator[str]:
    """Yield why the venue is not where the paper appeared."""
    facts, venue = record.facts, record.facts.venue
    if "preprint" in record.remarks or (venue and is_server(venue)):
        yield f"{venue or 'it'} is a preprint server"
    elif "refused" in record.remarks:
        yield "it was submitted there, but not accepted"
    elif "update" in record.remarks:
        yield "it is a notice about another work"
    elif "series" in record.remarks or not venue:
        yield "its venue is not known"
    elif (kind := _NOT_PAPERS.get(facts.published_type or "")) and evidence is not Evidence.DOI:
        yield f"it is a {kind}"
    elif claim and evidence not in BY_IDENTIFIER:
        against = [tuple(_claim_reasons(record, each_claim)) for each_claim in (claim, *claim.also)]
        yield from against[0] if all(against) else ()


def _claim_reasons(record: Record, claim: Claim) -> Iterator[str]:
    """Yield how a record contradicts the authors, who know which version is where."""
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
"""Prefix of the DOIs of the ACL Anthology, before the Anthology's own id."""
_UNREGISTERED = ClosedLock("registry", "the registry of this DOI did not say which work it names")
_SEVERAL = ClosedLock("title", "its title fits several publications")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A publication for which all locks open, with its evidence."""

    evidence: Evidence
    venue: str
    year: int | None
    doi: str | None
    published_type: str | None
    publication: tuple[tuple[str, str], ...]
    identifiers: tuple[Identifier, ...]
    sources: tuple[str, ...]
    """Names of sources; ``arxiv-api`` for what the authors say."""

    def is_same(self, other: Proposal) -> bool:
        """Return whether both are the same publication, whatever details each has."""
        if self.doi and other.doi:
            return self.doi == other.doi
        is_one = is_same_venue(self.venue, other.venue) is True
        return is_one and (self.year == other.year or None in (self.year, other.year))


@dataclass(frozen=True, slots=True)
class Doubt:
    """A source's record for which a lock stays closed."""

    source: str
    title: str | None
    venue: str | None
    doi: str | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of weighing the records of all sources."""

    proposal: Proposal | None
    doubts: tuple[Doubt, ...]
    unconfirmed: tuple[str, ...] = ()
    """DOIs of works under another title that an abstract, if a source had one, could confirm."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The records of one publication: those with the same DOI, or one record without."""

    records: tuple[Record, ...]
    evidence: Evidence

    @property
    def main_record(self) -> Record:
        """The record whose values are used: that of the registry, if there is one."""
        return next((r for r in self.records if "registry" in r.remarks), self.records[0])


def weigh(paper: PaperFacts, records: Sequence[Record], claim: Claim | None = None) -> Outcome:
    """Return the publication that the records support, and the records that are doubted.

    If several pass, the one with the strongest evidence is proposed. If only similarity supports
    several, none is: nothing decides between them. A claim of the authors alone is proposed as
    such.
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
    best, unsure = _choose_best(passed)
    doubts += [_doubt(candidate, (_SEVERAL,)) for candidate in unsure]
    proposal = _proposal(best) if best else _proposal_of_claim(paper, claim)
    return Outcome(proposal, tuple(doubts), tuple(unconfirmed))


def describe(paper: PaperFacts, records: Sequence[Record]) -> Outcome:
    """Return the work that a DOI names, for a paper that is on no preprint server."""
    record = next((c for c in records if "registry" in c.remarks), None)
    if record is None:
        return Outcome(None, ())
    candidate = _Candidate((record,), Evidence.DOI)
    locks = ("title", "venue") if paper.title else ("venue",)
    closed = [lock for lock in closed_locks(paper, record, Evidence.DOI) if lock.lock in locks]
    if closed:
        return Outcome(None, (_doubt(candidate, closed),))
    return Outcome(_proposal(candidate), ())


def _candidates(paper: PaperFacts, records: Sequence[Record]) -> Iterator[_Candidate]:
    """Yield the records of each publication, grouped by DOI or by the DOI of their ACL id."""
    groups: dict[object, list[Record]] = {}
    for number, record in enumerate(records):
        acl = record.facts.identifier("acl")
        name = record.doi or (f"{_ACL}{acl.lower()}" if acl else number)
        groups.setdefault(name, []).append(record)
    for group in groups.values():
        yield _Candidate(tuple(group), _evidence(paper, group))


def _evidence(paper: PaperFacts, records: Sequence[Record]) -> Evidence:
    """Return the evidence of these records, before any check."""
    arxiv_id, doi = paper.identifier("arxiv"), published_doi(paper)
    if arxiv_id and any(record.links(arxiv_id) for record in records):
        return Evidence.LINKED
    if doi and records[0].doi == doi:
        return Evidence.DOI
    is_titled = any(_is_titled_alike(paper, record.facts) for record in records)
    return Evidence.TITLE if is_titled else Evidence.ABSTRACT


def _closed(paper: PaperFacts, candidate: _Candidate, claim: Claim | None) -> Iterator[ClosedLock]:
    best = candidate.main_record
    is_registered = "registry" in best.remarks
    if best.doi and not is_registered:
        yield _UNREGISTERED
    for record in candidate.records:
        record_with_abstract = _with_abstract(record, candidate.records)
        for closed in closed_locks(paper, record_with_abstract, candidate.evidence, claim):
            # The registry knows place and date better: other sources guess or shorten.
            is_guess = is_registered and record is not best and closed.lock in ("years", "venue")
            if not is_guess:
                yield closed


def _with_abstract(record: Record, others: Sequence[Record]) -> Record:
    """Return the record with its own abstract or that of another record of the same title."""
    candidates = (other.facts for other in others if _is_titled_alike(record.facts, other.facts))
    abstract = record.facts.abstract or next((f.abstract for f in candidates if f.abstract), None)
    return record._replace(facts=record.facts._replace(abstract=abstract))


def _is_titled_alike(left: PaperFacts, right: PaperFacts) -> bool:
    titles = left.title or "", right.title or ""
    return all(titles) and compare_titles(*titles).is_one


def _choose_best(passed: Sequence[_Candidate]) -> tuple[_Candidate | None, Sequence[_Candidate]]:
    """Return the best candidate, and rivals if only a title decides between them."""
    if not passed:
        return None, ()
    ordered = sorted(passed, key=_rank)
    rivals = [candidate for candidate in ordered if candidate.evidence is ordered[0].evidence]
    first, *others = map(_proposal, rivals)
    # Sources write the same venue in many ways.
    is_same = all(
        first.is_same(other) or (None in (first.doi, other.doi) and first.year == other.year)
        for other in others
    )
    return (ordered[0], ()) if is_same or ordered[0].evidence in BY_IDENTIFIER else (None, rivals)


def _rank(candidate: _Candidate) -> tuple[int, bool, bool]:
    best = candidate.main_record
    at_workshop = is_workshop(best.facts.venue or "")
    return _ORDER.index(candidate.evidence), at_workshop, "registry" not in best.remarks


def _proposal(candidate: _Candidate) -> Proposal:
    facts = candidate.main_record.facts
    identifiers = dict.fromkeys(i for r in candidate.records for i in r.facts.identifiers)
    return Proposal(
        *(candidate.evidence, facts.venue or "", facts.year, candidate.main_record.doi),
        *(facts.published_type, facts.publication),
        tuple(i for i in identifiers if i.scheme != "arxiv" and parse_arxiv_id(i.value) is None),
        tuple(dict.fromkeys(record.source for record in candidate.records)),
    )


def _proposal_of_claim(paper: PaperFacts, claim: Claim | None) -> Proposal | None:
    """Return the proposal of the authors' claim; a year far from the preprint is a typo."""
    first = first_year(paper)
    if claim is None or (first and claim.year and not -10 <= claim.year - first <= 10):
        return None
    values = Evidence.COMMENT, claim.venue, claim.year, None, None, (), (), ("arxiv-api",)
    return Proposal(*values)


def _doubt(candidate: _Candidate, closed: Sequence[ClosedLock]) -> Doubt:
    best = candidate.main_record
    reasons = tuple(dict.fromkeys(lock.reason for lock in closed))
    return Doubt(best.source, best.facts.title, best.facts.venue, best.doi, reasons)


def _unconfirmed(
    paper: PaperFacts, candidate: _Candidate, closed: Sequence[ClosedLock]
) -> Iterator[str]:
    """Yield the DOI that an identifier names if only the title contradicts it."""
    best = candidate.main_record
    is_confirmable = candidate.evidence in BY_IDENTIFIER and paper.abstract is not None
    abstract = _with_abstract(best, candidate.records).facts.abstract
    if best.doi and is_confirmable and not abstract and {lock.lock for lock in closed} == {"title"}:
        yield best.doi
