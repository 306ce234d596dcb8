"""Looking at one arXiv category on one day: feed, listing, catch-up and OAI, until all is known.

Ids decide what is new. A feed is believed to be today's when it brings unseen ids and no earlier
day is missing; otherwise the listing page, which declares its own date and counts, is asked.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import TypeVar

from papertrack.actions.watch.calendar import has_list, list_days, may_be_holiday
from papertrack.errors import SourceUnavailableError
from papertrack.records import Announcement, AnnouncementKind
from papertrack.sources.arxiv_feed import AnnouncementBatch, fetch_announcements
from papertrack.sources.arxiv_listing import CATCHUP_DAYS, Listing, fetch_catchup, fetch_listing
from papertrack.sources.arxiv_oai import fetch_since, set_of_category
from papertrack.sources.failures import BadAnswer, Refused, UnknownCategory
from papertrack.sources.record import SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.store import Store
from papertrack.store.watch.announcements import Recorded, record_batch
from papertrack.store.watch.runs import (
    LOST,
    Look,
    State,
    count_try,
    first_look_day,
    known_days,
    last_look,
    mark_day,
    record_look,
    tries,
)
from papertrack.store.watch.topics import list_topics

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
    """What a look says of the day whose list it is the last to ask for."""
    return f"the list of {day} is given up: nothing shows it"


@dataclass(frozen=True, slots=True)
class Night:
    """What all looks of one run share."""

    store: Store
    door: Door
    run_id: int
    day: date
    """At arXiv."""
    is_over: Callable[[], bool]
    """Whether the time for the whole run is used up."""


def look_at(night: Night, category: str) -> Look:
    """See everything that was announced in a category and not seen yet, as far as arXiv lets us.

    Each batch is kept, with the look so far, in one transaction: a run that was killed goes on
    where it stopped. Failures are part of the look, never raised.
    """
    looking = _Looking(night, category)
    looking.close_gaps()
    looking.see_today()
    return looking.look


def missing_days(store: Store, category: str, today: date) -> list[date]:
    """The days since the first look whose lists are not known completely, newest first."""
    first = first_look_day(store, category, today)
    if first is None:
        return []
    known = known_days(store, category)
    return [day for day in list_days(first, today - timedelta(days=1)) if day not in known]


class _Looking:
    """One look: what it found so far."""

    def __init__(self, night: Night, category: str) -> None:
        self.night = night
        self.category = category
        self.is_first = not known_days(night.store, category)
        self.failure: SourceUnavailableError | None = None
        """Why the last thing that was asked for did not come; None when it came."""
        self.look = Look(category, "could-not-look")
        earlier = last_look(night.store, category, day=night.day)
        if earlier is not None:
            run, look = earlier
            self.look = replace(look, failed=())
            if run.id == night.run_id:
                return  # A killed run is continued.
            # After a finished one only what is new counts.
            self.look = replace(self.look, state="could-not-look", unseen=0, matched=0)
        if night.day in known_days(night.store, category):
            # By an earlier run, which may have been on the eve: the listing page shows the next
            # day's list from 20:00 Eastern on.
            self.look = replace(self.look, state="quiet")

    def close_gaps(self) -> None:
        """Read the lists of the days that earlier runs missed."""
        store = self.night.store
        tried = tries(store, self.category)
        oldest_page = self.night.day - timedelta(days=CATCHUP_DAYS)
        without_page = []
        for day in missing_days(store, self.category, self.night.day):
            if day < oldest_page or tried.get(day, 0) >= PAGE_TRIES:
                without_page.append(day)
                continue
            listing = self._asked(partial(fetch_catchup, self.night.door, self.category, day))
            if listing is not None:
                self._keep(listing.announcements, day, "catchup")
            elif _is_answer(self.failure):
                count_try(store, self.category, [day])
            else:
                return  # The host is away, not this one page.
        if without_page:
            self._harvest(without_page)

    def see_today(self) -> None:
        """Read today's feed, and the listing page where the feed alone proves nothing."""
        night = self.night
        if night.day in known_days(night.store, self.category):
            self._conclude(self.look.state)
            return
        batch = self._asked(lambda: fetch_announcements(night.door, self.category))
        if isinstance(self.failure, UnknownCategory):
            self._conclude("could-not-look")
            return
        if batch is not None:
            self._keep_feed(batch)
            if night.day in known_days(night.store, self.category):
                return
            if not batch.announcements and not has_list(night.day) and not self.is_first:
                self._conclude("nothing-announced")
                return
        self._check_listing(batch)

    def _check_listing(self, batch: AnnouncementBatch | None) -> None:
        """Read the newest list, and say from it and from the feed's batch what today is."""
        has_news = self.look.state == "new"
        listing = self._asked(self._fetch_whole_listing)
        if listing is None:
            self._conclude("new" if has_news else "could-not-look")
            return
        is_todays = listing.day >= self.night.day
        is_whole = batch is not None and not (batch.is_truncated or batch.unreadable)
        has_old_feed = is_whole and not self.is_first

        def state_of(recorded: Recorded) -> State:
            if is_todays and recorded.unseen:
                return "stale" if has_old_feed else "new"
            if has_news:
                return "new"
            if is_todays:
                return "quiet"
            if not has_list(self.night.day) or may_be_holiday(self.night.day):
                return "nothing-announced"
            return "stale"

        self._keep(listing.announcements, listing.day, "listing", state_of=state_of)

    def _fetch_whole_listing(self) -> Listing:
        listing = fetch_listing(self.night.door, self.category)
        if len(listing.announcements) < listing.total:
            return fetch_catchup(self.night.door, self.category, listing.day)
        return listing

    def _keep_feed(self, batch: AnnouncementBatch) -> None:
        names = "\n".join(f"{one.arxiv_id}v{one.version}" for one in batch.announcements)
        self.look = replace(self.look, batch=hashlib.sha256(names.encode()).hexdigest()[:16])
        problems = list(batch.unreadable)
        if batch.is_truncated:
            problems.append("the feed is full, so that new papers may be missing from it")
        self._note(*problems)
        missing = missing_days(self.night.store, self.category, self.night.day)
        is_believed = not (problems or missing or self.is_first)
        self._keep(
            batch.announcements,
            self.night.day,
            "feed",
            is_whole=lambda recorded: is_believed and bool(recorded.unseen),
            state_of=lambda recorded: "new" if recorded.unseen else self.look.state,
        )

    def _harvest(self, days: Sequence[date]) -> None:
        """Read by OAI what the catch-up pages do not show: papers of these days, newest first."""
        since = days[-1]
        first = (since - timedelta(days=SUBMITTED_BEFORE_DAYS)).isoformat()
        last = days[0].isoformat()
        pages = fetch_since(self.night.door, set_of_category(self.category), since)
        todays = self.night.day
        while page := self._asked(lambda: next(pages, None)):
            todays = min(todays, page.responded or todays)
            found = [
                (day, one)
                for record in page.records
                if (one := _announced(record, self.category, first, last))
                and (day := (record.facts.updated or last)[:10])
            ]
            found.sort(key=lambda pair: pair[0])
            for day, group in groupby(found, key=lambda pair: pair[0]):
                batch = [one for _, one in group]
                on = date.fromisoformat(day)
                self._keep(batch, on, "oai", is_whole=lambda recorded: False)
        with self.night.store.transaction():
            if self.failure is None:
                # By a clock that is ahead, days are missing that are yet to come.
                self._settle([day for day in days if day <= todays], "oai")
            elif _is_answer(self.failure):
                count_try(self.night.store, self.category, days)
                tried = tries(self.night.store, self.category)
                lost = [day for day in days if tried[day] >= MOST_TRIES]
                self._settle(lost, LOST)
                self._note(*map(given_up, lost))
        if self.night.day - todays > CLOCK_TOLERANCE:
            self._note(
                f"the clock of this machine says {self.night.day}, arXiv's {todays}: set it right"
            )

    def _settle(self, days: Iterable[date], source: str) -> None:
        for day in days:
            mark_day(self.night.store, self.category, day, source=source, announced=0)

    def _asked(self, ask: Callable[[], T]) -> T | None:
        """What a source answers; None, with the failure noted, when it does not."""
        self.failure = None
        try:
            if self.night.is_over():
                raise SourceUnavailableError("The time for one run is over; the next one goes on.")
            return ask()
        except UnknownCategory as error:
            self.failure = error
            self._note(_remedy(error, self.night.store, self.category))
        except SourceUnavailableError as error:
            self.failure = error
            self._note(str(error))
        return None

    def _note(self, *problems: str) -> None:
        # A host that is away says so to whatever is asked of it.
        self.look = replace(self.look, failed=tuple(dict.fromkeys((*self.look.failed, *problems))))

    def _keep(
        self,
        announcements: Sequence[Announcement],
        day: date,
        source: str,
        *,
        is_whole: Callable[[Recorded], bool] = lambda recorded: True,
        state_of: Callable[[Recorded], State] | None = None,
    ) -> None:
        """Store one batch, what it says about its day, and the look so far, all or nothing.

        ``is_whole`` says whether all of the day is known with it, ``state_of`` what today is.
        """
        store, look = self.night.store, self.look
        with store.transaction():
            recorded = record_batch(store, self.category, announcements, day=day, source=source)
            if is_whole(recorded):
                mark_day(store, self.category, day, source=source, announced=recorded.announced)
            is_today = day == self.night.day
            new_ids = filter(None, (look.last_new_id, recorded.last_new_id))
            self.look = replace(
                look,
                state=state_of(recorded) if state_of else look.state,
                announced=max(look.announced, recorded.announced) if is_today else look.announced,
                unseen=look.unseen + len(recorded.unseen),
                last_new_id=max(new_ids, default=None),
            )
            record_look(store, self.night.run_id, self.look)

    def _conclude(self, state: State) -> None:
        self.look = replace(self.look, state=state)
        record_look(self.night.store, self.night.run_id, self.look)


def _is_answer(failure: SourceUnavailableError | None) -> bool:
    """Whether the host answered, so that what is wrong is what was asked for."""
    is_refused = isinstance(failure, Refused) and failure.status in (400, 404)
    return is_refused or isinstance(failure, BadAnswer)


def _remedy(failure: UnknownCategory, store: Store, category: str) -> str:
    """What failed, and whose categories to mend: waiting alone may never help."""
    topics = [topic for topic in list_topics(store) if not topic.is_paused]
    named = [shlex.quote(topic.name) for topic in topics if category in topic.arxiv_categories]
    places = [f"`papertrack topic edit {name} --arxiv …`" for name in named[:3]]
    if len(named) > 3:
        places.append(f"the same for {len(named) - 3} more topics")
    if not all(topic.arxiv_categories for topic in topics):
        places.append("`papertrack config watch.arxiv_categories …`")
    return (
        f"{failure.host} {failure.what}. Should that stay so, look elsewhere: "
        f"{', '.join(places)}; should it come back, the next run makes up for it."
    )


def _announced(record: SourceRecord, category: str, first: str, last: str) -> Announcement | None:
    """The record as it was announced between two days; None for a mere change of its metadata."""
    submitted, updated = (record.facts.submitted or "")[:10], (record.facts.updated or "")[:10]
    kind: AnnouncementKind
    if first <= submitted <= last:
        kind = "new" if record.facts.primary_category == category else "cross"
    elif first <= updated <= last:
        kind = "replace" if record.facts.primary_category == category else "replace-cross"
    else:
        return None
    return Announcement(record.identifier.value, record.facts.version, kind, record.facts)
