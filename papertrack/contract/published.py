"""What the commands print that ask whether papers were published and references exist."""

from __future__ import annotations

from typing import Literal

from papertrack.contract.shapes import Count, DryRun, Shape, Text

PublishedState = Literal["published", "nothing found", "not asked", "could not look"]
EvidenceClass = Literal["linked", "doi", "title", "abstract", "comment"]


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
    papers_not_asked: Count
    papers_waiting: Count
    papers: list[PublishedPaper]
    silent: list[Silent]


AuditFinding = Literal["differs", "unknown", "withdrawn", "outdated", "unchecked", "could not look"]


class FieldDifference(Shape):
    """A field of a reference that is not the work's."""

    field: Text
    said: str
    true: str


class NearestWork(Shape):
    """The work that a reference names, or the one nearest to it."""

    source: Text
    title: Text | None
    authors: list[Text]
    venue: Text | None
    year: int | None
    doi: Text | None
    arxiv_id: Text | None


class AuditedReference(Shape):
    key: str
    file: Text | None
    line: int | None
    finding: AuditFinding
    reason: Text | None
    fields: list[Text]
    differences: list[FieldDifference]
    nearest: NearestWork | None
    asked: list[Text]
    silent: list[Text]


class Audit(Shape):
    references: Count
    counts: dict[str, Count]
    findings: list[AuditedReference]
    silent: list[Silent]


class CitedWork(Shape):
    """A work that papers of the library cite, and that it does not have."""

    title: Text | None
    authors: list[Text]
    year: int | None
    venue: Text | None
    arxiv_id: Text | None
    doi: Text | None
    cited_by: list[Text]
