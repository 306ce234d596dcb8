"""How likely the reader saves a paper: its score, and the words that carry it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from papertrack.ranking.learn import Example, Learnt, learn
from papertrack.ranking.words import AUTHOR, Terms

TOPIC_WEIGHT = 0.1
"""What a point of a topic's own score adds: half of the order in the first days, when few words
are known, and little beside the words of hundreds of decisions."""
SMALLEST = 0.005
"""Weights that are a smaller part of the largest one are not kept: they change no order."""
NAMED = 3
"""As many words or pairs, and as many authors, are named as reasons."""
_LOOKED_AT = 6
"""Of how many of the heaviest it is tried what taking them out does."""


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt from a reader's decisions, ready to score papers."""

    weights: Mapping[str, float] = field(default_factory=dict)
    bias: float = 0.0
    decisions: int = 0
    """From how many decisions it was learnt."""

    def score(self, terms: Terms, topic_score: float = 0.0) -> float:
        """Above 0 a paper is more like what the reader keeps than like the rest.

        ``topic_score`` is the best plain score of the topics that matched. Without a decision it
        is all that counts.
        """
        get = self.weights.get
        said = sum(get(term, 0.0) * value for term, value in terms.items())
        return self.bias + said + TOPIC_WEIGHT * topic_score

    def telling_words(self, terms: Terms) -> tuple[str, ...]:
        """The words and pairs that carry the score, the strongest first: without their words the
        score is lower, each by itself and all together."""
        before, named, gone = self.score(terms), [], set[str]()
        candidates = [one for one in self._speaking(terms) if one[0] != AUTHOR][:_LOOKED_AT]
        effects = {
            phrase: before - self.score(without_words(terms, phrase.split()))
            for phrase in candidates
        }
        for phrase in sorted(candidates, key=lambda one: (-effects[one], one)):
            words = set(phrase.split())
            fewer = self.score(without_words(terms, gone | words))
            if words <= gone or effects[phrase] <= 0 or fewer >= before:
                continue
            named.append(phrase)
            gone |= words
            before = fewer
        return tuple(named[:NAMED])

    def telling_authors(self, terms: Terms) -> tuple[str, ...]:
        """The folded names of the authors that speak for a paper, the strongest first."""
        return tuple(one[1:] for one in self._speaking(terms) if one[0] == AUTHOR)[:NAMED]

    def _speaking(self, terms: Terms) -> list[str]:
        """The terms that speak for a text, the strongest first."""
        said = {term: self.weights.get(term, 0.0) * value for term, value in terms.items()}
        speaking = [term for term in said if said[term] > 0]
        return sorted(speaking, key=lambda term: (-said[term], term))


def without_words(terms: Terms, words: Iterable[str]) -> Terms:
    """The terms of a text as they are when these words are taken out of it."""
    left = _remembered(terms, set(words))
    length = math.sqrt(sum(value**2 for term, value in left.items() if term[0] != AUTHOR)) or 1.0
    return {term: value if term[0] == AUTHOR else value / length for term, value in left.items()}


def make_model(examples: Iterable[Example], forgotten: Iterable[str] = ()) -> Model:
    """What these examples say; words and authors that the reader wants forgotten say nothing."""
    gone = set(forgotten)
    known = [replace(one, terms=_remembered(one.terms, gone)) for one in examples]
    decisions = sum(one.is_decided for one in known)
    if not decisions:
        return Model()
    learnt = learn(known)
    return Model(dict(_kept(learnt)), learnt.bias, decisions)


def _remembered(terms: Terms, forgotten: set[str]) -> Terms:
    if not forgotten:
        return terms
    return {
        term: value
        for term, value in terms.items()
        if term not in forgotten and (term[0] == AUTHOR or forgotten.isdisjoint(term.split()))
    }


def _kept(learnt: Learnt) -> Iterator[tuple[str, float]]:
    """The weights that count, as few digits as tell them apart."""
    most = max(map(abs, learnt.weights.values()), default=0.0)
    for term, weight in learnt.weights.items():
        if abs(weight) >= SMALLEST * most:
            yield term, float(f"{weight:.4g}")
