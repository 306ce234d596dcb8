"""Take back what killed runs wrote into files before the library recorded it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from papertrack.errors import DocumentError
from papertrack.library import Library, has_pending, intents, intents_folder
from papertrack.library.intents import Intent
from papertrack.library.paths import BIBTEX_SUFFIXES, path_of_name
from papertrack.library.trust import refuse_outside
from papertrack.store.documents import find_document
from papertrack.store.lookup import papers_with_note
from papertrack.store.store import Store
from papertrack.store.written_files import is_remembered

if TYPE_CHECKING:
    from papertrack.sync.document_export import RolledBackFile


def recover(store: Store, library: Library) -> list[RolledBackFile]:
    """Take back what killed runs wrote into files before the library recorded it.

    Waits for a run that is writing. Raises StoreError, and PapertrackError for a file outside a
    library that is not trusted.
    """
    folder = intents_folder(store.path)
    if store.is_trial or not has_pending(folder):
        return []
    from papertrack.sync.document_export import roll_back  # What nearly no run needs.

    restored = []
    # Only one run can hold the library's lock, so the runs that left these intents are dead.
    with store.transaction():
        for intent in intents.pending(folder, partial(path_of_name, library)):
            # Exports and highlights leave intents; somebody else put any other file there.
            is_known = find_document(store, intent.name) or papers_with_note(store, intent.name)
            if not is_known or is_remembered(store, intent.name, intent.token):
                intent.forget()
                continue
            refuse_outside(library, intent.path)
            intents.sweep(intent)
            if (file := roll_back(intent, _without_its_edits)) is not None:
                restored.append(file)
    return restored


def _without_its_edits(intent: Intent, present: bytes) -> bytes | None:
    """Return the current file without the run's edits; None if others edited the same text."""
    from papertrack.documents.versions import merge_versions

    is_bib = intent.path.suffix.lower() in BIBTEX_SUFFIXES
    try:
        merged, conflicts = merge_versions((intent.new, intent.old, present), is_bib=is_bib)
    except DocumentError:
        return None
    return None if conflicts else merged
