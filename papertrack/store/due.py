"""What is due: saved papers that wait for their next pass for weeks, and were not snoozed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from papertrack.store.store import Store


class Wait(NamedTuple):
    """How long a paper with so many passes may wait for the next one."""

    passes: int
    days: int
    words: str
    """What is said of those that wait for longer."""


WAITS = (
    Wait(0, 30, "saved over a month ago, never read"),
    Wait(1, 14, "first pass done over two weeks ago"),
    Wait(2, 28, "second pass done over four weeks ago"),
)
_SAVED = "ifnull(s.decided_at, p.added)"
_READ = "(SELECT max(at) FROM readings r WHERE r.paper_id = p.id)"
"""Nothing where no pass has a date, as README marks have none: such a paper is not due."""


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
"""What a paper can be that depends on the day, as conditions with their parameters."""


def count_due(store: Store) -> dict[int, int]:
    """How many papers are due, by the passes that they have."""
    condition, parameters = _is_due(store.now().date())
    rows = store.execute(
        f"""SELECT s.passes_done, count(*) FROM papers p JOIN paper_states s ON s.paper_id = p.id
            WHERE {condition} GROUP BY 1""",
        parameters,
    )
    return dict(rows.fetchall())
