"""The form of DataCite's responses, for validation. Importing this module imports pydantic."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field, ValidationError

from papertrack.sources.failures import unexpected


class _Title(BaseModel):
    title: str


class Creator(BaseModel):
    """An author of a work."""

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


class _Rights(BaseModel):
    uri: str | None = Field(None, alias="rightsUri")


class _Related(BaseModel):
    identifier: str | None = Field(None, alias="relatedIdentifier")
    relation: str | None = Field(None, alias="relationType")


class Attributes(BaseModel):
    """The fields of a work."""

    doi: str
    titles: list[_Title] = Field(min_length=1)
    creators: list[Creator] = Field(min_length=1)
    descriptions: list[_Description] = []
    subjects: list[_Subject] = []
    dates: list[_Date] = []
    year: int | None = Field(None, alias="publicationYear")
    rights: list[_Rights] = Field([], alias="rightsList")
    related: list[_Related] = Field([], alias="relatedIdentifiers")


class _Data(BaseModel):
    attributes: Attributes


class _Answer(BaseModel):
    data: _Data


def read_answer(body: bytes, host: str) -> Attributes:
    """Return the work in one response. Raises BadAnswer for anything else."""
    try:
        return _Answer.model_validate_json(body).data.attributes
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise unexpected(f"no record of a DOI ({where} {first['msg']})"[:180], host) from None
