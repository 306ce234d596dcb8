"""What a library keeps of its papers beside what is shown, and what it has beside papers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from papertrack.holdings import Details, FedFile, FieldSource, FoundBy, Holdings, KeptSuggestion
from papertrack.store import categories
from papertrack.store.citekeys import IS_FROZEN
from papertrack.store.documents import read_documents
from papertrack.store.store import Store
from papertrack.store.watch.ranks import forgotten_terms
from papertrack.store.watch.topics import list_topics

_PARTS = {
    "sources": "paper_id, field, source, at FROM field_sources {} ORDER BY field",
    "suggestions": """paper_id, field, value, source, at, state FROM suggestions {}
        ORDER BY at, field, value""",
    "originals": "paper_id, source, text FROM originals {} ORDER BY source",
    "found": """paper_id, t.name, reason, score, found_at FROM paper_topics
        JOIN topics t ON t.id = topic_id {} ORDER BY t.name""",
    "places": "paper_id, category_id, position FROM paper_categories {}",
}
"""What belongs to a paper in rows of its own: columns, table and order."""
_DIFFERENT = """
    SELECT d.one, p.citekey FROM (
        SELECT paper_id one, other_id other FROM different
        UNION ALL SELECT other_id, paper_id FROM different) d
    JOIN papers p ON p.id = d.other
    WHERE d.one IN (SELECT value FROM json_each(?)) ORDER BY p.citekey
"""


def read_details(store: Store, paper_ids: Sequence[int]) -> dict[int, Details]:
    """By paper: what the library keeps of it beside what is shown."""
    ids = (list(paper_ids),)
    asked = "WHERE paper_id IN (SELECT value FROM json_each(?))"
    parts = {
        name: store.select_groups("SELECT " + sql.format(asked), ids)
        for name, sql in _PARTS.items()
    }
    different = store.select_groups(_DIFFERENT, ids)
    paths = categories.paths(store)
    rows = store.execute(
        f"""SELECT p.id, {IS_FROZEN}, s.decided_at, s.in_hand_since, s.wish
            FROM papers p JOIN paper_states s ON s.paper_id = p.id {asked}""",
        ids,
    )
    return {
        paper_id: Details(
            bool(is_given),
            decided_at,
            in_hand_since,
            tuple(FieldSource(*row) for row in parts["sources"].get(paper_id, ())),
            tuple(_suggestion(*row) for row in parts["suggestions"].get(paper_id, ())),
            tuple((source, text) for source, text in parts["originals"].get(paper_id, ())),
            tuple(citekey for (citekey,) in different.get(paper_id, ())),
            tuple(FoundBy(*row) for row in parts["found"].get(paper_id, ())),
            tuple(
                sorted((paths[of], position) for of, position in parts["places"].get(paper_id, ()))
            ),
            wish,
        )
        for paper_id, is_given, decided_at, in_hand_since, wish in rows
    }


def _suggestion(field: str, value: str, source: str, at: str, state: Any) -> KeptSuggestion:
    return KeptSuggestion(field, json.loads(value), source, at, state)


def read_holdings(store: Store) -> Holdings:
    """What the library has beside its papers."""
    return Holdings(
        tuple(path for path, _ in categories.ordered_paths(store)),
        tuple(list_topics(store)),
        tuple(
            FedFile(document.path, document.kind, dict(document.settings))
            for document in read_documents(store)
        ),
        tuple(forgotten_terms(store)),
    )
