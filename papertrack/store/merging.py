"""Making two papers one, when they turn out to be the same work."""

from __future__ import annotations

from papertrack.errors import ConflictError
from papertrack.records import Paper
from papertrack.store.adding import FIELDS
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import field_sources, get_paper
from papertrack.store.papers import READER, add_links, add_note, edit_paper
from papertrack.store.store import Store

_UNITED = (
    *("tags", "paper_categories", "paper_topics", "readings"),
    *("entries", "citekey_aliases", "suggestions", "originals"),
)
"""Tables whose rows of two merged papers become those of one; of two that say the same, one."""


def merge_papers(store: Store, kept_id: int, merged_id: int) -> None:
    """Make two papers one: the first keeps its fields and key, and gets all the second had more.

    Passes, notes, tags, links, categories, topics, identifiers and entries are united; the second's
    key becomes an alias; the stronger decision stays with its reason (saved over inbox over
    discarded), and what was in hand is in hand.
    """
    if kept_id == merged_id:
        raise ConflictError("A paper cannot be merged with itself.")
    kept, merged = get_paper(store, kept_id), get_paper(store, merged_id)
    missing = {
        name: getattr(merged.facts, name)
        for name in FIELDS
        if getattr(kept.facts, name) in (None, ())
    }
    sources = field_sources(store, merged_id)
    for name, value in missing.items():
        if value not in (None, ()):
            edit_paper(store, kept_id, name, value, source=sources.get(name, READER))
    execute = store.connection.execute
    pair = (kept_id, merged_id)
    (start,) = execute(
        "SELECT ifnull(max(position) + 1, 0) FROM identifiers WHERE paper_id = ?", (kept_id,)
    ).fetchone()
    execute(
        "UPDATE identifiers SET paper_id = ?, position = position + ? WHERE paper_id = ?",
        (kept_id, start, merged_id),
    )
    add_links(store, kept_id, merged.facts.links)
    for path in merged.notes:
        add_note(store, kept_id, path)
    # Its .bib entries keep their key, which stands in manuscripts, and the fields that the kept
    # paper does not have. As text: the journal reads it.
    fields = dict(kept.facts.publication or merged.facts.publication)
    lost = [f'$."publication.{n}"' for n, _ in merged.facts.publication if n not in fields]
    removed = ", ?" * len(lost)
    execute(
        f"""UPDATE entries
            SET library = json_remove(json_replace(library, '$.citekey', ?){removed}) || ''
            WHERE paper_id = ?""",
        (kept.citekey, *lost, merged_id),
    )
    for table in _UNITED:
        execute(f"UPDATE OR IGNORE {table} SET paper_id = ? WHERE paper_id = ?", pair)
    _merge_states(store, kept, merged)
    execute("DELETE FROM papers WHERE id = ?", (merged_id,))
    Citekeys(store).add_alias(kept_id, merged.citekey)


def _merge_states(store: Store, kept: Paper, merged: Paper) -> None:
    stronger = min((kept, merged), key=lambda p: ("saved", "inbox", "discarded").index(p.decision))
    passes = max(kept.passes_done, merged.passes_done)
    store.execute(
        """UPDATE paper_states SET passes_done = ?3, rating = ?4,
           (decision, decision_reason, decided_at) =
               (SELECT decision, decision_reason, decided_at FROM paper_states WHERE paper_id = ?5),
           in_hand_since = CASE WHEN ?3 < 3 THEN
               (SELECT min(in_hand_since) FROM paper_states WHERE paper_id IN (?1, ?2)) END
           WHERE paper_id = ?1""",
        (kept.id, merged.id, passes, kept.rating or merged.rating, stronger.id),
    )
