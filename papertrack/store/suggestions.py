"""Suggestions: what a source says against a value that the library keeps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from papertrack.errors import NotFoundError
from papertrack.records import Author
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One open suggestion: the source's value for a field of a paper."""

    id: int
    paper_id: int
    field: str
    value: object
    """As PaperFacts has it; for ``links`` one Link as a list of role, url and label."""
    source: str
    at: str


def read_suggestions(store: Store, *, paper_id: int | None = None) -> list[Suggestion]:
    """The open suggestions, oldest first."""
    rows = store.execute(
        """SELECT id, paper_id, field, value, source, at FROM suggestions
           WHERE state = 'open' AND (?1 IS NULL OR paper_id = ?1) ORDER BY id""",
        (paper_id,),
    )
    return [_suggestion(row) for row in rows]


def get_suggestion(store: Store, suggestion_id: int) -> Suggestion:
    """One open suggestion. Raises NotFoundError."""
    row = store.execute(
        """SELECT id, paper_id, field, value, source, at FROM suggestions
           WHERE state = 'open' AND id = ?""",
        (suggestion_id,),
    ).fetchone()
    if row is None:
        raise NotFoundError(
            f"There is no open suggestion {suggestion_id}; `papertrack suggestions` lists them."
        )
    return _suggestion(row)


def close_suggestion(
    store: Store, suggestion_id: int, state: Literal["accepted", "rejected"]
) -> None:
    """Remember the reader's answer, so that the same is not suggested again."""
    store.execute("UPDATE suggestions SET state = ? WHERE id = ?", (state, suggestion_id))


def _suggestion(row: tuple[int, int, str, str, str, str]) -> Suggestion:
    suggestion_id, paper_id, field, text, source, at = row
    value = json.loads(text)
    if field == "authors":
        value = tuple(Author(**author) for author in value)
    elif isinstance(value, list):
        value = tuple(tuple(v) if isinstance(v, list) else v for v in value)
    return Suggestion(suggestion_id, paper_id, field, value, source, at)
