"""Taking a paper that was made of two works apart."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.store.known import mark_different
from papertrack.store.papers import NewPaper, add_new_papers, remove_identifiers
from papertrack.store.store import Store


def part_paper(store: Store, paper_id: int, new: NewPaper, *, source: str) -> int:
    """Give what goes by one of a paper's other keys a paper of its own; return its number.

    The new paper takes its key, identifiers and original texts along; that the two are two works is
    remembered.
    """
    facts = new.facts
    remove_identifiers(store, paper_id, facts.identifiers)
    store.execute(
        "DELETE FROM citekey_aliases WHERE alias = ? AND paper_id = ?", (new.citekey, paper_id)
    )
    store.execute(
        """DELETE FROM originals WHERE paper_id = ?
           AND source IN (SELECT value FROM json_each(?))""",
        (paper_id, [name for name, _ in new.originals]),
    )
    (new_id,) = add_new_papers(store, [new], source=source)
    mark_different(store, paper_id, new_id)
    return new_id


def find_merge(store: Store, citekey: str) -> int | None:
    """The number of the last `merge` that took in the paper with this key and is not undone."""
    found: Sequence[int] = store.select_column(
        """SELECT a.id FROM actions a JOIN changes c ON c.action_id = a.id
           WHERE a.verb = 'merge' AND a.state = 'done' AND c.table_name = 'papers'
           AND c.operation = 'delete' AND json_extract(c.old, '$.citekey') = ? COLLATE NOCASE
           ORDER BY a.id DESC LIMIT 1""",
        (citekey,),
    )
    return found[0] if found else None
