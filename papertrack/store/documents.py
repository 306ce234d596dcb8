"""Registered documents and their entries, with the values of both sides at the last sync."""

# Without `from __future__ import annotations`: see ``records``.

import json
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from papertrack.errors import NotFoundError
from papertrack.store.categories import find_category
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store
from papertrack.store.versions import IS_ITEM
from papertrack.text import group

UNREAD = ""
"""The digest of a document of a shared library that this machine has not read yet."""
DocumentKind = Literal["markdown", "bibtex"]
Values = dict[str, Any]


class RegisteredDocument(NamedTuple):
    """A file that the library keeps up to date."""

    id: int
    path: str
    """The path of the file: relative to the library inside it, absolute elsewhere."""
    kind: DocumentKind
    title: str | None
    settings: Values
    """The user's settings for parsing the document."""
    digest: str
    """SHA-256 of the file's bytes when last read or written."""
    synced_at: str

    @property
    def is_unread(self) -> bool:
        """Return whether this machine has not read the file yet; other devices may have."""
        return self.digest == UNREAD


class EntryState(StrEnum):
    """The state of an entry in its document and the library."""

    LINKED = "linked"
    """The file has the entry, and the library its paper."""
    UNSETTLED = "unsettled"
    """Like ``LINKED``, but with an open conflict or a change that waits for an import.

    The next import compares the entry even if its text is the same.
    """
    UNLINKED = "unlinked"
    """The user deleted the entry from the file; its paper stays, and no export restores it."""
    WANTED = "wanted"
    """The user deleted the entry from the file, and wants it back: the next export writes it."""
    REMOVED = "removed"
    """The entry's paper was removed from the library: the next export removes the entry."""


class StoredEntry(NamedTuple):
    """An entry of a document as it was at the last import or export."""

    key: str
    """Identifies the entry within the document."""
    paper_id: int | None
    """The paper; None for a ``removed`` entry."""
    category: tuple[str, ...]
    text: str
    """The entry's text in the file, or a fingerprint of it."""
    base: Values
    """The file's values at that time, by field."""
    library: Values
    """The library's values at that time, by field."""
    id: int | None = None
    state: EntryState = EntryState.LINKED

    @property
    def paper(self) -> int:
        """The paper of an entry that is not ``removed``."""
        assert self.paper_id is not None
        return self.paper_id

    @property
    def is_in_file(self) -> bool:
        """Return whether the file had the entry when it was last read or written."""
        return self.state not in (EntryState.UNLINKED, EntryState.WANTED)


def register_document(
    store: Store, path: str, kind: DocumentKind, *, title: str | None, digest: str
) -> int:
    """Register a file as a document, or update its title and digest; return its id."""
    document_id = store.select_value("SELECT id FROM documents WHERE path = ?", (path,))
    if document_id is None:
        cursor = store.insert(
            "documents (path, kind, title, digest, synced_at)",
            (path, kind, title, digest, store.stamp()),
        )
        return int(cursor.lastrowid or 0)
    store.execute(
        """UPDATE documents SET title = ?1, digest = ?2, synced_at = ?3
           WHERE id = ?4 AND (title IS NOT ?1 OR digest <> ?2)""",
        (title, digest, store.stamp(), document_id),
    )
    return int(document_id)


def feeds_lists(store: Store) -> bool:
    """Return whether any README is registered."""
    sql = "SELECT EXISTS (SELECT 1 FROM documents WHERE kind = 'markdown')"
    return bool(store.select_value(sql))


def set_document_settings(store: Store, document_id: int, settings: Values) -> None:
    """Replace the user's settings for parsing a document."""
    store.execute("UPDATE documents SET settings = ? WHERE id = ?", (settings, document_id))


def compare_again(store: Store, document_id: int) -> None:
    """Make the next import compare all entries of a document, even those with the same text."""
    store.execute(
        "UPDATE entries SET state = ? WHERE document_id = ? AND state = ?",
        (EntryState.UNSETTLED, document_id, EntryState.LINKED),
    )


def read_documents(store: Store, kind: DocumentKind | None = None) -> list[RegisteredDocument]:
    """Return the registered documents, or those of a kind, in the order of registration."""
    return store.select_records(
        RegisteredDocument,
        """SELECT id, path, kind, title, settings, digest, synced_at FROM documents
           WHERE ?1 IS NULL OR kind = ?1 ORDER BY id""",
        (kind,),
    )


def find_document(store: Store, path: str) -> RegisteredDocument | None:
    """Return the document registered under this path, or None."""
    return next((d for d in read_documents(store) if d.path == path), None)


def forget_document(store: Store, document_id: int) -> None:
    """Unregister a document; the file and its papers stay. Raises NotFoundError."""
    cursor = store.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    if not cursor.rowcount:
        raise NotFoundError(f"There is no document {document_id}.")


def read_entries(store: Store, document_id: int) -> list[StoredEntry]:
    """Return the stored entries of a document, in the order of the file.

    Leaves out entries that the user deleted from the file and whose papers were removed later.
    """
    return store.select_records(
        StoredEntry,
        """SELECT key, paper_id, category, text, base, library, id, state
           FROM entries WHERE document_id = ? AND (paper_id IS NOT NULL OR state = 'removed')
           ORDER BY position""",
        (document_id,),
    )


def papers_in_file(store: Store, document_id: int, paper_ids: Collection[int]) -> set[int]:
    """Return those of these papers that have a stored entry of the document, in any state."""
    ids = store.select_column(
        """SELECT DISTINCT paper_id FROM entries WHERE document_id = ?
           AND paper_id IN (SELECT value FROM json_each(?))""",
        (document_id, sorted(paper_ids)),
    )
    return set(ids)


_COLUMNS = "paper_id, position, key, category, text, base, library, state"


def write_entries(store: Store, document_id: int, entries: Sequence[StoredEntry]) -> None:
    """Store the entries of a document in this order, and delete those that are not among them.

    Entries with an id are updated, others added.
    """
    store.execute(
        """DELETE FROM entries WHERE document_id = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (document_id, [entry.id for entry in entries if entry.id is not None]),
    )
    # A restored entry gets its former id, by which undo and redo find it.
    is_any_new = any(entry.id is None for entry in entries)
    ids_by_key = _removed_ids(store, document_id) if is_any_new else {}
    new_rows = []
    for position, entry in enumerate(entries):
        values = (
            *(entry.paper_id, position, entry.key, entry.category, entry.text),
            *(entry.base, entry.library, entry.state),
        )
        if entry.id is not None:
            numbers = ", ".join(f"?{n}" for n in range(1, len(values) + 1))
            store.execute(
                f"""UPDATE entries SET ({_COLUMNS}) = ({numbers})
                    WHERE id = ?{len(values) + 1} AND ({_COLUMNS}) IS NOT ({numbers})""",
                (*values, entry.id),
            )
        elif ids_by_key.get(entry.key):
            number = ids_by_key[entry.key].pop()
            store.insert(f"entries ({_COLUMNS}, document_id, id)", (*values, document_id, number))
        else:
            new_rows.append((*values, document_id))
    store.insert_many(f"entries ({_COLUMNS}, document_id)", new_rows)


def _removed_ids(store: Store, document_id: int) -> dict[str, list[int]]:
    """Return the ids of entries that exports deleted from a document, by key.

    They are in order of removal. Returns none if nothing was ever undone, because then no entry can
    have been restored.
    """
    rows = store.execute(
        """SELECT DISTINCT old ->> 'key', old ->> 'id' FROM actions a
           JOIN changes c ON c.action_id = a.id AND c.table_name = 'entries'
                AND c.operation = 'delete' AND old ->> 'document_id' = ?
           WHERE NOT a.can_undo AND old ->> 'id' NOT IN (SELECT id FROM entries)
           AND EXISTS (SELECT 1 FROM actions WHERE state IN ('undone', 'superseded'))
           ORDER BY c.id""",
        (document_id,),
    )
    ids_by_key: dict[str, list[int]] = group(rows)
    return ids_by_key


def entry_ids(store: Store, document_id: int) -> dict[tuple[str, tuple[str, ...]], int]:
    """Return the ids of the entries in a document's file, by key and category."""
    rows = store.execute(
        """SELECT key, category, id FROM entries
           WHERE document_id = ? AND state NOT IN ('unlinked', 'wanted')""",
        (document_id,),
    )
    return {(key, tuple_from_json(category)): number for key, category, number in rows}


def read_reported(store: Store, document_id: int) -> set[str]:
    """Return the values reported as having no place in a document.

    They are in the form of ``sync.items.ReportedValues``.
    """
    return set(store.select_column("SELECT about FROM told WHERE document_id = ?", (document_id,)))


def write_reported(store: Store, document_id: int, subjects: Collection[str]) -> None:
    """Store the values reported as having no place in a document."""
    store.execute("DELETE FROM told WHERE document_id = ?", (document_id,))
    store.insert_many("told (document_id, about)", [(document_id, a) for a in sorted(subjects)])


def has_shared_changes(store: Store) -> bool:
    """Return whether this shared library has changes by other devices or people."""
    return bool(store.select_value("SELECT 1 FROM actions WHERE verb = 'share' LIMIT 1"))


def register_unread(store: Store, name: str) -> RegisteredDocument | None:
    """Register a file of a shared library as unread, by its name; return the document.

    The first import of an unread document adds no rows for papers of other devices.
    """
    kind = "bibtex" if name.lower().endswith((".bib", ".bibtex")) else "markdown"
    store.insert("documents (path, kind, digest, synced_at)", (name, kind, UNREAD, store.stamp()))
    return find_document(store, name)


def papers_without_entry(
    store: Store, category: Sequence[str], *, but_for: int | None = None
) -> list[int]:
    """Return the saved papers of a category without a stored entry in it, in order.

    With an empty category, returns all saved papers without an entry outside sections. Entries of
    the document ``but_for`` do not count; deleted entries count while they are stored.
    """
    if not category:
        return store.select_column(
            """SELECT s.paper_id FROM paper_states s WHERE s.decision = 'saved' AND NOT EXISTS (
                   SELECT 1 FROM entries e WHERE e.paper_id = s.paper_id AND e.category = '[]'
                   AND e.document_id IS NOT ?)
               ORDER BY s.paper_id""",
            (but_for,),
        )
    return store.select_column(
        """SELECT pc.paper_id FROM paper_categories pc
           JOIN paper_states s ON s.paper_id = pc.paper_id AND s.decision = 'saved'
           WHERE pc.category_id = ?1 AND NOT EXISTS (
               SELECT 1 FROM entries e WHERE e.paper_id = pc.paper_id AND e.category = ?2
               AND e.document_id IS NOT ?3)
           ORDER BY pc.position, pc.paper_id""",
        (find_category(store, tuple(category)), list(category), but_for),
    )


def placed_by_others(store: Store, paper_ids: Sequence[int], action_id: int) -> list[int]:
    """Return those of these papers that only other devices have categorized or decided on.

    Changes of the action ``action_id`` do not count.
    """
    return store.select_column(
        """SELECT value FROM json_each(?1) WHERE NOT EXISTS (
               SELECT 1 FROM changes c WHERE c.paper_id = value AND c.action_id <> ?2
               AND c.table_name IN ('paper_categories', 'paper_states', 'readings')
               AND NOT EXISTS (SELECT 1 FROM actions a
                   WHERE a.id = c.action_id AND a.verb = 'share'))""",
        (list(paper_ids), action_id),
    )


class PaperEntry(NamedTuple):
    """An entry of a paper in any of its documents."""

    id: int
    document_id: int
    category: tuple[str, ...]
    is_in_file: bool
    """Whether the file has the entry; False after the user deleted it."""
    library: Values
    """The library's values at the last sync, by field."""


def entries_of_paper(
    store: Store, paper_id: int, *, kind: DocumentKind = "markdown"
) -> list[PaperEntry]:
    """Return the stored entries of a paper in all documents of a kind."""
    return store.select_records(
        PaperEntry,
        """SELECT e.id, e.document_id, e.category, e.state IN ('linked', 'unsettled'), e.library
           FROM entries e JOIN documents d ON d.id = e.document_id AND d.kind = ?2
           WHERE e.paper_id = ?1 ORDER BY e.document_id, e.position""",
        (paper_id, kind),
    )


def set_library_values(store: Store, entry_id: int, library: Values) -> None:
    """Replace the library's values that are stored with an entry."""
    store.execute(
        "UPDATE entries SET library = ?1 WHERE id = ?2 AND library <> ?1", (library, entry_id)
    )


def want_entries_again(
    store: Store, paper_ids: Sequence[int], category: tuple[str, ...] | None = None
) -> None:
    """Make the next export restore rows of these papers that the user deleted from READMEs.

    With a category, only the rows in it are restored.
    """
    store.execute(
        """UPDATE entries SET state = 'wanted' WHERE state = 'unlinked'
           AND paper_id IN (SELECT value FROM json_each(?1))
           AND (?2 IS NULL OR category = ?2)
           AND document_id IN (SELECT id FROM documents WHERE kind = 'markdown')""",
        (list(paper_ids), category),
    )


def remove_entry(store: Store, entry_id: int) -> None:
    """Delete a stored entry."""
    store.execute("DELETE FROM entries WHERE id = ?", (entry_id,))


def entry_titles(store: Store, paper_id: int) -> list[str]:
    """Return the different titles that documents have for a paper."""
    return store.select_column(
        """SELECT DISTINCT json_extract(base, '$.title') FROM entries
           WHERE paper_id = ? AND json_extract(base, '$.title') IS NOT NULL""",
        (paper_id,),
    )


def was_put_in_and_undone(
    store: Store, entry_id: int, paper_id: int, category_id: int | None
) -> bool:
    """Return whether an export added an entry for a category change that was undone since.

    ``category_id`` is None if the undo removed the category.
    """
    is_undone = store.select_value(
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
    return bool(is_undone)


class InStep(NamedTuple):
    """The states in which a document and the library were in step.

    While neither changes, an import reads nothing, and an export writes nothing.
    """

    digest: str
    """SHA-256 of the file's bytes."""
    reader: str
    """Identifies papertrack's version and the path; others may parse the file differently."""
    at: str
    """The library's state (see ``journal.revision``)."""
    is_written: bool
    """Whether an export has nothing to write either."""
    report: Values
    """What an import reports without reading the file, and the notes that it indexes again."""


def read_in_step(store: Store, document_id: int) -> InStep | None:
    """Return the state in which a document was in step; None if it was not."""
    sql = "SELECT digest, reader, at, is_written, report FROM in_step WHERE document_id = ?"
    return store.find_record(InStep, sql, (document_id,))


def write_in_step(store: Store, document_id: int, in_step: InStep | None) -> None:
    """Record the state in which a document is in step; None makes the next run read the file."""
    store.execute("DELETE FROM in_step WHERE document_id = ?", (document_id,))
    if in_step is not None:
        columns = "in_step (document_id, digest, reader, at, is_written, report)"
        store.insert(columns, (document_id, *in_step))


def changes_since(store: Store, document_id: int) -> int:
    """Return the number of actions since a document was in step that may change it.

    These are actions on saved papers and on papers with an entry in it. Returns 0 if it is not
    known when the document was in step.
    """
    in_step = read_in_step(store, document_id)
    newest = json.loads(in_step.at)[0] if in_step else None
    count = store.select_value(
        """SELECT count(DISTINCT a.id) FROM changes c JOIN actions a ON a.id = c.action_id
           JOIN paper_states s ON s.paper_id = c.paper_id
           WHERE c.id > ?1 AND a.state = 'done' AND a.verb <> 'export' AND (s.decision = 'saved'
           OR c.paper_id IN (SELECT paper_id FROM entries WHERE document_id = ?2))""",
        (newest, document_id),
    )
    return int(count or 0)


def is_settled(store: Store, document_id: int) -> bool:
    """Return whether no entry has an open conflict or waits for an import or export."""
    sql = """SELECT NOT EXISTS (SELECT 1 FROM entries WHERE document_id = ?
             AND state NOT IN ('linked', 'unlinked'))"""
    return bool(store.select_value(sql, (document_id,)))


class KeptText(NamedTuple):
    """The text of a paper's .bib entry when last read or written, and its stored entry."""

    paper_id: int
    source: str
    """The file and the key of the entry: ``"refs.bib:key"``."""
    text: str
    document_id: int | None
    """The document that has or had the entry; None if it is no longer registered."""
    entry: StoredEntry | None
    """The stored entry; None if there is no document, or if it no longer has the entry."""


def read_texts(store: Store, paper_ids: Sequence[int]) -> list[KeptText]:
    """Return the texts of the papers' .bib entries.

    Entries in registered documents come first, in their order.
    """
    rows = store.execute(
        # A materialized table gets an index: one paper may have thousands of entries.
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
    values = json.loads(base)
    then = values if library == base else json.loads(library)
    return StoredEntry(key, paper_id, (), text, values, then, id=entry_id, state=EntryState(state))
