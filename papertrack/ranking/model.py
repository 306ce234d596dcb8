"""How likely the reader saves a paper: its score, and the words that carry it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt from a reader's decisions, ready to score papers."""

    weights: Mapping[str, float] = field(default_factory=dict)
    bias: float = 0.0
    decisions: int = 0
    """From how many decisions it was learnt."""
    is_sided: bool = True
    """Whether it has seen both what the reader wants and what not. Else its scores give an order,
    and 0 is the middle of nothing."""

    def score(self, terms: Terms, topic_score: float = 0.0) -> float:
        """Above 0 a paper is more like what the reader keeps than like the rest, if both are known.

        ``topic_score`` is the best plain score of the topics that matched. Without a decision it
        is all that counts.
        """
        get = self.weights.get
        said = sum(get(term, 0.0) * value for term, value in terms.items())
        return self.bias + said + TOPIC_WEIGHT * topic_score

    def telling_words(self, terms: Terms) -> tuple[str, ...]:
        """The words and pairs that carry the score, the strongest first: without their words the
        score is lower, each by itself and all together."""
        candidates = [one for one in self._speaking(terms) if one[0] != AUTHOR][:_LOOKED_AT]
        score_without = self._scores_without(terms, candidates)
        before, named, gone = score_without(set()), [], set[str]()
        effects = {phrase: before - score_without(set(phrase.split())) for phrase in candidates}
        for phrase in sorted(candidates, key=lambda one: (-effects[one], one)):
            words = set(phrase.split())
            fewer = score_without(gone | words)
            if words <= gone or effects[phrase] <= 0 or fewer >= before:
                continue
            named.append(phrase)
            gone |= words
            before = fewer
        return tuple(named[:NAMED])

    def _scores_without(
        self, terms: Terms, phrases: Iterable[str]
    ) -> Callable[[Collection[str]], float]:
        """What the score is when some of the words of these phrases are taken out of a text.

        Only the terms that hold one of them are looked at each time; the others sum up once.
        """
        holding = {word: set[str]() for phrase in phrases for word in phrase.split()}
        said = by_authors = length = 0.0
        for term, value in terms.items():
            weight = self.weights.get(term, 0.0) * value
            if term[0] == AUTHOR:
                by_authors += weight
                continue
            said, length = said + weight, length + value**2
            for word in term.split():
                if word in holding:
                    holding[word].add(term)

        def score(words: Collection[str]) -> float:
            gone = set[str]().union(*(holding[word] for word in words))
            left = said - sum(self.weights.get(term, 0.0) * terms[term] for term in gone)
            rest = length - sum(terms[term] ** 2 for term in gone)
            # A shorter text says each of its words more. What rounding leaves is nothing.
            share = math.sqrt(rest) if rest > _ROUNDING else 1.0
            return self.bias + by_authors + left / share

        return score

    def telling_authors(self, terms: Terms) -> tuple[str, ...]:
        """The folded names of the authors that speak for a paper, the strongest first."""
        return tuple(one[1:] for one in self._speaking(terms) if one[0] == AUTHOR)[:NAMED]

    def _speaking(self, terms: Terms) -> list[str]:
        """The terms that speak for a text, the strongest first."""
        said = {term: self.weights.get(term, 0.0) * value for term, value in terms.items()}
        speaking = [term for term in said if said[term] > 0]
        return sorted(speaking, key=lambda term: (-said[term], term))


def make_model(examples: Iterable[Example], forgotten: Iterable[str] = ()) -> Model:
    """What these examples say; words and authors that the reader wants forgotten say nothing."""
    gone = set(forgotten)
    known = [replace(one, terms=_remembered(one.terms, gone)) for one in examples]
    decisions = sum(one.is_decided for one in known)
    if not decisions:
        return Model()
    learnt = learn(known)
    is_sided = len({one.is_wanted for one in known}) > 1
    return Model(dict(_kept(learnt)), learnt.bias, decisions, is_sided)


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
