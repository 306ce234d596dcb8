"""Learning from decisions which words the reader saves: logistic regression, exactly repeatable.

The dual coordinate descent of Yu, Huang and Lin, *Dual coordinate descent methods for logistic
regression and maximum entropy models* (2011): no step size to choose, one example at a time, in a
fixed order. A few thousand texts take a second or two, so that neither numpy nor scikit-learn has
to be there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter, mul

from papertrack.ranking.words import Terms

STRENGTH = 1.0
"""How much all examples together may pull, per example, against weights of 0."""
MIN_TEXTS = 2
"""A word of one text alone says nothing about others."""
ROUNDS = 10
"""Over all examples; the order of the ranking settles long before the weights do."""
SETTLED = 0.01
"""Rounds end when no example moves the weights by more."""
_FEW_STEPS = 8
_FAR = 30.0
"""A logit beyond which nothing changes."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text that the reader decided about, or let pass."""

    terms: Terms
    is_wanted: bool
    weight: float
    """How much it counts."""
    is_decided: bool = True
    """Whether the reader said so; else it was let pass."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt: how much each word and pair speaks for a paper."""

    weights: Mapping[str, float]
    bias: float


@dataclass(slots=True)
class _Row:
    """An example as numbers."""

    places: tuple[int, ...]
    values: tuple[float, ...]
    sign: float
    most: float
    """How far it may pull."""
    size: float
    """The square of its length."""
    pull: float = 0.0
    """How far it pulls."""


def learn(examples: Sequence[Example]) -> Learnt:
    """What these examples say together. Same examples in the same order, same weights.

    Those that are wanted and those that are not count as much as each other, whatever their
    numbers: a score above 0 says that a text is more like the former.
    """
    rarity = _rarities(examples)
    places = {term: place for place, term in enumerate(rarity)}
    shares = _balanced(examples)
    rows = [_row(one, places, rarity, share) for one, share in zip(examples, shares, strict=True)]
    found = [0.0] * (len(places) + 1)
    for _ in range(ROUNDS):
        if max((_pull(row, found) for row in rows), default=0.0) < SETTLED:
            break
    weights = {term: found[place] * rarity[term] for term, place in places.items()}
    return Learnt(weights, found[-1])


def _rarities(examples: Sequence[Example]) -> dict[str, float]:
    """How much a term says by being rare (idf), of those that several texts have."""
    counts = Counter(term for one in examples for term in one.terms)
    total = 1 + len(examples)
    return {
        term: 1.0 + math.log(total / (1 + count))
        for term, count in counts.items()
        if count >= MIN_TEXTS
    }


def _balanced(examples: Sequence[Example]) -> list[float]:
    """The weights of the examples, such that both sides have the same."""
    sides = {True: 0.0, False: 0.0}
    for one in examples:
        sides[one.is_wanted] += one.weight
    # Without an example of one side there is nothing to weigh it against.
    half = STRENGTH * len(examples) / 2
    return [one.weight * half / (sides[one.is_wanted] or 1.0) for one in examples]


def _row(
    one: Example, places: Mapping[str, int], rarity: Mapping[str, float], share: float
) -> _Row:
    known = ((term, value) for term, value in one.terms.items() if term in places)
    inside = [(places[term], value * rarity[term]) for term, value in known]
    inside.append((len(places), 1.0))
    if len(inside) == 1:  # So that itemgetter gives a tuple.
        inside.append((len(places), 0.0))
    numbers, values = zip(*inside, strict=True)
    size = sum(map(mul, values, values))
    return _Row(numbers, values, 1.0 if one.is_wanted else -1.0, share, size)


def _pull(row: _Row, weights: list[float]) -> float:
    """Let an example pull as far as is best while the others stand; return how far it moved."""
    if row.most <= 0.0:
        return 0.0
    margin = row.sign * sum(map(mul, itemgetter(*row.places)(weights), row.values))
    best = _best_pull(row, margin)
    step = best - row.pull
    moved = abs(step) * math.sqrt(row.size)
    if moved > SETTLED / 10:
        row.pull = best
        step *= row.sign
        for place, value in zip(row.places, row.values, strict=True):
            weights[place] += step * value
    return moved


def _best_pull(row: _Row, margin: float) -> float:
    """Where the dual has its minimum in (0, most): Newton's method on the logit of the pull."""
    share = min(max(row.pull / row.most, 1e-9), 1 - 1e-9)
    logit = math.log(share / (1 - share))
    for _ in range(_FEW_STEPS):
        share = 1 / (1 + math.exp(-logit))
        slope = row.size * row.most * share * (1 - share) + 1
        step = (row.size * (row.most * share - row.pull) + margin + logit) / slope
        logit = max(-_FAR, min(_FAR, logit - step))
        if abs(step) < 1e-3:
            break
    return row.most / (1 + math.exp(-logit))
