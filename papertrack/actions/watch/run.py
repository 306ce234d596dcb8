"""Run the nightly watch: put what arXiv announced into the inbox, and report the state."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from papertrack.actions.online.network import acquire_lock, lock_path
from papertrack.actions.ranking import best_outside, present_model, rank_inbox
from papertrack.actions.results import shaped
from papertrack.actions.watch.calendar import eastern_day, list_days, lists_due, may_be_holiday
from papertrack.actions.watch.feeds import look_at_feed
from papertrack.actions.watch.look import Night, given_up, look_at, look_back, missing_days
from papertrack.actions.watch.match import (
    SOURCE,
    Arrivals,
    Watcher,
    WatchPlan,
    add_found,
    fill_inbox,
    match_topics,
    ready_watchers,
    split_topics,
    topics_at_work,
    waiting_warnings,
    watched_categories,
)
from papertrack.errors import PapertrackError
from papertrack.identifiers.feeds import is_feed
from papertrack.library import Library
from papertrack.ranking.model import Model
from papertrack.records import PaperFacts
from papertrack.sources.arxiv_daily import CATCHUP_DAYS
from papertrack.sources.transport import Door
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import complete_paper
from papertrack.store.store import Store
from papertrack.store.watch import announcements
from papertrack.store.watch.announcements import (
    Look,
    count_by_category,
    forget_before,
    newer_versions,
    replacements_since,
)
from papertrack.text import few, group, moment_shown, plural

LOCK = "watch"
RUN_SECONDS = 20 * 60.0
"""The time limit of a run: five categories take a quarter of a minute, three missed months a
night."""
WARN_AFTER_DAYS = 3
"""After how many listings in a row without news a category is suspicious…"""
WARN_OF_FEED_AFTER_DAYS = 60
"""…and after how many weekdays a feed is: journals and blogs pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOfDay(Look):
    """What a run found in a category, and on which day."""

    day: date


@dataclass(frozen=True, slots=True)
class CategoryStatus:
    """The state of one category."""

    category: str
    looked_at: str | None
    last_look: Look | None
    """The last fetch; None if there was none."""
    last_look_with_news: LookOfDay | None
    """The last fetch with something new; later ones do not hide it."""
    last_news: date | None
    """The last day with something new."""
    days_without_news: int
    """How many listings were due from then, or from the first fetch, to the last fetch."""
    days_without_look: int
    """How many listings were due since the last fetch, without today's."""
    complete_since: date | None
    """The day from which all due listings are known, without today's; None if the last is
    missing."""
    missing: tuple[date, ...]
    """Days with incomplete listings, which the next run requests."""
    lost: tuple[date, ...]
    """Days of the last three months that no source has."""
    warning: str | None = None
    """The warning if the watch or the category brings no more news."""

    @property
    def loss(self) -> str | None:
        """Return which lists are lost and what to do, or None."""
        if not self.lost:
            return None
        days = few([day.isoformat() for day in self.lost])
        return (
            f"{self.category}: the announcements of {days} are lost: no source has them "
            "any more. `papertrack watch --topic NAME --since DAY` searches for papers "
            "of that time."
        )

    @property
    def is_loss_new(self) -> bool:
        """Return whether the last fetch gave up on a listing; earlier losses were reported."""
        look = self.last_look
        return look is not None and not {*map(given_up, self.lost)}.isdisjoint(look.failed)


def category_statuses(
    store: Store, default_categories: Sequence[str], today: date
) -> list[CategoryStatus]:
    """Return the state of each watched category, in order."""
    names = watched_categories(store, default_categories)
    return [category_status(store, name, today) for name in names]


def category_status(store: Store, category: str, today: date) -> CategoryStatus:
    """Return the state of a category on a day at arXiv; sends no request."""
    last = announcements.last_look(store, category)
    with_news = announcements.last_look(store, category, with_news=True)
    news = announcements.last_day_with_news(store, category, today)
    quiet_from = news or announcements.first_look_day(store, category, today)
    status = CategoryStatus(
        category,
        last[0].at if last else None,
        last[1] if last else None,
        shaped(LookOfDay, with_news[1], day=with_news[0].day) if with_news else None,
        news,
        lists_due(quiet_from, last[0].day) if quiet_from and last else 0,
        lists_due(last[0].day, today - timedelta(days=1)) if last else 0,
        _complete_since(store, category, today),
        tuple(missing_days(store, category, today)),
        tuple(announcements.lost_days(store, category, today - timedelta(days=CATCHUP_DAYS))),
    )
    return replace(status, warning=_warning(status))


def _warning(status: CategoryStatus) -> str | None:
    """Return a warning if the watch or a category has stopped giving news, or None."""
    category, quiet = status.category, status.days_without_news
    if status.days_without_look >= WARN_AFTER_DAYS:
        return (
            f"{category} has not been fetched for {status.days_without_look} announcement days "
            f"(since {(status.looked_at or '')[:10]}). Is the watch still scheduled?"
        )
    if quiet < (WARN_OF_FEED_AFTER_DAYS if is_feed(category) else WARN_AFTER_DAYS):
        return None
    if is_feed(category):
        since = status.last_news or "the first look"
        return f"{category} has had nothing new since {since}. Is it still the right feed?"
    since = status.last_news or "the first fetch"
    return f"{category} has had nothing new for {quiet} announcement days (since {since})."


def _complete_since(store: Store, category: str, today: date) -> date | None:
    lost = announcements.lost_days(store, category, date.min)
    days = announcements.known_days(store, category).difference(lost)
    since = today if today in days else None
    for day in list_days(min(days, default=today), today - timedelta(days=1)):
        if day not in days:
            break
        since = day
    return since


def problems_of(looks: Iterable[Look]) -> list[str]:
    """Return each problem once, after the categories that had it: ``cs.LG, cs.CL: …``."""
    categories = group((problem, look.category) for look in looks for problem in look.failed)
    return [f"{', '.join(names)}: {problem}" for problem, names in categories.items()]


def failures_of(looks: Iterable[Look]) -> list[str]:
    """Return what prevented categories from being fetched."""
    return problems_of(look for look in looks if look.state == "could-not-look")


def standing_warnings(
    store: Store, library: Library, default_categories: Sequence[str]
) -> list[str]:
    """Return what prevents the watch from working: an unfinished run, topics that cannot be
    matched."""
    _, unready = split_topics(topics_at_work(store), default_categories)
    unready += waiting_warnings(store)
    run, is_at_work = unfinished_run(store, library)
    if run is None or is_at_work:
        return unready
    began = moment_shown(run.at)
    return [
        f"The watch that began at {began} did not finish. What it fetched is kept, but "
        "not matched yet: run `papertrack watch` again.",
        *unready,
    ]


def standing_notes(
    store: Store, library: Library, default_categories: Sequence[str], today: date
) -> list[str]:
    """Return what a digest should say besides papers when no run made it; sends no request."""
    statuses = category_statuses(store, default_categories, today)
    unseen = [status.category for status in statuses if status.last_look is None]
    return [
        *([] if statuses else ["There are no topics: `papertrack topic add` makes one."]),
        *([f"{few(unseen)}: not fetched yet; run `papertrack watch`."] if unseen else []),
        *failures_of(status.last_look for status in statuses if status.last_look),
        *standing_warnings(store, library, default_categories),
        *(status.warning for status in statuses if status.warning),
    ]


def unfinished_run(store: Store, library: Library) -> tuple[announcements.Run | None, bool]:
    """Return the last run, if it did not finish, and whether it is still running.

    If it is not running, it was interrupted; the next one continues with what it stored.
    """
    run = next((run for run in announcements.last_runs(store) if run.finished_at is None), None)
    return run, run is not None and _is_at_work(library, run, store.now())


def _is_at_work(library: Library, run: announcements.Run, now: datetime) -> bool:
    """Return whether the process of an unfinished run is alive: its lock ends with it."""
    if not lock_path(library, LOCK).exists():
        return False
    try:
        lock = acquire_lock(library, LOCK, seconds=0)
    except PapertrackError:
        # Another user holds the lock, so only the age of the run can tell.
        return now - datetime.fromisoformat(run.at) <= timedelta(seconds=RUN_SECONDS)
    if lock is not None:
        lock.release()
    return lock is None


RECENT = timedelta(days=7)
"""Up to this age, a day without its listing is a failure of the run."""
LOCK_SECONDS = 0.2
"""Longer than another process needs the lock to check for an active run."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A new version of a paper in the library."""

    citekey: str
    version: int | None
    """None if only a listing page showed it."""


@dataclass(frozen=True, slots=True)
class MissingDay:
    """A recent day whose list is still missing; the next run asks for it."""

    category: str
    day: date


@dataclass(frozen=True, slots=True)
class WatchReport:
    """The result of one run; papers are named by their keys."""

    day: date
    """At arXiv."""
    started: str
    papers_new: int
    citekeys: list[str]
    """Papers that were added to the inbox, in order."""
    outside: list[str]
    """Those papers that no topic matched: they were added by rank, best first."""
    already_known: list[str]
    """Papers that the library already had and a topic found for the first time."""
    replaced: list[Replacement]
    categories: list[Look]
    missing: list[MissingDay]
    warnings: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a digest should say besides papers: what could not be fetched, and
        warnings."""
        return (*failures_of(self.categories), *self.warnings)

    @property
    def exit_code(self) -> int:
        """Return 0; 4 when something could not be fetched; 5 when arXiv's list is older than it
        should be."""
        return _exit_code(self.categories, is_missing_days=bool(self.missing))


def _exit_code(looks: Iterable[Look], *, is_missing_days: bool) -> int:
    states = {look.state for look in looks if look.state != "stale" or not look.unseen}
    if is_missing_days or "could-not-look" in states:
        return 4
    return 5 if "stale" in states else 0


def is_settled(store: Store, plan: WatchPlan) -> bool:
    """Return whether today's last run fetched everything that is due."""
    day = eastern_day(store.now())
    statuses = category_statuses(store, plan.default_categories, day)
    done = [run for run in announcements.last_runs(store, day=day) if run.finished_at is not None]
    looks = {look.category: look for run in done for look in run.looks}
    if not statuses or any(status.category not in looks for status in statuses):
        return False
    latest = [looks[status.category] for status in statuses]
    return _exit_code(latest, is_missing_days=bool(_missing_lately(statuses, day))) == 0


def has_run_today(store: Store) -> bool:
    """Return whether a run began today (as arXiv counts days)."""
    return bool(announcements.last_runs(store, day=eastern_day(store.now())))


def _missing_lately(statuses: Iterable[CategoryStatus], today: date) -> list[MissingDay]:
    """Return the categories and recent days whose lists are still missing."""
    return [
        MissingDay(status.category, day)
        for status in statuses
        for day in status.missing
        if today - day <= RECENT and not may_be_holiday(day)
    ]


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
    """Fetch every watched category and fill the inbox; None if another run is active.

    ``since`` lets the topics look back at everything announced from that day on: what is stored,
    and what arXiv still shows of other days. ``on_look`` is called before each request with the
    category, the number done and the total. What was fetched is stored, whatever fails later,
    and a killed run is continued. Raises NotFoundError when there is no topic, UsageError when
    none of them can be matched, PapertrackError when the library's folder cannot be written.
    """
    lock = acquire_lock(library, LOCK, seconds=LOCK_SECONDS)
    if lock is None:
        return None
    try:
        watchers, unready = ready_watchers(store, plan)
        categories = watched_categories(store, plan.default_categories)
        latest = announcements.last_runs(store, day=eastern_day(store.now()))
        if not latest or latest[0].finished_at is not None:  # None that was killed.
            announcements.start_run(store, eastern_day(store.now()))
            latest = announcements.last_runs(store)
        run = latest[0]
        night = Night(store, door, run.id, run.day, clock, ends_at=clock() + RUN_SECONDS)
        for done, category in enumerate(categories):
            on_look(category, done, len(categories))
            (look_at_feed if is_feed(category) else look_at)(night, category)
        if since is not None:
            # After today's lists: the past can wait, if the time for one run is over.
            for category in categories:
                if not is_feed(category):
                    look_back(night, category, since)
        # Before the transaction: learning takes seconds, in which others may write.
        arrivals = _take_matches(store, watchers, plan, since, run, present_model(store, run.day))
        with store.transaction():
            store.write_records()
        return _report(store, run, plan, arrivals, unready)
    finally:
        lock.release()


def _take_matches(
    store: Store,
    watchers: Sequence[Watcher],
    plan: WatchPlan,
    since: date | None,
    run: announcements.Run,
    model: Model,
) -> Arrivals:
    """Match what is unseen, fill the inbox and rank it, as one action that can be undone.

    This also finishes the run: only a run that was killed before is continued.
    """
    with store.action("watch") as action:
        matched = match_topics(store, watchers, since=since)
        arrivals = fill_inbox(store, [watcher.topic for watcher in watchers])
        outside = best_outside(store, model, seen_since=run.at, wanted=plan.outside)
        arrivals.outside = add_found(store, outside)
        rank_inbox(store, model)
        for paper_id, version in newer_versions(store).items():
            complete_paper(store, paper_id, PaperFacts(version=version), source=SOURCE)
        announcements.set_matched(store, run.id, count_by_category(store, matched))
        count = len(arrivals.new) + len(arrivals.outside)
        action.summary = f"{plural(count, 'paper')} into the inbox"
        oldest = store.now() - timedelta(days=plan.keep_days)
        forget_before(store, oldest.isoformat(timespec="seconds"))
        announcements.finish_run(store, run.id)
    return arrivals


def _report(
    store: Store,
    run: announcements.Run,
    plan: WatchPlan,
    arrivals: Arrivals,
    unready: Sequence[str],
) -> WatchReport:
    done = next(
        other for other in announcements.last_runs(store, day=run.day) if other.id == run.id
    )
    statuses = category_statuses(store, plan.default_categories, run.day)
    names = {status.category for status in statuses}
    warnings = filter(None, (status.warning for status in statuses))
    keys_of = partial(citekey_of, store)
    new = [*arrivals.new, *arrivals.outside]
    replaced = replacements_since(store, run.at)
    return WatchReport(
        day=run.day,
        started=run.at,
        papers_new=len(new),
        citekeys=list(map(keys_of, new)),
        outside=list(map(keys_of, arrivals.outside)),
        already_known=list(map(keys_of, arrivals.known)),
        replaced=[Replacement(keys_of(of), version) for of, version in replaced.items()],
        categories=[look for look in done.looks if look.category in names],
        missing=_missing_lately(statuses, run.day),
        warnings=(*unready, *waiting_warnings(store), *warnings),
    )
