"""Looking at one arXiv category on one day: feed, listing, catch-up and OAI, until all is known.

Ids decide what is new. A feed is believed to be today's when it brings unseen ids and no earlier
day is missing; otherwise the listing page, which declares its own date and counts, is asked.
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
"""So many nights a catch-up page may be unreadable; after them OAI is asked for its day."""
MOST_TRIES = 6
"""After so many nights in all a day that neither gives is lost: nobody asks for it again."""
CLOCK_TOLERANCE = timedelta(days=1)
"""OAI counts the days of UTC, the lists those of US Eastern time."""
SUBMITTED_BEFORE_DAYS = 5
"""Papers wait so long for their announcement, weekends and checks included."""


def given_up(day: date) -> str:
    """Return the mark for a list that is asked for the last time."""
    return f"the list of {day} is lost: no source shows it"


@dataclass(frozen=True, slots=True)
class Night:
    """What all fetches of one run share."""

    store: Store
    door: Door
    run_id: int
    day: date
    """At arXiv."""
    clock: Callable[[], float]
    ends_at: float
    """When, by that clock, the time for the whole run is used up."""


def look_at(night: Night, category: str) -> announcements.Look:
    """Fetch everything announced in a category and not seen yet, as far as arXiv shows it.

    Each batch is stored, with the progress so far, in one transaction: a killed run continues
    where it stopped. Failures are part of the result, never raised.
    """
    looking = _Looking(night, category)
    looking.close_gaps(missing_days(night.store, category, night.day))
    looking.see_today()
    return looking.look


def look_back(night: Night, category: str, since: date) -> None:
    """Fetch also what was announced in a category since a day, as far back as arXiv shows it,
    and add it to this run. Failures are part of the result, never raised."""
    looking = _Looking(night, category)
    if (found := announcements.last_look(night.store, category, day=night.day)) is not None:
        looking.look = found[1]
    looking.close_gaps(days_not_kept(night.store, category, since, night.day))
    looking.conclude()


def missing_days(store: Store, category: str, today: date) -> list[date]:
    """The days since the first look whose lists are not known completely, newest first; none of a
    feed, which has no days."""
    first = announcements.first_look_day(store, category, today)
    if first is None or is_feed(category):
        return []
    known = announcements.known_days(store, category)
    return [day for day in list_days(first, today - timedelta(days=1)) if day not in known]


def days_not_kept(store: Store, category: str, since: date, today: date) -> list[date]:
    """Return the days since one, except today, whose lists arXiv still shows and that are not
    stored. Newest first."""
    known = announcements.known_days(store, category)
    kept_since = first_kept_day(store, category) or today
    first = max(since, today - timedelta(days=CATCHUP_DAYS))
    days = list_days(first, today - timedelta(days=1))
    return [day for day in days if day < kept_since or day not in known]


class _Looking:
    """One look: what it found so far."""

    def __init__(self, night: Night, category: str) -> None:
        self.night = night
        self.store = night.store
        self.category = category
        known = announcements.known_days(night.store, category)
        self.is_first = not known
        self.failure: SourceUnavailableError | None = None
        """Why the last thing that was asked for did not come; None when it came."""
        self.look = look_to_begin_with(night, category, is_known=night.day in known)

    def close_gaps(self, days: Sequence[date]) -> None:
        """Read the lists of days that no run has read, such as those that earlier runs missed."""
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
        """Read today's feed, and the listing page where the feed alone proves nothing."""
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
        """Keep what the feed announces; return whether that is all of today, beyond doubt."""
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
        """Read the newest list, and say from it and from the feed's batch what today is."""
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
        """Read by OAI what the catch-up pages do not show: papers of these days, newest first."""
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
                # By a clock that is ahead, days are missing that are yet to come.
                self._settle([day for day in days if day <= todays], "oai")
            elif _is_answer(self.failure):
                self._give_up(days)
        if self.night.day - todays > CLOCK_TOLERANCE:
            self._note(
                f"the clock of this machine says {self.night.day}, arXiv's {todays}: set it right"
            )

    def _give_up(self, days: Sequence[date]) -> None:
        """Count that these days were asked for in vain, and leave those that were so too often."""
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
        """What a source answers; None, with the failure noted, when it does not."""
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
        # A host that is away says so to whatever is asked of it.
        self.look = replace(self.look, failed=tuple(dict.fromkeys((*self.look.failed, *problems))))

    def _keep_list(
        self,
        listing: Listing,
        source: str,
        state: announcements.State,
        without_news: announcements.State | None = None,
    ) -> None:
        """Keep a whole list, all or nothing, and what today is with it, and without unseen ids."""
        before = self.look.state
        with self.store.transaction():
            recorded = self._record(listing.announcements, listing.day, source)
            self._settle([listing.day], source, recorded.announced)
            if without_news is not None and not recorded.unseen:
                state = "new" if before == "new" else without_news
            self.conclude(state)

    def _record(self, announcements: Sequence[Announcement], day: date, source: str) -> Recorded:
        """Store a batch, and count it into the look; call it in a transaction."""
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
        """Keep the look, with another state of the day if one is given."""
        self.look = replace(self.look, state=state or self.look.state)
        announcements.record_look(self.store, self.night.run_id, self.look)


def look_to_begin_with(night: Night, category: str, *, is_known: bool) -> announcements.Look:
    """A new look, or the day's last one as far as it still counts."""
    # What is known by an earlier run may be from the eve: the listing page shows the next day's
    # list from 20:00 Eastern on.
    state: announcements.State = "quiet" if is_known else "could-not-look"
    earlier = announcements.last_look(night.store, category, day=night.day)
    if earlier is None:
        return announcements.Look(category, state)
    run, look = earlier
    look = replace(look, failed=())
    if run.id == night.run_id:
        return look  # A killed run is continued.
    # After a finished one only what is new counts.
    return replace(look, state=state, unseen=0, matched=0)


def _is_whole(batch: AnnouncementBatch) -> bool:
    return not (batch.is_truncated or batch.unreadable)


def _fetch_whole_listing(door: Door, category: str) -> Listing:
    listing = fetch_listing(door, category)
    if len(listing.announcements) < listing.total:
        return fetch_catchup(door, category, listing.day)
    return listing


def _by_day(page: OaiPage, category: str, first: str, last: str) -> dict[str, list[Announcement]]:
    """What the records of a page announce between two days, by the day of their last version; mere
    changes of metadata are left out."""
    found: dict[str, list[Announcement]] = {}
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
        one = Announcement(record.identifier.value, facts.version, kind, facts)
        found.setdefault(updated or last, []).append(one)
    return dict(sorted(found.items()))


def _is_answer(failure: SourceUnavailableError | None) -> bool:
    """Whether the host answered, so that what is wrong is what was asked for."""
    is_refused = isinstance(failure, Refused) and failure.status in (400, 404)
    return is_refused or isinstance(failure, BadAnswer)


def _remedy(failure: UnknownCategory, store: Store, category: str) -> str:
    """What failed, and whose categories to mend: waiting alone may never help."""
    topics = topics_at_work(store)
    named = [shlex.quote(topic.name) for topic in topics if category in topic.arxiv_categories]
    places = [f"`papertrack topic edit {name} --arxiv …`" for name in named[:3]]
    if len(named) > 3:
        places.append(f"the same for {len(named) - 3} more topics")
    if not all(topic.arxiv_categories for topic in topics):
        places.append("`papertrack config watch.arxiv_categories …`")
    return (
        f"{failure.host} {failure.what}. If this persists, choose other categories: "
        f"{', '.join(places)}; if it comes back, the next run catches up."
    )


def fetch_shown(
    store: Store, door: Door, categories: Sequence[str], *, since: date, today: date
) -> Iterator[tuple[int, int, list[FirstText]]]:
    """Return what arXiv shows of the days since one that are not stored: the number of lists
    read and in total, and the content of the last one. Stores nothing. Raises SourceFailure."""
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
