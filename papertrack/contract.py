"""The JSON contract: papers, and everything that a library keeps, as ``list``, ``show`` and
``export`` print it.

``import`` reads it back from a file, by these models. Keys are added, never changed; unknown values
are null.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from papertrack.records import Decision, Kind, Link, LinkRole, PaperFacts

Text = Annotated[str, Field(min_length=1)]
"""A text that is never empty: unknown values are null."""
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
    at: Text | None
    minutes: Annotated[int, Field(gt=0)] | None
    version: int | None
    takeaway: Text | None


class PlainPaper(Shape):
    """A paper with its metadata and the reader's data."""

    id: int
    kind: Kind
    citekey: Text
    title: Text | None
    authors: list[Text]
    arxiv_id: Text | None
    version: int | None
    doi: Text | None
    url: Text | None
    submitted: Text | None
    updated: Text | None
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
    snoozed_until: Text | None
    links: list[PaperLink]
    notes: list[Text]
    topics: list[Text]
    added: Text
    description: Text | None
    comment: Text | None
    venue: Text | None
    year: int | None
    journal_ref: Text | None
    is_withdrawn: bool | None
    citekey_aliases: list[Text]


class RankReason(Shape):
    """Why a paper ranks high or low: words, authors who were kept before, the nearest paper that
    was read, or a topic."""

    kind: Literal["words", "authors", "near", "topic"]
    text: Text
    citekey: Text | None


class Rank(Shape):
    """How likely the reader is to save a paper; above 0 it is more like what is kept than the
    rest."""

    score: float
    reasons: list[RankReason]


class Paper(PlainPaper):
    """A paper in a list: with its rank, if it waits for a decision and was ranked."""

    rank: Rank | None


class ShownPaper(Paper):
    """One paper as `show` prints it."""

    files: list[Text]
    """Paths of the paper's files in the library: its PDF and other attachments."""


class NamedIdentifier(Shape):
    scheme: Text
    value: Text


class PaperAuthor(Shape):
    name: Text
    affiliation: Text | None
    family: Text | None


class SourceOfField(Shape):
    """The source of a field, or of an answer about an identifier: ``user`` is the reader."""

    field: Text
    source: Text
    at: Text


class PublicationKept(Shape):
    """A suggested publication, as it is stored."""

    evidence: Literal["linked", "doi", "title", "abstract", "comment"]
    venue: Text | None
    year: int | None
    doi: Text | None
    type: Text | None
    publication: list[tuple[Text, Text]]
    identifiers: list[tuple[Text, Text]]
    sources: Annotated[list[Text], Field(min_length=1)]


class ProposalKept(Shape):
    """A proposal of an agent, as it is stored."""

    value: Text
    reason: str


_ACTS = dict.fromkeys(("category", "tag", "note", "discard"), ProposalKept)
"""What agents can propose, as the field of a suggestion (see ``actions.proposals``)."""


@cache
def _suggested(field: str) -> TypeAdapter[Any]:
    kinds = get_type_hints(PaperFacts) | {"links": Link, "publication": PublicationKept}
    return TypeAdapter((kinds | _ACTS)[field])


def check_suggestion(field: str, value: str) -> None:
    """Raise ValueError if the JSON of a suggestion does not fit its field."""
    if field not in {*PaperFacts._fields, *_ACTS}:
        raise ValueError(f"{field[:40]} is not a field of a paper")
    _suggested(field).validate_json(value, strict=True)


class SuggestionKept(Shape):
    """A value from a source that differs from the library's, and the reader's answer."""

    field: Text
    value: Any
    source: Text
    at: Text
    state: Literal["open", "accepted", "rejected"]

    @model_validator(mode="after")
    def _is_sound(self) -> SuggestionKept:
        check_suggestion(self.field, json.dumps(self.value))
        return self


class Original(Shape):
    """The record that a paper was made from, word for word."""

    source: Text
    text: str


class FoundByTopic(Shape):
    topic: Text
    reason: Text
    score: float
    found_at: Text


class PlaceInCategory(Shape):
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


class FedDocument(Shape):
    file: Text
    kind: Literal["markdown", "bibtex"]
    settings: dict[str, str]


class Holdings(Shape):
    """A library's data besides its papers."""

    categories: list[Text]
    """All categories in the reader's order, including those without a paper."""
    topics: list[Topic]
    documents: list[FedDocument]
    forgotten: list[Text] = Field(default_factory=list)
    """Words that the ranking ignores, and authors, after an @."""


class WholePaper(PlainPaper):
    """A paper with everything that a library keeps about it: `import` reads it back from a file."""

    identifiers: list[NamedIdentifier]
    author_details: list[PaperAuthor]
    announced: Text | None
    published_type: Text | None
    publication: list[list[str]]
    """Names and values of further fields of the published version, in order."""
    licence: Text | None
    is_citekey_given: bool
    draft_keys: list[Text]
    """Aliases that were never given away outside the library."""
    decided_at: Text | None
    in_hand_since: Text | None
    sources: list[SourceOfField]
    suggestions: list[SuggestionKept]
    originals: list[Original]
    different: list[Text]
    """Citekeys of papers that the reader called different works."""
    found: list[FoundByTopic]
    places: list[PlaceInCategory]
    wish: Literal["more", "less"] | None
    library: Holdings | None
    """In the first paper, when the whole library is exported; otherwise null."""


class LibraryWithoutPapers(Shape):
    """What `export --json` writes of a library that has no paper, but topics or categories."""

    library: Holdings
