"""Reading statistics, by category and by month."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from papertrack.category_paths import format_path
from papertrack.store import states
from papertrack.store.categories import ordered_paths, paths
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class CategoryReading:
    """The reading progress of one category; None stands for papers without a category."""

    category: str | None
    papers: int
    unread: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class PassTotals:
    """How many papers have done 0, 1, 2 and 3 passes."""

    unread: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class MonthReading:
    """How many passes were done in one month, and the minutes they took; None is undated."""

    month: str | None
    first: int
    second: int
    third: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """All numbers of ``papertrack stats``."""

    papers: int
    """Saved papers, and others with a pass."""
    inbox: int
    discarded: int
    passes: PassTotals
    by_category: list[CategoryReading]
    """In the reader's order. A paper in two categories counts in both."""
    by_month: list[MonthReading]
    """Oldest first; passes without a date last."""


def read_statistics(store: Store) -> Statistics:
    """Count everything in the library as it is now."""
    passes = [0, 0, 0, 0]
    decided: Counter[str] = Counter()
    for (decision, done), number in states.count_by_state(store).items():
        decided[decision] += number
        if decision == "saved" or done:
            passes[done] += number
    months = states.count_by_month(store)
    return Statistics(
        papers=sum(passes),
        inbox=decided["inbox"],
        discarded=decided["discarded"],
        passes=PassTotals(*passes),
        by_category=_by_category(store),
        by_month=[
            MonthReading(period or None, *counts)
            for period, *counts in sorted(months, key=lambda one: (not one.period, one.period))
        ],
    )


def _by_category(store: Store) -> list[CategoryReading]:
    path_of = paths(store)
    counts = {path_of.get(of, ()): passes for of, *passes in states.count_by_category(store)}
    ordered = [path for path, _ in ordered_paths(store)]
    # One without papers is reported, unless it only holds others.
    for path in set(ordered) - {path[:-1] for path in ordered}:
        counts.setdefault(path, [0, 0, 0, 0])
    shown = (path for path in (*ordered, ()) if path in counts)
    return [
        CategoryReading(format_path(path) or None, sum(counts[path]), *counts[path])
        for path in shown
    ]
