"""Numbers about the reading, by category and by month."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from papertrack.store import states, stats
from papertrack.store.categories import ordered_paths, paths
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class CategoryReading:
    """How far the reading of one category is; the path is empty for papers in none."""

    category: tuple[str, ...]
    papers: int
    unread: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """All numbers of ``papertrack stats``."""

    papers: int
    """Saved papers, and others with a pass."""
    inbox: int
    discarded: int
    passes: tuple[int, ...]
    """How many papers have done 0, 1, 2 and 3 passes."""
    by_category: tuple[CategoryReading, ...]
    """In the reader's own order. A paper in two categories counts in both."""
    by_month: tuple[stats.PassCount, ...]
    """Oldest first; passes without a date last, under the period ""."""


def read_statistics(store: Store) -> Statistics:
    """Count the library as it is now."""
    passes = [0, 0, 0, 0]
    decided: Counter[str] = Counter()
    for (decision, done), number in states.count_by_state(store).items():
        decided[decision] += number
        if decision == "saved" or done:
            passes[done] += number
    months = stats.count_by_month(store)
    return Statistics(
        papers=sum(passes),
        inbox=decided["inbox"],
        discarded=decided["discarded"],
        passes=tuple(passes),
        by_category=tuple(_by_category(store)),
        by_month=tuple(sorted(months, key=lambda month: (not month.period, month.period))),
    )


def _by_category(store: Store) -> list[CategoryReading]:
    path_of = paths(store)
    counts = {path_of.get(of, ()): passes for of, *passes in stats.count_by_category(store)}
    ordered = [path for path, _ in ordered_paths(store)]
    # One without papers is told about, unless it only holds others.
    for path in set(ordered) - {path[:-1] for path in ordered}:
        counts.setdefault(path, [0, 0, 0, 0])
    shown = (path for path in (*ordered, ()) if path in counts)
    return [CategoryReading(path, sum(counts[path]), *counts[path]) for path in shown]
