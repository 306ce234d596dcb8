"""Both ways at once: what changed in the documents comes in, what the library changed goes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.export_markdown import DocumentExport, choose_documents, export_documents
from papertrack.actions.import_markdown import ImportReport, OnDeleted, import_document
from papertrack.actions.paths import path_of_name
from papertrack.actions.threeway import Prefer
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync came to. A document that could not be read is only in ``exports``."""

    imports: tuple[ImportReport, ...]
    exports: tuple[DocumentExport, ...]


def sync_documents(
    store: Store,
    library: Library,
    *,
    paths: Sequence[Path] = (),
    prefer: Prefer = None,
    on_deleted: OnDeleted = "unlink",
    citekey_template: str = "{auth}{year}{shorttitle}",
    dry_run: bool = False,
) -> SyncReport:
    """Import every registered document (or those at ``paths``), then export to them.

    All are read before any is written, so that a mark set in one file reaches the others. A
    ``dry_run`` shows the export as it would be without the import.
    """
    imports = []
    for document in choose_documents(store, library, paths):
        try:
            imports.append(
                import_document(
                    store,
                    library,
                    path_of_name(library, document.path),
                    prefer=prefer,
                    on_deleted=on_deleted,
                    citekey_template=citekey_template,
                    dry_run=dry_run,
                )
            )
        except PapertrackError:
            continue  # The export below meets the same file, and reports it.
    exports = export_documents(store, library, paths=paths, prefer=prefer, dry_run=dry_run)
    return SyncReport(tuple(imports), tuple(exports))
