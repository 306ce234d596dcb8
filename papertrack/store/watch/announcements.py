"""The log of announcements that watch has read, whether a topic matched them or not.

It is kept for a set number of days, and not journalled. Papers that were added from it have copies
of the announcements' data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from papertrack.holdings import Announcement
from papertrack.records import AnnouncementKind, Author, Identifier, Link, PaperFacts
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store

FIRST_KINDS: tuple[AnnouncementKind, ...] = ("new", "cross")
"""Kinds that can show a paper to the user for the first time."""
FEED = "web feed"
"""The source of announcements from the feeds of topics."""
REPEAT_DAYS = 7
"""The most days by which a repeated batch is older."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The counts and new ids of one batch."""

    announced: int
    unseen: tuple[str, ...]
    """The arXiv ids that had not been seen in this category."""
    last_new_id: str | None
    """The highest id among the unseen ones of kind ``new``."""


@dataclass(slots=True)
class _Stored:
    """A stored announcement, with what is needed to compare another one."""

    id: int
    version: int | None
    kind: AnnouncementKind
    announced_on: str
    arxiv_categories: frozenset[str]
    is_listed: bool = False
    """Whether it is in the list of the category in question."""

    @property
    def is_first(self) -> bool:
        return self.kind in FIRST_KINDS


def record_batch(
    store: Store, category: str, batch: Sequence[Announcement], *, day: date, source: str
) -> Recorded:
    """Store the unseen announcements of a category's batch; only ids decide, never dates.

    A paper that was new or cross-listed before is seen, unless it now has further categories. A
    replacement is seen by its version, or by its day on listing pages, which show no version. An
    announcement in the lists of two categories is stored once. A cross-list is shown to the topics
    again if another list has it after they looked. Announcements of feeds (source ``FEED``) are
    compared only with those of feeds, and arXiv's only with arXiv's.
    """
    with store.transaction():
        by_id = _read_stored(store, [item.arxiv_id for item in batch], category, source)
        firsts = [item for item in batch if item.kind in FIRST_KINDS]
        is_repeated = bool(firsts) and all(
            (stored := _find(i, by_id, day, is_repeated=False)) and stored.is_listed for i in firsts
        )
        looked_at = store.select_value("SELECT max(announcement_id) FROM topic_marks") or 0
        on = day.isoformat()
        unseen: list[Announcement] = []
        listed: list[_Stored] = []
        columns = f"announcements ({_FACT_COLUMNS}, announced_on, source, seen_at)"
        for item in batch:
            stored = _find(item, by_id, day, is_repeated=is_repeated)
            if stored is None:
                store.insert(columns, (*_columns(item), on, source, store.stamp()))
                categories = frozenset(item.facts.arxiv_categories)
                stored = _Stored(last_id(store), item.version, item.kind, on, categories)
                by_id.setdefault(item.arxiv_id, []).append(stored)
            elif stored.version is None and item.version is not None:
                store.execute(
                    "UPDATE announcements SET version = ? WHERE id = ?", (item.version, stored.id)
                )
                stored.version = item.version
            if not stored.is_listed:
                stored.is_listed = True
                unseen.append(item)
                listed.append(stored)
        lists = [(category, stored.id) for stored in listed]
        store.insert_many("announcement_lists (category, announcement_id)", lists)
        for stored in listed:
            if stored.kind == "cross" and stored.id <= looked_at:
                _show_again(store, stored.id)
    return Recorded(
        len(batch),
        tuple(item.arxiv_id for item in unseen),
        max((item.arxiv_id for item in unseen if item.kind == "new"), default=None),
    )


def _find(
    item: Announcement, by_id: dict[str, list[_Stored]], day: date, *, is_repeated: bool
) -> _Stored | None:
    """Return the stored announcement that equals this one, if any."""
    oldest = (day - timedelta(days=REPEAT_DAYS)).isoformat() if is_repeated else day.isoformat()
    days = oldest, day.isoformat()
    return next((s for s in by_id.get(item.arxiv_id, ()) if _is_same(item, s, *days)), None)


def _is_same(item: Announcement, stored: _Stored, oldest: str, newest: str) -> bool:
    if stored.is_first != (item.kind in FIRST_KINDS):
        return False
    if stored.is_first:
        return stored.arxiv_categories.issuperset(item.facts.arxiv_categories)
    if item.version is not None and stored.version is not None:
        return item.version == stored.version
    return oldest <= stored.announced_on <= newest


def _read_stored(
    store: Store, arxiv_ids: Iterable[str], category: str, source: str
) -> dict[str, list[_Stored]]:
    groups = store.select_groups(
        """SELECT arxiv_id, id, version, kind, announced_on, arxiv_categories, EXISTS (
               SELECT 1 FROM announcement_lists WHERE category = ?4 AND announcement_id = a.id)
           FROM announcements a WHERE arxiv_id IN (SELECT value FROM json_each(?1))
           AND (source = ?2) = ?3 ORDER BY id DESC""",
        (list(arxiv_ids), FEED, source == FEED, category),
    )
    return {
        arxiv_id: [
            _Stored(
                number, version, kind, on, frozenset(tuple_from_json(categories)), bool(is_listed)
            )
            for number, version, kind, on, categories, is_listed in rows
        ]
        for arxiv_id, rows in groups.items()
    }


def _show_again(store: Store, announcement_id: int) -> None:
    """Give an announcement the highest id, with its lists and matches, so that topics see it."""
    store.execute(
        f"INSERT INTO announcements ({_FACT_COLUMNS}, announced_on, source, seen_at) "
        f"SELECT {_FACT_COLUMNS}, announced_on, source, seen_at FROM announcements WHERE id = ?",
        (announcement_id,),
    )
    ids = (last_id(store), announcement_id)
    store.execute(
        "UPDATE announcement_lists SET announcement_id = ? WHERE announcement_id = ?", ids
    )
    store.execute("UPDATE matches SET announcement_id = ? WHERE announcement_id = ?", ids)
    store.execute("DELETE FROM announcements WHERE id = ?", (announcement_id,))


_FACT_COLUMNS = (
    "arxiv_id, version, kind, title, abstract, authors, arxiv_categories, comment, journal_ref, "
    "doi, licence, scheme, paper_kind, url, submitted, venue"
)
"""The columns of an announcement's facts."""


def _columns(item: Announcement) -> tuple[object, ...]:
    facts, name = item.facts, Identifier(item.scheme, item.arxiv_id)
    dois = (i.value for i in facts.identifiers if i != name and i.scheme == "doi")
    # Fields of feed items only.
    url = facts.links[0].url if facts.links else None
    of_feed = facts.kind, url, facts.submitted, facts.venue
    return (
        *(item.arxiv_id, item.version, item.kind, facts.title or name.value, facts.abstract or ""),
        *(_named(facts.authors), facts.arxiv_categories),
        *(facts.comment, facts.journal_ref, next(dois, None), facts.licence, item.scheme),
        *(of_feed if item.scheme != "arxiv" or facts.links else (None,) * len(of_feed)),
    )


def _named(authors: Sequence[Author]) -> list[str | tuple[str, str]]:
    """Return the names; with an affiliation, a pair. Feeds have hardly any."""
    return [a.name if a.affiliation is None else (a.name, a.affiliation) for a in authors]


def last_id_before_day(store: Store, day: date) -> int:
    """Return the id after which to read announcements of this day or later."""
    number = store.select_value(
        "SELECT min(id) - 1 FROM announcements WHERE announced_on >= ?", (day,)
    )
    return int(number) if number is not None else last_id(store)


def first_kept_day(store: Store, category: str) -> date | None:
    """Return the first day with a stored list of a category; None without lists."""
    day = store.select_value(
        """SELECT min(a.announced_on) FROM announcement_lists l
           JOIN announcements a ON a.id = l.announcement_id WHERE l.category = ?""",
        (category,),
    )
    return date.fromisoformat(day) if day else None


def last_id(store: Store) -> int:
    """Return the highest id that an announcement ever had; 0 if there was none."""
    # AUTOINCREMENT never reuses an id, even after the newest announcements were deleted.
    return store.select_value("SELECT seq FROM sqlite_sequence WHERE name = 'announcements'") or 0


class FirstText(NamedTuple):
    """The text of a first announcement that topics search; small, for a month of them."""

    id: int
    arxiv_id: str
    title: str
    abstract: str
    authors: list[str]
    comment: str
    arxiv_categories: tuple[str, ...]
    announced_on: str
    carried_by: frozenset[str]
    """The arXiv categories, in lower case, whose lists have it.

    They are all categories of a new paper, and the listing ones of a cross-listed paper.
    """


def read_texts_after(store: Store, announcement_id: int) -> Iterator[FirstText]:
    """Yield the first announcements of papers after this id, oldest first."""
    rows = store.execute(
        """SELECT id, arxiv_id, title, abstract, authors, ifnull(comment, ''), arxiv_categories,
                  announced_on, iif(kind = 'cross', (
                      SELECT json_group_array(category) FROM announcement_lists
                      WHERE announcement_id = announcements.id), arxiv_categories)
           FROM announcements WHERE id > ? AND kind IN ('new', 'cross') ORDER BY id""",
        (announcement_id,),
    )
    for number, arxiv_id, title, abstract, authors, comment, categories, on, lists in rows:
        names = [a if isinstance(a, str) else a[0] for a in tuple_from_json(authors)]
        text = (number, arxiv_id, title, abstract, names, comment)
        carried_by = frozenset(map(str.lower, tuple_from_json(lists)))
        yield FirstText(*text, tuple_from_json(categories), on, carried_by)


def read_announcements(store: Store, ids: Iterable[int]) -> dict[int, PaperFacts]:
    """Return the facts of these announcements by id, oldest first."""
    rows = store.execute(
        """SELECT id, arxiv_id, version, title, abstract, authors, arxiv_categories, comment,
                  journal_ref, doi, licence, announced_on, scheme, paper_kind, url, submitted,
                  venue FROM announcements
           WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id""",
        (list(ids),),
    )
    return {row[0]: _facts(row) for row in rows}


def _facts(row: tuple[Any, ...]) -> PaperFacts:
    _, arxiv_id, version, title, abstract, authors, categories, *columns = row
    comment, journal_ref, doi, licence, announced_on, scheme, kind, url, submitted, venue = columns
    arxiv_categories = tuple_from_json(categories)
    names = ((scheme, arxiv_id), ("doi", doi))
    return PaperFacts(
        title=title,
        kind=kind or "paper",
        identifiers=tuple(Identifier(name, value) for name, value in names if value),
        links=(Link("paper", url),) if url else (),
        submitted=submitted,
        venue=venue,
        authors=tuple(
            Author(a) if isinstance(a, str) else Author(*a) for a in tuple_from_json(authors)
        ),
        abstract=abstract or None,
        announced=announced_on,
        version=version,
        primary_category=arxiv_categories[0] if arxiv_categories else None,
        arxiv_categories=arxiv_categories,
        comment=comment,
        journal_ref=journal_ref,
        licence=licence,
    )


def forget_before(store: Store, time: str) -> int:
    """Delete what was seen before this time (ISO 8601); return the number.

    Keeps the last list of each category, however old. Otherwise a feed without changes would be
    news again.
    """
    with store.transaction():
        return store.execute(
            """DELETE FROM announcements WHERE julianday(seen_at) < julianday(?) AND id NOT IN (
                   SELECT l.announcement_id FROM announcement_lists l
                   JOIN announcements a ON a.id = l.announcement_id
                   JOIN (SELECT category, max(announced_on) AS day FROM announcement_lists
                         JOIN announcements ON id = announcement_id GROUP BY category) last
                   ON last.category = l.category AND last.day = a.announced_on)""",
            (time,),
        ).rowcount


def replacements_since(store: Store, time: str) -> dict[int, int | None]:
    """Return the new versions of saved or read papers seen since this time (ISO 8601).

    The version is None if only a listing page showed it.
    """
    return store.select_dict(
        """SELECT i.paper_id, max(a.version) FROM announcements a
           JOIN identifiers i ON i.scheme = a.scheme AND i.value = a.arxiv_id
           JOIN paper_states s ON s.paper_id = i.paper_id
           WHERE a.kind IN ('replace', 'replace-cross') AND julianday(a.seen_at) >= julianday(?)
           AND (s.decision = 'saved' OR s.passes_done > 0)
           GROUP BY i.paper_id ORDER BY max(a.id)""",
        (time,),
    )


def newer_versions(store: Store) -> dict[int, int]:
    """Return announced versions above the library's, by paper."""
    return store.select_dict(
        """SELECT i.paper_id, max(a.version) FROM announcements a
           JOIN identifiers i ON i.scheme = a.scheme AND i.value = a.arxiv_id
           JOIN papers p ON p.id = i.paper_id
           WHERE a.kind IN ('replace', 'replace-cross') AND a.version > ifnull(p.version, 0)
           GROUP BY i.paper_id"""
    )


def count_by_category(store: Store, announcement_ids: Iterable[int]) -> dict[str, int]:
    """Return how many of these announcements are in each category's list."""
    return store.select_dict(
        """SELECT category, count(*) FROM announcement_lists
           WHERE announcement_id IN (SELECT value FROM json_each(?)) GROUP BY category""",
        (list(announcement_ids),),
    )


# -- The runs of watch: their results by category, and the days that are completely stored.

State = Literal["new", "quiet", "nothing-announced", "stale", "could-not-look"]
"""The result of a look at a category.

Unseen ids; an announcement without any; a day without announcements; a list older than it should
be; no usable answer.
"""


CLOCK_UNSET_BEFORE = "2020-01-01"
"""Machines without a battery start in 1970, and may look before their clock is set."""
LOST = "lost"
"""The source of a day that no source had: it is not requested again."""


def mark_day(store: Store, category: str, day: date, *, source: str, announced: int) -> None:
    """Store that a category's announcements of a day are complete, or lost."""
    with store.transaction():
        store.insert(
            "announcement_days", (category, day, source, announced), on_conflict="DO NOTHING"
        )
        store.execute("DELETE FROM missed_days WHERE category = ? AND day = ?", (category, day))


def count_try(store: Store, category: str, days: Iterable[date]) -> None:
    """Count a failed request for the lists of these days."""
    with store.transaction():
        for day in days:
            store.insert(
                "missed_days", (category, day, 1), on_conflict="DO UPDATE SET tries = tries + 1"
            )


def tries(store: Store, category: str) -> dict[date, int]:
    """Return the failed requests of each missing day; days without any are absent."""
    rows = store.execute("SELECT day, tries FROM missed_days WHERE category = ?", (category,))
    return {date.fromisoformat(day): count for day, count in rows}


def lost_days(store: Store, category: str, since: date) -> list[date]:
    """Return the days since ``since`` whose lists could not be read, oldest first."""
    days = store.select_column(
        """SELECT day FROM announcement_days WHERE category = ? AND source = ? AND day >= ?
           ORDER BY day""",
        (category, LOST, since),
    )
    return list(map(date.fromisoformat, days))


def known_days(store: Store, category: str) -> set[date]:
    """Return the days of a category that are complete, or lost."""
    days = store.select_column("SELECT day FROM announcement_days WHERE category = ?", (category,))
    return set(map(date.fromisoformat, days))


def last_day_with_news(store: Store, category: str, today: date) -> date | None:
    """Return the last day, up to today, with unseen papers in the category's list.

    Counts lists of other devices too. Later days come from a clock that was ahead.
    """
    day = store.select_value(
        """SELECT max(day) FROM (
               SELECT max(a.announced_on) AS day FROM announcement_lists l
               JOIN announcements a ON a.id = l.announcement_id
               WHERE l.category = ?1 AND a.announced_on <= ?2
               UNION ALL SELECT max(day) FROM announcement_days
               WHERE category = ?1 AND day <= ?2 AND announced > 0)""",
        (category, today),
    )
    return date.fromisoformat(day) if day else None


@dataclass(frozen=True, slots=True)
class Look:
    """The result of one run in one category."""

    category: str
    state: State
    announced: int = 0
    unseen: int = 0
    matched: int = 0
    failed: tuple[str, ...] = ()
    """Messages on what failed, or was repaired from another source."""
    last_new_id: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the watch."""

    id: int
    at: str
    day: date
    """The day of arXiv's announcement, in US Eastern time."""
    finished_at: str | None
    looks: tuple[Look, ...] = ()


def start_run(store: Store, day: date) -> int:
    """Store that a run starts; return its id."""
    with store.transaction():
        cursor = store.insert("watch_runs (at, day)", (store.stamp(), day))
        return int(cursor.lastrowid or 0)


def finish_run(store: Store, run_id: int) -> None:
    with store.transaction():
        store.execute("UPDATE watch_runs SET finished_at = ? WHERE id = ?", (store.stamp(), run_id))


def record_look(store: Store, run_id: int, look: Look) -> None:
    """Store the result of a run in a category; replaces an earlier one of that run."""
    with store.transaction():
        store.execute(
            """INSERT OR REPLACE INTO watch_looks (run_id, category, state, announced, unseen,
               matched, failed, last_new_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            (run_id, *astuple(look)),
        )


def set_matched(store: Store, run_id: int, matched: dict[str, int]) -> None:
    """Store how many announcements of each category the topics matched in a run."""
    store.connection.executemany(
        "UPDATE watch_looks SET matched = ? WHERE run_id = ? AND category = ?",
        [(count, run_id, category) for category, count in matched.items()],
    )


def last_runs(store: Store, *, day: date | None = None) -> list[Run]:
    """Return the newest run, if any; with a day, only one of that day."""
    runs = store.select_records(
        Run,
        """SELECT id, at, day, finished_at FROM watch_runs WHERE ?1 IS NULL OR day = ?1
           ORDER BY id DESC LIMIT 1""",
        (day,),
    )
    return [replace(run, looks=tuple(_looks(store, run.id))) for run in runs]


def last_look(
    store: Store, category: str, *, day: date | None = None, with_news: bool = False
) -> tuple[Run, Look] | None:
    """Return the last look at a category, with its run; None without one.

    With a ``day``, only runs of that day count; ``with_news``, only looks with unseen papers. The
    run is returned without its other looks.
    """
    run = store.find_record(
        Run,
        """SELECT r.id, r.at, r.day, r.finished_at FROM watch_runs r
           JOIN watch_looks l ON l.run_id = r.id
           WHERE l.category = ?1 AND (?2 IS NULL OR r.day = ?2) AND l.unseen >= ?3
           ORDER BY r.id DESC LIMIT 1""",
        (category, day, with_news),
    )
    looks = [] if run is None else _looks(store, run.id)
    return next(((run, look) for look in looks if run and look.category == category), None)


def first_look_day(store: Store, category: str, today: date) -> date | None:
    """Return the day, up to today, of the first run that looked at a category.

    The first run counts, not the earliest day: that may come from a clock that was set back. Days
    before ``CLOCK_UNSET_BEFORE`` do not count.
    """
    day = store.select_value(
        """SELECT r.day FROM watch_looks l JOIN watch_runs r ON r.id = l.run_id
           WHERE l.category = ? AND r.day BETWEEN ? AND ? ORDER BY r.id LIMIT 1""",
        (category, CLOCK_UNSET_BEFORE, today),
    )
    return date.fromisoformat(day) if day else None


def _looks(store: Store, run_id: int) -> list[Look]:
    return store.select_records(
        Look,
        """SELECT category, state, announced, unseen, matched, failed, last_new_id
           FROM watch_looks WHERE run_id = ? ORDER BY category""",
        (run_id,),
    )
