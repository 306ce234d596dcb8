"""arXiv papers by DataCite, where arXiv registers their DOIs: the last resort for one paper.

It lags arXiv by hours, and knows neither versions nor comments nor journal references.
https://support.datacite.org/docs/api
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic import BaseModel, Field, ValidationError

from papertrack.identifiers import arxiv_doi, arxiv_month
from papertrack.records import Author
from papertrack.sources.arxiv_record import ArxivRecord, make_facts
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/json", "application/vnd.api+json")
_CATEGORY = re.compile(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)\s*$")
"""At the end of a subject: ``Machine Learning (cs.LG)``."""


class _Title(BaseModel):
    title: str


class _Creator(BaseModel):
    name: str
    given_name: str | None = Field(None, alias="givenName")
    family_name: str | None = Field(None, alias="familyName")
    # Plain names, or objects with a name.
    affiliation: list[str | dict[str, Any]] = []


class _Description(BaseModel):
    description: str
    kind: str | None = Field(None, alias="descriptionType")


class _Subject(BaseModel):
    subject: str


class _Date(BaseModel):
    date: str
    kind: str | None = Field(None, alias="dateType")
    about: str | None = Field(None, alias="dateInformation")


class _Rights(BaseModel):
    uri: str | None = Field(None, alias="rightsUri")


class _Related(BaseModel):
    identifier: str | None = Field(None, alias="relatedIdentifier")
    kind: str | None = Field(None, alias="relatedIdentifierType")
    relation: str | None = Field(None, alias="relationType")


class _Attributes(BaseModel):
    doi: str
    titles: list[_Title] = Field(min_length=1)
    creators: list[_Creator] = Field(min_length=1)
    descriptions: list[_Description] = []
    subjects: list[_Subject] = []
    dates: list[_Date] = []
    rights: list[_Rights] = Field([], alias="rightsList")
    related: list[_Related] = Field([], alias="relatedIdentifiers")


class _Data(BaseModel):
    attributes: _Attributes


class _Answer(BaseModel):
    data: _Data


def fetch_record(door: Door, arxiv_id: str) -> ArxivRecord | None:
    """What DataCite knows of one paper; None when it does not (yet). Raises SourceFailure."""
    response = door.get(
        f"{door.endpoints.datacite_url}/{quote(arxiv_doi(arxiv_id).lower())}",
        accept=CONTENT_TYPES,
        expect=frozenset({200, 404}),
    )
    if response.status == 404:
        return None
    return parse_datacite(response.body, arxiv_id, host=host_of(response.url))


def parse_datacite(body: bytes, arxiv_id: str, *, host: str = "api.datacite.org") -> ArxivRecord:
    """The record in one answer. Pure. Raises BadAnswer for anything else than this paper."""
    try:
        paper = _Answer.model_validate_json(body).data.attributes
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadAnswer(
            f"answered 200 with no record of a DOI ({where} {first['msg']})"[:200],
            host=host,
            status=200,
        ) from None
    if paper.doi.lower() != arxiv_doi(arxiv_id).lower():
        raise BadAnswer(f"answered 200 with {paper.doi[:60]!r}", host=host, status=200)
    # The first entry of a kind is the oldest: "Submitted" comes once per version.
    dates = {one.kind: one.date for one in reversed(paper.dates)}
    submitted = dates.get("Submitted") or arxiv_month(arxiv_id)
    categories = (_CATEGORY.search(one.subject) for one in paper.subjects)
    return ArxivRecord(
        arxiv_id,
        None,
        make_facts(
            arxiv_id,
            None,
            title=paper.titles[0].title,
            abstract=next(
                (d.description for d in paper.descriptions if d.kind == "Abstract"), None
            ),
            authors=[_author(creator) for creator in paper.creators],
            categories=[found[1] for found in categories if found],
            submitted=submitted,
            updated=dates.get("Updated") or submitted,
            doi=next(
                (one.identifier for one in paper.related if one.relation == "IsVersionOf"), None
            ),
            licence=next((one.uri for one in paper.rights if one.uri), None),
        ),
        "datacite",
    )


def _author(creator: _Creator) -> Author:
    name = " ".join(filter(None, [creator.given_name, creator.family_name]))
    where = (
        place if isinstance(place, str) else str(place.get("name") or "")
        for place in creator.affiliation
    )
    return Author(clean(name or creator.name), clean("; ".join(filter(None, where))) or None)
