"""Suggestions: what a source says against a value that the library keeps."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

from papertrack.errors import NotFoundError
from papertrack.records import Author
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store


class Suggestion(NamedTuple):
    """One open suggestion: the source's value for a field of a paper."""

    id: int
    paper_id: int
    field: str
    value: object
    """As PaperFacts has it; for ``links`` one Link as a list of role, url and label."""
    source: str


def read_suggestions(
    store: Store, *, paper_id: int | None = None, suggestion_id: int | None = None
) -> list[Suggestion]:
    """The open suggestions, oldest first: all, those of a paper, or one."""
    rows = store.execute(
        """SELECT id, paper_id, field, value, source FROM suggestions WHERE state = 'open'
           AND (?1 IS NULL OR paper_id = ?1) AND (?2 IS NULL OR id = ?2) ORDER BY id""",
        (paper_id, suggestion_id),
    )
    return [
        Suggestion(number, of, field, _value(field, text), source)
        for number, of, field, text, source in rows
    ]


def get_suggestion(store: Store, suggestion_id: int) -> Suggestion:
    """One open suggestion. Raises NotFoundError."""
    for suggestion in read_suggestions(store, suggestion_id=suggestion_id):
        return suggestion
    raise NotFoundError(
        f"There is no open suggestion {suggestion_id}; `papertrack suggestions` lists them."
    )


def close_suggestion(
    store: Store, suggestion_id: int, state: Literal["accepted", "rejected"]
) -> None:
    """Remember the reader's answer, so that the same is not suggested again."""
    store.execute("UPDATE suggestions SET state = ? WHERE id = ?", (state, suggestion_id))


def _value(field: str, text: str) -> object:
    if field == "authors":
        return tuple(Author(**author) for author in json.loads(text))
    return tuple_from_json(text) if text.startswith("[") else json.loads(text)
