"""What the commands print that ask whether papers were published and references exist."""

from __future__ import annotations

from typing import Literal

from papertrack.contract.shapes import Count, DryRun, Shape, Text

PublishedState = Literal["published", "nothing found", "could not look"]
EvidenceClass = Literal["linked", "doi", "title", "comment"]


class Publication(Shape):
    """A publication that sources speak for, and how."""

    evidence: EvidenceClass
    venue: Text
    year: int | None
    doi: Text | None
    type: Text | None
    sources: list[Text]


class Doubted(Shape):
    """What a source says and is not believed, with the reasons."""

    source: Text
    title: Text | None
    venue: Text | None
    doi: Text | None
    reasons: list[Text]


class PublishedPaper(Shape):
    paper_id: int
    citekey: Text
    arxiv_id: Text | None
    state: PublishedState
    publication: Publication | None
    is_new: bool
    completed: list[Text]
    doubts: list[Doubted]
    asked: list[Text]
    silent: list[Text]


class Silent(Shape):
    """A service that could not be asked."""

    source: Text
    why: Text
    retry_at: Text | None


class Published(DryRun):
    papers_published: Count
    papers_without: Count
    papers_waiting: Count
    papers: list[PublishedPaper]
    silent: list[Silent]
