"""Registered documents and their entries: what each file last said, and what the library said."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from papertrack.errors import NotFoundError
from papertrack.store.categories import find_category
from papertrack.store.journal import MANY, journalled_together
from papertrack.store.store import Store

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)
DocumentKind = Literal["markdown", "bibtex"]
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RegisteredDocument:
    """A file that the library feeds."""

    id: int
    path: str
    """Relative to the library where the file is inside it, absolute elsewhere."""
    kind: DocumentKind
    title: str | None
    settings: Values
    """What the reader set about the document over what was learnt from it."""
    digest: str
    """SHA-256 of the file's bytes as last read or written."""
    synced_at: str


class EntryState(StrEnum):
    """What an entry is to its document and to the library."""

    LINKED = "linked"
    """It stands in the file, and its paper in the library."""
    UNSETTLED = "unsettled"
    """As linked, with a conflict open or a change that waits to be imported: however little the
    file changes, the entry is compared again."""
    UNLINKED = "unlinked"
    """The reader took it out of the file: its paper stays, and it is not put back."""
    WANTED = "wanted"
    """It was deleted in the file, and the reader wants it back: the next export writes it."""
    REMOVED = "removed"
    """Its paper was removed from the library: the next export takes it out of the file."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry of a document as it was at the last import or export."""

    key: str
    """Which entry of the document this is (see ``documents``)."""
    paper_id: int | None
    """The paper; of a ``removed`` entry none."""
    category: tuple[str, ...]
    text: str
    """The entry's own text in the file, or what stands for it."""
    base: Values = field(default_factory=dict)
    """What the file said, by field."""
    library: Values = field(default_factory=dict)
    """What the library said at that time, by field."""
    id: int | None = None
    state: EntryState = EntryState.LINKED
    refused: Values = field(default_factory=dict)
    """Values that the document has no place for, by field, as the reader was told."""
    held_in: tuple[tuple[str, ...], ...] | None = None
    """The paper's categories when the reader was told that the entry cannot follow it there."""

    @property
    def paper(self) -> int:
        """The paper of an entry that is not ``removed``."""
        assert self.paper_id is not None
        return self.paper_id

    @property
    def is_in_file(self) -> bool:
        """Whether the file had the entry when it was last read or written."""
        return self.state not in (EntryState.UNLINKED, EntryState.WANTED)


def register_document(
    store: Store, path: str, kind: DocumentKind, *, title: str | None, digest: str
) -> int:
    """Make the file a document of the library, or note that it was read again; return its id."""
    row = store.execute("SELECT id FROM documents WHERE path = ?", (path,)).fetchone()
    if row is None:
        cursor = store.execute(
            """INSERT INTO documents (path, kind, title, digest, synced_at)
               VALUES (?, ?, ?, ?, ?)""",
            (path, kind, title, digest, store.stamp()),
        )
        return int(cursor.lastrowid or 0)
    store.execute(
        """UPDATE documents SET title = ?1, digest = ?2, synced_at = ?3
           WHERE id = ?4 AND (title IS NOT ?1 OR digest <> ?2)""",
        (title, digest, store.stamp(), row[0]),
    )
    return int(row[0])


def set_document_settings(store: Store, document_id: int, settings: Values) -> None:
    store.execute(
        "UPDATE documents SET settings = ? WHERE id = ?",
        (json.dumps(settings, ensure_ascii=False, sort_keys=True), document_id),
    )


def read_documents(store: Store, kind: DocumentKind | None = None) -> list[RegisteredDocument]:
    """All registered documents in the order of their registration."""
    rows = store.execute(
        """SELECT id, path, kind, title, settings, digest, synced_at FROM documents
           WHERE ?1 IS NULL OR kind = ?1 ORDER BY id""",
        (kind,),
    )
    return [
        RegisteredDocument(row[0], row[1], row[2], row[3], json.loads(row[4]), row[5], row[6])
        for row in rows
    ]


def find_document(store: Store, path: str) -> RegisteredDocument | None:
    """The document registered under this path."""
    return next((d for d in read_documents(store) if d.path == path), None)


def forget_document(store: Store, document_id: int) -> None:
    """Stop feeding a file; the file and its papers stay."""
    cursor = store.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    if not cursor.rowcount:
        raise NotFoundError(f"There is no document {document_id}.")


def read_entries(store: Store, document_id: int) -> list[StoredEntry]:
    """The document's entries in their order in the file, as last seen.

    What the reader took out of the file and then removed from the library is nothing any more.
    """
    rows = store.execute(
        """SELECT key, paper_id, category, text, base, library, id, state, refused, held_in
           FROM entries WHERE document_id = ? AND (paper_id IS NOT NULL OR state = 'removed')
           ORDER BY position""",
        (document_id,),
    )
    return [
        StoredEntry(
            key,
            paper_id,
            tuple(json.loads(category)),
            text,
            json.loads(base),
            json.loads(library),
            entry_id,
            EntryState(state),
            json.loads(refused),
            tuple(map(tuple, json.loads(held_in))) if held_in else None,
        )
        for key, paper_id, category, text, base, library, entry_id, state, refused, held_in in rows
    ]


def write_entries(store: Store, document_id: int, entries: Sequence[StoredEntry]) -> None:
    """Make these the document's entries; those with an id are updated, others of it removed."""
    kept = json.dumps([entry.id for entry in entries if entry.id is not None])
    store.execute(
        """DELETE FROM entries WHERE document_id = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (document_id, kept),
    )
    added = []
    for position, entry in enumerate(entries):
        base = _json(entry.base)
        library = base if entry.library == entry.base else _json(entry.library)
        values = (
            *(entry.paper_id, position, entry.key, _json(entry.category), entry.text),
            *(base, library, entry.state, _json(entry.refused)),
            None if entry.held_in is None else _json(entry.held_in),
        )
        if entry.id is None:
            added.append((*values, document_id))
        else:
            store.execute(
                """UPDATE entries SET paper_id = ?1, position = ?2, key = ?3, category = ?4,
                   text = ?5, base = ?6, library = ?7, state = ?8, refused = ?9, held_in = ?10
                   WHERE id = ?11 AND (paper_id IS NOT ?1 OR position <> ?2 OR key <> ?3
                   OR category <> ?4 OR text <> ?5 OR base <> ?6 OR library <> ?7
                   OR state <> ?8 OR refused <> ?9 OR held_in IS NOT ?10)""",
                (*values, entry.id),
            )
    are_many = len(added) >= MANY
    with journalled_together(store, "entries") if are_many else nullcontext():
        store.connection.executemany(
            """INSERT INTO entries
               (paper_id, position, key, category, text, base, library, state, refused, held_in,
                document_id)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            added,
        )


RefusedRow = tuple[int, tuple[str, ...], str]
"""Paper, category, and the reason why the document has no row of it there."""


def read_refused_rows(store: Store, document_id: int) -> set[RefusedRow]:
    """The new rows that the document had no place for, as the reader was told."""
    rows = store.execute(
        "SELECT paper_id, category, reason FROM refused_rows WHERE document_id = ?", (document_id,)
    )
    return {(row[0], tuple(json.loads(row[1])), row[2]) for row in rows}


def write_refused_rows(store: Store, document_id: int, rows: Collection[RefusedRow]) -> None:
    """Make these the new rows that the document has no place for."""
    store.execute("DELETE FROM refused_rows WHERE document_id = ?", (document_id,))
    store.connection.executemany(
        "INSERT INTO refused_rows (document_id, paper_id, category, reason) VALUES (?, ?, ?, ?)",
        [(document_id, paper_id, _json(category), reason) for paper_id, category, reason in rows],
    )


def papers_without_entry(store: Store, category: Sequence[str]) -> list[int]:
    """The saved papers in a category that no document lists, or ever listed, there, in order.

    With no category, those that no document lists outside of its sections.
    """
    if not category:
        return store.select_column("""SELECT s.paper_id FROM paper_states s WHERE s.decision = 'saved' AND NOT EXISTS (
                   SELECT 1 FROM entries e WHERE e.paper_id = s.paper_id AND e.category = '[]')
               ORDER BY s.paper_id""")
    return store.select_column(
        """SELECT pc.paper_id FROM paper_categories pc
           JOIN paper_states s ON s.paper_id = pc.paper_id AND s.decision = 'saved'
           WHERE pc.category_id = ?1 AND NOT EXISTS (
               SELECT 1 FROM entries e WHERE e.paper_id = pc.paper_id AND e.category = ?2)
           ORDER BY pc.position, pc.paper_id""",
        (find_category(store, tuple(category)), _json(list(category))),
    )


class PaperEntry(NamedTuple):
    """One of a paper's entries, in whichever document."""

    id: int
    document_id: int
    category: tuple[str, ...]
    is_in_file: bool
    """False once the reader took it out there."""
    library: Values


def entries_of_paper(
    store: Store, paper_id: int, *, kind: DocumentKind = "markdown"
) -> list[PaperEntry]:
    """The paper's entries in all documents of this kind, as they were stored last."""
    rows = store.execute(
        """SELECT e.id, e.document_id, e.category, e.state IN ('linked', 'unsettled'), e.library
           FROM entries e JOIN documents d ON d.id = e.document_id AND d.kind = ?2
           WHERE e.paper_id = ?1 ORDER BY e.document_id, e.position""",
        (paper_id, kind),
    )
    return [
        PaperEntry(row[0], row[1], tuple(json.loads(row[2])), bool(row[3]), json.loads(row[4]))
        for row in rows
    ]


def set_library_values(store: Store, entry_id: int, library: Values) -> None:
    """Say what the library counts as having said when it was last in step with this entry."""
    store.execute(
        "UPDATE entries SET library = ?1 WHERE id = ?2 AND library <> ?1",
        (_json(library), entry_id),
    )


def remove_entry(store: Store, entry_id: int) -> None:
    store.execute("DELETE FROM entries WHERE id = ?", (entry_id,))


def documents_of(store: Store, paper_id: int) -> list[str]:
    """The paths of the documents that have an entry for the paper."""
    return store.select_column(
        """SELECT DISTINCT d.path FROM entries e JOIN documents d ON d.id = e.document_id
           WHERE e.paper_id = ? ORDER BY d.path""",
        (paper_id,),
    )


def _json(value: dict[str, Any] | Sequence[object]) -> str:
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return _ENCODER.encode(value)
