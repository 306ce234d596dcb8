"""A document that another device registered, read here the first time, as in a fresh clone."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.store import documents
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.format import Format
from papertrack.sync.items import Category


def leave_out(store: Store, document: Format, document_id: int, action_id: int) -> None:
    """Let a list stay without what it does not list of what other devices know: somebody took it
    out by hand, or whoever added it writes it there. What was done here is written by this one.

    Part of the import, which has the action, once it has stored the entries that are there.
    """
    if document.fields.is_listing:
        away = [
            entry
            for section in document.sections
            for entry in _missing(store, document, section, action_id)
        ]
        if away:
            present = documents.read_entries(store, document_id)
            documents.write_entries(store, document_id, [*present, *away])


def _missing(
    store: Store, document: Format, section: Category, action_id: int
) -> Sequence[StoredEntry]:
    waiting = documents.papers_without_entry(store, section)
    ids = documents.placed_by_others(store, waiting, action_id)
    return [
        StoredEntry(
            "", paper.id, section, "", {}, document.library_values(paper), state=EntryState.UNLINKED
        )
        for paper in get_papers(store, ids)
    ]
