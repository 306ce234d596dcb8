"""What the journal tells of entries that exports took out of a document, or put in."""

from __future__ import annotations

from papertrack.store.database import Database


def ids_taken_out(db: Database, document_id: int) -> dict[str, list[int]]:
    """Return the ids of a document's entries that are gone, by key, the last one last; none where
    nothing was ever undone: then none of them can have come back."""
    rows = db.execute(
        """SELECT DISTINCT old ->> 'key', old ->> 'id' FROM actions a
           JOIN changes c ON c.action_id = a.id AND c.table_name = 'entries'
                AND c.operation = 'delete' AND old ->> 'document_id' = ?
           WHERE NOT a.can_undo AND old ->> 'id' NOT IN (SELECT id FROM entries)
           AND EXISTS (SELECT 1 FROM actions WHERE state IN ('undone', 'superseded'))
           ORDER BY c.id""",
        (document_id,),
    )
    gone: dict[str, list[int]] = {}
    for key, entry_id in rows:
        gone.setdefault(key, []).append(entry_id)
    return gone


def was_put_in_and_undone(
    db: Database, entry_id: int, paper_id: int, category_id: int | None
) -> bool:
    """Whether an export made the entry because the paper came into a category, which it has left
    again in that this was undone; None is a category that went with that."""
    found = db.select_value(
        """SELECT (
               SELECT NOT max(a.can_undo) FROM changes c JOIN actions a ON a.id = c.action_id
               WHERE c.paper_id = ?1 AND c.table_name = 'entries' AND c.operation = 'insert'
               AND c.row_key = json_array(?2)
           ) AND (
               SELECT c.operation = 'insert' AND a.state <> 'done'
               FROM changes c JOIN actions a ON a.id = c.action_id
               WHERE c.paper_id = ?1 AND c.table_name = 'paper_categories'
               AND c.operation <> 'update' AND ifnull(c.row_key ->> 1 = ?3,
                   c.row_key ->> 1 NOT IN (SELECT id FROM categories))
               ORDER BY c.id DESC LIMIT 1
           )""",
        (paper_id, entry_id, category_id),
    )
    return bool(found)
