"""What sources said about papers: answers, the source of each field, and differing values.

Answers are stored with the sources of fields, under the scheme and value of the identifier
(``arxiv:2309.06180``). So undo of an action takes the answer back with its fields, and a paper
whose identifier is corrected counts as never looked up.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from papertrack.errors import NotFoundError
from papertrack.records import Author, Identifier
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store

UNKNOWN = "unknown"
"""In place of a source: the sources answered that there is no such work."""
PUBLICATION = "publication"
"""The field of a suggested publication."""


class Asked(NamedTuple):
    """An identifier of a paper that sources can look up, and their last answer."""

    paper_id: int
    identifier: Identifier
    source: str | None
    """The source of the last answer; ``UNKNOWN`` if no source knew it, None without an answer."""
    at: str | None
    """The time of the answer: ISO 8601 with offset."""


def read_answers(
    store: Store, paper_ids: Sequence[int], schemes: Collection[str]
) -> dict[int, list[Asked]]:
    """Return the papers' identifiers in these schemes, with their last answers, by paper."""
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
        of: [Asked(of, Identifier(scheme, value), *answer) for scheme, value, *answer in rows]
        for of, rows in groups.items()
    }


def remember_answer(store: Store, paper_id: int, identifier: Identifier, source: str) -> None:
    """Record that this source has just answered about the paper."""
    note_source(store, paper_id, f"{identifier.scheme}:{identifier.value}", source)


def note_source(store: Store, paper_id: int, field: str, source: str) -> None:
    """Record the current source of a field, or of an answer about an identifier."""
    store.insert(
        "field_sources (paper_id, field, source, at)",
        (paper_id, field, source, store.stamp()),
        on_conflict="DO UPDATE SET source = excluded.source, at = excluded.at",
    )


class Suggestion(NamedTuple):
    """An open suggestion: a source's value for a field of a paper."""

    id: int
    paper_id: int | None
    """None for a proposal to add a paper."""
    field: str
    value: object
    """The value as in PaperFacts; for ``links`` one Link as a list of role, url and label."""
    source: str


def propose(store: Store, paper_id: int | None, act: str, value: str, *, source: str) -> str | None:
    """Store an agent's proposal; return the user's answer to the same proposal before, if any.

    ``value`` is JSON, in which the key ``value`` decides whether it is the same. The caller checks
    what may be proposed.
    """
    known = store.select_value(
        """SELECT state FROM suggestions WHERE paper_id IS ? AND field = ?
           AND json_extract(value, '$.value') = json_extract(?, '$.value')""",
        (paper_id, act, value),
    )
    if known is None:
        store.insert(
            "suggestions (paper_id, field, value, source, at)",
            (paper_id, act, value, source, store.stamp()),
        )
    return None if known is None else str(known)


def count_open(store: Store, *, source_start: str) -> int:
    """Return the number of open suggestions from sources whose names begin like this."""
    count = store.select_value(
        "SELECT count(*) FROM suggestions WHERE state = 'open' AND substr(source, 1, ?) = ?",
        (len(source_start), source_start),
    )
    return int(count)


def suggest(store: Store, paper_id: int, field: str, value: Any, *, source: str) -> bool:
    """Store a source's differing value; return whether it is new.

    A value that was suggested before keeps its answer. A new one replaces an open one, except
    for ``links``, of which there can be several.
    """
    if field == "authors":
        value = [author._asdict() for author in value]
    text = json.dumps(value, ensure_ascii=False)
    if field != "links":
        store.execute(
            """DELETE FROM suggestions
               WHERE paper_id = ? AND field = ? AND value <> ? AND state = 'open'""",
            (paper_id, field, text),
        )
    cursor = store.insert(
        "suggestions (paper_id, field, value, source, at)",
        (paper_id, field, text, source, store.stamp()),
        on_conflict="DO NOTHING",
    )
    return cursor.rowcount == 1


def read_suggestions(
    store: Store, *, paper_id: int | None = None, suggestion_id: int | None = None
) -> list[Suggestion]:
    """Return the open suggestions, oldest first: all, those of a paper, or one."""
    rows = store.execute(
        """SELECT id, paper_id, field, value, source FROM suggestions WHERE state = 'open'
           AND (?1 IS NULL OR paper_id = ?1) AND (?2 IS NULL OR id = ?2) ORDER BY id""",
        (paper_id, suggestion_id),
    )
    return [
        Suggestion(number, of, field, _value(field, text), source)
        for number, of, field, text, source in rows
    ]


def _value(field: str, text: str) -> object:
    if field == "authors":
        return tuple(Author(**author) for author in json.loads(text))
    return tuple_from_json(text) if text.startswith("[") else json.loads(text)


def get_suggestion(store: Store, suggestion_id: int) -> Suggestion:
    """Return one open suggestion. Raises NotFoundError."""
    for suggestion in read_suggestions(store, suggestion_id=suggestion_id):
        return suggestion
    raise NotFoundError(
        f"There is no open suggestion {suggestion_id}; `papertrack suggestions` lists them."
    )


def close_suggestion(
    store: Store, suggestion_id: int, state: Literal["accepted", "rejected"]
) -> None:
    """Store the user's answer, so that the same value is not suggested again."""
    store.execute("UPDATE suggestions SET state = ? WHERE id = ?", (state, suggestion_id))


class Proposed(NamedTuple):
    """A suggested publication, and the user's answer."""

    value: Mapping[str, Any]
    state: Literal["open", "accepted", "rejected"]


def read_proposed(store: Store, paper_ids: Sequence[int]) -> dict[int, list[Proposed]]:
    """Return all publications that were suggested for each paper, the latest last."""
    groups = store.select_groups(
        """SELECT paper_id, value, state FROM suggestions WHERE field = ?
           AND paper_id IN (SELECT value FROM json_each(?)) ORDER BY id""",
        (PUBLICATION, list(paper_ids)),
    )
    return {
        of: [Proposed(json.loads(text), state) for text, state in rows]
        for of, rows in groups.items()
    }


def drop_weaker(store: Store, paper_id: int) -> None:
    """Drop the suggestion of a venue from a comment, because a publication is suggested instead."""
    store.execute(
        "DELETE FROM suggestions WHERE paper_id = ? AND field = 'venue' AND state = 'open'",
        (paper_id,),
    )


def read_looks(store: Store, paper_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """Return when services last answered about each paper's publication, in ISO 8601."""
    groups = store.select_groups(
        """SELECT paper_id, source, at FROM publication_looks
           WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY source""",
        (list(paper_ids),),
    )
    return {of: dict(rows) for of, rows in groups.items()}


def note_looks(store: Store, looks: Iterable[tuple[int, str]]) -> None:
    """Record that this service answered about these papers now. Call it in a transaction."""
    at = store.stamp()
    # While services were asked, the paper may have been removed.
    store.connection.executemany(
        """INSERT OR REPLACE INTO publication_looks (paper_id, source, at)
           SELECT id, ?, ? FROM papers WHERE id = ?""",
        [(source, at, paper_id) for paper_id, source in looks],
    )
