"""Look works up by DOI at DataCite, the registry of arXiv, Zenodo, OSF, Dagstuhl and others.

For arXiv papers it is the last resort: it lags arXiv by hours, and has no versions, comments or
journal references. https://support.datacite.org/docs/api
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from papertrack.identifiers import arxiv_doi, arxiv_month
from papertrack.records import Author, Identifier
from papertrack.sources import answers
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.source import Answers, Source, SourceRecord, make_facts
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/json", "application/vnd.api+json")
_CATEGORY = re.compile(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)\s*$")
"""The category at the end of a subject: ``Machine Learning (cs.LG)``."""


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T.*)?)?")
"""A month, a day or a time; bare years and periods do not count."""
_AT_CROSSREF = frozenset(
    """10.1001 10.1002 10.1007 10.1016 10.1017 10.1021 10.1038 10.1039 10.1056 10.1063 10.1073
    10.1080 10.1088 10.1090 10.1093 10.1098 10.1101 10.1103 10.1109 10.1111 10.1117 10.1126 10.1137
    10.1142 10.1145 10.1155 10.1162 10.1177 10.1186 10.1214 10.1287 10.1364 10.1371 10.1515 10.1561
    10.1609 10.1613 10.2139 10.3115 10.3389 10.3390 10.5555 10.7554 10.7717 10.14778 10.18653
    10.21437 10.24963""".split()
)
"""Prefixes of big publishers, which register at Crossref, so that DataCite knows none."""


class DataCite(Source):
    """Looks up a work by its DOI, or an arXiv paper by the DOI that arXiv registered."""

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

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Answers:
        """Fetch the record of one work."""
        (work,) = identifiers
        response = door.get(
            f"{door.endpoints[self.setting]}/{quote(_doi_of(work))}",
            accept=CONTENT_TYPES,
            expect=frozenset({200, 404}),
        )
        if response.status == 200:
            return {work: parse_datacite(response.body, work, host=host_of(response.url))}
        # It lags arXiv, so an arXiv paper that it lacks may exist. Its own DOIs it knows all.
        return {work: None} if work.scheme == "doi" else {}


def parse_datacite(
    body: bytes, work: Identifier, *, host: str = "api.datacite.org"
) -> SourceRecord:
    """Parse the record in one response. Pure. Raises BadAnswer if it is not this work's."""
    fields = answers.table(answers.parse_json(body, host), "data", "attributes")
    doi, titles = answers.text(fields, "doi"), _texts(fields, "titles", "title")
    authors = [author for author in map(_author, answers.tables(fields, "creators")) if author.name]
    if not (doi and titles and authors):
        raise unexpected("no record of a DOI", host)
    if doi.lower() != _doi_of(work):
        raise unexpected(repr(doi[:60]), host)
    facts = make_facts(
        work,
        title=titles[0],
        abstract=next(
            iter(_texts(fields, "descriptions", "description", descriptionType="Abstract")), None
        ),
        authors=authors,
        licence=next(iter(_texts(fields, "rightsList", "rightsUri")), None),
        **(_arxiv_fields(fields, work) if work.scheme == "arxiv" else _other_fields(fields)),
    )
    # It has no withdrawals, so a missing one means nothing.
    facts = facts._replace(is_withdrawn=facts.is_withdrawn or None)
    return SourceRecord(work, facts, DataCite.name)


def _texts(fields: Mapping[str, object], names: str, name: str, **conditions: str) -> list[str]:
    """Return the texts called ``name`` of those objects in a list that meet the conditions."""
    objects = answers.tables(fields, names)
    return [
        text
        for entry in objects
        if all(entry.get(key) == value for key, value in conditions.items())
        and (text := answers.text(entry, name))
    ]


def _dates(fields: Mapping[str, object]) -> dict[str | None, str]:
    """Return kind to date. Each version has dates; the first, which is the oldest, counts."""
    newest_first = reversed(answers.tables(fields, "dates"))
    dates = ((answers.text(e, "dateType"), answers.text(e, "date") or "") for e in newest_first)
    return {kind: date for kind, date in dates if _DATE.fullmatch(date)}


def _arxiv_fields(fields: Mapping[str, object], paper: Identifier) -> dict[str, Any]:
    """Return arXiv's fields in its own forms: categories, dates, the journal DOI."""
    dates = _dates(fields)
    submitted = dates.get("Submitted") or arxiv_month(paper.value)
    categories = map(_CATEGORY.search, _texts(fields, "subjects", "subject"))
    path = "relatedIdentifiers", "relatedIdentifier"
    return {
        "categories": [match[1] for match in categories if match],
        "submitted": submitted,
        "updated": dates.get("Updated") or submitted,
        "doi": next(iter(_texts(fields, *path, relationType="IsVersionOf")), None),
    }


def _other_fields(fields: Mapping[str, object]) -> dict[str, Any]:
    """Return the publication date and year, as all others register them."""
    dates = _dates(fields)
    publication_dates = (dates[k] for k in ("Submitted", "Issued", "Created") if k in dates)
    year = answers.number(fields, "publicationYear")
    return {"submitted": next(publication_dates, None), "year": year}


def _doi_of(work: Identifier) -> str:
    return (arxiv_doi(work.value) if work.scheme == "arxiv" else work.value).lower()


def _author(creator: Mapping[str, object]) -> Author:
    given, family = (answers.text(creator, name) for name in ("givenName", "familyName"))
    name = " ".join(filter(None, [given, family])) or answers.text(creator, "name") or ""
    # Affiliations are plain names, or objects with a name.
    names = answers.texts(creator, "affiliation")
    names += filter(None, (answers.text(a, "name") for a in answers.tables(creator, "affiliation")))
    return Author(clean(name), clean("; ".join(names)) or None)
