"""Look at one feed of the topics, and store the items that no earlier look has seen.

The names of items decide what is new, never dates. Of a feed that is seen for the first time,
recent items count as new. On each machine the user decides which hosts may be asked.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from papertrack.actions.watch.look import Night, look_to_begin_with
from papertrack.actions.watch.match import feeds_of_topics
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers.feeds import host_of_feed, split_feed
from papertrack.sources.arxiv_daily import CATCHUP_DAYS
from papertrack.sources.failures import Refused, SourceFailure, WebPage, WrongHost, unexpected
from papertrack.sources.feeds import FeedItem, FeedPage, fetch_feed, fetch_preprints
from papertrack.store.watch import announcements
from papertrack.store.watch.announcements import FEED, record_batch
from papertrack.store.watch.feeds import (
    FeedState,
    count_newer,
    get_state,
    keep_items,
    known_items,
    set_state,
)

RECENT = timedelta(days=14)
"""How old the items of a first look may be to count as news."""
UNDATED = 20
"""The number of items without a date that count as recent then."""
LATE = timedelta(days=3)
"""The servers' API shows some preprints up to three days after their date."""
GAP = "it shows none of the items seen before, so items in between may be missing"
GONE = 410
LOST = (404, GONE)
LOST_AFTER = timedelta(days=3)
"""A feed that was missing for this long is probably gone."""
GONE_FOR = timedelta(days=7)
"""A feed that is gone for good (410) is asked again after this time: some say so by mistake."""


def look_at_feed(night: Night, feed: str) -> announcements.Look:
    """Fetch the unseen items of a feed, and store them in one transaction.

    Failures are part of the result, never raised.
    """
    state = get_state(night.store, feed)
    look = look_to_begin_with(night, feed, is_known=False)
    try:
        if night.clock() > night.ends_at:
            raise SourceUnavailableError("The time for one run is over; the next run continues.")
        page = _fetch(night, state)
    except SourceUnavailableError as error:
        look = _fail(night, state, look, error)
    else:
        look = _keep(night, state, look, page)
    announcements.record_look(night.store, night.run_id, look)
    return look


def _fetch(night: Night, state: FeedState) -> FeedPage | None:
    """Return the feed's page; None if nothing is new.

    Raises SourceFailure, also for a broken feed without a readable item: that is not a quiet day.
    """
    if server := split_feed(state.name):
        since = max(_last_day(night, state) - LATE, night.day - timedelta(days=CATCHUP_DAYS))
        return fetch_preprints(night.door, *server, since=since, until=night.day)
    if state.failed == GONE and night.day - _since(state, night.day) < GONE_FOR:
        raise Refused(f"answered {GONE}", host=host_of_feed(state.name), status=GONE)
    address = state.moved_to or state.name
    validators = {"etag": state.etag, "modified": state.modified}
    page = fetch_feed(night.door, address, feed=state.name, **validators)
    if page and page.problems and not page.items:
        problem = f"a feed without a readable item: {page.problems[0]}"
        raise unexpected(problem, host_of_feed(address))
    return page


def _last_day(night: Night, state: FeedState) -> date:
    """Return the last day up to which everything was seen, here or on another machine.

    Without one, returns the day of the first look, which may have failed.
    """
    day = state.looked_on or (state.newest or "").rpartition(" ")[2][:10]
    if day:
        return date.fromisoformat(day)
    return announcements.first_look_day(night.store, state.name, night.day) or night.day


def _since(state: FeedState, today: date) -> date:
    return date.fromisoformat(state.failed_since) if state.failed_since else today


def _keep(
    night: Night, state: FeedState, look: announcements.Look, page: FeedPage | None
) -> announcements.Look:
    """Store the items of a page; return the look with its result."""
    store, today, is_same = night.store, night.day, page is None
    page = page or FeedPage((), (), state.etag, state.modified)
    old_names = known_items(store, state.name)
    fresh = [item for item in page.items if item.name not in old_names]
    if not fresh and _is_old_copy(night, state, page.items):
        return replace(look, state="new" if look.unseen else "stale")
    news, problems = _news(page, state, fresh, today, is_first=not old_names)
    if page.moved_to not in (None, state.moved_to or state.name):
        problems.append(_moved(night, state.name, page.moved_to or ""))
    with store.transaction():
        keep_items(store, state.name, [(item.name, item.at) for item in page.items], today)
        batch = [item.announcement for item in news]
        recorded = record_batch(store, state.name, batch, day=today, source=FEED)
        newest, moved_to = _newest(fresh, state.newest, today), page.moved_to or state.moved_to
        validators = page.etag, page.modified
        looked_on = state.looked_on if is_same else today.isoformat()
        state = FeedState(state.name, *validators, moved_to, state.redirect, newest, looked_on)
        set_state(store, state)
    unseen = look.unseen + len(recorded.unseen)
    quiet: announcements.State = "quiet" if page.items or is_same else "nothing-announced"
    announced = max(look.announced, len(page.items))
    look = replace(look, state="new" if unseen else quiet, announced=announced, unseen=unseen)
    return _with_problems(look, problems)


def _news(
    page: FeedPage, state: FeedState, fresh: list[FeedItem], today: date, *, is_first: bool
) -> tuple[list[FeedItem], list[str]]:
    """Return the unseen items that are news, and the problems of the page."""
    problems = list(page.problems)
    if split_feed(state.name):
        return fresh, problems
    if is_first:
        return _recent(fresh, state.newest or "", today), problems
    return fresh, problems + ([GAP] if len(fresh) == len(page.items) > 0 else [])


def _with_problems(look: announcements.Look, problems: Iterable[str]) -> announcements.Look:
    return replace(look, failed=tuple(dict.fromkeys((*look.failed, *problems))))


def _recent(items: Sequence[FeedItem], newest: str, today: date) -> list[FeedItem]:
    """Return the news in a feed that this machine sees for the first time.

    It is what came after the newest item that another machine has seen, or else the items of the
    last days.
    """
    name, _, at = newest.rpartition(" ")
    first = (today - RECENT).isoformat()
    place = next((n for n, item in enumerate(items) if item.name == name), len(items))

    def is_news(number: int, item: FeedItem) -> bool:
        if not at:
            return item.at >= first if item.at else number < UNDATED
        return (item.at or "") > at or ((item.at or at) == at and number < place)

    return [item for number, item in enumerate(items) if is_news(number, item)]


def _newest(items: Sequence[FeedItem], old: str | None, today: date) -> str | None:
    """Return the newest item, by its time; an item without a time counts as today's."""
    stamp = f"{today}T00:00:00+00:00"
    past = [item for item in items if (item.at or "")[:10] <= stamp[:10]]
    if not past:
        return old
    newest = max(past, key=lambda item: item.at or stamp)
    text = f"{newest.name} {newest.at or stamp}"
    return max(filter(None, (old, text)), key=lambda name: name.rpartition(" ")[2])


def _is_old_copy(night: Night, state: FeedState, items: Sequence[FeedItem]) -> bool:
    """Return whether the feed lacks several items of last time that are newer than all of its
    own."""
    latest = max((item.at for item in items if item.at), default=None)
    if latest is None or split_feed(state.name):
        return False
    return count_newer(night.store, state.name, latest, state.looked_on) > 1


def _fail(
    night: Night, state: FeedState, look: announcements.Look, error: SourceUnavailableError
) -> announcements.Look:
    """Record why a feed could not be read, and what to do about it."""
    problem = str(error)
    edit, feed = _edit(night, state.name), shlex.quote(state.name)
    status = error.status if isinstance(error, SourceFailure) else None
    if status in LOST:
        since = _since(state, night.day) if state.failed in LOST else night.day
        # After a move the next look tries the feed's own address again.
        state = replace(
            state,
            failed=status,
            failed_since=since.isoformat(),
            moved_to=None,
            etag="",
            modified="",
        )
        if status == GONE or night.day - since >= LOST_AFTER:
            problem = (
                f"the feed is gone ({status} since {since}). Remove it: `{edit} --no-feed {feed}`; "
                "add `--feed ADDRESS` to replace it."
            )
    elif isinstance(error, WrongHost) and error.target:
        state = replace(state, redirect=error.target)
        problem = (
            f"it redirects to {error.target}, which this machine may not contact yet. To allow it: "
            f"`{edit} --accept`."
        )
    elif isinstance(error, WebPage):
        new = f" --feed {shlex.quote(error.feed)}" if error.feed else ""
        names = "The page names a feed" if new else "To remove it"
        problem = f"it is a web page, not a feed. {names}: `{edit} --no-feed {feed}{new}`."
    set_state(night.store, state)
    look = replace(look, state="new" if look.unseen else "could-not-look")
    return _with_problems(look, [problem])


def _moved(night: Night, feed: str, address: str) -> str:
    return (
        f"the feed has moved to {address}, and is read there. To keep the new address: "
        f"`{_edit(night, feed)} --no-feed {shlex.quote(feed)} --feed {shlex.quote(address)}`."
    )


def _edit(night: Night, feed: str) -> str:
    """Return the command that changes the topic of a feed."""
    names = feeds_of_topics(night.store).get(feed, ["NAME"])
    return f"papertrack topic edit {shlex.quote(names[0])}"
