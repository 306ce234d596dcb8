"""The order of what a topic found: a plain score, each part of which can be said in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from papertrack.queries.matcher import Hit, describe_hits

TITLE_WEIGHT = 2.0
"""A term in the title counts as two in the abstract: titles name what a paper is about."""
WEIGHTS = {"title": TITLE_WEIGHT, "abstract": 1.0, "comment": 0.5, "author": 0.0}
FOLLOWED_AUTHOR = 8.0
"""More than a rare term in title and abstract: whoever follows somebody wants to see all of it."""
HOME_CATEGORY = 1.0
"""When the primary category is one that the topic names, and not only a cross-listed one."""
READ_CATEGORY = 1.0
"""Times the share of the reader's saved papers that have this primary category."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An announcement that a topic matched, and what can be known about the two."""

    hits: tuple[Hit, ...]
    rarity: dict[str, float]
    """By term of a hit: BM25's inverse document frequency among recent announcements."""
    is_home: bool
    """Whether the primary category is one of the topic's."""
    read_share: float
    """Which share, 0 to 1, of the reader's saved papers has the same primary category."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well a paper fits a topic, and why."""

    value: float
    reason: str
    """``speculative decoding (title, abstract); Tri Dao (author)``."""


Ranking = Callable[[Candidate], Score]
"""What orders a topic's papers. A learned ranking is another function of a candidate."""


def plain_score(candidate: Candidate) -> Score:
    """Rare terms over common ones, titles over abstracts; authors that the topic follows first."""
    value = HOME_CATEGORY * candidate.is_home + READ_CATEGORY * candidate.read_share
    for hit in candidate.hits:
        value += candidate.rarity.get(hit.term, 0.0) * sum(
            WEIGHTS.get(field, 0.0) for field in hit.fields
        )
        value += FOLLOWED_AUTHOR * ("author" in hit.fields)
    return Score(round(value, 3), describe_hits(candidate.hits))


def rarity_of(count: int, total: int) -> float:
    """How much a term says that ``count`` of ``total`` texts have: BM25's idf, never negative.

    Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009), with
    the 1 added inside the logarithm as Lucene does.
    """
    return math.log(1 + (total - count + 0.5) / (count + 0.5))
