"""What is known to be in step: of a file nothing has to be read while neither side changes.

A revision tells states of the library apart. All that undo and redo know is in the journal, so
that the number of its last change and the actions taken back say all: what is not journalled is
no part of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from papertrack.store.database import Database, to_json
from papertrack.store.documents import EntryState
from papertrack.store.store import Store

_OF_NO_FILE = "originals suggestions different topics paper_topics citekey_aliases".split()
"""Tables that say nothing of what a file shows."""
_UNDONE = "SELECT id FROM actions WHERE state IN ('undone', 'superseded')"


@dataclass(frozen=True, slots=True)
class Revision:
    """A state of the library."""

    newest: int
    """The last change in the journal."""
    undone: tuple[int, ...] = ()
    """The actions that were taken back, whether they can still be done again or not."""


@dataclass(frozen=True, slots=True)
class InStep:
    """A document as it was last read or written, and the library then."""

    digest: str
    """SHA-256 of the file's bytes."""
    reader: str
    """What it was read by: what another one makes of the file is not known."""
    read_at: Revision
    """When an import took all that the file says."""
    written_at: Revision | None
    """When an export found nothing left to write; None if none did since."""
    report: dict[str, Any]
    """What an import reports of the file."""


def present_revision(db: Database) -> Revision:
    """Return the state that the library is in."""
    newest = db.select_value("SELECT ifnull(max(id), 0) FROM changes")
    return Revision(newest, tuple(db.select_column(f"{_UNDONE} ORDER BY id")))


def papers_changed(db: Database, revision: Revision, document_id: int) -> set[int | None]:
    """Return the papers that were changed, undone or done again since, as far as this document
    may show it; None among them for a change that is of no one paper."""
    rows = db.execute(
        f"""WITH turned AS (
               {_UNDONE} AND id NOT IN (SELECT value FROM json_each(?2))
               UNION ALL
               SELECT id FROM actions WHERE state = 'done'
               AND id IN (SELECT value FROM json_each(?2))),
           since AS (
               SELECT * FROM changes WHERE id > ?1
               UNION ALL
               SELECT * FROM changes WHERE id <= ?1 AND action_id IN turned)
           SELECT DISTINCT c.paper_id FROM since c JOIN actions a ON a.id = c.action_id
           WHERE c.table_name NOT IN (SELECT value FROM json_each(?4))
           AND NOT (c.table_name = 'categories' AND c.operation = 'insert')
           AND NOT (c.table_name IN ('entries', 'documents') AND a.verb = 'export')
           AND NOT (c.table_name = 'documents' AND c.row_key <> json_array(?3))
           AND NOT (c.table_name = 'entries' AND ?3 <> ifnull(
               (SELECT document_id FROM entries WHERE id = json_extract(c.row_key, '$[0]')),
               ifnull(json_extract(c.old, '$.document_id'),
                      ifnull(json_extract(c.new, '$.document_id'), ?3))))""",
        (revision.newest, list(revision.undone), document_id, _OF_NO_FILE),
    )
    return {paper_id for (paper_id,) in rows}


def read_in_step(store: Store, document_id: int) -> InStep | None:
    """Return what was kept of a document."""
    row = store.execute(
        "SELECT digest, reader, read_at, written_at, report FROM in_step WHERE document_id = ?",
        (document_id,),
    ).fetchone()
    if row is None:
        return None
    digest, reader, read_at, written_at, report = row
    written = None if written_at is None else _revision(written_at)
    return InStep(digest, reader, _revision(read_at), written, json.loads(report))


def write_in_step(store: Store, document_id: int, known: InStep) -> None:
    """Keep this of a document, in place of what was kept before."""
    forget_in_step(store, document_id)
    written_at = known.written_at
    store.insert(
        "in_step (document_id, digest, reader, read_at, written_at, report)",
        (
            *(document_id, known.digest, known.reader, _text(known.read_at)),
            *(None if written_at is None else _text(written_at), known.report),
        ),
    )


def forget_in_step(store: Store, document_id: int) -> None:
    """Keep nothing of a document: it is read the next time."""
    store.execute("DELETE FROM in_step WHERE document_id = ?", (document_id,))


def _text(revision: Revision) -> str:
    return to_json([revision.newest, revision.undone])


def _revision(text: str) -> Revision:
    newest, undone = json.loads(text)
    return Revision(newest, tuple(undone))


def is_settled(store: Store, document_id: int) -> bool:
    """Return whether nothing of the document waits for a decision, or for the file."""
    settled = [EntryState.LINKED, EntryState.UNLINKED]
    return bool(
        store.select_value(
            """SELECT NOT EXISTS (SELECT 1 FROM entries WHERE document_id = ?
               AND state NOT IN (SELECT value FROM json_each(?)))""",
            (document_id, settled),
        )
    )


def entry_counts(store: Store, document_id: int) -> tuple[int, int]:
    """Return how many entries a document has in its file, and how many papers those are of."""
    row = store.execute(
        """SELECT count(*), count(DISTINCT paper_id) FROM entries
           WHERE document_id = ? AND state = 'linked'""",
        (document_id,),
    ).fetchone()
    return int(row[0]), int(row[1])


def notes_in_entries(store: Store, document_id: int) -> list[str]:
    """Return the notes that a README's entries named when they were read last."""
    return store.select_column(
        """SELECT DISTINCT note.value FROM entries e, json_each(e.base, '$.note') note
           WHERE e.document_id = ? AND e.state = 'linked' ORDER BY note.value""",
        (document_id,),
    )
