"""The entries of papers word for word, as .bib files had them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.originals import IS_ITEM
from papertrack.store.store import Store


class KeptText(NamedTuple):
    """The text of a paper's entry as it was last read or written, and what is known of it."""

    paper_id: int
    source: str
    """Where it stood: ``"refs.bib:key"``."""
    text: str
    document_id: int | None
    """The document that has the entry, or had it until the reader took it out; None of a file that
    the library does not feed any more."""
    entry: StoredEntry | None


def read_texts(store: Store, paper_ids: Sequence[int]) -> list[KeptText]:
    """The entries of these papers word for word, those of documents first, in their order there."""
    rows = store.execute(
        # What is made for the query gets an index: one paper may have thousands of entries.
        f"""WITH known AS MATERIALIZED (
               SELECT e.*, d.path || ':' || e.key AS source
               FROM entries e JOIN documents d ON d.id = e.document_id
               WHERE e.paper_id IN (SELECT value FROM json_each(?1)))
           SELECT o.paper_id, o.source, o.text, e.document_id,
               e.key, e.text, e.base, e.library, e.id, e.state
           FROM originals o LEFT JOIN known e ON e.paper_id = o.paper_id AND e.source = o.source
           WHERE o.paper_id IN (SELECT value FROM json_each(?1))
               AND NOT (o.{IS_ITEM})
           ORDER BY e.document_id IS NULL, e.state NOT IN ('linked', 'unsettled'), e.document_id,
               e.position, o.source""",
        (list(paper_ids),),
    )
    return [
        KeptText(paper_id, source, text, document_id, _entry_of(paper_id, *entry))
        for paper_id, source, text, document_id, *entry in rows
    ]


def _entry_of(
    paper_id: int, key: str | None, text: str, base: str, library: str, entry_id: int, state: str
) -> StoredEntry | None:
    if key is None:
        return None
    said = json.loads(base)
    then = said if library == base else json.loads(library)
    return StoredEntry(key, paper_id, (), text, said, then, id=entry_id, state=EntryState(state))
