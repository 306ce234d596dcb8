"""What entries were before exports edited them or took them out, so that it can come back."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from papertrack.store.database import tuple_from_json
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.store import Store


class Former(NamedTuple):
    """What an entry was before an export edited it or took it out."""

    entry: StoredEntry
    """As it was, with its own text and what that said. Without a paper; with the id of an entry
    that is still there."""
    replaced_by: str | None
    """The text that the export made of it; None where it took the entry out."""
    hunks: list[dict[str, Any]]
    """What else of the file changed, or what was taken out, as the documents part describes it."""
    id: int | None = None


def read_history(store: Store, document_id: int) -> list[Former]:
    """What the document's entries were before exports changed them, oldest first."""
    rows = store.execute(
        """SELECT key, category, text, base, library, entry_id, replaced_by, hunks, id
           FROM history WHERE document_id = ? ORDER BY id""",
        (document_id,),
    )
    return [
        Former(
            StoredEntry(
                *(key, None, tuple_from_json(category), text, json.loads(base)),
                *(json.loads(library), entry_id),
                EntryState.LINKED if entry_id else EntryState.REMOVED,
            ),
            replaced_by,
            json.loads(hunks),
            former_id,
        )
        for key, category, text, base, library, entry_id, replaced_by, hunks, former_id in rows
    ]


def read_removed(store: Store, category: Sequence[str]) -> list[tuple[int, dict[str, Any]]]:
    """What exports took out of a section of this category and did not put back: the document, and
    what the entry said."""
    rows = store.execute(
        """SELECT document_id, base FROM history
           WHERE entry_id IS NULL AND replaced_by IS NULL AND category = ?""",
        (list(category),),
    )
    return [(document_id, json.loads(base)) for document_id, base in rows]


def write_history(
    store: Store, document_id: int, added: Sequence[Former], forgotten: Collection[int]
) -> None:
    """Remember what entries were, and forget what has been taken back, by the ids."""
    store.execute(
        "DELETE FROM history WHERE id IN (SELECT value FROM json_each(?))", (list(forgotten),)
    )
    store.insert_many(
        "history (document_id, entry_id, key, category, text, base, library, replaced_by, hunks)",
        [
            (
                *(document_id, one.entry.id, one.entry.key, one.entry.category, one.entry.text),
                *(one.entry.base, one.entry.library, one.replaced_by, one.hunks),
            )
            for one in added
        ],
    )
