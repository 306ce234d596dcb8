"""The stored ranking: what it learns from, the model, and the ranks of papers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papertrack.store.store import Store
from papertrack.text import fold

if TYPE_CHECKING:
    from papertrack.ranking.model import Model


class Label(NamedTuple):
    """A paper that the user decided about, read, or wants more or less of."""

    paper_id: int
    title: str
    abstract: str
    authors: list[str]
    decision: str
    reason: str | None
    rating: int | None
    passes_done: int
    is_in_hand: bool
    wish: str | None
    """``more`` or ``less``, if the user asked for such papers."""
    at: str
    """The time of the last decision or pass, else of adding: ISO 8601."""


class Seen(NamedTuple):
    """The text of a paper or announcement to rank."""

    id: int
    arxiv_id: str | None
    title: str
    abstract: str
    authors: list[str]
    topic_score: float
    """The best score of the topics that matched; 0 if none did."""
    announced_on: str | None


_IS_LABEL = "(s.decision <> 'inbox' OR s.passes_done > 0 OR s.wish IS NOT NULL)"
_AUTHORS = """(SELECT json_group_array(name) FROM (
    SELECT name FROM authors a WHERE a.paper_id = p.id ORDER BY a.position))"""
_ARXIV_ID = """(SELECT value FROM identifiers i WHERE i.paper_id = p.id AND i.scheme = 'arxiv'
    ORDER BY i.position LIMIT 1)"""


def read_labels(store: Store, *, limit: int, before: str = "9999") -> list[Label]:
    """Return the papers from which the ranking learns, at most ``limit``.

    Papers with a wish come first, then those decided on; each group begins with the newest. Only
    those before the time ``before`` (ISO 8601) count.
    """
    return store.select_records(
        Label,
        f"""SELECT p.id, p.title, ifnull(p.abstract, ''), {_AUTHORS}, s.decision, s.decision_reason,
                   s.rating, s.passes_done, s.in_hand_since IS NOT NULL, s.wish,
                   max(ifnull(s.decided_at, p.added), ifnull(
                       (SELECT max(at) FROM readings r WHERE r.paper_id = p.id), '')) AS at
            FROM papers p JOIN paper_states s ON s.paper_id = p.id
            WHERE {_IS_LABEL} AND p.title IS NOT NULL AND at < ?
            ORDER BY s.wish IS NULL, at DESC, p.id DESC LIMIT ?""",
        (before, limit),
    )


def count_decisions(store: Store) -> int:
    """Return the number of papers from whose state the ranking can learn."""
    return int(store.select_value(f"SELECT count(*) FROM paper_states s WHERE {_IS_LABEL}"))


_SAID = """passes_done + 4 * ifnull(rating, 0) + 24 * (decision = 'saved')
    + 48 * (decision = 'discarded') + 96 * (in_hand_since IS NOT NULL)
    + 192 * (ifnull(wish, '') = 'more') + 384 * (ifnull(wish, '') = 'less')"""
"""SQL for a number that differs for each combination of passes, rating, decision and wish."""


def decisions_stamp(store: Store) -> str:
    """Return a digest that changes with each decision, pass, rating, wish and forgotten term."""
    # Summed up twice with the papers' numbers: what one paper gains does not make up for what
    # another loses.
    row = store.execute(
        f"""SELECT count(*), total(({_SAID}) * paper_id),
                   total(({_SAID}) * (paper_id * paper_id % 999983)), max(decided_at),
                   (SELECT json_group_array(term) FROM forgotten)
            FROM paper_states s WHERE {_IS_LABEL}"""
    ).fetchone()
    return json.dumps(row, ensure_ascii=False)


def read_let_pass(store: Store, *, limit: int, before: str, until: str = "9999") -> list[Seen]:
    """Return announcements before a day (ISO date) that are not in the library.

    Returns the newest ones, oldest first. Papers added after the time ``until`` (ISO 8601) do not
    count as in the library.
    """
    found = _read_announced(
        store,
        """a.announced_on < ?1 AND NOT EXISTS (
                SELECT 1 FROM identifiers i JOIN papers p ON p.id = i.paper_id
                WHERE i.scheme = a.scheme AND i.value = a.arxiv_id AND p.added < ?3)
            ORDER BY a.id DESC LIMIT ?2""",
        (before, limit, until),
    )
    return found[::-1]


def _read_announced(store: Store, which: str, parameters: Sequence[object]) -> list[Seen]:
    """Return first announcements for which this condition holds, in its order."""
    # An author with an affiliation is a list of the two.
    return store.select_records(
        Seen,
        f"""SELECT a.id, a.arxiv_id, a.title, a.abstract, (
                SELECT json_group_array(iif(type = 'array', value ->> 0, value))
                FROM json_each(a.authors)),
            ifnull((SELECT max(score) FROM matches m WHERE m.announcement_id = a.id), 0.0),
            a.announced_on
            FROM announcements a WHERE a.kind IN ('new', 'cross') AND {which}""",
        parameters,
    )


def read_announced(store: Store, *, since: str) -> list[Seen]:
    """Return announcements from a day on, with the scores of the topics, oldest first."""
    return _read_announced(store, "a.announced_on >= ? ORDER BY a.id", (since,))


def read_inbox(store: Store, among: Sequence[int] | None = None) -> list[Seen]:
    """Return the papers in the inbox, all or ``among`` these."""
    some = "" if among is None else "AND p.id IN (SELECT value FROM json_each(?))"
    return store.select_records(
        Seen,
        f"""SELECT p.id, {_ARXIV_ID}, p.title, ifnull(p.abstract, ''), {_AUTHORS},
                   ifnull((SELECT max(score) FROM paper_topics f WHERE f.paper_id = p.id), 0.0),
                   p.announced
            FROM papers p JOIN paper_states s ON s.paper_id = p.id
            WHERE s.decision = 'inbox' AND p.title IS NOT NULL {some} ORDER BY p.id""",
        () if among is None else (list(among),),
    )


def read_unmatched(store: Store, seen_since: str) -> list[Seen]:
    """Return announcements seen since a time (ISO 8601) that no topic matched.

    Leaves out those that are in the library or that the user removed from it.
    """
    return _read_announced(
        store,
        """julianday(a.seen_at) >= julianday(?)
           AND (a.scheme, a.arxiv_id) NOT IN (SELECT scheme, value FROM identifiers)
           AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.announcement_id = a.id)
           AND json_array(a.scheme, a.arxiv_id) NOT IN (
               SELECT c.row_key FROM changes c
               JOIN actions d ON d.id = c.action_id AND d.state = 'done'
               WHERE c.table_name = 'identifiers' AND c.operation = 'delete')
           ORDER BY a.id""",
        (seen_since,),
    )


class ReadPaper(NamedTuple):
    """A paper with a pass, for comparison with another one."""

    id: int
    citekey: str
    title: str
    abstract: str
    passes_done: int
    takeaway: str | None
    """The takeaway of the last pass that has one."""


def read_papers(store: Store, limit: int) -> list[ReadPaper]:
    """Return the papers that were read last, latest first."""
    return store.select_records(
        ReadPaper,
        """SELECT p.id, p.citekey, p.title, ifnull(p.abstract, ''), s.passes_done,
                  (SELECT takeaway FROM readings r WHERE r.paper_id = p.id
                   AND takeaway IS NOT NULL ORDER BY pass DESC, id DESC LIMIT 1)
           FROM papers p JOIN paper_states s ON s.paper_id = p.id
           WHERE s.passes_done > 0 AND p.title IS NOT NULL
           ORDER BY (SELECT max(at) FROM readings r WHERE r.paper_id = p.id) DESC, p.id DESC
           LIMIT ?""",
        (limit,),
    )


def kept_arxiv_ids(store: Store) -> set[str]:
    """Return the arXiv ids of the papers that the user saved or read."""
    return set(
        store.select_column(
            """SELECT i.value FROM identifiers i JOIN paper_states s ON s.paper_id = i.paper_id
               WHERE i.scheme = 'arxiv' AND (s.decision = 'saved' OR s.passes_done > 0)"""
        )
    )


def is_author(store: Store, folded: str) -> bool:
    """Return whether a paper of the library has an author of this folded name."""
    names = store.select_column("SELECT DISTINCT name FROM authors")
    return any(fold(name) == folded for name in names)


class Rank(NamedTuple):
    """How likely the user is to save a paper, and why."""

    paper_id: int
    score: float
    words: tuple[str, ...]
    """The words behind the score, strongest first."""
    authors: tuple[str, ...]
    """The authors that raise it, as the paper spells them."""


def keep_model(store: Store, model: Model, learnt_from: str) -> None:
    """Store the model, and the decisions from which it was learnt. Call it in a transaction."""
    learnt = json.dumps([model.rarities, model.weights, model.bias], ensure_ascii=False)
    store.execute(
        "INSERT OR REPLACE INTO rank_model VALUES (1, ?, ?, ?, ?, ?)",
        (learnt_from, store.stamp(), model.decisions, model.is_sided, learnt),
    )


def find_model(store: Store) -> tuple[Model, str] | None:
    """Return the stored model, and the decisions from which it was learnt; None without one."""
    row = store.execute("SELECT model, decisions, is_sided, learnt_from FROM rank_model").fetchone()
    if row is None:
        return None
    # Imported here: an export asks this module for what was forgotten, and needs no model.
    from papertrack.ranking.model import Model

    rarities, weights, bias = json.loads(row[0])
    return Model(rarities, weights, bias, row[1], bool(row[2])), row[3]


_HAS_SIDES = "NOT EXISTS (SELECT 1 FROM rank_model WHERE NOT is_sided)"


def has_sides(store: Store) -> bool:
    """Return whether the signs of ranks have a meaning.

    Then papers above 0 are more like those that the user keeps than like the others.
    """
    return bool(store.select_value(f"SELECT {_HAS_SIDES}"))


def keep_ranks(store: Store, ranks: Iterable[Rank]) -> None:
    """Replace all ranks by these. Call it in a transaction."""
    store.execute("DELETE FROM ranks")
    add_ranks(store, ranks)


def add_ranks(store: Store, ranks: Iterable[Rank]) -> None:
    """Add the ranks of papers that have none. Call it in a transaction."""
    store.insert_many(
        "ranks (paper_id, score, words, authors)",
        [(one.paper_id, one.score, list(one.words), list(one.authors)) for one in ranks],
    )


def read_ranks(store: Store) -> dict[int, Rank]:
    """Return the ranks by paper."""
    return _ranks(store, "")


def papers_without_rank(store: Store, among: Sequence[int]) -> list[int]:
    """Return those of these inbox papers that have no rank.

    Returns none if there is no model to rank them.
    """
    # Joined so, SQLite looks at these alone; else it looks through the inbox for them.
    return store.select_column(
        """SELECT p.id FROM json_each(?) asked
           CROSS JOIN paper_states s ON s.paper_id = asked.value
           CROSS JOIN papers p ON p.id = asked.value
           WHERE s.decision = 'inbox' AND p.title IS NOT NULL
           AND EXISTS (SELECT 1 FROM rank_model WHERE decisions > 0)
           AND NOT EXISTS (SELECT 1 FROM ranks k WHERE k.paper_id = p.id)""",
        (list(among),),
    )


def _ranks(store: Store, condition: str, *parameters: object) -> dict[int, Rank]:
    sql = f"SELECT paper_id, score, words, authors FROM ranks {condition}"
    return {rank.paper_id: rank for rank in store.select_records(Rank, sql, parameters)}


def find_rank(store: Store, paper_id: int) -> Rank | None:
    """Return the rank of a paper, if it has one."""
    return _ranks(store, "WHERE paper_id = ?", paper_id).get(paper_id)


def topics_of_ranked(store: Store) -> dict[int, list[tuple[str, str]]]:
    """Return the topics that found each ranked paper, with their reasons, the best match first."""
    found = store.select_groups(
        """SELECT f.paper_id, t.name, f.reason FROM paper_topics f
           JOIN ranks USING (paper_id) JOIN topics t ON t.id = f.topic_id
           ORDER BY f.score DESC, t.name"""
    )
    return {paper_id: [(name, reason) for name, reason in rows] for paper_id, rows in found.items()}


def papers_outside_topics(store: Store, since: str) -> list[int]:
    """Return papers added from announcements without a topic since a time (ISO 8601)."""
    return store.select_column(
        """SELECT p.id FROM papers p
           JOIN paper_states s ON s.paper_id = p.id AND s.decision <> 'discarded'
           JOIN field_sources g ON g.paper_id = p.id AND g.field = 'title'
                AND g.source = 'announcement'
           WHERE julianday(p.added) >= julianday(?) AND NOT EXISTS (
               SELECT 1 FROM paper_topics f WHERE f.paper_id = p.id)
           ORDER BY p.id""",
        (since,),
    )


def set_wish(store: Store, paper_id: int, wish: str | None) -> None:
    """Record that the user wants ``more`` or ``less`` like a paper, or remove that."""
    store.execute(
        "UPDATE paper_states SET wish = ?1 WHERE paper_id = ?2 AND wish IS NOT ?1", (wish, paper_id)
    )


def forget_term(store: Store, term: str) -> None:
    """Ignore a term in the ranking."""
    store.insert("forgotten (term)", (term,), on_conflict="DO NOTHING")


def recall_term(store: Store, term: str) -> None:
    """Stop ignoring a term in the ranking."""
    store.execute("DELETE FROM forgotten WHERE term = ?", (term,))


def forgotten_terms(store: Store) -> list[str]:
    """Return the forgotten terms."""
    return store.select_column("SELECT term FROM forgotten ORDER BY term")


class Standing(NamedTuple):
    """The rank of a paper and why it is in the inbox, in a few words."""

    score: float | None
    """None if it has no rank, or if ranks have no sides."""
    words: tuple[str, ...]
    topic: str | None
    """The topic that matches best."""


def read_standings(store: Store, paper_ids: Sequence[int]) -> dict[int, Standing]:
    """Return the standing of each of these papers that has a rank or was found by a topic."""
    rows = store.execute(
        f"""SELECT e.value, CASE WHEN {_HAS_SIDES} THEN k.score END, ifnull(k.words, '[]'), (
               SELECT t.name FROM paper_topics f JOIN topics t ON t.id = f.topic_id
               WHERE f.paper_id = e.value ORDER BY f.score DESC, t.name LIMIT 1) AS topic
           FROM json_each(?) e LEFT JOIN ranks k ON k.paper_id = e.value
           WHERE k.score IS NOT NULL OR topic IS NOT NULL""",
        (list(paper_ids),),
    )
    return {row[0]: Standing(row[1], tuple(json.loads(row[2])), row[3]) for row in rows}
