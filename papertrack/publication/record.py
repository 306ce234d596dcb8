"""What one source says of one published work."""

from __future__ import annotations

from typing import Literal, NamedTuple

from papertrack.identifiers import parse_arxiv_id, url_of
from papertrack.records import Identifier, PaperFacts

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
