"""Who was asked where papers were published, and when; and what was proposed of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from papertrack.store.store import Store

FIELD = "publication"
"""The name under which a proposed publication stands among suggestions."""


class Look(NamedTuple):
    """A service that answered about a paper."""

    source: str
    at: str
    """When: ISO 8601 with offset."""


class Proposed(NamedTuple):
    """A publication that was proposed, and what the reader said."""

    suggestion_id: int
    value: Mapping[str, Any]
    state: Literal["open", "accepted", "rejected"]


def read_looks(store: Store, paper_ids: Sequence[int]) -> dict[int, list[Look]]:
    """Paper → who answered about it, each with the last time."""
    groups = store.select_groups(
        """SELECT paper_id, source, at FROM publication_looks
           WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY source""",
        (list(paper_ids),),
    )
    return {of: [Look(source, at) for source, at in rows] for of, rows in groups.items()}


def note_looks(store: Store, looks: Iterable[tuple[int, str]]) -> None:
    """Note for each paper that this service answered about it now. Call it in a transaction."""
    at = store.stamp()
    for paper_id, source in looks:
        # While services were asked, the paper may have been removed.
        store.execute(
            """INSERT OR REPLACE INTO publication_looks (paper_id, source, at)
               SELECT id, ?, ? FROM papers WHERE id = ?""",
            (source, at, paper_id),
        )


def read_proposed(store: Store, paper_ids: Sequence[int]) -> dict[int, list[Proposed]]:
    """Paper → the publications that were ever proposed, the latest last."""
    groups = store.select_groups(
        """SELECT paper_id, id, value, state FROM suggestions WHERE field = ?
           AND paper_id IN (SELECT value FROM json_each(?)) ORDER BY id""",
        (FIELD, list(paper_ids)),
    )
    return {
        of: [Proposed(number, json.loads(text), state) for number, text, state in rows]
        for of, rows in groups.items()
    }


def drop_weaker(store: Store, paper_id: int) -> None:
    """Drop the open suggestion of a venue out of a comment: a publication is proposed instead."""
    store.execute(
        "DELETE FROM suggestions WHERE paper_id = ? AND field = 'venue' AND state = 'open'",
        (paper_id,),
    )
