"""The documents that the library feeds: what each is, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.document_files import read_document
from papertrack.actions.export_markdown import choose_documents
from papertrack.actions.paths import path_of_name
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.documents import forget_document, read_documents, read_entries
from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class DocumentState:
    """A registered document as it is now."""

    file: str
    path: Path
    kind: str
    title: str | None
    entries: int
    """Entries that are linked to a paper."""
    synced_at: str
    is_changed: bool
    """Whether the file has changed since it was last read or written."""
    style: dict[str, object] | None
    """How it writes marks, dates and links, as learnt from it; None for what is no README."""
    error: PapertrackError | None
    """Why it cannot be read."""


def list_documents(store: Store, library: Library) -> list[DocumentState]:
    """All registered documents, in the order of their registration."""
    states = []
    for document in read_documents(store):
        path = path_of_name(library, document.path)
        style: dict[str, object] | None = None
        error: PapertrackError | None = None
        is_changed = False
        if document.kind == "markdown":
            try:
                read = read_document(path)
                style = read.document.style.to_dict()
                is_changed = read.digest != document.digest
            except PapertrackError as raised:
                error = raised
        states.append(
            DocumentState(
                file=document.path,
                path=path,
                kind=document.kind,
                title=document.title,
                entries=sum(bool(entry.text) for entry in read_entries(store, document.id)),
                synced_at=document.synced_at,
                is_changed=is_changed,
                style=style,
                error=error,
            )
        )
    return states


def forget_documents(
    store: Store, library: Library, paths: list[Path], *, dry_run: bool = False
) -> list[str]:
    """Stop feeding these files; they and their papers stay. Raises NotFoundError for another."""
    documents = choose_documents(store, library, paths) if paths else []
    names = [document.path for document in documents]
    with store.action("documents", f"stopped feeding {', '.join(names)}", dry_run=dry_run):
        for document in documents:
            forget_document(store, document.id)
    return names
