"""Putting off what is due: a paper that is snoozed is not due before a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from papertrack.errors import UsageError
from papertrack.queries.nodes import day_after
from papertrack.queries.parser import parse_age
from papertrack.store import states
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.text import few, shorten

USUAL = "2w"
"""For how long, when nobody says."""


@dataclass(frozen=True, slots=True)
class Snoozed:
    snoozed_until: str | None
    citekeys: list[str]

    def sentences(self) -> Iterator[str]:
        how = f"Snoozed until {self.snoozed_until}" if self.snoozed_until else "No longer snoozed"
        if self.citekeys:
            yield f"{how}: {', '.join(self.citekeys)}."


def parse_snooze(text: str, today: date) -> date:
    """The day that ``2w``, ``10d``, ``3m``, ``1y`` or ``2026-12-01`` says.

    Raises UsageError for another text, and for a day that is not to come.
    """
    age = parse_age(text)
    try:
        until = day_after(today, age) if age else date.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise UsageError(
            f"{shorten(text, 40)!r} says no day: write 10d, 2w, 3m, 1y or a day such as 2026-12-01."
        ) from None
    if until <= today:
        raise UsageError(f"{until} is not to come; papers are snoozed until a later day.")
    return until


def snooze_papers(store: Store, paper_ids: Sequence[int], until: date | None) -> Snoozed:
    """Let papers not be due before a day, saving those that are not saved; or, without a day,
    whenever they are."""
    papers = get_papers(store, paper_ids)
    named = few([paper.citekey for paper in papers])
    how = f"until {until}" if until else "no longer"
    with store.action("snooze", f"{named}, {how}"):
        for paper in papers:
            if until and paper.decision != "saved":
                states.decide(store, paper.id, "saved")
            states.snooze(store, paper.id, until)
    return Snoozed(until.isoformat() if until else None, [paper.citekey for paper in papers])
