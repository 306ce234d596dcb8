"""The user's decisions and reading: decisions, passes, ratings, tags, queue, snoozing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import product
from typing import NamedTuple

from papertrack.errors import NotFoundError, UsageError
from papertrack.records import PASSES, Decision, Reading
from papertrack.store.store import Store
from papertrack.text import clean


def decide(store: Store, paper_id: int, decision: Decision, reason: str | None = None) -> None:
    """Set the paper's decision; a paper that is not saved leaves the queue and is not snoozed."""
    store.execute(
        """UPDATE paper_states SET decision = ?1, decision_reason = ?2, decided_at = ?3,
           in_hand_since = CASE WHEN ?1 = 'saved' THEN in_hand_since END,
           snoozed_until = CASE WHEN ?1 = 'saved' THEN snoozed_until END
           WHERE paper_id = ?4 AND (decision <> ?1 OR decision_reason IS NOT ?2)""",
        (decision, reason, store.stamp(), paper_id),
    )


def record_pass(store: Store, paper_id: int, reading: Reading) -> None:
    """Add one reading; the paper has done the highest pass that was ever recorded."""
    if reading.pass_number not in PASSES:
        raise UsageError(f"There is no pass {reading.pass_number}: passes are 1, 2 and 3.")
    store.insert("readings (paper_id, pass, at, minutes, version, takeaway)", (paper_id, *reading))
    _lay_aside_when_done(store, paper_id)


def take_back_pass(store: Store, paper_id: int, pass_number: int) -> None:
    """Remove the last reading of this pass, with equal ones.

    Raises NotFoundError if there is none.
    """
    cursor = store.execute(
        """DELETE FROM readings WHERE paper_id = ?1 AND pass = ?2
           AND (at, minutes, version, takeaway) IS (
               SELECT at, minutes, version, takeaway FROM readings
               WHERE paper_id = ?1 AND pass = ?2
               ORDER BY at DESC, minutes DESC, version DESC, takeaway DESC LIMIT 1)""",
        (paper_id, pass_number),
    )
    if not cursor.rowcount:
        raise NotFoundError(f"No pass {pass_number} is recorded for this paper.")


def set_passes(store: Store, paper_id: int, passes_done: int, *, at: str | None = None) -> None:
    """Set the number of passes, for example to that of the marks in a README.

    Passes without a reading get one (without a date unless one is given); readings of higher
    passes are removed.
    """
    store.execute("DELETE FROM readings WHERE paper_id = ? AND pass > ?", (paper_id, passes_done))
    recorded = store.select_column("SELECT pass FROM readings WHERE paper_id = ?", (paper_id,))
    for number in range(1, passes_done + 1):
        if number not in recorded:
            day = at if number == passes_done else None
            store.insert("readings (paper_id, pass, at)", (paper_id, number, day))
    _lay_aside_when_done(store, paper_id)


def unite_readings(store: Store, kept_id: int, merged_id: int) -> None:
    """Give a paper the readings of another one, without duplicates.

    A duplicate is an equal reading, or a reading without details of a pass for which the paper has
    details.
    """
    store.execute(
        """DELETE FROM readings WHERE id IN (
               SELECT r.id FROM readings r JOIN readings o ON o.pass = r.pass
               WHERE r.paper_id IN (?1, ?2) AND o.paper_id IN (?1, ?2) AND r.paper_id <> o.paper_id
               AND CASE (r.at, r.minutes, r.version, r.takeaway)
                        IS (o.at, o.minutes, o.version, o.takeaway)
                   WHEN 1 THEN r.paper_id = ?2
                   ELSE coalesce(r.at, r.minutes, r.version, r.takeaway) IS NULL END)""",
        (kept_id, merged_id),
    )
    store.execute("UPDATE readings SET paper_id = ? WHERE paper_id = ?", (kept_id, merged_id))


def _lay_aside_when_done(store: Store, paper_id: int) -> None:
    """Remove the paper from the reading queue after its last pass."""
    store.execute(
        """UPDATE paper_states SET in_hand_since = NULL
           WHERE paper_id = ? AND passes_done = ? AND in_hand_since IS NOT NULL""",
        (paper_id, PASSES[-1]),
    )


def rate(store: Store, paper_id: int, rating: int | None) -> None:
    """Set the rating, 1 to 5, or remove it with None."""
    if rating is not None and not 1 <= rating <= 5:
        raise UsageError(f"A rating is 1 to 5, not {rating}.")
    store.execute("UPDATE paper_states SET rating = ? WHERE paper_id = ?", (rating, paper_id))


def take_in_hand(store: Store, paper_id: int, *, is_in_hand: bool = True) -> None:
    """Add the paper to the reading queue, or remove it."""
    store.execute(
        """UPDATE paper_states SET in_hand_since = ?1
           WHERE paper_id = ?2 AND (in_hand_since IS NULL) <> (?1 IS NULL)""",
        (store.stamp() if is_in_hand else None, paper_id),
    )


def snooze(store: Store, paper_id: int, until: date | None) -> None:
    """Snooze the paper until a day, or end the snooze."""
    store.execute(
        """UPDATE paper_states SET snoozed_until = ?1
           WHERE paper_id = ?2 AND snoozed_until IS NOT ?1""",
        (until and until.isoformat(), paper_id),
    )


def papers_in_hand(store: Store) -> list[int]:
    """Return the papers being read now, in the order in which they were begun."""
    return store.select_column("""SELECT paper_id FROM paper_states WHERE in_hand_since IS NOT NULL
           ORDER BY in_hand_since, paper_id""")


_UNREAD = "FROM paper_states WHERE decision = 'saved' AND passes_done = 0"
_OTHERWISE = """(SELECT paper_id FROM paper_states WHERE in_hand_since IS NOT NULL
        UNION SELECT paper_id FROM paper_states WHERE snoozed_until > ?1)"""
"""SQL: papers being read or snoozed, which are few and found by indexes."""


def waiting_papers(store: Store, *, limit: int, counts: Mapping[int, int]) -> list[int]:
    """Return saved papers without a pass that are neither being read nor snoozed.

    The best rated come first, then those with the highest of these ``counts``, then the longest
    saved.
    """
    return store.select_column(
        f"""SELECT paper_id {_UNREAD} AND paper_id NOT IN {_OTHERWISE}
            ORDER BY rating DESC NULLS LAST,
                (SELECT value FROM json_each(?3) WHERE key = paper_id) DESC NULLS LAST,
                decided_at, paper_id LIMIT ?2""",
        (store.now().date().isoformat(), limit, dict(counts)),
    )


def count_waiting(store: Store) -> int:
    """Return how many saved papers without a pass are neither being read nor snoozed."""
    sql = f"SELECT count(*) {_UNREAD} AND paper_id NOT IN {_OTHERWISE}"
    return int(store.select_value(sql, (store.now().date().isoformat(),)))


def count_by_state(store: Store) -> dict[tuple[str, int], int]:
    """Return the number of papers by (decision, passes done)."""
    rows = store.execute("SELECT decision, passes_done, count(*) FROM paper_states GROUP BY 1, 2")
    return {(decision, passes): number for decision, passes, number in rows}


def has_state(store: Store, decision: str, passes_done: int) -> bool:
    """Return whether any paper is in this state."""
    sql = "SELECT 1 FROM paper_states WHERE decision = ? AND passes_done = ? LIMIT 1"
    return bool(store.select_value(sql, (decision, passes_done)))


def passes_of_papers(store: Store, paper_ids: Sequence[int]) -> dict[int, int]:
    """Return how many passes each of these papers has done."""
    return store.select_dict(
        """SELECT paper_id, passes_done FROM paper_states
           WHERE paper_id IN (SELECT value FROM json_each(?))""",
        (list(paper_ids),),
    )


def add_tags(store: Store, paper_ids: Sequence[int], tags: Iterable[str]) -> None:
    """Add tags to these papers; tags that differ only in case are the same.

    Raises UsageError for a tag without a letter.
    """
    for tag in tags:
        name = clean(tag)
        if not name:
            raise UsageError("A tag needs at least one letter.")
        spelling = store.select_value("SELECT tag FROM tags WHERE tag = ? LIMIT 1", (name,))
        store.connection.executemany(
            "INSERT INTO tags (paper_id, tag) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(paper_id, spelling or name) for paper_id in paper_ids],
        )


def remove_tags(store: Store, paper_ids: Sequence[int], tags: Iterable[str]) -> None:
    """Remove tags from these papers."""
    store.connection.executemany(
        "DELETE FROM tags WHERE tag = ? AND paper_id = ?", list(product(tags, paper_ids))
    )


def rename_tag(store: Store, old: str, new: str) -> int:
    """Rename a tag on every paper; return how many had it.

    If the new name exists already, the two tags become one. Raises NotFoundError.
    """
    paper_ids = store.select_column("SELECT paper_id FROM tags WHERE tag = ?", (old,))
    if not paper_ids:
        raise NotFoundError(f"No paper has the tag {old}. `papertrack tag` lists them all.")
    # All are taken away first: the spelling of a tag that is there would be kept.
    store.execute("DELETE FROM tags WHERE tag = ?", (old,))
    add_tags(store, paper_ids, [new])
    return len(paper_ids)


def tag_counts(store: Store) -> list[tuple[str, int]]:
    """Return all tags with their number of papers, by name."""
    return store.execute("SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY tag").fetchall()


class Wait(NamedTuple):
    """How long a paper with this many passes may wait for the next one."""

    passes: int
    days: int
    words: str
    """The reason shown for papers that have waited longer."""


WAITS = (
    Wait(0, 30, "saved over a month ago, never read"),
    Wait(1, 14, "first pass done over two weeks ago"),
    Wait(2, 28, "second pass done over four weeks ago"),
)
_SAVED = "ifnull(s.decided_at, p.added)"
_READ = "(SELECT max(at) FROM readings r WHERE r.paper_id = p.id)"
"""SQL for the time of the last pass.

It is NULL if no pass has a date, as with README marks; then the paper is not due.
"""


def _is_snoozed(today: date) -> tuple[str, tuple[object, ...]]:
    return "s.snoozed_until > ?", (today.isoformat(),)


def _is_due(today: date) -> tuple[str, tuple[object, ...]]:
    waits = " OR ".join(
        f"(s.passes_done = {wait.passes} AND {_READ if wait.passes else _SAVED} < ?)"
        for wait in WAITS
    )
    days = [(today - timedelta(days=wait.days)).isoformat() for wait in WAITS]
    snoozed, parameters = _is_snoozed(today)
    return f"s.decision = 'saved' AND ({waits}) AND ({snoozed}) IS NOT TRUE", (*days, *parameters)


OF_TODAY: Mapping[str, Callable[[date], tuple[str, tuple[object, ...]]]] = {
    "due": _is_due,
    "snoozed": _is_snoozed,
}
"""States that depend on the day, and functions that return their condition and parameters."""


def count_due(store: Store) -> dict[int, int]:
    """Return how many papers are due, by their number of passes."""
    condition, parameters = _is_due(store.now().date())
    return store.select_dict(
        f"""SELECT s.passes_done, count(*) FROM papers p JOIN paper_states s ON s.paper_id = p.id
            WHERE {condition} GROUP BY 1""",
        parameters,
    )


# -- Numbers about the reading: counts by category, month, week and decision.


class CategoryCount(NamedTuple):
    """The reading progress of one category (0 for papers in none)."""

    category_id: int
    unread: int
    first: int
    second: int
    third: int


class PassCount(NamedTuple):
    """The passes done in one period, by pass, and their minutes."""

    period: str
    first: int
    second: int
    third: int
    minutes: int


def count_by_category(store: Store) -> list[CategoryCount]:
    """Return saved or read papers by category and passes done, ordered by category id."""
    counts = ", ".join(f"sum(s.passes_done = {passes})" for passes in range(4))
    return store.select_records(
        CategoryCount,
        f"""SELECT ifnull(c.category_id, 0), {counts}
            FROM paper_states s LEFT JOIN paper_categories c ON c.paper_id = s.paper_id
            WHERE s.decision = 'saved' OR s.passes_done > 0 GROUP BY 1 ORDER BY 1""",
    )


def count_by_month(store: Store) -> list[PassCount]:
    """Return dated passes by month ("2026-01"), oldest first; undated ones are under ""."""
    return _count_passes(store, "ifnull(substr(at, 1, 7), '')")


def count_by_week(store: Store) -> list[PassCount]:
    """Count dated passes by week, named by its Monday ("2026-01-05"), oldest first."""
    monday = "date(substr(at, 1, 10), 'weekday 0', '-6 days')"
    return _count_passes(store, monday, f"length(at) >= 10 AND {monday} IS NOT NULL")


def backlog_ages(store: Store) -> list[tuple[str, int]]:
    """Return saved papers without a pass, by the month in which they were added, oldest first."""
    # From an index that holds the dates: the papers themselves are long.
    return store.execute(
        """SELECT substr(p.added, 1, 7), count(*)
           FROM papers p INDEXED BY papers_by_dates JOIN paper_states s ON s.paper_id = p.id
           WHERE s.decision = 'saved' AND s.passes_done = 0 GROUP BY 1 ORDER BY 1"""
    ).fetchall()


def passes_by_day(store: Store) -> dict[str, int]:
    """Return the days ("2026-01-05") with passes, oldest first, and the number of passes."""
    return store.select_dict("""SELECT substr(at, 1, 10), count(*) FROM readings
           WHERE length(at) >= 10 GROUP BY 1 ORDER BY 1""")


def minutes_by_pass(store: Store) -> dict[int, float]:
    """Return the median minutes of each pass, if known."""
    from statistics import median  # Counting papers needs none of it.

    taken = store.select_groups("SELECT pass, minutes FROM readings WHERE minutes > 0 ORDER BY 1")
    return {number: median(minutes for (minutes,) in rows) for number, rows in taken.items()}


def _count_passes(store: Store, period: str, condition: str = "1") -> list[PassCount]:
    return store.select_records(
        PassCount,
        f"""SELECT {period}, sum(pass = 1), sum(pass = 2), sum(pass = 3), ifnull(sum(minutes), 0)
            FROM readings WHERE {condition} GROUP BY 1 ORDER BY 1""",
    )


def primary_category_shares(store: Store) -> dict[str, float]:
    """Return the share (0 to 1) of each primary category among saved arXiv papers."""
    counts = store.select_dict(
        """SELECT p.primary_category, count(*) FROM papers p
           JOIN paper_states s ON s.paper_id = p.id
           WHERE s.decision = 'saved' AND p.primary_category IS NOT NULL GROUP BY 1"""
    )
    total = sum(counts.values())
    return {category: count / total for category, count in counts.items()}
