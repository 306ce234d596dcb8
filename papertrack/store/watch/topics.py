"""Topics (saved searches), their matches, and how far each has searched the announcements."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from datetime import date

from papertrack.errors import ConflictError, NotFoundError
from papertrack.holdings import Topic as Topic
from papertrack.store.categories import Path, rename_category
from papertrack.store.store import Store
from papertrack.store.watch.announcements import last_id

EVERYTHING = "everything in its feeds"
"""The query and the reason of a topic that takes everything."""


def add_topic(
    store: Store,
    name: str,
    query: str,
    *,
    arxiv_categories: tuple[str, ...] = (),
    has_cross_lists: bool = True,
    category: tuple[str, ...] = (),
    feeds: tuple[str, ...] = (),
) -> int:
    """Store a new topic and return its id; it matches announcements from now on.

    Raises ConflictError when the name is in use.
    """
    _refuse_taken(store, name)
    cursor = store.insert(
        "topics (name, query, arxiv_categories, has_cross_lists, category, added, feeds)",
        (name, query, arxiv_categories, has_cross_lists, category, store.stamp(), feeds),
    )
    topic_id = int(cursor.lastrowid or 0)
    set_mark(store, topic_id, Mark(query, last_id(store)))
    return topic_id


def update_topic(store: Store, topic: Topic) -> None:
    """Update all fields of an existing topic. Raises ConflictError when the name is taken."""
    _refuse_taken(store, topic.name, but=topic.id)
    store.execute(
        """UPDATE topics SET (name, query, arxiv_categories, has_cross_lists, category, is_paused,
           added, feeds) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) WHERE id = ?1""",
        astuple(topic),
    )


def remove_topic(store: Store, topic_id: int) -> None:
    """Remove a topic; its matches stay in the library."""
    store.execute("DELETE FROM topics WHERE id = ?", (topic_id,))


def list_topics(store: Store) -> list[Topic]:
    """Return all topics, by name."""
    return store.select_records(
        Topic,
        """SELECT id, name, query, arxiv_categories, has_cross_lists, category, is_paused, added,
                  feeds FROM topics ORDER BY name""",
    )


def get_topic(store: Store, name: str) -> Topic:
    """Return the topic with this name, in any case. Raises NotFoundError with the nearest name."""
    topics = list_topics(store)
    for topic in topics:
        if topic.name.casefold() == name.casefold():
            return topic
    import difflib  # Only mistakes need it.

    near = difflib.get_close_matches(name, [topic.name for topic in topics], n=1, cutoff=0)
    hint = f"Did you mean {near[0]}?" if near else "`papertrack topic add` makes one."
    raise NotFoundError(f"There is no topic {name!r}. {hint}")


def attach_topic(store: Store, paper_id: int, topic_id: int, *, reason: str, score: float) -> bool:
    """Record that a topic found a paper; return whether that is new."""
    cursor = store.insert(
        "paper_topics (paper_id, topic_id, reason, score, found_at)",
        (paper_id, topic_id, reason, score, store.stamp()),
        on_conflict="DO NOTHING",
    )
    return cursor.rowcount > 0


@dataclass(frozen=True, slots=True)
class Found:
    """A paper that a topic found."""

    topic: str
    paper_id: int
    reason: str
    score: float
    found_at: str


def topic_reasons(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """Return the topics that found the paper with their reasons, the best match first."""
    return store.execute(
        """SELECT t.name, pt.reason FROM paper_topics pt JOIN topics t ON t.id = pt.topic_id
           WHERE pt.paper_id = ? ORDER BY pt.score DESC, t.name""",
        (paper_id,),
    ).fetchall()


def topic_score(store: Store, paper_id: int) -> float:
    """Return the score of the topic that matches the paper best; 0 if none found it."""
    best = "SELECT ifnull(max(score), 0.0) FROM paper_topics WHERE paper_id = ?"
    return float(store.select_value(best, (paper_id,)))


def found_since(store: Store, since: str) -> list[Found]:
    """Return what the topics found since a time (ISO 8601), best first.

    Leaves out discarded papers.
    """
    return store.select_records(
        Found,
        """SELECT t.name, f.paper_id, f.reason, f.score, f.found_at
           FROM paper_topics f JOIN topics t ON t.id = f.topic_id
           JOIN paper_states s ON s.paper_id = f.paper_id
           WHERE julianday(f.found_at) >= julianday(?) AND s.decision <> 'discarded'
           ORDER BY t.name, f.score DESC, f.paper_id""",
        (since,),
    )


def found_counts(store: Store) -> dict[int, tuple[int, str]]:
    """Return how many papers of the library each topic found, and the time of the last one."""
    rows = store.execute(
        "SELECT topic_id, count(*), max(found_at) FROM paper_topics GROUP BY topic_id"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def _refuse_taken(store: Store, name: str, *, but: int = 0) -> None:
    if store.select_value("SELECT 1 FROM topics WHERE name = ? AND id <> ?", (name, but)):
        raise ConflictError(
            f"There is already a topic {name}; change it with `papertrack topic edit "
            f"{name}`, or choose another name."
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a topic has searched the announcements, and with which query."""

    query: str
    announcement_id: int


def get_marks(store: Store) -> dict[int, Mark]:
    """Return the progress of each topic, from its creation on."""
    rows = store.execute("SELECT topic_id, query, announcement_id FROM topic_marks")
    return {topic_id: Mark(*mark) for topic_id, *mark in rows}


def set_mark(store: Store, topic_id: int, mark: Mark) -> None:
    store.execute(
        "INSERT OR REPLACE INTO topic_marks VALUES (?, ?, ?)",
        (topic_id, mark.query, mark.announcement_id),
    )


def add_match(
    store: Store, topic_id: int, announcement_id: int, *, reason: str, score: float
) -> None:
    """Record that a topic matched an announcement.

    Replaces the reason and score of an earlier match.
    """
    store.execute(
        "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?)",
        (topic_id, announcement_id, reason, score),
    )


def remove_match(store: Store, topic_id: int, announcement_id: int) -> None:
    store.execute(
        "DELETE FROM matches WHERE topic_id = ? AND announcement_id = ?",
        (topic_id, announcement_id),
    )


def matched_ids(store: Store, topic_id: int) -> list[int]:
    """Return the stored announcements that a topic matched."""
    return store.select_column(
        "SELECT announcement_id FROM matches WHERE topic_id = ? ORDER BY 1", (topic_id,)
    )


@dataclass(frozen=True, slots=True)
class Pending:
    """A match that is not in the library yet, or not recorded there."""

    topic_id: int
    announcement_id: int
    paper_id: int | None
    """The paper, if the library has it and it was not discarded."""
    reason: str
    score: float


def pending_matches(store: Store) -> list[Pending]:
    """Return matches of active topics that are not in the library, or not recorded there.

    Leaves out papers that were discarded, or removed from the library.
    """
    return store.select_records(
        Pending,
        """SELECT m.topic_id, m.announcement_id, i.paper_id, m.reason, m.score
           FROM matches m
           JOIN topics t ON t.id = m.topic_id AND t.is_paused = 0
           JOIN announcements a ON a.id = m.announcement_id
           LEFT JOIN identifiers i ON i.scheme = a.scheme AND i.value = a.arxiv_id
           LEFT JOIN paper_states s ON s.paper_id = i.paper_id
           LEFT JOIN paper_topics f ON f.paper_id = i.paper_id AND f.topic_id = m.topic_id
           WHERE f.paper_id IS NULL AND ifnull(s.decision, '') <> 'discarded'
           AND (i.paper_id IS NOT NULL OR json_array(a.scheme, a.arxiv_id) NOT IN (
               SELECT c.row_key FROM changes c
               JOIN actions d ON d.id = c.action_id AND d.state = 'done'
               WHERE c.table_name = 'identifiers' AND c.operation = 'delete'))
           ORDER BY m.announcement_id, m.score DESC, m.topic_id""",
    )


@dataclass(frozen=True, slots=True)
class Backfill:
    """The part of arXiv's past that was searched for a topic."""

    topic_id: int
    query: str
    """The query and its categories."""
    until: date
    """Everything submitted up to this day was searched, as far as arXiv showed it then…"""
    reached: date
    """…back to this day."""


def get_backfill(store: Store, topic_id: int) -> Backfill | None:
    """Return the searched past of a topic, if there is any."""
    return store.find_record(
        Backfill,
        "SELECT topic_id, query, until, reached FROM backfills WHERE topic_id = ?",
        (topic_id,),
    )


def set_backfill(store: Store, backfill: Backfill) -> None:
    """Store the progress of a search, in the transaction that stores its results."""
    store.execute("INSERT OR REPLACE INTO backfills VALUES (?, ?, ?, ?)", astuple(backfill))


def rename_with_topics(store: Store, path: Path, new: Path) -> tuple[str, ...]:
    """Rename a category with its subcategories; return the names of the topics that follow it."""
    rename_category(store, path, new)
    topics = [topic for topic in list_topics(store) if topic.category[: len(path)] == path]
    for topic in topics:
        update_topic(store, replace(topic, category=new + topic.category[len(path) :]))
    return tuple(topic.name for topic in topics)
