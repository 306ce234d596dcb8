"""Earlier versions of documents: what the library's own files were before it wrote them.

The newest is kept whole, of each other only the way to it from the next one. No doing of the
reader's, so none of it is journalled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papertrack.store.database import Database, to_json
from papertrack.store.store import Store

MOST_VERSIONS = 1000
"""Of one document; older ones are forgotten."""
Delta = list[tuple[int, int, list[str]]]
"""How one row of texts is got from another (see ``documents.deltas``)."""


@dataclass(frozen=True, slots=True)
class Version:
    """A document as it was once."""

    digest: str
    """SHA-256 of the file's bytes."""
    undone: str
    """Which actions had been taken back then."""
    lines: Delta
    """How its lines are got from those of the next version; of the newest, how they are got from
    none, or nothing where an older papertrack kept it."""
    entries: Delta
    """The same of what its entries say."""


def undone_now(db: Database) -> str:
    """Return what tells whether something was undone, or done again, since another time."""
    undone = "SELECT id FROM actions WHERE state IN ('undone', 'superseded') ORDER BY id"
    return hashlib.sha256(to_json(db.select_column(undone)).encode()).hexdigest()


def versions_of(store: Store, document_id: int) -> Iterator[Version]:
    """Yield the versions of a document, the newest first."""
    rows = store.execute(
        """SELECT digest, undone, lines, entries FROM versions
           WHERE document_id = ? ORDER BY id DESC""",
        (document_id,),
    )
    for digest, undone, lines, entries in rows:
        yield Version(digest, undone, json.loads(lines), json.loads(entries))


def newest_version(store: Store, document_id: int) -> Version | None:
    return next(versions_of(store, document_id), None)


def forget_versions(store: Store, document_id: int) -> None:
    store.execute("DELETE FROM versions WHERE document_id = ?", (document_id,))


def add_version(
    store: Store,
    document_id: int,
    digest: str,
    undone: str,
    now: tuple[Sequence[str], Sequence[str]],
    way_back: tuple[Delta, Delta] | None = None,
) -> None:
    """Keep what a document is ``now``, its lines and entries; ``way_back`` leads from it to the
    newest that is kept. Without it nothing that is kept is a version of this document any more."""
    if way_back is None:
        forget_versions(store, document_id)
    else:
        store.execute(
            """UPDATE versions SET (lines, entries) = (?, ?) WHERE id =
               (SELECT max(id) FROM versions WHERE document_id = ?)""",
            (*way_back, document_id),
        )
    store.insert(
        "versions (document_id, digest, undone, lines, entries)",
        (document_id, digest, undone, *([(0, 0, list(texts))] for texts in now)),
    )
    store.execute(
        """DELETE FROM versions WHERE document_id = ?1 AND id <= (SELECT id FROM versions
           WHERE document_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)""",
        (document_id, MOST_VERSIONS),
    )
