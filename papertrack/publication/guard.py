"""The guard before every proposal: four locks, each of which says why it does not open.

People, title, years and venue. What a source says of identifiers decides how wide a lock opens, and
never opens one alone: sources mix up works, and so do the DOIs that authors type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, NamedTuple

from papertrack.identifiers import arxiv_month
from papertrack.publication.people import in_common
from papertrack.publication.record import Record, published_doi
from papertrack.publication.titles import (
    Titles,
    is_in_one_mould,
    is_one_abstract,
    is_same_abstract,
    relate,
    tells_enough,
)
from papertrack.publication.venue_names import appears_in, is_conference
from papertrack.publication.venues import is_journal, is_server, is_workshop, year_in
from papertrack.records import PaperFacts
from papertrack.same_work.people import people_of
from papertrack.same_work.places import is_same_venue
from papertrack.text import plural, shorten, to_ascii

LockName = Literal["people", "title", "years", "venue", "registry"]
"""The four, and that of ``weigh``: what a DOI names is told by who registers DOIs."""


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
    looks = (
        ("people", _people(paper, record.facts, evidence)),
        ("title", _title(paper, record.facts, evidence)),
        ("years", _years(paper, record, evidence)),
        ("venue", _venue(record, evidence, claim)),
    )
    return tuple(Closed(name, reason) for name, reasons in looks for reason in reasons)  # type: ignore[arg-type]


def _people(paper: PaperFacts, told: PaperFacts, evidence: Evidence) -> Iterator[str]:
    common = in_common(paper.authors, told.authors)
    if published_doi(told) is None and not _may_be_key(told.identifier("dblp"), paper):
        yield f"DBLP's key is of other authors: {told.identifier('dblp')}"
    if common is None:
        yield "the authors cannot be compared"
    elif not common.is_enough:
        yield f"{plural(common.number, 'author')} in common"
    elif evidence not in NAMED and not common.is_nearly_all:
        yield f"only {plural(common.number, 'author')} in common"


def _may_be_key(key: str | None, paper: PaperFacts) -> bool:
    """Whether a key of DBLP's, which begins with the first author's name, may be of this paper:
    ``conf/nips/VaswaniSPUJGKP17``."""
    name = re.match("[A-Za-z]+", (key or "").rpartition("/")[2])
    first = people_of(paper.authors[:1])
    if name is None or not first or not (family := to_ascii(first[0].family)):
        return True
    return name[0].casefold().startswith(re.sub("[^a-z]", "", family)[:_OF_KEY])


def _title(paper: PaperFacts, told: PaperFacts, evidence: Evidence) -> Iterator[str]:
    if not paper.title or not told.title:
        yield "it has no title"
        return
    related, against = relate(paper.title, told.title)
    if against:
        yield against
    elif related is Titles.ONE:
        if evidence is Evidence.TITLE and not tells_enough(paper.title):
            yield "so short a title tells nothing"
    elif not _is_retitled(paper, told, related, evidence):
        yield f"another title: {shorten(told.title, 90)}"


def _is_retitled(paper: PaperFacts, told: PaperFacts, related: Titles, evidence: Evidence) -> bool:
    """Whether a work has got another title when it came out."""
    if evidence in NAMED:
        return _is_named_otherwise(paper, told, related)
    common = in_common(paper.authors, told.authors)
    is_known = evidence is Evidence.ABSTRACT and common is not None and common.is_same
    return is_known and is_same_abstract(_texts(paper), _texts(told))


def _texts(facts: PaperFacts) -> tuple[str, str]:
    return facts.title or "", facts.abstract or ""


def _is_named_otherwise(paper: PaperFacts, told: PaperFacts, related: Titles) -> bool:
    """Whether a work that an identifier names has another title, of the same people: one with or
    without a subtitle if its abstract is no other one, or any with the same abstract. That of a
    companion differs in the words of the title: what authors renamed so is left to the reader."""
    common = in_common(paper.authors, told.authors)
    if common is None or not common.is_all:
        return False
    is_one = is_one_abstract(paper.abstract, told.abstract)
    if related is Titles.SHORTER:
        return is_one is not False
    return is_one is True and not is_in_one_mould(_texts(paper), _texts(told))


def _years(paper: PaperFacts, record: Record, evidence: Evidence) -> Iterator[str]:
    first, year = first_year(paper), record.facts.year
    if year is None or "guessed year" in record.remarks:
        yield "it does not say in which year it appeared"
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
        yield "it was submitted there, and not accepted"
    elif "update" in record.remarks:
        yield "it is a notice about another work"
    elif "series" in record.remarks or not venue:
        yield "it does not say where it appeared"
    elif (kind := _OTHER_KINDS.get(facts.published_type or "")) and evidence is not Evidence.DOI:
        yield f"it is a {kind}"
    elif claim and evidence not in NAMED:
        against = [tuple(_against_claim(record, one)) for one in (claim, *claim.also)]
        yield from against[0] if all(against) else ()


def _against_claim(record: Record, claim: Claim) -> Iterator[str]:
    """Workshop, conference and journal have versions of their own: the authors say which."""
    venue, year = record.facts.venue or "", claim.year or year_in(claim.venue)
    if is_workshop(venue) != is_workshop(claim.venue) or _is_of_other_kind(record, claim.venue):
        yield f"the authors say {shorten(claim.venue, 60)}"
    elif year and record.facts.year and abs(year - record.facts.year) > 1:
        yield f"the authors say {year}"


def _is_of_other_kind(record: Record, claimed: str) -> bool:
    """Whether one is a journal and the other a conference, and none appears in the other."""
    venue, kind = record.facts.venue or "", record.facts.published_type
    if is_same_venue(venue, claimed) or appears_in(claimed, venue):
        return False
    if is_journal(claimed):
        return kind == "inproceedings" and not is_journal(venue)
    return kind == "article" and is_journal(venue) and is_conference(claimed)
