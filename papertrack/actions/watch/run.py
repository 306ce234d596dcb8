"""The nightly watch: see what arXiv announced, and put what the topics want into the inbox."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from papertrack.actions.online.locks import take_lock
from papertrack.actions.watch.calendar import eastern_day, may_be_holiday
from papertrack.actions.watch.inbox import SOURCE, Arrivals, fill_inbox
from papertrack.actions.watch.look import Night, look_at
from papertrack.actions.watch.match import (
    Watcher,
    WatchPlan,
    match_topics,
    ready_watchers,
    watched_categories,
)
from papertrack.actions.watch.status import (
    LOCK,
    RUN_SECONDS,
    category_statuses,
    failures_of,
)
from papertrack.library import Library
from papertrack.records import PaperFacts
from papertrack.sources.transport import Door
from papertrack.store.papers import complete_paper
from papertrack.store.store import Store
from papertrack.store.watch.announcements import (
    Replacement,
    count_by_category,
    forget_before,
    newer_versions,
    replacements_since,
)
from papertrack.store.watch.runs import Look, Run, finish_run, last_runs, set_matched, start_run
from papertrack.text import plural

RECENT = timedelta(days=7)
"""How old a day may be for a run without its list to count as a failure."""
LOCK_SECONDS = 0.2
"""Longer than asking whether a run is at work holds the lock, which would keep one away."""


@dataclass(frozen=True, slots=True)
class WatchReport:
    """What one run did."""

    day: date
    """At arXiv."""
    started: str
    looks: tuple[Look, ...]
    new_papers: tuple[int, ...]
    """Papers that came into the inbox, in this order."""
    known_papers: tuple[int, ...]
    """Papers that the library had already and a topic found for the first time."""
    replaced: tuple[Replacement, ...]
    missing: tuple[tuple[str, date], ...]
    """Categories and recent days whose lists are still not known; the next run asks for them."""
    warnings: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a digest should say besides papers: what could not be looked at, and warnings."""
        return (*failures_of(self.looks), *self.warnings)

    @property
    def exit_code(self) -> int:
        """0, 4 when something could not be looked at, 5 when arXiv's list is older than due."""
        if self.missing or any(look.state == "could-not-look" for look in self.looks):
            return 4
        stale = [look for look in self.looks if look.state == "stale" and not look.unseen]
        return 5 if stale else 0


def run_watch(
    store: Store,
    door: Door,
    library: Library,
    plan: WatchPlan,
    *,
    since: date | None = None,
    on_look: Callable[[str, int, int], None] = lambda category, done, total: None,
    clock: Callable[[], float] = time.monotonic,
) -> WatchReport | None:
    """Look at every watched category and fill the inbox; None when another run is at work.

    ``since`` lets the topics look back at all that is kept from that day on; ``on_look`` is told
    each category before it is asked for, how many are done and how many there are. What was seen
    is kept, whatever fails later, and a run that was killed is continued. Raises NotFoundError
    when there is no topic, UsageError when none of them can look, PapertrackError when the
    library's folder cannot be written.
    """
    lock = take_lock(library, LOCK, seconds=LOCK_SECONDS)
    if lock is None:
        return None
    try:
        watchers, unready = ready_watchers(store, plan)
        categories = watched_categories(store, plan.default_categories)
        run = _open_run(store, eastern_day(store.now()))
        night = Night(store, door, run.id, run.day, clock, ends_at=clock() + RUN_SECONDS)
        for done, category in enumerate(categories):
            on_look(category, done, len(categories))
            look_at(night, category)
        arrivals = _take_matches(store, watchers, plan, since, run)
        return _report(store, run, plan, arrivals, unready)
    finally:
        lock.release()


def _open_run(store: Store, day: date) -> Run:
    """Today's run that was killed, or a new one."""
    runs = last_runs(store, day=day)
    if runs and runs[0].finished_at is None:
        return runs[0]
    start_run(store, day)
    return last_runs(store)[0]


def _take_matches(
    store: Store, watchers: Sequence[Watcher], plan: WatchPlan, since: date | None, run: Run
) -> Arrivals:
    """Match what is unseen and fill the inbox: one action, which undo takes back.

    The run is finished with it: only one that was killed before is continued.
    """
    with store.action("watch") as action:
        matched = match_topics(store, watchers, since=since)
        topics = [watcher.topic for watcher in watchers]
        arrivals = fill_inbox(store, topics, citekey_template=plan.citekey_template)
        for paper_id, version in newer_versions(store).items():
            complete_paper(store, paper_id, PaperFacts(version=version), source=SOURCE)
        set_matched(store, run.id, count_by_category(store, matched))
        action.summary = f"{plural(len(arrivals.new), 'paper')} into the inbox"
        oldest = store.now() - timedelta(days=plan.keep_days)
        forget_before(store, oldest.isoformat(timespec="seconds"))
        finish_run(store, run.id)
    return arrivals


def _report(
    store: Store, run: Run, plan: WatchPlan, arrivals: Arrivals, unready: Sequence[str]
) -> WatchReport:
    done = next(other for other in last_runs(store, day=run.day) if other.id == run.id)
    statuses = category_statuses(store, plan.default_categories, run.day)
    names = {one.category for one in statuses}
    warnings = filter(None, (one.warning for one in statuses))
    return WatchReport(
        day=run.day,
        started=run.at,
        looks=tuple(look for look in done.looks if look.category in names),
        new_papers=tuple(arrivals.new),
        known_papers=tuple(arrivals.known),
        replaced=tuple(replacements_since(store, run.at)),
        missing=tuple(
            (one.category, day)
            for one in statuses
            for day in one.missing
            if run.day - day <= RECENT and not may_be_holiday(day)
        ),
        warnings=(*unready, *warnings),
    )
