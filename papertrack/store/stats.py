"""Numbers about the reading: counts by category, month, week and decision."""

from __future__ import annotations

from typing import NamedTuple

from papertrack.store.store import Store


class CategoryCount(NamedTuple):
    """How far the reading of one category is (0 for papers in none)."""

    category_id: int
    unread: int
    first: int
    second: int
    third: int


class PassCount(NamedTuple):
    """How many passes were done in one period, by pass, with the minutes they took."""

    period: str
    first: int
    second: int
    third: int
    minutes: int


def count_by_category(store: Store) -> list[CategoryCount]:
    """Saved papers by category and by passes done, in the order of the category ids."""
    # Apart from each other, those in no category are counted in the order of an index.
    rows = store.execute(
        """SELECT c.category_id, s.decision, s.passes_done, count(*)
           FROM paper_categories c CROSS JOIN paper_states s ON s.paper_id = c.paper_id
           GROUP BY 1, 2, 3
           UNION ALL
           SELECT 0, s.decision, s.passes_done, count(*)
           FROM paper_states s LEFT JOIN paper_categories c ON c.paper_id = s.paper_id
           WHERE c.paper_id IS NULL GROUP BY 2, 3"""
    )
    counts: dict[int, list[int]] = {}
    for category_id, decision, passes, number in rows:
        if decision == "saved" or passes:
            counts.setdefault(category_id, [0, 0, 0, 0])[passes] += number
    return [CategoryCount(category_id, *counts[category_id]) for category_id in sorted(counts)]


def count_by_month(store: Store) -> list[PassCount]:
    """Dated passes by month ("2026-01"), oldest first; undated ones are under ""."""
    return _count_passes(store, "ifnull(substr(at, 1, 7), '')")


def count_by_week(store: Store) -> list[PassCount]:
    """Dated passes by the Monday ("2026-01-05") of their week, oldest first."""
    monday = "date(substr(at, 1, 10), 'weekday 0', '-6 days')"
    return _count_passes(store, monday, f"length(at) >= 10 AND {monday} IS NOT NULL")


def backlog_ages(store: Store) -> list[tuple[str, int]]:
    """Saved papers without a pass, by the month in which they were added, oldest first."""
    # From an index that holds the dates: the papers themselves are long.
    return store.execute(
        """SELECT substr(p.added, 1, 7), count(*)
           FROM papers p INDEXED BY papers_by_dates JOIN paper_states s ON s.paper_id = p.id
           WHERE s.decision = 'saved' AND s.passes_done = 0 GROUP BY 1 ORDER BY 1"""
    ).fetchall()


def passes_by_day(store: Store) -> dict[str, int]:
    """The days ("2026-01-05") on which passes were done, oldest first, and how many."""
    rows = store.execute("""SELECT substr(at, 1, 10), count(*) FROM readings
           WHERE length(at) >= 10 GROUP BY 1 ORDER BY 1""")
    return dict(rows.fetchall())


def minutes_by_pass(store: Store) -> dict[int, float]:
    """By pass: the median of the minutes that it took, where that is known."""
    from statistics import median  # Counting papers needs none of it.

    rows = store.execute(
        "SELECT pass, minutes FROM readings WHERE minutes > 0 ORDER BY pass, minutes"
    )
    taken: dict[int, list[int]] = {}
    for number, minutes in rows:
        taken.setdefault(number, []).append(minutes)
    return {number: median(minutes) for number, minutes in taken.items()}


def _count_passes(store: Store, period: str, condition: str = "1") -> list[PassCount]:
    return store.select_records(
        PassCount,
        f"""SELECT {period}, sum(pass = 1), sum(pass = 2), sum(pass = 3), ifnull(sum(minutes), 0)
            FROM readings WHERE {condition} GROUP BY 1 ORDER BY 1""",
    )


def primary_category_shares(store: Store) -> dict[str, float]:
    """Which share (0 to 1) of the saved papers on arXiv each primary category has."""
    rows = store.execute(
        """SELECT p.primary_category, count(*) FROM papers p
           JOIN paper_states s ON s.paper_id = p.id
           WHERE s.decision = 'saved' AND p.primary_category IS NOT NULL GROUP BY 1"""
    ).fetchall()
    total = sum(count for _, count in rows)
    return {category: count / total for category, count in rows}
