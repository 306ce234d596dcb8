"""Make and change topics, try queries before saving them, and search arXiv's past.

The search of the past goes through slices of submission dates and can be resumed.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from papertrack.actions.watch.match import (
    Arrivals,
    Scorer,
    Watcher,
    arxiv_categories_of,
    hosts_asked_for,
    make_watcher,
    take_in,
    text_of,
    text_of_first,
)
from papertrack.documents.opml import OutlinedFeed, format_opml, parse_opml
from papertrack.errors import NotFoundError, UsageError
from papertrack.identifiers.feeds import address_of_feed, feed_at, parse_feed
from papertrack.library.trust import accept_hosts
from papertrack.queries.matcher import AnnouncedText, describe_hits, make_matcher
from papertrack.queries.nodes import And, Or, Prefix, Query, Term, Text
from papertrack.queries.parser import format_query, parse_query
from papertrack.sources.source import SourceRecord
from papertrack.sources.taxonomy import CATEGORIES, get_category
from papertrack.store.store import Store
from papertrack.store.watch.announcements import FirstText, last_id_before_day, read_texts_after
from papertrack.store.watch.topics import (
    EVERYTHING,
    Backfill,
    Topic,
    add_topic,
    get_backfill,
    get_topic,
    list_topics,
    remove_topic,
    set_backfill,
    update_topic,
)
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

MAX_NAME = 60
PREVIEW_HITS = 10
MIN_STEM = 4
"""The least letters of a word that is completed: shorter words begin too many others."""
TOO_MANY_A_DAY = 40
"""The most papers of one topic that a user triages in a morning."""


def check_query(text: str, *, may_be_empty: bool = False) -> str:
    """Return the query as it is stored. Raises UsageError for one that does not apply to
    announcements."""
    query = parse_query(text)
    make_matcher(query, may_be_empty=may_be_empty)
    return format_query(query)


def check_feeds(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of these feeds, each once. Raises UsageError for an invalid one."""
    return tuple(dict.fromkeys(map(parse_feed, names)))


def accept_feeds(store: Store, feeds: Sequence[str]) -> list[str]:
    """Accept on this machine the hosts of feeds, and those to which they redirect.

    Returns the hosts that were not accepted before.
    """
    return accept_hosts(hosts_asked_for(store, feeds))


@dataclass(frozen=True, slots=True)
class OpmlTaken:
    """The result of importing a list of feeds."""

    topics: tuple[Topic, ...]
    """Topics that were made or got feeds."""
    feeds: tuple[str, ...]
    """The new feeds."""
    refused: tuple[str, ...]
    """Addresses that cannot be a feed's."""


def import_opml(
    store: Store,
    data: bytes,
    file: str,
    *,
    name: str,
    query: str,
    default_categories: Sequence[str] = (),
) -> OpmlTaken:
    """Make topics of a list of feeds.

    With a ``name`` they become one topic, otherwise one for each group and each feed without a
    group. Existing topics get the feeds that they lack. Raises UsageError for an invalid query,
    DocumentError for a file that is not OPML.
    """
    by_topic, refused = _feeds_by_topic(parse_opml(data, file), name)
    topics = {topic.name.casefold(): topic for topic in list_topics(store)}
    new: list[str] = []
    changed: list[Topic] = []
    with store.action("topic", f"feeds of {plural(len(by_topic), 'topic')}"):
        for topic_name, feeds in by_topic.items():
            topic = topics.get(topic_name.casefold())
            old = topic.feeds if topic else ()
            lacking = tuple(one for one in feeds if one not in old)
            if topic and lacking:
                places = arxiv_categories_of(topic, default_categories)
                update_topic(store, replace(topic, feeds=old + lacking, arxiv_categories=places))
            elif lacking:
                fields = _checked({"name": topic_name, "query": query}, may_be_empty=True)
                add_topic(store, **fields, feeds=lacking)
            if lacking:
                changed.append(get_topic(store, topic_name))
                new += lacking
    return OpmlTaken(tuple(changed), tuple(new), tuple(refused))


def _feeds_by_topic(
    feeds: Iterable[OutlinedFeed], name: str
) -> tuple[dict[str, dict[str, None]], list[str]]:
    """Return the feeds of each topic, and the addresses that cannot be feeds."""
    by_topic: dict[str, dict[str, None]] = {}
    refused = []
    for feed in feeds:
        topic_name = (name or feed.group or feed.title)[:MAX_NAME].strip()
        try:
            by_topic.setdefault(topic_name, {})[feed_at(feed.address)] = None
        except UsageError:
            refused.append(feed.address)
    return by_topic, refused


def opml_of(store: Store) -> str:
    """Return the feeds of all topics as OPML, in a group for each topic."""
    return format_opml(
        OutlinedFeed(feed.partition("://")[2] or feed, address_of_feed(feed), topic.name)
        for topic in list_topics(store)
        for feed in topic.feeds
    )


def changed_feeds(
    store: Store, name: str, *, added: Sequence[str], removed: Sequence[str]
) -> tuple[str, ...]:
    """Return the feeds of a topic with some added and others removed.

    Raises NotFoundError if the topic lacks a feed that is to be removed.
    """
    topic, removed_feeds = get_topic(store, name), check_feeds(removed)
    if lacking := [feed for feed in removed_feeds if feed not in topic.feeds]:
        raise NotFoundError(f"The topic {topic.name} does not look in {lacking[0]}.")
    others = (feed for feed in topic.feeds if feed not in removed_feeds)
    return tuple(dict.fromkeys((*others, *check_feeds(added))))


class About(TypedDict, total=False):
    """The optional fields of a topic (see ``Topic``)."""

    arxiv_categories: Sequence[str]
    has_cross_lists: bool
    category: tuple[str, ...]
    is_paused: bool
    feeds: Sequence[str]


def create_topic(store: Store, name: str, query: str, **about: Unpack[About]) -> Topic:
    """Make a topic, which matches announcements from now on.

    Raises UsageError for an invalid query or arXiv category, ConflictError for a name in use.
    """
    may_be_empty = bool(about.get("feeds")) and not about.get("arxiv_categories")
    fields = _checked({"name": name, "query": query, **about}, may_be_empty=may_be_empty)
    with store.action("topic", f"{fields['name']}: {fields['query'] or EVERYTHING}"):
        add_topic(store, **fields)
        return get_topic(store, fields["name"])


def edit_topic(
    store: Store,
    name: str,
    *,
    new_name: str | None = None,
    query: str | None = None,
    **changes: Unpack[About],
) -> Topic:
    """Change the given fields of a topic; return the new topic. Raises the errors of
    ``create_topic``."""
    old = get_topic(store, name)
    about = {"name": new_name, "query": query, **changes}
    new = replace(old, **_checked(about, may_be_empty=True))
    if old.feeds and not (new.feeds or new.query):
        raise UsageError(
            f"The topic {old.name} would have neither a feed nor a query. To remove it: "
            f"`papertrack topic edit {shlex.quote(old.name)} --remove`."
        )
    check_query(new.query, may_be_empty=bool(new.feeds) and not new.arxiv_categories)
    with store.action("topic", f"{new.name}: {new.query or EVERYTHING}"):
        update_topic(store, new)
    return new


def delete_topic(store: Store, name: str) -> Topic:
    """Remove a topic; the papers that it found stay. Undo restores it."""
    topic = get_topic(store, name)
    with store.action("topic", f"removed {topic.name}"):
        remove_topic(store, topic.id)
    return topic


@dataclass(frozen=True, slots=True)
class PreviewHit:
    """An announcement that a query would have matched."""

    arxiv_id: str
    title: str
    announced: str
    reason: str


@dataclass(frozen=True, slots=True)
class Wider:
    """A query that also matches other endings of the words, and finds more."""

    query: str
    matched: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a query would have found in the stored announcements."""

    query: str | None
    """None for everything."""
    days: int
    """Announcement days that were looked at."""
    matched: int
    looked_at: int
    """Announcements in the topic's categories."""
    verdict: str
    """``matches 212 of 1,480 a day: too broad?``"""
    wider: Wider | None
    """A query that would have matched more: ``transformer*`` instead of ``transformers``."""
    last_hits: tuple[PreviewHit, ...]
    """Newest first."""


def _preview_hit(watcher: Watcher, first: FirstText, text: AnnouncedText) -> PreviewHit:
    reason = describe_hits(watcher.matcher.hits(text)) if watcher.topic.query else EVERYTHING
    return PreviewHit(first.arxiv_id, first.title, first.announced_on, reason)


def preview_query(
    store: Store,
    query: str,
    *,
    today: date,
    days: int,
    default_categories: Sequence[str],
    arxiv_categories: Sequence[str] = (),
    has_cross_lists: bool = True,
    feeds: Sequence[str] = (),
    shown: Iterable[FirstText] = (),
) -> Preview:
    """Try a query on the announcements of the last days; changes nothing.

    It uses the stored announcements, and those in ``shown``. Raises the errors of
    ``create_topic``.
    """
    checked = check_query(query, may_be_empty=bool(feeds) and not arxiv_categories)
    names = check_categories(arxiv_categories)
    topic = Topic(0, "", checked, names, has_cross_lists, (), False, "", check_feeds(feeds))
    watcher = make_watcher(topic, default_categories)
    wider = format_query(_widened(parse_query(checked)))
    wider_watcher = make_watcher(replace(topic, query=wider), default_categories)
    stored = read_texts_after(store, last_id_before_day(store, today - timedelta(days=days)))
    firsts = _each_once(chain(stored, shown), watcher.arxiv_categories | watcher.feeds)
    texts = [(first, text_of_first(first)) for first in firsts]
    hits = [(first, text) for first, text in texts if watcher.takes(text, first.carried_by)]
    wider_matched = sum(wider_watcher.takes(text, first.carried_by) for first, text in texts)
    hits.sort(key=lambda hit: (hit[0].announced_on, hit[0].arxiv_id), reverse=True)
    newest = [_preview_hit(watcher, first, text) for first, text in hits[:PREVIEW_HITS]]
    counts = (len({first.announced_on for first in firsts}), len(hits), len(firsts))
    more = Wider(wider, wider_matched) if wider_matched > len(hits) else None
    return Preview(checked or None, *counts, _verdict(*counts), more, tuple(newest))


def _verdict(days: int, matched: int, looked_at: int) -> str:
    """Return whether so many matches of so many announcements are too many or too few."""
    if not looked_at:
        return "no announcements are stored yet: run `papertrack watch` first, or add --since 7d"
    a_day = matched / days
    text = f"matches {_rate(a_day)} of {_rate(looked_at / days)} a day"
    if not matched:
        return f"{text}: too narrow?"
    return f"{text}: too broad?" if a_day > TOO_MANY_A_DAY else text


def _each_once(texts: Iterable[FirstText], places: frozenset[str]) -> list[FirstText]:
    """Return the announcements that are in one of these places, each paper once."""
    by_id: dict[str, FirstText] = {}
    for first in texts:
        if not places.isdisjoint(first.carried_by):
            by_id.setdefault(first.arxiv_id, first)
    return list(by_id.values())


def _widened(query: Query) -> Query:
    """Return the query with its bare words as prefixes, without a plural's ``s``."""
    match query:
        case Term("title" | "abstract" | None as field, Text(word)) if (
            len(word) >= MIN_STEM and word.isalpha()
        ):
            is_plural = word[-1] in "sS" and word[-2] not in "sS" and len(word) > MIN_STEM
            return Term(field, Prefix(word[:-1] if is_plural else word))
        case And(parts):
            return And(tuple(map(_widened, parts)))
        case Or(parts):
            return Or(tuple(map(_widened, parts)))
        case _:
            return query


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def _checked(about: dict[str, Any], *, may_be_empty: bool) -> dict[str, Any]:
    """Return the given fields of a topic, checked and in the form that is stored; None is left
    out."""
    checks: dict[str, Callable[[Any], Any]] = {
        "name": _checked_name,
        "query": partial(check_query, may_be_empty=may_be_empty),
        "arxiv_categories": check_categories,
        "feeds": check_feeds,
    }
    values = {name: value for name, value in about.items() if value is not None}
    return values | {name: check(values[name]) for name, check in checks.items() if name in values}


def _checked_name(name: str) -> str:
    name = clean(name)
    if not name or len(name) > MAX_NAME:
        raise UsageError(f"A topic's name has 1 to {MAX_NAME} characters.")
    return name


def check_categories(names: Sequence[str]) -> tuple[str, ...]:
    """Return arXiv's names of these categories, each once.

    Raises UsageError, with the nearest one, for an unknown category, and for a whole archive.
    """
    categories = tuple(dict.fromkeys(get_category(name) for name in names))
    for name in categories:
        if name not in CATEGORIES:
            parts = [category for category in CATEGORIES if category.startswith(f"{name}.")]
            raise UsageError(
                f"{name} is a whole archive, whose feed is too large to be complete: name "
                f"categories in it, such as {', '.join(parts[:3])}."
            )
    return categories


SLICE_DAYS = 31
SHOWN_LATE = timedelta(days=7)
"""The search may lack papers this recent, so a later search repeats these days."""
SLICE_LIMIT = 2000
"""The most papers in one slice: a topic that finds more in a month is too broad."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The result of one slice of the past."""

    first: date
    last: date
    found: int
    """Papers that arXiv found and the topic matches."""
    new_papers: tuple[int, ...]
    is_cut: bool
    """Whether there was more than ``SLICE_LIMIT``."""


@dataclass(frozen=True, slots=True)
class PastSearch:
    """The past of a topic on arXiv, from today back to a day, searched month by month."""

    store: Store
    topic: Topic
    default_categories: tuple[str, ...]
    since: date
    today: date
    is_again: bool = False
    """Whether to search again what was searched with the same query."""

    def slices_left(self) -> list[tuple[date, date]]:
        """Return the first and last days of the slices still to be searched.

        The time since the last search comes first, oldest days first, so that there is no gap; then
        the past, newest first.
        """
        if not arxiv_categories_of(self.topic, self.default_categories):
            raise UsageError(
                f"The topic {self.topic.name} only looks in feeds, which have no archive."
            )
        done, since, today = self._searched, self.since, self.today
        if done is None or self.is_again or since > done.until:
            return _slices(since, today)
        newer = _slices(max(since, done.until - SHOWN_LATE), today) if done.until < today else []
        return newer[::-1] + _slices(since, done.reached - timedelta(days=1))

    def search(self, door: Door) -> Iterator[Slice]:
        """Search the slices that are left; each is one action.

        Raises UsageError for a query that arXiv cannot answer, and SourceFailure in the middle:
        earlier results stay.
        """
        # Imported here because only this command asks arXiv.
        from papertrack.sources.arxiv_search import Scope, search

        topic, query = self.topic, parse_query(self.topic.query)
        watcher = make_watcher(topic, self.default_categories)
        scope: Scope = {"categories": topic.arxiv_categories or self.default_categories}
        for first, last in self.slices_left():
            scope |= {"since": first, "until": last}
            records = search(door, query, today=self.today, limit=SLICE_LIMIT, **scope)
            with self.store.action("backfill", f"{topic.name}: {first} to {last}"):
                counts = _add_matching(self.store, watcher, records)
                set_backfill(self.store, self._with_slice(first, last))
            yield Slice(first, last, *counts, is_cut=len(records) >= SLICE_LIMIT)

    @property
    def _query(self) -> str:
        """Return the query, and the places where it is searched."""
        places = self.topic.arxiv_categories or self.default_categories
        return " ".join([self.topic.query, "in", *sorted(places)])

    @property
    def _searched(self) -> Backfill | None:
        """Return what was already searched with the topic's current query."""
        backfill = get_backfill(self.store, self.topic.id)
        return backfill if backfill is not None and backfill.query == self._query else None

    def _with_slice(self, first: date, last: date) -> Backfill:
        """Return what is searched with one more slice; a slice that does not adjoin the rest
        replaces it."""
        done, day = self._searched, timedelta(days=1)
        if done is not None and first <= done.until + day and last >= done.reached - day:
            first, last = min(first, done.reached), max(last, done.until)
        return Backfill(self.topic.id, self._query, last, first)


def _slices(since: date, last: date) -> list[tuple[date, date]]:
    slices = []
    while last >= since:
        first = max(since, last - timedelta(days=SLICE_DAYS - 1))
        slices.append((first, last))
        last = first - timedelta(days=1)
    return slices


def _add_matching(
    store: Store, watcher: Watcher, records: Sequence[SourceRecord]
) -> tuple[int, tuple[int, ...]]:
    """Add the records that the topic matches; return their number, and the new papers."""
    # arXiv stems words and knows no hyphens: the topic's own reading of its query decides.
    texts = [(text_of(record.facts), record.facts) for record in records]
    scorer = Scorer(store, [text for text, _ in texts])
    arrivals = Arrivals()
    matching = [(text, facts) for text, facts in texts if watcher.takes(text)]
    for text, facts in matching:
        score = scorer.score(watcher, text)
        take_in(store, watcher.topic, facts, arrivals, score.reason, score.value)
    return len(matching), tuple(arrivals.new)
