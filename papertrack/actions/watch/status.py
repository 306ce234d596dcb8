"""How things stand with the watch: each category, what was lost, and a run that was cut short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from papertrack.actions.online.locks import lock_path
from papertrack.actions.watch.calendar import lists_due
from papertrack.actions.watch.look import given_up, missing_days
from papertrack.actions.watch.match import split_topics, topics_at_work, watched_categories
from papertrack.library import Library
from papertrack.sources.arxiv_listing import CATCHUP_DAYS
from papertrack.store.store import Store
from papertrack.store.watch.runs import (
    Look,
    Run,
    first_look_day,
    last_day_with_news,
    last_look,
    last_runs,
    lost_days,
)
from papertrack.text import few, moment_shown

LOCK = "watch"
RUN_SECONDS = 20 * 60.0
"""For a whole run: five categories need a quarter of a minute, three months of gaps a night."""
WARN_AFTER_DAYS = 3
"""So many lists in a row without anything new are suspicious in any category."""


@dataclass(frozen=True, slots=True)
class CategoryStatus:
    """How things stand with one category."""

    category: str
    look: Look | None
    """The last one; None when there was none yet."""
    looked_at: str | None
    news: tuple[Run, Look] | None
    """The last look that saw something unseen, and its run; later ones do not hide it."""
    last_news: date | None
    """The last day that brought something unseen."""
    days_without_news: int
    """Lists that were due from then, or from the first look, to the last look."""
    days_without_look: int
    """Lists that were due since the last look, today's aside."""
    missing: tuple[date, ...]
    """Days whose lists are not known completely; the next run asks for them."""
    lost: tuple[date, ...]
    """Days of the last three months that no source showed, however often it was asked."""

    @property
    def warning(self) -> str | None:
        """What the reader should know, or None: that the watch or a category fell silent."""
        if self.days_without_look >= WARN_AFTER_DAYS:
            return (
                f"{self.category} has not been looked at for {self.days_without_look} announcement "
                f"days (since {(self.looked_at or '')[:10]}). Does the watch still run by itself?"
            )
        if self.days_without_news >= WARN_AFTER_DAYS:
            return (
                f"{self.category} has had nothing new for {self.days_without_news} announcement "
                f"days (since {self.last_news or 'the first look'})."
            )
        return None

    @property
    def loss(self) -> str | None:
        """Which lists are lost and what is left to do, or None."""
        if not self.lost:
            return None
        days = few([day.isoformat() for day in self.lost])
        return (
            f"{self.category}: the list of {days} is lost: no source shows it. "
            "`papertrack topic backfill` searches for papers of that time."
        )

    @property
    def is_loss_new(self) -> bool:
        """Whether the last look gave one of the lost lists up; before it, that was told already."""
        return self.look is not None and not {*map(given_up, self.lost)}.isdisjoint(
            self.look.failed
        )


def category_statuses(
    store: Store, default_categories: Sequence[str], today: date
) -> list[CategoryStatus]:
    """How things stand with each watched category, in their order."""
    names = watched_categories(store, default_categories)
    return [category_status(store, name, today) for name in names]


def category_status(store: Store, category: str, today: date) -> CategoryStatus:
    """How things stand with a category, seen on a day at arXiv; asks nobody."""
    found = last_look(store, category)
    news = last_day_with_news(store, category, today)
    quiet_from = news or first_look_day(store, category, today)
    return CategoryStatus(
        category,
        found[1] if found else None,
        found[0].at if found else None,
        last_look(store, category, with_news=True),
        news,
        lists_due(quiet_from, found[0].day) if quiet_from and found else 0,
        lists_due(found[0].day, today - timedelta(days=1)) if found else 0,
        tuple(missing_days(store, category, today)),
        tuple(lost_days(store, category, today - timedelta(days=CATCHUP_DAYS))),
    )


def problems_of(looks: Iterable[Look]) -> list[str]:
    """What did not work, each thing once, after the categories that had it: ``cs.LG, cs.CL: …``."""
    categories: dict[str, list[str]] = {}
    for look in looks:
        for problem in look.failed:
            categories.setdefault(problem, []).append(look.category)
    return [f"{', '.join(names)}: {problem}" for problem, names in categories.items()]


def failures_of(looks: Iterable[Look]) -> list[str]:
    """What kept categories from being looked at."""
    return problems_of(look for look in looks if look.state == "could-not-look")


def standing_warnings(
    store: Store, library: Library, default_categories: Sequence[str]
) -> list[str]:
    """What keeps the watch as a whole from doing its work: a run cut short, unready topics."""
    _, unready = split_topics(topics_at_work(store), default_categories)
    cut_short = interrupted_run(store, library)
    if cut_short is None:
        return unready
    began = moment_shown(cut_short.at)
    return [
        f"The watch that began at {began} did not end. What it saw is kept, but not matched yet: "
        "run `papertrack watch` again.",
        *unready,
    ]


def standing_notes(
    store: Store, library: Library, default_categories: Sequence[str], today: date
) -> list[str]:
    """What a digest should say besides papers when no run made it; asks nobody."""
    status = category_statuses(store, default_categories, today)
    return [
        *failures_of(one.look for one in status if one.look),
        *standing_warnings(store, library, default_categories),
        *(one.warning for one in status if one.warning),
    ]


def run_at_work(store: Store, library: Library) -> Run | None:
    """The run that is looking just now."""
    run = _unfinished_run(store)
    return run if run and _is_at_work(library, run, store.now()) else None


def interrupted_run(store: Store, library: Library) -> Run | None:
    """The last run, if it was ended before its time; the next one goes on with what it kept."""
    run = _unfinished_run(store)
    return run if run and not _is_at_work(library, run, store.now()) else None


def _unfinished_run(store: Store) -> Run | None:
    return next((run for run in last_runs(store) if run.finished_at is None), None)


def _is_at_work(library: Library, run: Run, now: datetime) -> bool:
    """Whether the process of an unfinished run lives: its lock ends with it, however it ends."""
    path = lock_path(library, LOCK)
    if not path.exists():
        return False
    # Imported here because few libraries have a run that did not finish.
    from filelock import FileLock, Timeout

    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        # The lock of somebody else: here only the age of the run tells.
        return now - datetime.fromisoformat(run.at) <= timedelta(seconds=RUN_SECONDS)
