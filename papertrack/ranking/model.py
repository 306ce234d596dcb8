"""The ranking model: a logistic regression that can name the words behind a score.

Its features are words and pairs of words, weighted by rarity (tf-idf, scaled to length 1), and
authors. It is fitted by the dual coordinate descent of Yu, Huang and Lin, *Dual coordinate descent
methods for logistic regression and maximum entropy models* (2011): one example at a time, without a
step size to choose, and exactly repeatable.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter, mul

from papertrack.ranking.words import AUTHOR, Terms

STRENGTH = 10.0
"""The total weight of the examples, per example, relative to regularization (C)."""
MIN_TEXTS = 5
"""Words and pairs in fewer texts are ignored; in a small library the limit is lower."""
ROUNDS = 10
"""The most rounds over all examples; the order of papers settles long before the weights do."""
MIN_STEP = 0.01
"""The rounds end if no example moves the weights by more than this."""
MIN_DECISIONS = 20
"""From so many decisions on, topics do not count."""
TOPIC_WEIGHT = 0.05
"""How much one point of a topic's score counts at the first decision; each decision lowers it.

With ten labels the average precision was .302. It was .278 with a constant weight of .1, and .177
with topics alone (three curators, thirteen months).
"""
_BISECTIONS = 16
"""Steps of the bisection, for a range of some tens."""
MAX_REASONS = 3
"""How many words or pairs, and how many authors, are shown as reasons."""
_MAX_CANDIDATES = 6
"""How many of the terms with the highest contribution are tried as reasons."""


Reasons = tuple[tuple[str, ...], tuple[str, ...]]
"""The words and pairs of words, and the authors, that are shown as reasons."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text that the user decided about, or an announcement without a decision."""

    terms: Terms
    is_wanted: bool
    weight: float
    """The weight of the example."""
    is_decided: bool = True
    """Whether the user decided about it."""


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt from a user's decisions, for scoring papers."""

    rarities: Mapping[str, float] = field(default_factory=dict)
    """The weight of each term by rarity (idf)."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """The weight of each term in the score."""
    bias: float = 0.0
    decisions: int = 0
    """The number of decisions from which it was learnt."""
    is_sided: bool = True
    """Whether it has learnt from both wanted and unwanted papers.

    Otherwise scores only give an order, and 0 has no meaning.
    """

    def score(self, terms: Terms, topic_score: float = 0.0) -> float:
        """Return a score; above 0, a paper is more like those saved than like the others.

        ``topic_score`` is the highest score of the topics that matched. Without any decision, only
        it counts; with each it counts less, and from twenty on not at all.
        """
        return self._total(self._contributions(vector(terms, self.rarities)), topic_score)

    def _contributions(self, features: Terms) -> Terms:
        """Return the contribution of each term of a text to the score."""
        weight = self.weights.get
        return {term: weight(term, 0.0) * value for term, value in features.items()}

    def _total(self, contributions: Terms, topic_score: float) -> float:
        if not self.decisions:
            return topic_score
        doubt = max(0.0, 1 - self.decisions / MIN_DECISIONS)
        return self.bias + sum(contributions.values()) + doubt * TOPIC_WEIGHT * topic_score

    def explain(self, terms: Terms, topic_score: float = 0.0) -> tuple[float, Reasons]:
        """Return the score, the words and pairs behind it, and the authors that raise it.

        Words are ordered by their effect: without them the score would be lower, for each of them
        and for all together. Author names are folded.
        """
        features = vector(terms, self.rarities)
        contributions = self._contributions(features)
        heaviest = sorted([(-value, term) for term, value in contributions.items() if value > 0])
        authors = tuple([term[1:] for _, term in heaviest if term[0] == AUTHOR][:MAX_REASONS])
        candidates = [term for _, term in heaviest if term[0] != AUTHOR][:_MAX_CANDIDATES]
        terms_with_word: dict[str, list[str]] = {
            word: [] for phrase in candidates for word in phrase.split()
        }
        total = 0.0  # Without authors.
        for term, value in contributions.items():
            if term[0] != AUTHOR:
                total += value
                word, _, following = term.partition(" ")
                if word in terms_with_word:
                    terms_with_word[word].append(term)
                if following in terms_with_word and following != word:
                    terms_with_word[following].append(term)

        def score_without(words: Collection[str]) -> float:
            removed = {term for word in words for term in terms_with_word[word]}
            length_left = 1 - sum([features[term] ** 2 for term in removed])
            sum_left = total - sum([contributions[term] for term in removed])
            # In a shorter text each word has more weight. A rest from rounding counts as 0.
            return sum_left / math.sqrt(length_left) if length_left > 1e-9 else 0.0

        effects = {phrase: total - score_without(phrase.split()) for phrase in candidates}
        reasons, removed, lowest = [], set[str](), total
        for phrase in sorted(candidates, key=lambda phrase: (-effects[phrase], phrase)):
            words = set(phrase.split())
            remaining = score_without(removed | words)
            if effects[phrase] > 0 and remaining < lowest and not words <= removed:
                reasons.append(phrase)
                removed, lowest = removed | words, remaining
        return self._total(contributions, topic_score), (tuple(reasons[:MAX_REASONS]), authors)


def vector(terms: Terms, rarities: Mapping[str, float]) -> Terms:
    """Return the features of a text: words and pairs by rarity, scaled to length 1, and authors."""
    features = {term: value * rarities[term] for term, value in terms.items() if term in rarities}
    words = [value for term, value in features.items() if term[0] != AUTHOR]
    length = math.sqrt(sum(map(mul, words, words))) or 1.0
    return {t: value if t[0] == AUTHOR else value / length for t, value in features.items()}


def make_model(examples: Sequence[Example], forgotten: Iterable[str] = ()) -> Model:
    """Learn a model from these examples; equal examples in equal order give an equal model.

    Wanted and unwanted examples have the same total weight, whatever their numbers. Forgotten words
    and authors are ignored.
    """
    decisions = sum(example.is_decided for example in examples)
    if not decisions:
        return Model()
    counts = Counter(term for example in examples for term in example.terms)
    min_count = min(MIN_TEXTS, 1 + len(examples) // 20)
    ignored = set(forgotten)
    rarities = {term: 1.0 for term in counts if term[0] == AUTHOR and term not in ignored}
    for term, count in counts.items():
        if term[0] != AUTHOR and count >= min_count and ignored.isdisjoint((term, *term.split())):
            rarities[term] = _round(1.0 + math.log((1 + len(examples)) / (1 + count)))
    weights, bias = _fit(examples, [vector(example.terms, rarities) for example in examples])
    nonzero = {term: rounded for term, weight in weights.items() if (rounded := _round(weight))}
    return Model(rarities, nonzero, bias, decisions, len({e.is_wanted for e in examples}) > 1)


def _round(value: float) -> float:
    """Round to as few digits as are needed, because thousands of weights are stored."""
    return float(f"{value:.4g}")


def _fit(examples: Sequence[Example], texts: Sequence[Terms]) -> tuple[dict[str, float], float]:
    """Return the weights of all terms, and the bias."""
    index_of = {term: i for i, term in enumerate(dict.fromkeys(t for x in texts for t in x))}
    bias = len(index_of)
    weights = [0.0] * (bias + 1)
    side_weight = {True: 0.0, False: 0.0}
    for example in examples:
        side_weight[example.is_wanted] += example.weight
    rows = []
    for example, terms in zip(examples, texts, strict=True):
        if example.weight > 0:
            # The bias is there twice, so that itemgetter returns a tuple.
            numbers = (*(index_of[term] for term in terms), bias, bias)
            values = (*terms.values(), 1.0, 0.0)
            bound = STRENGTH * len(examples) / 2 * example.weight / side_weight[example.is_wanted]
            size, sign = sum(map(mul, values, values)), 1 if example.is_wanted else -1
            rows.append((itemgetter(*numbers), numbers, values, size, sign, bound))
    duals = [0.0] * len(rows)
    order = list(range(len(rows)))
    generator = random.Random(0)
    for _ in range(ROUNDS):
        generator.shuffle(order)
        largest_step = 0.0
        for row_number in order:
            weights_of, numbers, values, size, sign, bound = rows[row_number]
            margin = sign * sum(map(mul, weights_of(weights), values))
            best = _best_dual(duals[row_number], bound, size, margin)
            step = best - duals[row_number]
            step_size = abs(step) * math.sqrt(size)
            largest_step = max(largest_step, step_size)
            if step_size > MIN_STEP / 10:
                duals[row_number] = best
                for index, value in zip(numbers, values, strict=True):
                    weights[index] += sign * step * value
        if largest_step < MIN_STEP:
            break
    return dict(zip(index_of, weights, strict=False)), weights[bias]


def _best_dual(dual: float, bound: float, size: float, margin: float) -> float:
    """Return the minimum of the dual in (0, bound), by bisection on its logit."""
    low, high = -margin - size * (bound - dual), size * dual - margin
    best = dual
    for _ in range(_BISECTIONS):
        logit = (low + high) / 2
        best = bound / (1 + math.exp(-logit)) if logit > -700 else 0.0
        if size * (best - dual) + margin + logit > 0:
            high = logit
        else:
            low = logit
    return best
