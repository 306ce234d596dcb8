"""What arXiv announced and watch saw, whether a topic matched it or not.

A log of what was seen, kept for a set number of days; none of it is journalled. Which papers came
of it is written with the papers themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from papertrack.holdings import Announcement
from papertrack.records import AnnouncementKind, Author, Identifier, Link, PaperFacts
from papertrack.store.store import Store

FIRST_KINDS: tuple[AnnouncementKind, ...] = ("new", "cross")
"""Kinds that can show the reader a paper for the first time."""
FEED = "web feed"
"""The source of what the feeds of topics announce."""
REPEAT_DAYS = 7
"""A batch that repeats an older one repeats at most so old a one."""
_to_json = json.JSONEncoder(ensure_ascii=False).encode
"""As json.dumps, which would make an encoder for each of thousands of calls."""
_from_json = json.JSONDecoder().raw_decode
"""As json.loads for what _to_json wrote, with no blanks around to look for."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was news in one batch."""

    announced: int
    unseen: tuple[str, ...]
    """The arXiv ids that had not been seen in this category."""
    last_new_id: str | None
    """The highest id among the unseen ones of kind ``new``."""


@dataclass(slots=True)
class _Seen:
    """A stored announcement, as far as deciding about another one needs it."""

    id: int
    version: int | None
    kind: AnnouncementKind
    announced_on: str
    arxiv_categories: frozenset[str]
    is_listed: bool = False
    """Whether it stands in the list of the category that is looked at."""

    @property
    def is_first(self) -> bool:
        return self.kind in FIRST_KINDS


def record_batch(
    store: Store, category: str, batch: Sequence[Announcement], *, day: date, source: str
) -> Recorded:
    """Keep what is unseen of one category's batch; ids decide what that is, never dates.

    A paper that was new or cross-listed before is seen, unless it now stands in further
    categories. A replacement is seen by its version; the listing pages do not show one, so for
    them by its day. One announcement in the lists of two categories is kept once; a
    cross-list is shown to the topics again when a further list carries it after they looked. What
    feeds announce (the source ``FEED``) is compared with what feeds announced, and so is arXiv's.
    """
    with store.transaction():
        known = _known(store, [one.arxiv_id for one in batch], category, source)
        firsts = [one for one in batch if one.kind in FIRST_KINDS]
        is_repeated = bool(firsts) and all(
            (seen := _same(one, known, day, is_repeated=False)) and seen.is_listed for one in firsts
        )
        next_id = last_id(store) + 1
        looked_at = store.select_value("SELECT max(announcement_id) FROM topic_marks") or 0
        on = day.isoformat()
        unseen: list[Announcement] = []
        listed: list[_Seen] = []
        new_rows: list[tuple[object, ...]] = []
        for one in batch:
            seen = _same(one, known, day, is_repeated=is_repeated)
            if seen is None:
                # In an immediate transaction nobody else takes these ids.
                number, categories = next_id + len(new_rows), frozenset(one.facts.arxiv_categories)
                seen = _Seen(number, one.version, one.kind, on, categories)
                known.setdefault(one.arxiv_id, []).append(seen)
                new_rows.append((*_columns(one), seen.id, on, source, store.stamp()))
            elif seen.version is None and one.version is not None:
                store.execute(
                    "UPDATE announcements SET version = ? WHERE id = ?", (one.version, seen.id)
                )
                seen.version = one.version
            if not seen.is_listed:
                seen.is_listed = True
                unseen.append(one)
                listed.append(seen)
        columns = f"announcements ({_TOLD}, id, announced_on, source, seen_at)"
        store.insert_many(columns, new_rows)
        lists = [(category, seen.id) for seen in listed]
        store.insert_many("announcement_lists (category, announcement_id)", lists)
        for seen in listed:
            if seen.kind == "cross" and seen.id <= looked_at:
                _show_again(store, seen.id)
    return Recorded(
        len(batch),
        tuple(one.arxiv_id for one in unseen),
        max((one.arxiv_id for one in unseen if one.kind == "new"), default=None),
    )


def _same(
    one: Announcement, known: dict[str, list[_Seen]], day: date, *, is_repeated: bool
) -> _Seen | None:
    """The stored announcement that this one is, if it is one."""
    oldest = (day - timedelta(days=REPEAT_DAYS)).isoformat() if is_repeated else day.isoformat()
    days = oldest, day.isoformat()
    return next((seen for seen in known.get(one.arxiv_id, ()) if _is_same(one, seen, *days)), None)


def _is_same(one: Announcement, seen: _Seen, oldest: str, newest: str) -> bool:
    if seen.is_first != (one.kind in FIRST_KINDS):
        return False
    if seen.is_first:
        return seen.arxiv_categories.issuperset(one.facts.arxiv_categories)
    if one.version is not None and seen.version is not None:
        return one.version == seen.version
    return oldest <= seen.announced_on <= newest


def _known(
    store: Store, arxiv_ids: Iterable[str], category: str, source: str
) -> dict[str, list[_Seen]]:
    groups = store.select_groups(
        """SELECT arxiv_id, id, version, kind, announced_on, arxiv_categories, EXISTS (
               SELECT 1 FROM announcement_lists WHERE category = ?4 AND announcement_id = a.id)
           FROM announcements a WHERE arxiv_id IN (SELECT value FROM json_each(?1))
           AND (source = ?2) = ?3 ORDER BY id DESC""",
        (list(arxiv_ids), FEED, source == FEED, category),
    )
    return {
        arxiv_id: [
            _Seen(number, version, kind, on, frozenset(json.loads(categories)), bool(is_listed))
            for number, version, kind, on, categories, is_listed in rows
        ]
        for arxiv_id, rows in groups.items()
    }


def _show_again(store: Store, announcement_id: int) -> None:
    """Make it the last announcement, with its lists and matches, so that topics look at it."""
    store.execute(
        f"INSERT INTO announcements ({_TOLD}, announced_on, source, seen_at) "
        f"SELECT {_TOLD}, announced_on, source, seen_at FROM announcements WHERE id = ?",
        (announcement_id,),
    )
    ids = (last_id(store), announcement_id)
    store.execute(
        "UPDATE announcement_lists SET announcement_id = ? WHERE announcement_id = ?", ids
    )
    store.execute("UPDATE matches SET announcement_id = ? WHERE announcement_id = ?", ids)
    store.execute("DELETE FROM announcements WHERE id = ?", (announcement_id,))


_TOLD = (
    "arxiv_id, version, kind, title, abstract, authors, arxiv_categories, comment, journal_ref, "
    "doi, licence, scheme, paper_kind, url, submitted, venue"
)
"""The columns of what an announcement says."""


def _columns(one: Announcement) -> tuple[object, ...]:
    facts, name = one.facts, Identifier(one.scheme, one.arxiv_id)
    other = (i.value for i in facts.identifiers if i != name and i.scheme == "doi")
    # What only items of feeds tell.
    url = facts.links[0].url if facts.links else None
    of_feed = facts.kind, url, facts.submitted, facts.venue
    return (
        *(one.arxiv_id, one.version, one.kind, facts.title or one.arxiv_id, facts.abstract or ""),
        *(_authors_to_json(facts.authors), _categories_to_json(facts.arxiv_categories)),
        *(facts.comment, facts.journal_ref, next(other, None), facts.licence, one.scheme),
        *(of_feed if one.scheme != "arxiv" or facts.links else (None,) * len(of_feed)),
    )


def _authors_to_json(authors: Sequence[Author]) -> str:
    """Their names; with an affiliation, a list of the two. Feeds give hardly any."""
    return _to_json([a.name if a.affiliation is None else (a.name, a.affiliation) for a in authors])


# A day has few hundred combinations of categories, and thousands of announcements.
_categories_to_json = lru_cache(maxsize=1024)(_to_json)


@lru_cache(maxsize=1024)
def _categories_from_json(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def last_id_before_day(store: Store, day: date) -> int:
    """The id after which to read what was announced on this day or later."""
    found = store.select_value(
        "SELECT min(id) - 1 FROM announcements WHERE announced_on >= ?", (day,)
    )
    return int(found) if found is not None else last_id(store)


def first_kept_day(store: Store, category: str) -> date | None:
    """The earliest day of whose list of a category anything is kept; None where nothing is."""
    found = store.select_value(
        """SELECT min(a.announced_on) FROM announcement_lists l
           JOIN announcements a ON a.id = l.announcement_id WHERE l.category = ?""",
        (category,),
    )
    return date.fromisoformat(found) if found else None


def last_id(store: Store) -> int:
    """The highest id that an announcement ever had; 0 when there was none."""
    # AUTOINCREMENT never gives an id again, also when the newest announcements are forgotten.
    return store.select_value("SELECT seq FROM sqlite_sequence WHERE name = 'announcements'") or 0


class FirstText(NamedTuple):
    """What topics look at in a first announcement, kept lean: all of a month pass by."""

    id: int
    arxiv_id: str
    title: str
    abstract: str
    authors: list[str]
    comment: str
    arxiv_categories: tuple[str, ...]
    announced_on: str
    carried_by: frozenset[str]
    """The categories of arXiv, in lower case, in whose lists it is announced: all of a new
    paper's, but of one that was only cross-listed those that carried it."""


def read_texts_after(store: Store, announcement_id: int) -> Iterator[FirstText]:
    """The first announcements of papers kept after this one, oldest first, one at a time."""
    rows = store.execute(
        """SELECT id, arxiv_id, title, abstract, authors, ifnull(comment, ''), arxiv_categories,
                  announced_on, iif(kind = 'cross', (
                      SELECT json_group_array(category) FROM announcement_lists
                      WHERE announcement_id = announcements.id), arxiv_categories)
           FROM announcements WHERE id > ? AND kind IN ('new', 'cross') ORDER BY id""",
        (announcement_id,),
    )
    for number, arxiv_id, title, abstract, authors, comment, categories, on, lists in rows:
        names = [one if type(one) is str else one[0] for one in _from_json(authors)[0]]
        text = (number, arxiv_id, title, abstract, names, comment)
        yield FirstText(*text, _categories_from_json(categories), on, _folded(lists))


@lru_cache(maxsize=1024)
def _folded(names: str) -> frozenset[str]:
    return frozenset(name.lower() for name in _categories_from_json(names))


def read_announcements(store: Store, ids: Iterable[int]) -> dict[int, PaperFacts]:
    """What these announcements said of their papers, by id, oldest first."""
    rows = store.execute(
        """SELECT id, arxiv_id, version, title, abstract, authors, arxiv_categories, comment,
                  journal_ref, doi, licence, announced_on, scheme, paper_kind, url, submitted,
                  venue FROM announcements
           WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id""",
        (list(ids),),
    )
    return {row[0]: _facts(row) for row in rows}


def _facts(row: tuple[Any, ...]) -> PaperFacts:
    _, arxiv_id, version, title, abstract, authors, categories, *others = row
    comment, journal_ref, doi, licence, announced_on, scheme, kind, url, submitted, venue = others
    arxiv_categories = _categories_from_json(categories)
    names = ((scheme, arxiv_id), ("doi", doi))
    return PaperFacts(
        title=title,
        kind=kind or "paper",
        identifiers=tuple(Identifier(name, value) for name, value in names if value),
        links=(Link("paper", url),) if url else (),
        submitted=submitted,
        venue=venue,
        authors=tuple(
            Author(one) if isinstance(one, str) else Author(*one) for one in json.loads(authors)
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
    """Forget what was seen before this time (ISO 8601); return how many announcements.

    The last list of each category is kept, however old: without it, a feed that has stood still
    for so long would be news again.
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
    """By saved or read paper: the new version that was seen from this time (ISO 8601) on; None
    where only a listing page showed it."""
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
    """By paper of the library: the announced version, where it is above the one that is known."""
    return store.select_dict(
        """SELECT i.paper_id, max(a.version) FROM announcements a
           JOIN identifiers i ON i.scheme = a.scheme AND i.value = a.arxiv_id
           JOIN papers p ON p.id = i.paper_id
           WHERE a.kind IN ('replace', 'replace-cross') AND a.version > ifnull(p.version, 0)
           GROUP BY i.paper_id"""
    )


def count_by_category(store: Store, announcement_ids: Iterable[int]) -> dict[str, int]:
    """How many of these announcements stood in the list of each category."""
    return store.select_dict(
        """SELECT category, count(*) FROM announcement_lists
           WHERE announcement_id IN (SELECT value FROM json_each(?)) GROUP BY category""",
        (list(announcement_ids),),
    )


# -- The runs of watch: what each found in which category, and the days that are known completely.

State = Literal["new", "quiet", "nothing-announced", "stale", "could-not-look"]
"""What a look at a category came to: unseen ids; an announcement without any; a day on which
nothing is announced; the list is older than it should be; no usable answer."""


CLOCK_UNSET_BEFORE = "2020-01-01"
"""Machines without a battery wake up in 1970, and may look before their clock is set."""
LOST = "lost"
"""The source of a day that no source gave: nobody asks for it again."""


def mark_day(store: Store, category: str, day: date, *, source: str, announced: int) -> None:
    """Note that everything which was announced in a category on a day is kept, or is lost."""
    with store.transaction():
        store.insert(
            "announcement_days", (category, day, source, announced), on_conflict="DO NOTHING"
        )
        store.execute("DELETE FROM missed_days WHERE category = ? AND day = ?", (category, day))


def count_try(store: Store, category: str, days: Iterable[date]) -> None:
    """Note that the lists of these days were asked for in vain."""
    with store.transaction():
        for day in days:
            store.insert(
                "missed_days", (category, day, 1), on_conflict="DO UPDATE SET tries = tries + 1"
            )


def tries(store: Store, category: str) -> dict[date, int]:
    """How often each day that is missing was asked for in vain; a day that never was, is absent."""
    rows = store.execute("SELECT day, tries FROM missed_days WHERE category = ?", (category,))
    return {date.fromisoformat(day): count for day, count in rows}


def lost_days(store: Store, category: str, since: date) -> list[date]:
    """The days from one on whose lists could not be read anywhere, oldest first."""
    days = store.select_column(
        """SELECT day FROM announcement_days WHERE category = ? AND source = ? AND day >= ?
           ORDER BY day""",
        (category, LOST, since),
    )
    return list(map(date.fromisoformat, days))


def known_days(store: Store, category: str) -> set[date]:
    """The days of a category of which everything is kept, or lost for good."""
    days = store.select_column("SELECT day FROM announcement_days WHERE category = ?", (category,))
    return set(map(date.fromisoformat, days))


def last_day_with_news(store: Store, category: str, today: date) -> date | None:
    """The last day, up to today, on which something unseen stood in the category's list, here or on
    another device.

    Later days are those of a clock that was ahead.
    """
    found = store.select_value(
        """SELECT max(day) FROM (
               SELECT max(a.announced_on) AS day FROM announcement_lists l
               JOIN announcements a ON a.id = l.announcement_id
               WHERE l.category = ?1 AND a.announced_on <= ?2
               UNION ALL SELECT max(day) FROM announcement_days
               WHERE category = ?1 AND day <= ?2 AND announced > 0)""",
        (category, today),
    )
    return date.fromisoformat(found) if found else None


@dataclass(frozen=True, slots=True)
class Look:
    """What one run found in one category."""

    category: str
    state: State
    announced: int = 0
    unseen: int = 0
    matched: int = 0
    failed: tuple[str, ...] = ()
    """What did not work, for people; what was repaired from another source is also here."""
    last_new_id: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the watch."""

    id: int
    at: str
    day: date
    """Of arXiv's announcement, in US Eastern time."""
    finished_at: str | None
    looks: tuple[Look, ...] = ()


def start_run(store: Store, day: date) -> int:
    """Record that a run begins; return its id."""
    with store.transaction():
        cursor = store.insert("watch_runs (at, day)", (store.stamp(), day))
        return int(cursor.lastrowid or 0)


def finish_run(store: Store, run_id: int) -> None:
    with store.transaction():
        store.execute("UPDATE watch_runs SET finished_at = ? WHERE id = ?", (store.stamp(), run_id))


def record_look(store: Store, run_id: int, look: Look) -> None:
    """Keep what a run found in a category so far; said again, it replaces what was said."""
    with store.transaction():
        store.execute(
            """INSERT OR REPLACE INTO watch_looks (run_id, category, state, announced, unseen,
               matched, failed, last_new_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            (run_id, *astuple(look)),
        )


def set_matched(store: Store, run_id: int, matched: dict[str, int]) -> None:
    """Say how many of the announcements of each category the topics matched in a run."""
    store.connection.executemany(
        "UPDATE watch_looks SET matched = ? WHERE run_id = ? AND category = ?",
        [(count, run_id, category) for category, count in matched.items()],
    )


def last_runs(store: Store, *, day: date | None = None) -> list[Run]:
    """The newest run, if there is one; with a day, only one of that day."""
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
    """The last run that looked at a category (on a day; that saw something unseen), and its look.

    The run is without its other looks.
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
    """The day, up to today, of the first run that looked at a category.

    It is the first run that counts, not the earliest day: that may be one of a clock which was
    set back. What was wrong with the very first one shows in a day that cannot be.
    """
    found = store.select_value(
        """SELECT r.day FROM watch_looks l JOIN watch_runs r ON r.id = l.run_id
           WHERE l.category = ? AND r.day BETWEEN ? AND ? ORDER BY r.id LIMIT 1""",
        (category, CLOCK_UNSET_BEFORE, today),
    )
    return date.fromisoformat(found) if found else None


def _looks(store: Store, run_id: int) -> list[Look]:
    return store.select_records(
        Look,
        """SELECT category, state, announced, unseen, matched, failed, last_new_id
           FROM watch_looks WHERE run_id = ? ORDER BY category""",
        (run_id,),
    )
