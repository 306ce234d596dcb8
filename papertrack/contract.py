"""A paper, and all that a library keeps: what ``list``, ``show`` and ``export`` print.

``import`` takes it back from a file, by these models.

The keys are a contract: they are added to, never changed; what is unknown is null.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from papertrack.records import Decision, Kind, Link, LinkRole, PaperFacts

Text = Annotated[str, Field(min_length=1)]
"""Never empty: what is unknown is null."""
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
    """A paper with all that is known of it and what its reader did."""

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
    """What speaks for a paper: words that carry its score, authors who were kept before, the
    nearest paper that was read, or a topic."""

    kind: Literal["words", "authors", "near", "topic"]
    text: Text
    citekey: Text | None


class Rank(Shape):
    """How likely the reader saves a paper; above 0 it is more like what is kept than the rest."""

    score: float
    reasons: list[RankReason]


class Paper(PlainPaper):
    """A paper as it is listed: with its rank, if it waits for a decision and was ranked."""

    rank: Rank | None


class ShownPaper(Paper):
    """One paper as `show` prints it."""

    files: list[Text]
    """The paths of the files that the library keeps of it: its PDF and other attachments."""


class NamedIdentifier(Shape):
    scheme: Text
    value: Text


class PaperAuthor(Shape):
    name: Text
    affiliation: Text | None
    family: Text | None


class SourceOfField(Shape):
    """Who gave a field, or answered about an identifier: ``user`` is the reader."""

    field: Text
    source: Text
    at: Text


class PublicationKept(Shape):
    """A publication that was proposed, as it stands among suggestions."""

    evidence: Literal["linked", "doi", "title", "abstract", "comment"]
    venue: Text | None
    year: int | None
    doi: Text | None
    type: Text | None
    publication: list[tuple[Text, Text]]
    identifiers: list[tuple[Text, Text]]
    sources: Annotated[list[Text], Field(min_length=1)]


class ProposalKept(Shape):
    """What an agent proposed to do with a paper."""

    value: Text
    reason: str


_ACTS = dict.fromkeys(("category", "tag", "note", "discard"), ProposalKept)
"""What agents propose, as the field of a suggestion (see ``actions.proposals``)."""


@cache
def _suggested(field: str) -> TypeAdapter[Any]:
    kinds = get_type_hints(PaperFacts) | {"links": Link, "publication": PublicationKept}
    return TypeAdapter((kinds | _ACTS)[field])


def check_suggestion(field: str, value: str) -> None:
    """Raise ValueError where the JSON of a suggestion is nothing that such a field can be."""
    if field not in {*PaperFacts._fields, *_ACTS}:
        raise ValueError(f"{field[:40]} is no field of a paper")
    _suggested(field).validate_json(value, strict=True)


class SuggestionKept(Shape):
    """What a source said against a value that stayed, and the reader's answer."""

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
    """What a library has beside its papers."""

    categories: list[Text]
    """All in the reader's order, also those without a paper."""
    topics: list[Topic]
    documents: list[FedDocument]
    forgotten: list[Text] = Field(default_factory=list)
    """Words that shall say nothing in the ranking, and authors, after an @."""


class WholePaper(PlainPaper):
    """A paper with all that a library keeps of it: `import` takes it back from a file."""

    identifiers: list[NamedIdentifier]
    author_details: list[PaperAuthor]
    announced: Text | None
    published_type: Text | None
    publication: list[list[str]]
    """Names and values of further fields of the published version, in their order."""
    licence: Text | None
    is_citekey_given: bool
    draft_keys: list[Text]
    """Of its aliases those that nothing outside the library has had."""
    decided_at: Text | None
    in_hand_since: Text | None
    sources: list[SourceOfField]
    suggestions: list[SuggestionKept]
    originals: list[Original]
    different: list[Text]
    """Citekeys of papers that the reader called other works."""
    found: list[FoundByTopic]
    places: list[PlaceInCategory]
    wish: Literal["more", "less"] | None
    library: Holdings | None
    """Of the first paper, where the whole library is exported; else null."""
