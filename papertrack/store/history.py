"""What exports did to the entries of documents, kept so that it can be taken back as it was."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Former:
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
                key=key,
                paper_id=None,
                category=tuple(json.loads(category)),
                text=text,
                base=json.loads(base),
                library=json.loads(library),
                id=entry_id,
                state=EntryState.LINKED if entry_id else EntryState.REMOVED,
            ),
            replaced_by,
            json.loads(hunks),
            former_id,
        )
        for key, category, text, base, library, entry_id, replaced_by, hunks, former_id in rows
    ]


def write_history(
    store: Store, document_id: int, added: Sequence[Former], forgotten: Collection[int]
) -> None:
    """Remember what entries were, and forget what has been taken back, by the ids."""
    store.connection.executemany(
        "DELETE FROM history WHERE id = ?", [(former_id,) for former_id in sorted(forgotten)]
    )
    store.connection.executemany(
        """INSERT INTO history
           (document_id, entry_id, key, category, text, base, library, replaced_by, hunks)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                *(document_id, one.entry.id, one.entry.key, _json(one.entry.category)),
                *(one.entry.text, _json(one.entry.base), _json(one.entry.library)),
                *(one.replaced_by, _json(one.hunks)),
            )
            for one in added
        ],
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
