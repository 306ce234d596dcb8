"""What arXiv still shows of days that are not kept, for a look at it: nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from papertrack.actions.watch.look import days_not_kept
from papertrack.holdings import Announcement
from papertrack.sources.arxiv_daily import fetch_catchup
from papertrack.sources.transport import Door
from papertrack.store.store import Store
from papertrack.store.watch.announcements import FIRST_KINDS, FirstText


def fetch_shown(
    store: Store, door: Door, categories: Sequence[str], *, since: date, today: date
) -> Iterator[tuple[int, int, list[FirstText]]]:
    """What arXiv shows of the days since one that are not kept: how many lists are read, of how
    many, and what the last of them tells. None of it is kept. Raises SourceFailure in the middle.
    """
    wanted = [
        (category, day)
        for category in categories
        for day in days_not_kept(store, category, since, today)
    ]
    for done, (category, day) in enumerate(wanted, start=1):
        found = fetch_catchup(door, category, day).announcements
        texts = [_first_text(one, category, day) for one in found if one.kind in FIRST_KINDS]
        yield done, len(wanted), texts


def _first_text(one: Announcement, category: str, day: date) -> FirstText:
    facts = one.facts
    # Of a paper that is new all its categories tell, of one that is cross-listed only this list.
    carried_by = facts.arxiv_categories if one.kind == "new" else (category,)
    return FirstText(
        0,
        one.arxiv_id,
        facts.title or "",
        facts.abstract or "",
        [author.name for author in facts.authors],
        facts.comment or "",
        facts.arxiv_categories,
        day.isoformat(),
        frozenset(name.lower() for name in carried_by),
    )
