"""Look at one arXiv category on one day: read feed, listing, catch-up pages and OAI.

Ids decide what is new. A feed counts as today's when it has unseen ids and no earlier day is
missing. Otherwise the listing page is read, which declares its own date and counts.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TypeVar

from papertrack.actions.watch.calendar import has_list, list_days, may_be_holiday
from papertrack.actions.watch.match import topics_at_work
from papertrack.errors import SourceUnavailableError
from papertrack.holdings import Announcement
from papertrack.identifiers.feeds import is_feed
from papertrack.records import AnnouncementKind
from papertrack.sources.arxiv_daily import (
    CATCHUP_DAYS,
    AnnouncementBatch,
    Listing,
    fetch_announcements,
    fetch_catchup,
    fetch_listing,
)
from papertrack.sources.arxiv_oai import OaiPage, fetch_since, set_of_category
from papertrack.sources.failures import BadAnswer, Refused, UnknownCategory
from papertrack.sources.transport import Door
from papertrack.store.store import Store
from papertrack.store.watch import announcements
from papertrack.store.watch.announcements import (
    FIRST_KINDS,
    FirstText,
    Recorded,
    first_kept_day,
    record_batch,
)

T = TypeVar("T")
PAGE_TRIES = 3
"""After this many nights with an unreadable catch-up page, OAI is asked for its day."""
MOST_TRIES = 6
"""After this many nights without an answer from either, a day counts as lost."""
CLOCK_TOLERANCE = timedelta(days=1)
"""OAI uses days in UTC, the lists use days in US Eastern time."""
SUBMITTED_BEFORE_DAYS = 5
"""The longest wait between submission and announcement, with weekends and checks."""


def given_up(day: date) -> str:
    """Return the mark of a list that will not be asked for again."""
    return f"the list of {day} is lost: no source shows it"


@dataclass(frozen=True, slots=True)
class Night:
    """What all fetches of one run share."""

    store: Store
    door: Door
    run_id: int
    day: date
    """The current day at arXiv."""
    clock: Callable[[], float]
    ends_at: float
    """When the time for the whole run is over, by that clock."""


def look_at(night: Night, category: str) -> announcements.Look:
    """Fetch all unseen announcements of a category that arXiv still shows.

    Each batch is stored in one transaction with the progress so far, so that a killed run continues
    where it stopped. Failures are part of the result, never raised.
    """
    looking = _Looking(night, category)
    looking.close_gaps(missing_days(night.store, category, night.day))
    looking.see_today()
    return looking.look


def look_back(night: Night, category: str, since: date) -> None:
    """Fetch what was announced in a category since a day, as far back as arXiv shows it.

    Adds it to this run. Failures are part of the result, never raised.
    """
    looking = _Looking(night, category)
    if (last := announcements.last_look(night.store, category, day=night.day)) is not None:
        looking.look = last[1]
    looking.close_gaps(days_not_kept(night.store, category, since, night.day))
    looking.conclude()


def missing_days(store: Store, category: str, today: date) -> list[date]:
    """Return the days since the first look whose lists are incomplete, newest first.

    A feed has no days, so none are missing.
    """
    first = announcements.first_look_day(store, category, today)
    if first is None or is_feed(category):
        return []
    known_days = announcements.known_days(store, category)
    return [day for day in list_days(first, today - timedelta(days=1)) if day not in known_days]


def days_not_kept(store: Store, category: str, since: date, today: date) -> list[date]:
    """Return the past days since ``since`` whose lists arXiv shows and the store lacks.

    The newest day comes first.
    """
    known_days = announcements.known_days(store, category)
    kept_since = first_kept_day(store, category) or today
    first = max(since, today - timedelta(days=CATCHUP_DAYS))
    days = list_days(first, today - timedelta(days=1))
    return [day for day in days if day < kept_since or day not in known_days]


class _Looking:
    """One look, with what it has fetched so far."""

    def __init__(self, night: Night, category: str) -> None:
        self.night = night
        self.store = night.store
        self.category = category
        known_days = announcements.known_days(night.store, category)
        self.is_first = not known_days
        self.failure: SourceUnavailableError | None = None
        """Why the last request failed; None if it succeeded."""
        self.look = look_to_begin_with(night, category, is_known=night.day in known_days)

    def close_gaps(self, days: Sequence[date]) -> None:
        """Read the lists of days that no run has read yet."""
        tried = announcements.tries(self.store, self.category)
        oldest_page = self.night.day - timedelta(days=CATCHUP_DAYS)
        without_page = []
        for day in days:
            if day < oldest_page or tried.get(day, 0) >= PAGE_TRIES:
                without_page.append(day)
                continue
            listing = self._ask(partial(fetch_catchup, self.night.door, self.category, day))
            if listing is not None:
                self._keep_list(listing, "catchup", self.look.state)
            elif _is_answer(self.failure):
                announcements.count_try(self.store, self.category, [day])
            else:
                return  # The host is away, not this one page.
        if without_page:
            self._harvest(without_page)

    def see_today(self) -> None:
        """Read today's feed, and the listing page if the feed alone proves nothing."""
        today = self.night.day
        if today in announcements.known_days(self.store, self.category):
            self.conclude()
            return
        batch = self._ask(lambda: fetch_announcements(self.night.door, self.category))
        if isinstance(self.failure, UnknownCategory):
            self.conclude("could-not-look")
        elif batch is not None and self._keep_feed(batch):
            return
        elif batch is not None and not (
            batch.announcements or self.is_first or has_list(self.night.day)
        ):
            self.conclude("nothing-announced")
        else:
            self._check_listing(batch)

    def _keep_feed(self, batch: AnnouncementBatch) -> bool:
        """Store what the feed announces; return whether that is certainly all of today."""
        self._note(*batch.unreadable)
        if batch.is_truncated:
            self._note("the feed is full, so that new papers may be missing from it")
        today = self.night.day
        missing = missing_days(self.store, self.category, today)
        is_believed = _is_whole(batch) and not missing and not self.is_first
        with self.store.transaction():
            recorded = self._record(batch.announcements, today, "feed")
            is_all = is_believed and bool(recorded.unseen)
            if is_all:
                self._settle([today], "feed", recorded.announced)
            self.conclude("new" if recorded.unseen else self.look.state)
        return is_all

    def _check_listing(self, batch: AnnouncementBatch | None) -> None:
        """Read the newest list, and conclude today's state from it and the feed's batch."""
        today = self.night.day
        listing = self._ask(partial(_fetch_whole_listing, self.night.door, self.category))
        is_new = self.look.state == "new"
        if listing is None:
            self.conclude("new" if is_new else "could-not-look")
        elif listing.day < today:
            is_none_due = not has_list(today) or may_be_holiday(today)
            state: announcements.State = "nothing-announced" if is_none_due else "stale"
            self._keep_list(listing, "listing", "new" if is_new else state)
        else:
            has_old_feed = batch is not None and _is_whole(batch) and not self.is_first
            self._keep_list(listing, "listing", "stale" if has_old_feed else "new", "quiet")

    def _harvest(self, days: Sequence[date]) -> None:
        """Read papers of these days by OAI, because the catch-up pages do not show them.

        ``days`` has the newest first.
        """
        since, todays = days[-1], self.night.day
        first = (since - timedelta(days=SUBMITTED_BEFORE_DAYS)).isoformat()
        last = days[0].isoformat()
        pages = fetch_since(self.night.door, set_of_category(self.category), since)
        while page := self._ask(lambda: next(pages, None)):
            todays = min(todays, page.responded or todays)
            for day, batch in _by_day(page, self.category, first, last).items():
                with self.store.transaction():
                    self._record(batch, date.fromisoformat(day), "oai")
                    self.conclude()
        with self.store.transaction():
            if self.failure is None:
                # If this machine's clock is ahead, some of the missing days are in the future.
                self._settle([day for day in days if day <= todays], "oai")
            elif _is_answer(self.failure):
                self._give_up(days)
        if self.night.day - todays > CLOCK_TOLERANCE:
            self._note(
                f"this machine's clock says {self.night.day}, but arXiv's {todays}; correct it"
            )

    def _give_up(self, days: Sequence[date]) -> None:
        """Count a failed try for these days, and give up on those with too many."""
        announcements.count_try(self.store, self.category, days)
        tried = announcements.tries(self.store, self.category)
        lost = [day for day in days if tried[day] >= MOST_TRIES]
        self._settle(lost, announcements.LOST)
        self._note(*map(given_up, lost))

    def _settle(self, days: Iterable[date], source: str, announced: int = 0) -> None:
        for day in days:
            announcements.mark_day(
                self.store, self.category, day, source=source, announced=announced
            )

    def _ask(self, fetch: Callable[[], T]) -> T | None:
        """Return a source's response; if it fails, note the failure and return None."""
        self.failure = None
        try:
            if self.night.clock() > self.night.ends_at:
                raise SourceUnavailableError(
                    "The time for one run is over; the next run continues."
                )
            return fetch()
        except UnknownCategory as error:
            self.failure = error
            self._note(_remedy(error, self.store, self.category))
        except SourceUnavailableError as error:
            self.failure = error
            self._note(str(error))
        return None

    def _note(self, *problems: str) -> None:
        # A host that is down fails every request with the same problem.
        self.look = replace(self.look, failed=tuple(dict.fromkeys((*self.look.failed, *problems))))

    def _keep_list(
        self,
        listing: Listing,
        source: str,
        state: announcements.State,
        without_news: announcements.State | None = None,
    ) -> None:
        """Store a whole list, and conclude with ``state``; with ``without_news`` if no id is
        unseen."""
        before = self.look.state
        with self.store.transaction():
            recorded = self._record(listing.announcements, listing.day, source)
            self._settle([listing.day], source, recorded.announced)
            if without_news is not None and not recorded.unseen:
                state = "new" if before == "new" else without_news
            self.conclude(state)

    def _record(self, announcements: Sequence[Announcement], day: date, source: str) -> Recorded:
        """Store a batch and count it in the look, within the caller's transaction."""
        recorded = record_batch(self.store, self.category, announcements, day=day, source=source)
        look = self.look
        announced = recorded.announced if day == self.night.day else 0
        new_ids = filter(None, (look.last_new_id, recorded.last_new_id))
        self.look = replace(
            look,
            announced=max(look.announced, announced),
            unseen=look.unseen + len(recorded.unseen),
            last_new_id=max(new_ids, default=None),
        )
        return recorded

    def conclude(self, state: announcements.State | None = None) -> None:
        """Store the look, with another state of the day if one is given."""
        self.look = replace(self.look, state=state or self.look.state)
        announcements.record_look(self.store, self.night.run_id, self.look)


def look_to_begin_with(night: Night, category: str, *, is_known: bool) -> announcements.Look:
    """Return a new look, or the day's last one as far as it still counts."""
    # An earlier run may have stored today's list last evening: the listing page shows the list of
    # the next day from 20:00 Eastern on.
    state: announcements.State = "quiet" if is_known else "could-not-look"
    earlier = announcements.last_look(night.store, category, day=night.day)
    if earlier is None:
        return announcements.Look(category, state)
    run, look = earlier
    look = replace(look, failed=())
    if run.id == night.run_id:
        return look  # A killed run is continued.
    # After a finished run only new ids count.
    return replace(look, state=state, unseen=0, matched=0)


def _is_whole(batch: AnnouncementBatch) -> bool:
    return not (batch.is_truncated or batch.unreadable)


def _fetch_whole_listing(door: Door, category: str) -> Listing:
    listing = fetch_listing(door, category)
    if len(listing.announcements) < listing.total:
        return fetch_catchup(door, category, listing.day)
    return listing


def _by_day(page: OaiPage, category: str, first: str, last: str) -> dict[str, list[Announcement]]:
    """Return what records announce between two days, by the day of their last version.

    Changes of metadata alone are left out.
    """
    by_day: dict[str, list[Announcement]] = {}
    for record in page.records:
        facts, is_own = record.facts, record.facts.primary_category == category
        submitted, updated = (facts.submitted or "")[:10], (facts.updated or "")[:10]
        kind: AnnouncementKind
        if first <= submitted <= last:
            kind = "new" if is_own else "cross"
        elif first <= updated <= last:
            kind = "replace" if is_own else "replace-cross"
        else:
            continue
        announcement = Announcement(record.identifier.value, facts.version, kind, facts)
        by_day.setdefault(updated or last, []).append(announcement)
    return dict(sorted(by_day.items()))


def _is_answer(failure: SourceUnavailableError | None) -> bool:
    """Return whether the host answered, so that only this request failed, not the host."""
    is_refused = isinstance(failure, Refused) and failure.status in (400, 404)
    return is_refused or isinstance(failure, BadAnswer)


def _remedy(failure: UnknownCategory, store: Store, category: str) -> str:
    """Return what failed, and which topics to change: waiting alone may never help."""
    topics = topics_at_work(store)
    names = [shlex.quote(topic.name) for topic in topics if category in topic.arxiv_categories]
    places = [f"`papertrack topic edit {name} --arxiv …`" for name in names[:3]]
    if len(names) > 3:
        places.append(f"the same for {len(names) - 3} more topics")
    if not all(topic.arxiv_categories for topic in topics):
        places.append("`papertrack config watch.arxiv_categories …`")
    return (
        f"{failure.host} {failure.what}. If this persists, choose other categories: "
        f"{', '.join(places)}; if it comes back, the next run catches up."
    )


def fetch_shown(
    store: Store, door: Door, categories: Sequence[str], *, since: date, today: date
) -> Iterator[tuple[int, int, list[FirstText]]]:
    """Yield the lists since a day that arXiv shows and the store lacks.

    Each item is the number of lists read, their total, and the content of the last one. Stores
    nothing. Raises SourceFailure.
    """
    missing = [
        (category, day)
        for category in categories
        for day in days_not_kept(store, category, since, today)
    ]
    for done, (category, day) in enumerate(missing, start=1):
        batch = fetch_catchup(door, category, day).announcements
        texts = [_first_text(item, category, day) for item in batch if item.kind in FIRST_KINDS]
        yield done, len(missing), texts


def _first_text(announcement: Announcement, category: str, day: date) -> FirstText:
    facts = announcement.facts
    # A new paper is announced in all its categories, a cross-listed one in this category.
    carried_by = facts.arxiv_categories if announcement.kind == "new" else (category,)
    return FirstText(
        0,
        announcement.arxiv_id,
        facts.title or "",
        facts.abstract or "",
        [author.name for author in facts.authors],
        facts.comment or "",
        facts.arxiv_categories,
        day.isoformat(),
        frozenset(name.lower() for name in carried_by),
    )
