"""Numbers about the reading, by category and by month."""

from __future__ import annotations

from dataclasses import dataclass

from papertrack.store import stats
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
    passes: tuple[int, int, int, int]
    """How many papers have done 0, 1, 2 and 3 passes."""
    by_category: tuple[CategoryReading, ...]
    """In the reader's own order. A paper in two categories counts in both."""
    by_month: tuple[stats.PassCount, ...]
    """Oldest first; passes without a date last, under the period ""."""


def read_statistics(store: Store) -> Statistics:
    """Count the library as it is now."""
    states = stats.count_by_state(store)
    passes = [0, 0, 0, 0]
    for (decision, done), number in states.items():
        if decision == "saved" or done:
            passes[done] += number
    months = stats.count_by_month(store)
    return Statistics(
        papers=sum(passes),
        inbox=sum(number for (decision, _), number in states.items() if decision == "inbox"),
        discarded=sum(n for (decision, _), n in states.items() if decision == "discarded"),
        passes=(passes[0], passes[1], passes[2], passes[3]),
        by_category=tuple(_by_category(store)),
        by_month=tuple(sorted(months, key=lambda month: (not month.period, month.period))),
    )


def _by_category(store: Store) -> list[CategoryReading]:
    path_of = paths(store)
    found = {
        path: CategoryReading(path, sum(row[1:]), *row[1:])
        for row in stats.count_by_category(store)
        for path in [path_of.get(row.category_id, ())]
    }
    ordered = [path for path, _ in ordered_paths(store)]
    for path in ordered:
        # One without papers is told about, unless it only holds others.
        if path not in found and not any(other[:-1] == path for other in ordered):
            found[path] = CategoryReading(path, 0, 0, 0, 0, 0)
    order = {path: n for n, path in enumerate(ordered)}
    return sorted(found.values(), key=lambda reading: order.get(reading.category, len(order)))
