"""The three passes: recording one, taking one back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from papertrack.errors import UsageError
from papertrack.records import PASSES, Reading
from papertrack.store.lookup import get_paper
from papertrack.store.states import record_pass, take_back_pass
from papertrack.store.store import Store
from papertrack.text import clean


@dataclass(frozen=True, slots=True)
class PassMark:
    """How many passes a paper has done, before and after."""

    paper_id: int
    citekey: str
    passes_before: int
    passes_done: int


def mark_pass(
    store: Store,
    paper_ids: Sequence[int],
    pass_number: int,
    *,
    at: str | None = None,
    minutes: int | None = None,
    version: int | None = None,
    takeaway: str | None = None,
    dry_run: bool = False,
) -> list[PassMark]:
    """Record one reading of each paper, now unless ``at`` (ISO 8601) says when.

    The version read is the newest known unless given. After its last pass a paper is no longer in
    hand. Raises UsageError for a pass, a date or a number of minutes that cannot be; a day that is
    yet to come is not a date.
    """
    if pass_number not in PASSES:
        raise UsageError(f"There is no pass {pass_number}: passes are 1, 2 and 3.")
    if minutes is not None and not 1 <= minutes <= 10_000:
        raise UsageError(f"{minutes} minutes is not a time for a pass; leave it out if unknown.")
    moment = _moment(at, store.now()) if at else store.stamp()
    marks = []
    with store.action("pass", dry_run=dry_run) as action:
        for paper_id in paper_ids:
            before = get_paper(store, paper_id)
            reading = Reading(
                pass_number,
                at=moment,
                minutes=minutes,
                version=before.facts.version if version is None else version,
                takeaway=clean(takeaway or "") or None,
            )
            record_pass(store, paper_id, reading)
            marks.append(_mark(store, paper_id, before.passes_done))
        action.summary = f"{pass_number} of {', '.join(mark.citekey for mark in marks)}"
    return marks


def unmark_pass(
    store: Store, paper_ids: Sequence[int], pass_number: int, *, dry_run: bool = False
) -> list[PassMark]:
    """Take back each paper's last reading of this pass. Raises NotFoundError if one has none."""
    marks = []
    with store.action("pass", dry_run=dry_run) as action:
        for paper_id in paper_ids:
            before = get_paper(store, paper_id).passes_done
            take_back_pass(store, paper_id, pass_number)
            marks.append(_mark(store, paper_id, before))
        names = ", ".join(mark.citekey for mark in marks)
        action.summary = f"{pass_number} of {names}, taken back"
    return marks


def _mark(store: Store, paper_id: int, before: int) -> PassMark:
    paper = get_paper(store, paper_id)
    return PassMark(paper_id, paper.citekey, before, paper.passes_done)


def _moment(text: str, now: datetime) -> str:
    """A day, or a time with offset, as the library writes it; today is the last day there is."""
    written = text.strip()
    try:
        moment = datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError):  # A year at the calendar's end has no local time.
        raise UsageError(
            f"{text!r} is not a date: write 2026-03-01, or 2026-03-01T20:15."
        ) from None
    if moment.date() > now.astimezone().date():
        raise UsageError(f"{text!r} is yet to come; a pass is recorded when it is done.")
    if len(written) <= len("2026-03-01"):
        return moment.date().isoformat()
    return moment.isoformat(timespec="seconds")
