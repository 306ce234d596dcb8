"""What the commands print that ask arXiv and other sources."""

from __future__ import annotations

from typing import Literal

from papertrack.contract.paper import Rank, RankReason, Topic
from papertrack.contract.published import EvidenceClass, Publication
from papertrack.contract.shapes import Count, DryRun, OfPaper, Shape, Text
from papertrack.records import Decision

LookState = Literal["new", "quiet", "nothing-announced", "stale", "could-not-look"]


class Candidate(Shape):
    """A work that arXiv found, and what the library has of it."""

    arxiv_id: Text
    version: int | None
    title: Text | None
    authors: list[Text]
    submitted: Text | None
    updated: Text | None
    primary_category: Text | None
    arxiv_categories: list[Text]
    abstract: Text | None
    comment: Text | None
    journal_ref: Text | None
    doi: Text | None
    url: Text
    citekey: Text | None
    decision: Decision | None


class News(Shape):
    kind: Literal["version", "title", "withdrawn"]
    old: str | int | None
    new: str | int | None


class EnrichedPaper(Shape):
    paper_id: int
    citekey: Text
    arxiv_id: Text | None
    source: Text
    changed: list[Text]
    suggestions: Count
    news: list[News]
    conflicts: list[Text]


class Enriched(DryRun):
    papers_enriched: Count
    papers_changed: Count
    papers_unchanged: Count
    papers_without_arxiv_id: Count
    papers_waiting: Count
    papers: list[EnrichedPaper]
    unknown: list[Text]
    conflicts: list[Text]
    retry_at: Text | None


class Suggestion(Shape):
    id: int
    paper: Text
    field: Text
    present: Text | None
    suggested: Text
    source: Text
    evidence: EvidenceClass | None
    publication: Publication | None
    """Of a suggestion that is one: where it appeared, field by field."""


class SuggestionsDecided(DryRun):
    accepted: list[Suggestion]
    rejected: list[Suggestion]
    conflicts: list[Text]


class Pdf(DryRun):
    path: Text
    bytes_fetched: Count


class TopicChanged(Topic, DryRun):
    pass


class TopicFound(Topic):
    papers: Count
    last_found: Text | None


class Wider(Shape):
    query: Text
    matched: Count


class Hit(Shape):
    arxiv_id: Text
    title: Text
    announced: Text
    reason: Text


class TopicPreview(Shape):
    query: Text
    days: Count
    matched: Count
    looked_at: Count
    verdict: Text
    wider: Wider | None
    last_hits: list[Hit]


class Backfilled(DryRun):
    papers_new: Count
    papers_found: Count
    citekeys: list[Text]
    ids: list[int]


class BackfillPlan(DryRun):
    months: Count


class Look(Shape):
    """What one look at a category's list came to."""

    category: Text
    state: LookState
    announced: Count
    unseen: Count
    matched: Count
    failed: list[Text]
    last_new_id: Text | None


class LookOfDay(Look):
    day: Text


class Replacement(OfPaper):
    version: int | None


class MissingDay(Shape):
    category: Text
    day: Text


class Watched(Shape):
    day: Text
    started: Text
    papers_new: Count
    citekeys: list[Text]
    outside: list[Text]
    """Those of them that no topic matched: they came by their rank."""
    already_known: list[Text]
    replaced: list[Replacement]
    categories: list[Look]
    missing: list[MissingDay]
    warnings: list[Text]


class WatchedCategory(Shape):
    category: Text
    looked_at: Text | None
    last_look: Look | None
    last_look_with_news: LookOfDay | None
    last_news: Text | None
    days_without_news: Count | None
    days_without_look: Count | None
    complete_since: Text | None
    missing: list[Text]
    lost: list[Text]
    warning: Text | None


class InstalledWatch(Shape):
    scheduler: Text
    when: Text


class WatchStatus(Shape):
    categories: list[WatchedCategory]
    installed: list[InstalledWatch]
    warnings: list[Text]


class Why(Shape):
    score: float | None
    reasons: list[RankReason]


class RankedRecord(Shape):
    place: Count
    arxiv_id: Text | None
    title: Text | None
    citekey: Text | None
    rank: Rank


class RankingTried(Shape):
    """How the ranking would have done on the last weeks, of the kept papers announced since."""

    since: Text
    decisions: Count
    announced: Count
    kept: Count
    first_by_rank: Count
    first_by_topics: Count
    is_telling: bool
    forgotten: list[Text]


class Wished(DryRun):
    wish: Literal["more", "less"] | None
    citekeys: list[Text]


class Forgotten(DryRun):
    word: Text
    is_forgotten: bool
