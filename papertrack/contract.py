"""The JSON contract: how ``list``, ``show`` and ``export`` print papers and the library's data.

``import`` reads files with the same models. New versions add keys but never change them. Unknown
values are null.
"""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from papertrack.records import Decision, Kind, Link, LinkRole, PaperFacts

Text = Annotated[str, Field(min_length=1)]
"""A text that is never empty; an unknown value is null."""


def _is_moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


Moment = Annotated[Text, AfterValidator(_is_moment)]
"""A day or a time."""


def _is_day(text: str) -> str:
    if not re.fullmatch(r"\d{4}(-\d\d(-\d\d([T ][\d:.+Z-]{1,30})?)?)?", text, re.ASCII):
        raise ValueError("is no day")
    date.fromisoformat(f"{text}-01-01"[:10])
    return text


Day = Annotated[Text, AfterValidator(_is_day)]
"""A day, a month or a year, or a time of a day."""
PassNumber = Annotated[int, Field(ge=1, le=3)]
PassesDone = Annotated[int, Field(ge=0, le=3)]


class Shape(BaseModel):
    """One JSON object with exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PaperLink(Shape):
    role: LinkRole
    label: Text | None
    url: Text


class PassReading(Shape):
    """One pass through a paper."""

    pass_number: PassNumber = Field(alias="pass")
    at: Day | None
    minutes: Annotated[int, Field(gt=0)] | None
    version: int | None
    takeaway: Text | None


class PlainPaper(Shape):
    """A paper with its metadata and the user's data."""

    id: int
    kind: Kind
    citekey: Text
    title: Text | None
    authors: list[Text]
    arxiv_id: Text | None
    version: int | None
    doi: Text | None
    url: Text | None
    submitted: Day | None
    updated: Day | None
    primary_category: Text | None
    arxiv_categories: list[Text]
    abstract: Text | None
    categories: list[Text]
    tags: list[Text]
    passes_done: PassesDone
    readings: list[PassReading]
    decision: Decision
    decision_reason: Text | None
    rating: Annotated[int, Field(ge=1, le=5)] | None
    snoozed_until: Day | None
    links: list[PaperLink]
    notes: list[Text]
    topics: list[Text]
    added: Moment
    description: Text | None
    comment: Text | None
    venue: Text | None
    year: int | None
    journal_ref: Text | None
    is_withdrawn: bool | None
    citekey_aliases: list[Text]


class RankReason(Shape):
    """A reason for a paper's rank: words, authors of saved papers, a similar paper, or a topic."""

    kind: Literal["words", "authors", "near", "topic"]
    text: Text
    citekey: Text | None


class Rank(Shape):
    """How likely the user is to save a paper; above 0 it resembles saved papers more."""

    score: float
    reasons: list[RankReason]


class Paper(PlainPaper):
    """A paper in a list, with its rank if it is in the inbox and was ranked."""

    rank: Rank | None


class ShownPaper(Paper):
    """A paper as `show` prints it."""

    files: list[Text]
    """Paths of the paper's files in the library: its PDF and other attachments."""


class NamedIdentifier(Shape):
    scheme: Text
    value: Text


class PaperAuthor(Shape):
    name: Text
    affiliation: Text | None
    family: Text | None


class FieldSource(Shape):
    """The source of a field, or of an answer about an identifier; ``user`` is you."""

    field: Text
    source: Text
    at: Text


class StoredPublication(Shape):
    """A suggested publication, as the library stores it."""

    evidence: Literal["linked", "doi", "title", "abstract", "comment"]
    venue: Text | None
    year: int | None
    doi: Text | None
    type: Text | None
    publication: list[tuple[Text, Text]]
    identifiers: list[tuple[Text, Text]]
    sources: Annotated[list[Text], Field(min_length=1)]


class StoredProposal(Shape):
    """An agent's proposal, as the library stores it."""

    value: Text
    reason: str


_ACTS = dict.fromkeys(("category", "tag", "note", "discard"), StoredProposal)
"""Fields of suggestions for the acts that agents can propose (see ``actions.proposals``)."""


@cache
def _suggestion_type(field: str) -> TypeAdapter[Any]:
    kinds = get_type_hints(PaperFacts) | {"links": Link, "publication": StoredPublication}
    return TypeAdapter((kinds | _ACTS)[field])


def check_suggestion(field: str, value: str) -> None:
    """Raise ValueError if the JSON of a suggestion does not fit its field."""
    if field not in {*PaperFacts._fields, *_ACTS}:
        raise ValueError(f"{field[:40]} is not a field of a paper")
    _suggestion_type(field).validate_json(value, strict=True)


class StoredSuggestion(Shape):
    """A value from a source that differs from the library's, and the user's answer."""

    field: Text
    value: Any
    source: Text
    at: Text
    state: Literal["open", "accepted", "rejected"]

    @model_validator(mode="after")
    def _is_sound(self) -> StoredSuggestion:
        check_suggestion(self.field, json.dumps(self.value))
        return self


class Original(Shape):
    """The source's original record of a paper, unchanged."""

    source: Text
    text: str


class TopicMatch(Shape):
    topic: Text
    reason: Text
    score: float
    found_at: Moment


class CategoryPosition(Shape):
    category: Text
    position: int


class Topic(Shape):
    name: Text
    query: Text | None
    arxiv_categories: list[Text]
    cross: bool
    feeds: list[Text] = Field(default_factory=list)
    category: Text | None
    paused: bool
    added: Text | None


class RegisteredDocument(Shape):
    file: Text
    kind: Literal["markdown", "bibtex"]
    settings: dict[str, str]


class Holdings(Shape):
    """A library's data besides its papers."""

    categories: list[Text]
    """All categories in the user's order, including those without a paper."""
    topics: list[Topic]
    documents: list[RegisteredDocument]
    forgotten: list[Text] = Field(default_factory=list)
    """Words that the ranking ignores, and authors with a leading @."""


class WholePaper(PlainPaper):
    """A paper with all data of the library about it; `import` reads it from a file."""

    identifiers: list[NamedIdentifier]
    author_details: list[PaperAuthor]
    announced: Text | None
    published_type: Text | None
    publication: list[list[str]]
    """Names and values of further fields of the published version, in order."""
    licence: Text | None
    is_citekey_given: bool
    draft_keys: list[Text]
    """Aliases that never left the library."""
    decided_at: Moment | None
    in_hand_since: Text | None
    sources: list[FieldSource]
    suggestions: list[StoredSuggestion]
    originals: list[Original]
    different: list[Text]
    """Citekeys of papers that the user marked as different works."""
    found: list[TopicMatch]
    places: list[CategoryPosition]
    wish: Literal["more", "less"] | None
    library: Holdings | None
    """The library's other data, in the first paper of a full export; otherwise null."""


class LibraryWithoutPapers(Shape):
    """The output of `export --json` for a library with topics or categories but no paper."""

    library: Holdings
