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
from operator import attrgetter
from typing import Literal, NamedTuple

from papertrack.identifiers import arxiv_month, parse_arxiv_id, url_of
from papertrack.matching import venues
from papertrack.matching.judge import NOT_PAPERS, Description, Pair
from papertrack.matching.people import compare_authors, people_of
from papertrack.matching.titles import compare_abstracts, compare_titles
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

    @property
    def all_years(self) -> set[int]:
        """All years in the record, with those of the preprint's versions."""
        dates = filter(None, (self.facts.submitted, self.facts.updated))
        return {*self.years, *filter(None, [self.facts.year]), *(int(date[:4]) for date in dates)}


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


class Claim(NamedTuple):
    """Where the authors say, at arXiv, that their paper has appeared or will."""

    venue: str
    year: int | None = None
    also: tuple[Claim, ...] = ()
    """Further venues in the same claim: a journal after a conference."""


BY_IDENTIFIER = frozenset({Evidence.LINKED, Evidence.DOI})
"""Here an identifier names the work; other evidence is only similarity."""
_YEARS_BY_IDENTIFIER, _YEARS = (10, 10), (1, 5)
"""Years that the publication may be before and after the first version.

Old papers are put on arXiv too, which an identifier confirms.
"""
_KEY_LEN = 3
"""Letters of a name that are compared with DBLP's key, which has its own way with umlauts."""
_ACL = "10.18653/v1/"
"""Prefix of the DOIs of the ACL Anthology, before the Anthology's own id."""
_ClosedLock = tuple[Literal["people", "title", "years", "venue", "registry"], str]
"""One of the four locks, or that only the registry decides what a DOI names; and the reason."""
_UNREGISTERED: _ClosedLock = (
    "registry",
    "the registry of this DOI did not say which work it names",
)
_SEVERAL: _ClosedLock = ("title", "its title fits several publications")


def _closed_locks(
    paper: PaperFacts, record: Record, evidence: Evidence, claim: Claim | None = None
) -> Iterator[_ClosedLock]:
    """Yield the locks that stay closed for this record; none if it is the publication."""
    pair = Pair(Description(paper), Description(record.facts))
    yield from (("people", reason) for reason in _people(record, pair, evidence))
    yield from (("title", reason) for reason in _title(paper, record.facts, pair, evidence))
    yield from (("years", reason) for reason in _years(paper, record, evidence))
    yield from (("venue", reason) for reason in _venue(record, pair, evidence, claim))


def _people(record: Record, pair: Pair, evidence: Evidence) -> Iterator[str]:
    """Yield why the authors do not match."""
    common, key = pair.people, record.facts.identifier("dblp") or ""
    # The key begins with the first author's name: ``conf/nips/VaswaniSPUJGKP17``.
    name = re.match("[A-Za-z]+", key.rpartition("/")[2])
    people = people_of(pair.left.facts.authors)
    family = re.sub("[^a-z]", "", to_ascii(people[0].family)) if people else ""
    if record.doi is None and name and not name[0].lower().startswith(family[:_KEY_LEN]):
        yield f"The DBLP key names other authors: {key}"
    if common is None:
        yield "the authors cannot be compared"
    elif not (common.is_enough if evidence in BY_IDENTIFIER else common.is_nearly_all):
        yield f"{plural(common.number, 'author')} in common"


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
    texts = ((both.title or "", both.abstract or "") for both in (paper, facts))
    abstracts = compare_abstracts(*texts)
    if pair.people is None or pair.people.of_shorter < 1:
        return False
    if evidence not in BY_IDENTIFIER:
        return evidence is Evidence.ABSTRACT and pair.people.is_same and abstracts == "same"
    if pair.titles.is_telling_cut:
        return abstracts != "other"
    return abstracts in ("same", "revised")


def _years(paper: PaperFacts, record: Record, evidence: Evidence) -> Iterator[str]:
    """Yield why the year does not match."""
    first, year = _first_year(paper), record.facts.year
    before, after = _YEARS_BY_IDENTIFIER if evidence in BY_IDENTIFIER else _YEARS
    if year is None or "guessed year" in record.remarks:
        yield "its year of publication is not known"
    elif first is not None and not first - before <= year <= first + after:
        yield f"it appeared in {year}, and the first version is of {first}"


def _first_year(paper: PaperFacts) -> int | None:
    """Return the year of the first version, from the source or the arXiv id."""
    arxiv_id = paper.identifier("arxiv")
    month = paper.submitted or (arxiv_month(arxiv_id) if arxiv_id else None)
    return int(month[:4]) if month else None


def _venue(record: Record, pair: Pair, evidence: Evidence, claim: Claim | None) -> Iterator[str]:
    """Yield why the venue is not where the paper appeared."""
    venue, form = record.facts.venue, pair.right.form
    if "preprint" in record.remarks or (venue and venues.is_server(venue)):
        yield f"{venue or 'it'} is a preprint server"
    elif "refused" in record.remarks:
        yield "it was submitted there, but not accepted"
    elif "update" in record.remarks:
        yield "it is a notice about another work"
    elif "series" in record.remarks or not venue:
        yield "its venue is not known"
    elif form in {*NOT_PAPERS, "a report"} and evidence is not Evidence.DOI:
        yield f"it is {form}"
    elif claim and evidence not in BY_IDENTIFIER:
        against = [tuple(_claim_reasons(record, each_claim)) for each_claim in (claim, *claim.also)]
        yield from against[0] if all(against) else ()


def _claim_reasons(record: Record, claim: Claim) -> Iterator[str]:
    """Yield how a record contradicts the authors, who know which version is where."""
    venue, year = record.facts.venue or "", claim.year or venues.year_in(claim.venue)
    kind = "conference" if record.facts.published_type == "inproceedings" else None
    kinds = {venues.kind_of(claim.venue), venues.kind_of(venue) or kind} - {None}
    is_one = venues.is_same_venue(venue, claim.venue) or venues.appears_in(claim.venue, venue)
    is_other_kind = len(kinds) > 1 and not is_one
    if venues.is_workshop(venue) != venues.is_workshop(claim.venue) or is_other_kind:
        yield f"the authors say {shorten(claim.venue, 60)}"
    elif year and record.facts.year and abs(year - record.facts.year) > 1:
        yield f"the authors say {year}"


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
        is_one = venues.is_same_venue(self.venue, other.venue) is True
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

    evidence: Evidence
    record: Record
    """That of the registry, if there is one, with the abstract of any record of the same work."""
    records: tuple[Record, ...]

    @property
    def rank(self) -> tuple[int, bool, bool]:
        """The strongest evidence comes first, then conferences before workshops."""
        at_workshop = venues.is_workshop(self.record.facts.venue or "")
        return [*Evidence].index(self.evidence), at_workshop, "registry" not in self.record.remarks


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
        record, evidence = candidate.record, candidate.evidence
        closed = [*_closed_locks(paper, record, evidence, claim)]
        if record.doi and "registry" not in record.remarks:
            closed.insert(0, _UNREGISTERED)
        elif record.doi and {lock for lock, _ in closed} == {"title"} and not record.facts.abstract:
            # Only the title contradicts what an identifier names: an abstract could confirm it.
            unconfirmed += [record.doi] if evidence in BY_IDENTIFIER and paper.abstract else []
        if closed:
            doubts.append(_doubt(record, closed))
        else:
            passed.append(candidate)
    best, rivals = _choose_best(passed)
    doubts += [_doubt(candidate.record, (_SEVERAL,)) for candidate in rivals]
    proposal = _proposal(best) if best else _proposal_of_claim(paper, claim)
    return Outcome(proposal, tuple(doubts), tuple(unconfirmed))


def describe(paper: PaperFacts, records: Sequence[Record]) -> Outcome:
    """Return the work that a DOI names, for a paper that is on no preprint server."""
    record = next((record for record in records if "registry" in record.remarks), None)
    if record is None:
        return Outcome(None, ())
    locks = ("title", "venue") if paper.title else ("venue",)
    closed = [c for c in _closed_locks(paper, record, Evidence.DOI) if c[0] in locks]
    if closed:
        return Outcome(None, (_doubt(record, closed),))
    return Outcome(_proposal(_Candidate(Evidence.DOI, record, (record,))), ())


def _candidates(paper: PaperFacts, records: Sequence[Record]) -> Iterator[_Candidate]:
    """Yield the records of each publication, grouped by DOI or by the DOI of their ACL id."""
    groups: dict[object, list[Record]] = {}
    for number, record in enumerate(records):
        acl = record.facts.identifier("acl")
        name = record.doi or (f"{_ACL}{acl.lower()}" if acl else number)
        groups.setdefault(name, []).append(record)
    for group in groups.values():
        main = next((record for record in group if "registry" in record.remarks), group[0])
        same = [main.facts, *(r.facts for r in group if _is_same_work(main.facts, r.facts))]
        abstract = next((facts.abstract for facts in same if facts.abstract), None)
        main = main._replace(facts=main.facts._replace(abstract=abstract))
        yield _Candidate(_evidence(paper, group), main, tuple(group))


def _evidence(paper: PaperFacts, records: Sequence[Record]) -> Evidence:
    """Return the evidence of these records, before any check."""
    arxiv_id, doi = paper.identifier("arxiv"), published_doi(paper)
    if arxiv_id and any(Identifier("arxiv", arxiv_id) in r.facts.identifiers for r in records):
        return Evidence.LINKED
    if doi and records[0].doi == doi:
        return Evidence.DOI
    is_titled = any(_is_titled_alike(paper, record.facts) for record in records)
    return Evidence.TITLE if is_titled else Evidence.ABSTRACT


def _is_same_work(left: PaperFacts, right: PaperFacts) -> bool:
    """Return whether two records of one DOI describe the same work; DOIs may be wrong."""
    common = compare_authors(left.authors, right.authors)
    return common is not None and common.is_enough and _is_titled_alike(left, right)


def _is_titled_alike(left: PaperFacts, right: PaperFacts) -> bool:
    return compare_titles(left.title, right.title).is_one


def _choose_best(passed: Sequence[_Candidate]) -> tuple[_Candidate | None, Sequence[_Candidate]]:
    """Return the best candidate, and rivals if only a title decides between them."""
    if not passed:
        return None, ()
    best = min(passed, key=attrgetter("rank"))
    rivals = [candidate for candidate in passed if candidate.evidence is best.evidence]
    first, *others = map(_proposal, (best, *rivals))
    # Sources write the same venue in many ways.
    is_same = all(
        first.is_same(other) or (None in (first.doi, other.doi) and first.year == other.year)
        for other in others
    )
    return (best, ()) if is_same or best.evidence in BY_IDENTIFIER else (None, rivals)


def _proposal(candidate: _Candidate) -> Proposal:
    facts = candidate.record.facts
    identifiers = dict.fromkeys(i for r in candidate.records for i in r.facts.identifiers)
    return Proposal(
        *(candidate.evidence, facts.venue or "", facts.year, candidate.record.doi),
        *(facts.published_type, facts.publication),
        tuple(i for i in identifiers if i.scheme != "arxiv" and parse_arxiv_id(i.value) is None),
        tuple(dict.fromkeys(record.source for record in candidate.records)),
    )


def _proposal_of_claim(paper: PaperFacts, claim: Claim | None) -> Proposal | None:
    """Return the proposal of the authors' claim; a year far from the preprint is a typo."""
    first = _first_year(paper)
    if claim is None or (first and claim.year and not -10 <= claim.year - first <= 10):
        return None
    values = Evidence.COMMENT, claim.venue, claim.year, None, None, (), (), ("arxiv-api",)
    return Proposal(*values)


def _doubt(record: Record, closed: Sequence[_ClosedLock]) -> Doubt:
    reasons = tuple(dict.fromkeys(reason for _, reason in closed))
    return Doubt(record.source, record.facts.title, record.facts.venue, record.doi, reasons)
