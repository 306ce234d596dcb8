"""What several formats derive alike from a paper: its address, its year, its repositories."""

from __future__ import annotations

import re

from papertrack.identifiers import arxiv_month, url_of
from papertrack.records import Paper

_PROCEEDINGS = re.compile(
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|neurips|nips|icml|iclr|aaai|ijcai|cvpr"
    r"|iccv|eccv|acl|emnlp|naacl|eacl|coling|sosp|osdi|nsdi|asplos|isca|micro|hpca|mlsys|eurosys"
    r"|sigcomm|sigmod|kdd|www|stoc|focs|soda|icse|fse|pldi|popl|usenix|interspeech|icassp|chi)\b",
    re.IGNORECASE,
)
_TYPE = re.compile(r"[a-z][a-z0-9_-]*")


def type_of(paper: Paper) -> str | None:
    """The BibTeX type of its publication: as known, or as its venue's name tells; else None."""
    facts = paper.facts
    if facts.published_type is not None and _TYPE.fullmatch(facts.published_type):
        return facts.published_type
    if facts.venue is None:
        return None
    return "inproceedings" if _PROCEEDINGS.search(facts.venue) else "article"


def address_of(paper: Paper) -> str | None:
    """Where the work itself is found, or None.

    That is arXiv's page when it is there, otherwise the link that a source gave for it, otherwise
    the address of its strongest identifier.
    """
    by_scheme = {identifier.scheme: identifier for identifier in reversed(paper.facts.identifiers)}
    if "arxiv" in by_scheme:
        return url_of(by_scheme["arxiv"])
    for link in paper.facts.links:
        if link.role == "paper":
            return link.url
    for scheme in ("doi", "openreview", "acl", "dblp", "url"):
        if scheme in by_scheme:
            return url_of(by_scheme[scheme])
    return None


def month_of(paper: Paper) -> str | None:
    """``2023-09``, the month of version 1: as submitted, or as the arXiv id says; else None."""
    submitted = paper.facts.submitted
    if submitted is not None and len(submitted) >= 7:
        return submitted[:7]
    arxiv_id = paper.facts.identifier("arxiv")
    return arxiv_month(arxiv_id) if arxiv_id is not None else None


def year_of(paper: Paper) -> int | None:
    """The year to cite: of publication when there is a venue, otherwise of version 1.

    A year that a source states goes before the one that the arXiv id implies.
    """
    facts = paper.facts
    submitted = int(facts.submitted[:4]) if facts.submitted is not None else None
    stated = (facts.year, submitted) if facts.venue is not None else (submitted, facts.year)
    for year in stated:
        if year is not None:
            return year
    month = month_of(paper)
    return int(month[:4]) if month is not None else None
