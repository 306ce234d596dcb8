"""The ranking as it is kept: the model, how papers rank by it, and what the reader said of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papertrack.store.store import Store

if TYPE_CHECKING:
    from papertrack.ranking.model import Model


class Rank(NamedTuple):
    """How likely the reader saves a paper, and why."""

    paper_id: int
    score: float
    words: tuple[str, ...]
    """Those that carry the score, the strongest first."""
    authors: tuple[str, ...]
    """Those that speak for it, as the paper spells them."""


def keep_model(store: Store, model: Model, learnt_from: str) -> None:
    """Keep what was learnt, and from which decisions. Call it in a transaction."""
    learnt = json.dumps([model.rarities, model.weights, model.bias], ensure_ascii=False)
    store.execute(
        "INSERT OR REPLACE INTO rank_model VALUES (1, ?, ?, ?, ?, ?)",
        (learnt_from, store.stamp(), model.decisions, model.is_sided, learnt),
    )


def find_model(store: Store) -> tuple[Model, str] | None:
    """What was learnt last, and from which decisions; None where nothing is kept."""
    row = store.execute("SELECT model, decisions, is_sided, learnt_from FROM rank_model").fetchone()
    if row is None:
        return None
    # Imported here: an export asks this module for what was forgotten, and needs no model.
    from papertrack.ranking.model import Model

    rarities, weights, bias = json.loads(row[0])
    return Model(rarities, weights, bias, row[1], bool(row[2])), row[3]


_HAS_SIDES = "NOT EXISTS (SELECT 1 FROM rank_model WHERE NOT is_sided)"


def has_sides(store: Store) -> bool:
    """Whether a rank says on which side a paper is: more like what the reader keeps, or less."""
    return bool(store.select_value(f"SELECT {_HAS_SIDES}"))


def keep_ranks(store: Store, ranks: Iterable[Rank]) -> None:
    """Let these be the ranks of papers; there are no others. Call it in a transaction."""
    store.execute("DELETE FROM ranks")
    add_ranks(store, ranks)


def add_ranks(store: Store, ranks: Iterable[Rank]) -> None:
    """Keep the ranks of papers that have none. Call it in a transaction."""
    store.insert_many(
        "ranks (paper_id, score, words, authors)",
        [(one.paper_id, one.score, list(one.words), list(one.authors)) for one in ranks],
    )


def read_ranks(store: Store) -> dict[int, Rank]:
    """By paper: the ranks that there are."""
    return _ranks(store, "")


def papers_without_rank(store: Store, among: Sequence[int]) -> list[int]:
    """Those of some papers that are in the inbox and have no rank, where something was learnt that
    ranks them."""
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
    rows = store.execute(
        f"SELECT paper_id, score, words, authors FROM ranks {condition}", parameters
    )
    return {
        row[0]: Rank(row[0], row[1], tuple(json.loads(row[2])), tuple(json.loads(row[3])))
        for row in rows
    }


def find_rank(store: Store, paper_id: int) -> Rank | None:
    """The rank of a paper, if it has one."""
    return _ranks(store, "WHERE paper_id = ?", paper_id).get(paper_id)


def topics_of_ranked(store: Store) -> dict[int, list[tuple[str, str]]]:
    """Of the papers that have a rank: the topics that found them, with their reasons, the best
    match first."""
    found = store.select_groups(
        """SELECT f.paper_id, t.name, f.reason FROM paper_topics f
           JOIN ranks USING (paper_id) JOIN topics t ON t.id = f.topic_id
           ORDER BY f.score DESC, t.name"""
    )
    return {paper_id: [(name, reason) for name, reason in rows] for paper_id, rows in found.items()}


def papers_outside_topics(store: Store, since: str) -> list[int]:
    """Papers that came from announcements, from this time (ISO 8601) on, without a topic."""
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
    """Note that the reader wants ``more`` or ``less`` like a paper, or take that back."""
    store.execute(
        "UPDATE paper_states SET wish = ?1 WHERE paper_id = ?2 AND wish IS NOT ?1",
        (wish, paper_id),
    )


def forget_term(store: Store, term: str) -> None:
    """Let a term say nothing in the ranking."""
    store.insert("forgotten (term)", (term,), on_conflict="DO NOTHING")


def recall_term(store: Store, term: str) -> None:
    """Let a forgotten term count again."""
    store.execute("DELETE FROM forgotten WHERE term = ?", (term,))


def forgotten_terms(store: Store) -> list[str]:
    """The terms that say nothing in the ranking."""
    return store.select_column("SELECT term FROM forgotten ORDER BY term")


class Standing(NamedTuple):
    """How a paper ranks and why it is here, in a few words."""

    score: float | None
    """None where it has no rank, or one that tells no sides."""
    words: tuple[str, ...]
    topic: str | None
    """The one that matches best."""


def read_standings(store: Store, paper_ids: Sequence[int]) -> dict[int, Standing]:
    """By paper: how those of the papers stand that have a rank or were found by a topic."""
    rows = store.execute(
        f"""SELECT e.value, CASE WHEN {_HAS_SIDES} THEN k.score END, ifnull(k.words, '[]'), (
               SELECT t.name FROM paper_topics f JOIN topics t ON t.id = f.topic_id
               WHERE f.paper_id = e.value ORDER BY f.score DESC, t.name LIMIT 1) AS topic
           FROM json_each(?) e LEFT JOIN ranks k ON k.paper_id = e.value
           WHERE k.score IS NOT NULL OR topic IS NOT NULL""",
        (list(paper_ids),),
    )
    return {row[0]: Standing(row[1], tuple(json.loads(row[2])), row[3]) for row in rows}
