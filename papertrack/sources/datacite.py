"""Works by DOI at DataCite, which registers those of arXiv, Zenodo, OSF, Dagstuhl and others.

For arXiv papers it is the last resort: it lags arXiv by hours, and has neither versions nor
comments nor journal references. https://support.datacite.org/docs/api
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from papertrack.identifiers import arxiv_doi, arxiv_month
from papertrack.records import Author, Identifier
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.source import Fetched, Source, SourceRecord, make_facts
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.datacite_answers import Attributes, Creator
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/json", "application/vnd.api+json")
_CATEGORY = re.compile(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)\s*$")
"""At the end of a subject: ``Machine Learning (cs.LG)``."""


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T.*)?)?")
"""A month, a day or a moment; there are also bare years and periods."""
_AT_CROSSREF = frozenset(
    """10.1001 10.1002 10.1007 10.1016 10.1017 10.1021 10.1038 10.1039 10.1056 10.1063 10.1073
    10.1080 10.1088 10.1090 10.1093 10.1098 10.1101 10.1103 10.1109 10.1111 10.1117 10.1126 10.1137
    10.1142 10.1145 10.1155 10.1162 10.1177 10.1186 10.1214 10.1287 10.1364 10.1371 10.1515 10.1561
    10.1609 10.1613 10.2139 10.3115 10.3389 10.3390 10.5555 10.7554 10.7717 10.14778 10.18653
    10.21437 10.24963""".split()
)
"""Prefixes of big publishers, which register at Crossref: to ask DataCite would be for nothing."""


class DataCite(Source):
    """A work by its DOI, or an arXiv paper by the DOI that arXiv registered."""

    name = "datacite"
    title = "DataCite"
    setting = "datacite_url"
    url = "https://api.datacite.org/dois"
    schemes = ("arxiv", "doi")
    stands_in_for = ("arxiv",)

    def answers_for(self, identifier: Identifier) -> bool:
        """Return False for DOIs of publishers that register elsewhere."""
        prefix = identifier.value.partition("/")[0]
        return super().answers_for(identifier) and prefix not in _AT_CROSSREF

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Fetched:
        """Fetch the record of one work."""
        (work,) = identifiers
        response = door.get(
            f"{door.endpoints[self.setting]}/{quote(_doi_of(work))}",
            accept=CONTENT_TYPES,
            expect=frozenset({200, 404}),
        )
        if response.status == 200:
            return Fetched((parse_datacite(response.body, work, host=host_of(response.url)),))
        # It lags arXiv: a paper that it does not know may exist. Of its own DOIs it knows all.
        return Fetched((), (work,) if work.scheme == "doi" else ())


def parse_datacite(
    body: bytes, work: Identifier, *, host: str = "api.datacite.org"
) -> SourceRecord:
    """Parse the record in one response. Pure. Raises BadAnswer for anything else than this work."""
    from papertrack.sources.datacite_answers import read_answer

    known = read_answer(body, host)
    if known.doi.lower() != _doi_of(work):
        raise unexpected(repr(known.doi[:60]), host)
    abstracts = (one.description for one in known.descriptions if one.kind == "Abstract")
    licences = (one.uri for one in known.rights if one.uri)
    facts = make_facts(
        work,
        title=known.titles[0].title,
        abstract=next(abstracts, None),
        authors=map(_author, known.creators),
        licence=next(licences, None),
        **(_arxivs_own(known, work) if work.scheme == "arxiv" else _others(known)),
    )
    # Of withdrawals it does not know, so that silence says nothing.
    facts = facts._replace(is_withdrawn=facts.is_withdrawn or None)
    return SourceRecord(work, facts, DataCite.name)


def _dates(known: Attributes) -> dict[str | None, str]:
    """Kind → date: of each the first, which is the oldest, as there is one for each version."""
    return {one.kind: one.date for one in reversed(known.dates) if _DAY.fullmatch(one.date)}


def _arxivs_own(known: Attributes, paper: Identifier) -> dict[str, Any]:
    """What arXiv registers, in its own ways: categories, dates, the DOI of a journal."""
    dates = _dates(known)
    submitted = dates.get("Submitted") or arxiv_month(paper.value)
    categories = (_CATEGORY.search(one.subject) for one in known.subjects)
    published = (one.identifier for one in known.related if one.relation == "IsVersionOf")
    return {
        "categories": [found[1] for found in categories if found],
        "submitted": submitted,
        "updated": dates.get("Updated") or submitted,
        "doi": next(published, None),
    }


def _others(known: Attributes) -> dict[str, Any]:
    """What all others register: when the work appeared."""
    dates = _dates(known)
    appeared = (dates[kind] for kind in ("Submitted", "Issued", "Created") if kind in dates)
    return {"submitted": next(appeared, None), "year": known.year}


def _doi_of(work: Identifier) -> str:
    return (arxiv_doi(work.value) if work.scheme == "arxiv" else work.value).lower()


def _author(creator: Creator) -> Author:
    name = " ".join(filter(None, [creator.given_name, creator.family_name]))
    where = (
        place if isinstance(place, str) else str(place.get("name") or "")
        for place in creator.affiliation
    )
    return Author(clean(name or creator.name), clean("; ".join(filter(None, where))) or None)
