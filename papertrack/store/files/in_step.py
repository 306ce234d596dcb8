"""What is known to be in step: of a file nothing has to be read while neither side changes.

A revision tells states of the library apart. All that undo and redo know is in the journal, so
that the number of its last change and the actions taken back say all: what is not journalled is
no part of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from papertrack.store.changes.images import Row, read_images
from papertrack.store.database import Database, to_json
from papertrack.store.documents import EntryState
from papertrack.store.store import Store

MOST_CHANGES = 2000
"""More than so many are no small change: what they are about is compared as a whole."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A state of the library."""

    newest: int
    """The last change in the journal."""
    undone: tuple[int, ...] = ()
    """The actions that were taken back, whether they can still be done again or not."""


class Change(NamedTuple):
    """One changed row of the library."""

    table: str
    paper_id: int | None
    key: str
    """The row's primary key, as JSON."""
    operation: str
    old: Row | None
    new: Row | None
    """Before and after; of an update only the columns that it changed."""
    verb: str
    """What was done: ``export``."""
    document_id: int | None
    """The document of a changed entry."""

    def keeps(self, column: str, name: str | None = None) -> bool:
        """Whether a row was updated, and a column, or a field of the object in it, says the same as
        before."""
        if self.old is None or self.new is None:
            return False
        if column not in self.new:
            return True
        said = self.old[column], self.new[column]
        return name is not None and _field_of(said[0], name) == _field_of(said[1], name)


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
    """When an export found nothing to write; None if none did since."""
    waiting: tuple[int, ...] = ()
    """Papers that may have something to write all the same."""
    told: dict[str, Any] = field(default_factory=dict)
    """What reading the file has to tell."""


def _field_of(text: str, name: str) -> object:
    return json.loads(text).get(name)


_UNDONE = "SELECT id FROM actions WHERE state IN ('undone', 'superseded')"


_CHANGE = """c.table_name, c.paper_id, c.row_key, c.operation, c.old, c.new, a.verb,
    CASE c.table_name WHEN 'entries' THEN ifnull(
        (SELECT document_id FROM entries WHERE id = json_extract(c.row_key, '$[0]')),
        ifnull(json_extract(c.old, '$.document_id'), json_extract(c.new, '$.document_id'))) END"""


def present_revision(db: Database) -> Revision:
    newest = db.select_value("SELECT ifnull(max(id), 0) FROM changes")
    return Revision(newest, tuple(db.select_column(f"{_UNDONE} ORDER BY id")))


def changes_since(db: Database, revision: Revision) -> list[Change] | None:
    """What was done, undone or done again since; None when it is more than MOST_CHANGES."""
    undone = list(revision.undone)
    rows = db.execute(
        f"""WITH turned AS (
               {_UNDONE} AND id NOT IN (SELECT value FROM json_each(?2))
               UNION ALL
               SELECT id FROM actions WHERE state = 'done'
               AND id IN (SELECT value FROM json_each(?2)))
           SELECT {_CHANGE} FROM changes c JOIN actions a ON a.id = c.action_id WHERE c.id > ?1
           UNION ALL
           SELECT {_CHANGE} FROM changes c JOIN actions a ON a.id = c.action_id
           WHERE c.id <= ?1 AND c.action_id IN turned
           LIMIT ?3""",
        (revision.newest, undone, MOST_CHANGES + 1),
    ).fetchall()
    if len(rows) > MOST_CHANGES:
        return None
    return [
        Change(table, paper_id, key, operation, *read_images(old, new), verb, document_id)
        for table, paper_id, key, operation, old, new, verb, document_id in rows
    ]


def read_in_step(store: Store, document_id: int) -> InStep | None:
    """What was kept of a document."""
    row = store.execute(
        """SELECT digest, reader, read_at, written_at, waiting, told FROM in_step
           WHERE document_id = ?""",
        (document_id,),
    ).fetchone()
    if row is None:
        return None
    digest, reader, read_at, written_at, waiting, told = row
    written = None if written_at is None else _revision(written_at)
    return InStep(
        digest, reader, _revision(read_at), written, tuple(json.loads(waiting)), json.loads(told)
    )


def write_in_step(store: Store, document_id: int, known: InStep) -> None:
    """Keep this of a document, in place of what was kept before."""
    written_at = known.written_at
    store.insert(
        "in_step (document_id, digest, reader, read_at, written_at, waiting, told)",
        (
            *(document_id, known.digest, known.reader, _text(known.read_at)),
            *(None if written_at is None else _text(written_at), known.waiting, known.told),
        ),
        on_conflict="""DO UPDATE SET (digest, reader, read_at, written_at, waiting, told) =
            (excluded.digest, excluded.reader, excluded.read_at, excluded.written_at,
             excluded.waiting, excluded.told)""",
    )


def forget_in_step(store: Store, document_id: int) -> None:
    """Keep nothing of a document: it is looked at as a whole."""
    store.execute("DELETE FROM in_step WHERE document_id = ?", (document_id,))


def _text(revision: Revision) -> str:
    return to_json([revision.newest, revision.undone])


def _revision(text: str) -> Revision:
    newest, undone = json.loads(text)
    return Revision(newest, tuple(undone))


def is_settled(store: Store, document_id: int) -> bool:
    """Whether nothing of the document waits for a decision, or for the file."""
    settled = [EntryState.LINKED, EntryState.UNLINKED]
    return bool(
        store.select_value(
            """SELECT NOT EXISTS (SELECT 1 FROM entries WHERE document_id = ?
               AND state NOT IN (SELECT value FROM json_each(?)))""",
            (document_id, settled),
        )
    )


def entry_counts(store: Store, document_id: int) -> tuple[int, int]:
    """How many entries a document has in its file, and how many papers those are of."""
    row = store.execute(
        """SELECT count(*), count(DISTINCT paper_id) FROM entries
           WHERE document_id = ? AND state = 'linked'""",
        (document_id,),
    ).fetchone()
    return int(row[0]), int(row[1])


def notes_in_entries(store: Store, document_id: int) -> list[str]:
    """The notes that a document's entries named when they were read last."""
    return store.select_column(
        """SELECT DISTINCT note.value FROM entries e, json_each(e.base, '$.note') note
           WHERE e.document_id = ? AND e.state = 'linked' ORDER BY note.value""",
        (document_id,),
    )
