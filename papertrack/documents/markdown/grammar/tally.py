"""What is most usual where: values counted by the contexts they were seen in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

_Value = TypeVar("_Value", bound=Hashable)
Context = tuple[Hashable, ...]
Weighted = Iterable[tuple[Context, int]]
"""Contexts with how much what was seen in them weighs."""


class Tally(Generic[_Value]):
    """Values counted by contexts."""

    def __init__(self) -> None:
        self.counts: dict[Context, Counter[_Value]] = defaultdict(Counter)

    def add(self, value: _Value, contexts: Iterable[Context]) -> None:
        """Count a value in each context."""
        for context in contexts:
            self.counts[context][value] += 1

    def seen(self, context: Context) -> Counter[_Value]:
        """Return the values of a context."""
        return self.counts.get(context) or Counter()

    def scores(self, contexts: Weighted) -> Counter[_Value]:
        """Return what speaks for each value in all these contexts."""
        total: Counter[_Value] = Counter()
        for context, weight in contexts:
            for value, count in self.seen(context).items():
                total[value] += weight * count
        return total

    def best(self, contexts: Weighted) -> _Value | None:
        """Return the value for which most speaks; None if nothing was seen."""
        scores = self.scores(contexts)
        return max(scores, key=scores.__getitem__) if scores else None
