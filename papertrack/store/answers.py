"""What was asked of arXiv: which papers got an answer, from whom, and when.

Kept beside the sources of fields, under the name ``arxiv:`` and the id, so that undoing an action
takes the answer back with the fields that came of it, and a paper whose id is corrected counts as
not asked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from papertrack.store.store import Store

UNKNOWN = "unknown"
"""In place of a source: arXiv said that it does not know the id."""


class Asked(NamedTuple):
    """One paper that arXiv can be asked about."""

    paper_id: int
    arxiv_id: str
    """The first, if it has several."""
    source: str | None
    """Who answered last; ``UNKNOWN`` when nobody knew it, None when nobody was asked."""
    at: str | None
    """When: ISO 8601 with offset."""


def read_answers(store: Store, paper_ids: Sequence[int]) -> list[Asked]:
    """Those of these papers that have an arXiv id, in the order given, and their last answer."""
    rows = store.connection.execute(
        """SELECT i.paper_id, i.value, f.source, f.at FROM identifiers i
           LEFT JOIN field_sources f ON f.paper_id = i.paper_id AND f.field = 'arxiv:' || i.value
           WHERE i.scheme = 'arxiv' AND i.paper_id IN (SELECT value FROM json_each(?))
           ORDER BY i.position DESC""",
        (json.dumps(list(paper_ids)),),
    )
    found = {row[0]: Asked._make(row) for row in rows}
    return [found[paper_id] for paper_id in paper_ids if paper_id in found]


def remember_answer(store: Store, paper_id: int, arxiv_id: str, source: str) -> None:
    """Note that this source answered about the paper now."""
    store.connection.execute(
        """INSERT INTO field_sources (paper_id, field, source, at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET source = excluded.source, at = excluded.at""",
        (paper_id, f"arxiv:{arxiv_id}", source, store.stamp()),
    )
