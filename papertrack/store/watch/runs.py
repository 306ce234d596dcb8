"""The runs of watch: what each found in which category, and the days that are known completely."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from datetime import date
from typing import Literal

from papertrack.store.store import Store

State = Literal["new", "quiet", "nothing-announced", "stale", "could-not-look"]
"""What a look at a category came to: unseen ids; an announcement without any; a day on which
nothing is announced; the list is older than it should be; no usable answer."""


CLOCK_UNSET_BEFORE = "2020-01-01"
"""Machines without a battery wake up in 1970, and may look before their clock is set."""
LOST = "lost"
"""The source of a day that no source gave: nobody asks for it again."""


def mark_day(store: Store, category: str, day: date, *, source: str, announced: int) -> None:
    """Note that everything which was announced in a category on a day is kept, or is lost."""
    with store.transaction():
        store.insert(
            "announcement_days", (category, day, source, announced), on_conflict="DO NOTHING"
        )
        store.execute("DELETE FROM missed_days WHERE category = ? AND day = ?", (category, day))


def count_try(store: Store, category: str, days: Iterable[date]) -> None:
    """Note that the lists of these days were asked for in vain."""
    with store.transaction():
        for day in days:
            store.insert(
                "missed_days", (category, day, 1), on_conflict="DO UPDATE SET tries = tries + 1"
            )


def tries(store: Store, category: str) -> dict[date, int]:
    """How often each day that is missing was asked for in vain; a day that never was, is absent."""
    rows = store.execute("SELECT day, tries FROM missed_days WHERE category = ?", (category,))
    return {date.fromisoformat(day): count for day, count in rows}


def lost_days(store: Store, category: str, since: date) -> list[date]:
    """The days from one on whose lists could not be read anywhere, oldest first."""
    days = store.select_column(
        """SELECT day FROM announcement_days WHERE category = ? AND source = ? AND day >= ?
           ORDER BY day""",
        (category, LOST, since),
    )
    return list(map(date.fromisoformat, days))


def known_days(store: Store, category: str) -> set[date]:
    """The days of a category of which everything is kept, or lost for good."""
    days = store.select_column("SELECT day FROM announcement_days WHERE category = ?", (category,))
    return set(map(date.fromisoformat, days))


def last_day_with_news(store: Store, category: str, today: date) -> date | None:
    """The last day, up to today, on which something unseen stood in the category's list, here or on
    another device.

    Later days are those of a clock that was ahead.
    """
    found = store.select_value(
        """SELECT max(day) FROM (
               SELECT max(a.announced_on) AS day FROM announcement_lists l
               JOIN announcements a ON a.id = l.announcement_id
               WHERE l.category = ?1 AND a.announced_on <= ?2
               UNION ALL SELECT max(day) FROM announcement_days
               WHERE category = ?1 AND day <= ?2 AND announced > 0)""",
        (category, today),
    )
    return date.fromisoformat(found) if found else None


@dataclass(frozen=True, slots=True)
class Look:
    """What one run found in one category."""

    category: str
    state: State
    announced: int = 0
    unseen: int = 0
    matched: int = 0
    failed: tuple[str, ...] = ()
    """What did not work, for people; what was repaired from another source is also here."""
    last_new_id: str | None = None
    batch: str | None = None
    """A hash of the ids and versions of the feed that was read."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of watch."""

    id: int
    at: str
    day: date
    """Of arXiv's announcement, in US Eastern time."""
    finished_at: str | None
    looks: tuple[Look, ...] = ()


def start_run(store: Store, day: date) -> int:
    """Note that a run begins; return its id."""
    with store.transaction():
        cursor = store.insert("watch_runs (at, day)", (store.stamp(), day))
        return int(cursor.lastrowid or 0)


def finish_run(store: Store, run_id: int) -> None:
    with store.transaction():
        store.execute("UPDATE watch_runs SET finished_at = ? WHERE id = ?", (store.stamp(), run_id))


def record_look(store: Store, run_id: int, look: Look) -> None:
    """Keep what a run found in a category so far; said again, it replaces what was said."""
    with store.transaction():
        store.execute(
            """INSERT OR REPLACE INTO watch_looks (run_id, category, state, announced, unseen,
               matched, failed, last_new_id, batch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (run_id, *astuple(look)),
        )


def set_matched(store: Store, run_id: int, matched: dict[str, int]) -> None:
    """Say how many of the announcements of each category the topics matched in a run."""
    store.connection.executemany(
        "UPDATE watch_looks SET matched = ? WHERE run_id = ? AND category = ?",
        [(count, run_id, category) for category, count in matched.items()],
    )


def last_runs(store: Store, *, day: date | None = None) -> list[Run]:
    """The newest run, if there is one; with a day, only one of that day."""
    runs = store.select_records(
        Run,
        """SELECT id, at, day, finished_at FROM watch_runs WHERE ?1 IS NULL OR day = ?1
           ORDER BY id DESC LIMIT 1""",
        (day,),
    )
    return [replace(run, looks=tuple(_looks(store, run.id))) for run in runs]


def last_look(
    store: Store, category: str, *, day: date | None = None, with_news: bool = False
) -> tuple[Run, Look] | None:
    """The last run that looked at a category (on a day; that saw something unseen), and its look.

    The run is without its other looks.
    """
    found = store.select_records(
        Run,
        """SELECT r.id, r.at, r.day, r.finished_at FROM watch_runs r
           JOIN watch_looks l ON l.run_id = r.id
           WHERE l.category = ?1 AND (?2 IS NULL OR r.day = ?2) AND l.unseen >= ?3
           ORDER BY r.id DESC LIMIT 1""",
        (category, day, with_news),
    )
    if not found:
        return None
    looks = _looks(store, found[0].id)
    return found[0], next(look for look in looks if look.category == category)


def first_look_day(store: Store, category: str, today: date) -> date | None:
    """The day, up to today, of the first run that looked at a category.

    It is the first run that counts, not the earliest day: that may be one of a clock which was
    set back. What was wrong with the very first one shows in a day that cannot be.
    """
    found = store.select_value(
        """SELECT r.day FROM watch_looks l JOIN watch_runs r ON r.id = l.run_id
           WHERE l.category = ? AND r.day BETWEEN ? AND ? ORDER BY r.id LIMIT 1""",
        (category, CLOCK_UNSET_BEFORE, today),
    )
    return date.fromisoformat(found) if found else None


def _looks(store: Store, run_id: int) -> list[Look]:
    return store.select_records(
        Look,
        """SELECT category, state, announced, unseen, matched, failed, last_new_id, batch
           FROM watch_looks WHERE run_id = ? ORDER BY category""",
        (run_id,),
    )
