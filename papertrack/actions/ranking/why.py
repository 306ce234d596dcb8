"""Why a paper ranks where it does: words, authors, the nearest paper that was read, topics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from papertrack.actions.ranking.learning import decided_model, spelled
from papertrack.ranking.model import Model
from papertrack.ranking.words import Terms, terms_of
from papertrack.records import Paper
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.store.watch.labels import ReadPaper, read_papers
from papertrack.store.watch.ranks import find_rank
from papertrack.store.watch.topics import list_topics, topic_reasons, topic_score

NEAR_AMONG = 300
"""The papers read last, among which the nearest one is looked for."""
LEAST_SHARED = 2
"""Words or pairs that a paper needs to share with another to be near it."""


@dataclass(frozen=True, slots=True)
class Near:
    """The paper that was read and is nearest."""

    citekey: str
    title: str
    passes_done: int
    takeaway: str | None
    shared: tuple[str, ...]
    """The words that both have, the most telling first."""


@dataclass(frozen=True, slots=True)
class Why:
    """Everything that says why a paper ranks where it does."""

    score: float | None
    """None while nothing was decided."""
    is_like_kept: bool | None
    """Whether it is more like what the reader keeps than like the rest; None while one of both is
    not known."""
    words: tuple[str, ...]
    authors: tuple[str, ...]
    near: Near | None
    topics: tuple[tuple[str, str], ...]
    """Names and reasons, the best match first."""


def explain(store: Store, paper_id: int, today: date) -> Why:
    """Why a paper of the library ranks where it does, by the decisions up to now."""
    paper = get_paper(store, paper_id)
    model = decided_model(store, today)
    terms = terms_of_paper(paper)
    score = model.score(terms, topic_score(store, paper_id)) if model.decisions else None
    return Why(
        score,
        score > 0 if score is not None and model.is_sided else None,
        *reasons_of(model, terms, [author.name for author in paper.facts.authors]),
        find_near(terms, [one for one in read_papers(store, NEAR_AMONG) if one.id != paper_id]),
        tuple(topic_reasons(store, paper_id)),
    )


def terms_of_paper(paper: Paper) -> Terms:
    """What the ranking sees of a paper."""
    facts = paper.facts
    return terms_of(facts.title or "", facts.abstract or "", [one.name for one in facts.authors])


def reasons_of(
    model: Model, terms: Terms, authors: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that carry the score, and the authors that speak for the paper."""
    return model.telling_words(terms), spelled(model.telling_authors(terms), authors)


def find_near(terms: Terms, read: Sequence[ReadPaper]) -> Near | None:
    """Of these papers the one that says most of the same rare words; None if none is near."""
    seen = [terms_of(one.title, one.abstract) for one in read]
    counts = Counter(term for text in seen for term in text)
    total = 1 + len(seen)

    def shared(text: Terms) -> dict[str, float]:
        return {
            term: value * terms[term] * math.log(total / counts[term])
            for term, value in text.items()
            if term in terms
        }

    found = [(shared(text), one) for text, one in zip(seen, read, strict=True)]
    near = max(found, key=lambda pair: (sum(pair[0].values()), -pair[1].id), default=None)
    if near is None or len(near[0]) < LEAST_SHARED:
        return None
    words, one = near
    telling = sorted(words, key=lambda term: (-words[term], term))[:3]
    return Near(one.citekey, one.title, one.passes_done, one.takeaway, tuple(telling))


def shown_reasons(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """What is shown beside a paper that waits for a decision: each topic with its reason, and the
    words and authors that its rank stands on."""
    found = find_rank(store, paper_id)
    reasons = topic_reasons(store, paper_id)
    if found is None:
        return reasons
    named = (("words", found.words), ("authors you kept", found.authors))
    return reasons + [(name, ", ".join(of)) for name, of in named if of]


def narrower_topics(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """The topics that found a paper, with their queries narrowed by what it says and none of the
    papers that were kept does: its own telling word. Nothing where there is no such word."""
    words = _own_words(store, get_paper(store, paper_id))
    found = {name for name, _ in topic_reasons(store, paper_id)}
    return [
        (topic.name, f'({topic.query}) AND NOT "{word}"')
        for topic in list_topics(store)
        if topic.name in found
        for word in words[:1]
    ]


def _own_words(store: Store, paper: Paper) -> list[str]:
    """The words of a paper's title that none of the papers which were read has, pairs first."""
    known = {term for one in read_papers(store, NEAR_AMONG) for term in _title_terms(one.title)}
    own = [term for term in _title_terms(paper.facts.title or "") if term not in known]
    return sorted(own, key=lambda term: -term.count(" "))


def _title_terms(title: str) -> list[str]:
    return [term for term in terms_of(title, "") if term]
