"""What was asked of sources: which works got an answer, from whom, and when.

Kept beside the sources of fields, under the scheme and value of the identifier that was asked
about (``arxiv:2309.06180``), so that undoing an action takes the answer back with the fields that
came of it, and a paper whose identifier is corrected counts as not asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from papertrack.records import Identifier
from papertrack.store.store import Store

UNKNOWN = "unknown"
"""In place of a source: whoever was asked said that there is no such work."""


class Asked(NamedTuple):
    """One identifier of a paper that a source can be asked about, and its last answer."""

    paper_id: int
    identifier: Identifier
    source: str | None
    """Who answered last; ``UNKNOWN`` when nobody knew it, None when nobody was asked."""
    at: str | None
    """When: ISO 8601 with offset."""


def read_answers(
    store: Store, paper_ids: Sequence[int], schemes: Collection[str]
) -> dict[int, list[Asked]]:
    """Paper → its identifiers in these schemes, in their order, with their last answers."""
    groups = store.select_groups(
        """SELECT i.paper_id, i.scheme, i.value, f.source, f.at FROM identifiers i
           LEFT JOIN field_sources f
           ON f.paper_id = i.paper_id AND f.field = i.scheme || ':' || i.value
           WHERE i.paper_id IN (SELECT value FROM json_each(?))
           AND i.scheme IN (SELECT value FROM json_each(?))
           ORDER BY i.position""",
        (list(paper_ids), sorted(schemes)),
    )
    return {
        paper_id: [
            Asked(paper_id, Identifier(scheme, value), source, at)
            for scheme, value, source, at in rows
        ]
        for paper_id, rows in groups.items()
    }


def remember_answer(store: Store, paper_id: int, identifier: Identifier, source: str) -> None:
    """Note that this source answered about the paper now."""
    note_source(store, paper_id, f"{identifier.scheme}:{identifier.value}", source)


def note_source(store: Store, paper_id: int, field: str, source: str) -> None:
    """Note who says now what a field is, or answered about an identifier."""
    store.insert(
        "field_sources (paper_id, field, source, at)",
        (paper_id, field, source, store.stamp()),
        on_conflict="DO UPDATE SET source = excluded.source, at = excluded.at",
    )
