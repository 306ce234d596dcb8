"""The ranking model: a logistic regression, and the words on which a score is based.

Its features are words and pairs of words, weighted by rarity (tf-idf, texts of length 1), and
authors. It is fitted by the dual coordinate descent of Yu, Huang and Lin, *Dual coordinate descent
methods for logistic regression and maximum entropy models* (2011): one example at a time, with no
step size to choose, exactly repeatable.
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
"""The weight of all examples together, per example, against weights of 0 (C)."""
MIN_TEXTS = 5
"""Words and pairs in fewer texts are ignored; in a small library the limit is lower."""
ROUNDS = 10
"""The most rounds over all examples; the order of the ranking settles long before the weights
do."""
SETTLED = 0.01
"""The rounds end when no example moves the weights by more than this."""
FEW = 20
"""With fewer decisions than this, the topics count, too…"""
TOPIC_WEIGHT = 0.1
"""…and a point of a topic's plain score counts this much: with ten labels the average precision was
.332, .285 with .25, .265 with .5 and .266 without (three curators, six months)."""
_HALVINGS = 16
"""The precision of the best pull of an example, in a range of some tens."""
NAMED = 3
"""How many words or pairs, and how many authors, are named as reasons."""
_TRIED = 6
"""How many of the terms with the highest weight are tried as reasons."""


Reasons = tuple[tuple[str, ...], tuple[str, ...]]
"""Words and pairs of words, and authors, with their weights."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text that the reader decided about, or an announcement without a decision."""

    terms: Terms
    is_wanted: bool
    weight: float
    """The weight of the example."""
    is_decided: bool = True
    """Whether the reader decided; otherwise nobody did."""


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt from a reader's decisions, ready to score papers."""

    rarities: Mapping[str, float] = field(default_factory=dict)
    """Term → its weight by rarity (idf)."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Term → how much it counts for a paper."""
    bias: float = 0.0
    decisions: int = 0
    """The number of decisions from which it was learnt."""
    is_sided: bool = True
    """Whether it has learnt from both wanted and unwanted papers. Otherwise scores only give an
    order, and 0 has no meaning."""

    def score(self, terms: Terms, topic_score: float = 0.0) -> float:
        """Return a score: above 0 a paper is more like what the reader keeps than like the rest, if
        both are known.

        ``topic_score`` is the best plain score of the topics that matched. Without any decision
        only it counts, and from twenty decisions on it does not count.
        """
        return self._total(self._said(vector(terms, self.rarities)), topic_score)

    def _said(self, seen: Terms) -> Terms:
        """Return how much each term of a text counts for a paper."""
        weight = self.weights.get
        return {term: weight(term, 0.0) * value for term, value in seen.items()}

    def _total(self, said: Terms, topic_score: float) -> float:
        if not self.decisions:
            return topic_score
        of_topics = TOPIC_WEIGHT * topic_score if self.decisions < FEW else 0.0
        return self.bias + sum(said.values()) + of_topics

    def explain(self, terms: Terms, topic_score: float = 0.0) -> tuple[float, Reasons]:
        """Return the score; the words and pairs on which it is based, strongest first, and the
        folded names of the authors that raise it.

        Without these words the score is lower, for each of them and for all together.
        """
        seen = vector(terms, self.rarities)
        said = self._said(seen)
        heaviest = sorted([(-value, term) for term, value in said.items() if value > 0])
        authors = tuple([term[1:] for _, term in heaviest if term[0] == AUTHOR][:NAMED])
        candidates = [term for _, term in heaviest if term[0] != AUTHOR][:_TRIED]
        holding: dict[str, list[str]] = {
            word: [] for phrase in candidates for word in phrase.split()
        }
        total = 0.0  # Of words and pairs.
        for term, value in said.items():
            if term[0] != AUTHOR:
                total += value
                word, _, following = term.partition(" ")
                if word in holding:
                    holding[word].append(term)
                if following in holding and following != word:
                    holding[following].append(term)

        def score_without(words: Collection[str]) -> float:
            gone = {term for word in words for term in holding[word]}
            rest = 1 - sum([seen[term] ** 2 for term in gone])
            left = total - sum([said[term] for term in gone])
            # A shorter text says each of its words more. What rounding leaves is nothing.
            return left / math.sqrt(rest) if rest > 1e-9 else 0.0

        effects = {phrase: total - score_without(phrase.split()) for phrase in candidates}
        named, gone, lowest = [], set[str](), total
        for phrase in sorted(candidates, key=lambda one: (-effects[one], one)):
            words = set(phrase.split())
            fewer = score_without(gone | words)
            if effects[phrase] > 0 and fewer < lowest and not words <= gone:
                named.append(phrase)
                gone, lowest = gone | words, fewer
        return self._total(said, topic_score), (tuple(named[:NAMED]), authors)


def vector(terms: Terms, rarities: Mapping[str, float]) -> Terms:
    """Return a text as the ranking compares it: words and pairs by rarity, together of length 1,
    and authors of weight one."""
    seen = {term: value * rarities[term] for term, value in terms.items() if term in rarities}
    words = [value for term, value in seen.items() if term[0] != AUTHOR]
    length = math.sqrt(sum(map(mul, words, words))) or 1.0
    return {term: value if term[0] == AUTHOR else value / length for term, value in seen.items()}


def make_model(examples: Sequence[Example], forgotten: Iterable[str] = ()) -> Model:
    """Learn a model from these examples. The same examples in the same order give the same model.

    Wanted and unwanted examples have the same total weight, whatever their numbers. Forgotten words
    and authors are ignored.
    """
    decisions = sum(one.is_decided for one in examples)
    if not decisions:
        return Model()
    counts = Counter(term for one in examples for term in one.terms)
    least = min(MIN_TEXTS, 1 + len(examples) // 20)
    gone = set(forgotten)
    rarities = {term: 1.0 for term in counts if term[0] == AUTHOR and term not in gone}
    for term, count in counts.items():
        if term[0] != AUTHOR and count >= least and gone.isdisjoint((term, *term.split())):
            rarities[term] = _rounded(1.0 + math.log((1 + len(examples)) / (1 + count)))
    weights, bias = _fit(examples, [vector(one.terms, rarities) for one in examples])
    told = {term: rounded for term, weight in weights.items() if (rounded := _rounded(weight))}
    return Model(rarities, told, bias, decisions, len({one.is_wanted for one in examples}) > 1)


def _rounded(value: float) -> float:
    """Round to as few digits as distinguish weights: thousands are stored."""
    return float(f"{value:.4g}")


def _fit(examples: Sequence[Example], texts: Sequence[Terms]) -> tuple[dict[str, float], float]:
    """Return the weights of all terms, and the bias."""
    places = {term: place for place, term in enumerate(dict.fromkeys(t for x in texts for t in x))}
    bias = len(places)
    weights = [0.0] * (bias + 1)
    sides = {True: 0.0, False: 0.0}
    for one in examples:
        sides[one.is_wanted] += one.weight
    rows = []
    for one, terms in zip(examples, texts, strict=True):
        if one.weight > 0:
            # Twice, so that itemgetter gives a tuple.
            numbers = (*(places[term] for term in terms), bias, bias)
            values = (*terms.values(), 1.0, 0.0)
            share = STRENGTH * len(examples) / 2 * one.weight / sides[one.is_wanted]
            size, sign = sum(map(mul, values, values)), 1 if one.is_wanted else -1
            rows.append((itemgetter(*numbers), numbers, values, size, sign, share))
    pulls = [0.0] * len(rows)
    order = list(range(len(rows)))
    by_lot = random.Random(0)
    for _ in range(ROUNDS):
        by_lot.shuffle(order)
        farthest = 0.0
        for number in order:
            weights_of, numbers, values, size, sign, share = rows[number]
            margin = sign * sum(map(mul, weights_of(weights), values))
            best = _best_pull(pulls[number], share, size, margin)
            step = best - pulls[number]
            moved = abs(step) * math.sqrt(size)
            farthest = max(farthest, moved)
            if moved > SETTLED / 10:
                pulls[number] = best
                for place, value in zip(numbers, values, strict=True):
                    weights[place] += sign * step * value
        if farthest < SETTLED:
            break
    return dict(zip(places, weights, strict=False)), weights[bias]


def _best_pull(pull: float, share: float, size: float, margin: float) -> float:
    """Return the minimum of the dual in (0, share), by bisection on the logit of the pull."""
    low, high = -margin - size * (share - pull), size * pull - margin
    best = pull
    for _ in range(_HALVINGS):
        logit = (low + high) / 2
        best = share / (1 + math.exp(-logit)) if logit > -700 else 0.0
        if size * (best - pull) + margin + logit > 0:
            high = logit
        else:
            low = logit
    return best
