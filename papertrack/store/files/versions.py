"""Earlier versions of documents: what the library's own files were before it wrote them.

The newest is kept whole, of each other only the way to it from the next one, both compressed. No
doing of the reader's, so none of it is journalled.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
    done: tuple[str, ...]
    """What had been done when the document was this version, each time that it was written."""
    packed_lines: bytes
    packed_entries: bytes

    # Unpacked when they are asked for: of a newest version that is a whole file.
    @property
    def lines(self) -> Delta:
        """How its lines are got from those of the next version; of the newest, how they are got
        from none, or nothing where an older papertrack kept it."""
        return _unpacked(self.packed_lines)

    @property
    def entries(self) -> Delta:
        """The same of what its entries say."""
        return _unpacked(self.packed_entries)


MOST_TIMES = 50
"""As many times as are remembered at which a document was one version."""


class Moment(NamedTuple):
    """What had been done and taken back at one time."""

    undone: str
    done: tuple[str, ...]


def undone_now(db: Database) -> str:
    """Return what tells whether something was undone, or done again, since another time."""
    undone = "SELECT id FROM actions WHERE state IN ('undone', 'superseded') ORDER BY id"
    return hashlib.sha256(to_json(db.select_column(undone)).encode()).hexdigest()


def moment_now(db: Database) -> Moment:
    """Return what tells also whether the library holds what it held at another time."""
    done = "SELECT id FROM actions WHERE state = 'done' AND can_undo ORDER BY id"
    digest = hashlib.sha256(to_json(db.select_column(done)).encode()).hexdigest()
    return Moment(undone_now(db), (digest[:16],))


def versions_of(store: Store, document_id: int) -> Iterator[Version]:
    """Yield the versions of a document, the newest first."""
    rows = store.execute(
        """SELECT digest, undone, lines, entries FROM versions
           WHERE document_id = ? ORDER BY id DESC""",
        (document_id,),
    )
    for digest, undone, lines, entries in rows:
        was_undone, *done = undone.split()
        yield Version(digest, was_undone, tuple(done), lines, entries)


def newest_version(store: Store, document_id: int) -> Version | None:
    return next(versions_of(store, document_id), None)


def forget_versions(store: Store, document_id: int) -> None:
    store.execute("DELETE FROM versions WHERE document_id = ?", (document_id,))


def add_version(
    store: Store,
    document_id: int,
    digest: str,
    moment: Moment,
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
            (*map(_packed, way_back), document_id),
        )
    store.insert(
        "versions (document_id, digest, undone, lines, entries)",
        (document_id, digest, _told(moment), *(_packed([(0, 0, list(texts))]) for texts in now)),
    )
    store.execute(
        """DELETE FROM versions WHERE document_id = ?1 AND id <= (SELECT id FROM versions
           WHERE document_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)""",
        (document_id, MOST_VERSIONS),
    )


def add_moment(store: Store, document_id: int, newest: Version, moment: Moment) -> None:
    """Remember that a document was its newest version at this time too."""
    _write_moments(store, document_id, moment.undone, (*newest.done, *moment.done))


def stays_as_it_is(store: Store, document_id: int, digest: str) -> None:
    """Remember that a document with these bytes has nothing to write now, if they are those of its
    newest version."""
    row = store.execute(
        "SELECT digest, undone FROM versions WHERE document_id = ? ORDER BY id DESC LIMIT 1",
        (document_id,),
    ).fetchone()
    if row and row[0] == digest:
        undone, *done = row[1].split()
        _write_moments(store, document_id, undone, (*done, *moment_now(store).done))


def was_another_then(store: Store, document_id: int, digest: str) -> bool:
    """Whether a document held other bytes than these when all was done that is done now, and
    nothing else: then those are what it is to hold again."""
    then = store.select_column(
        "SELECT digest FROM versions WHERE document_id = ? AND undone LIKE ?",
        (document_id, f"% {moment_now(store).done[0]}%"),
    )
    return bool(then) and digest not in then


def _write_moments(store: Store, document_id: int, undone: str, done: Sequence[str]) -> None:
    """Write when a document was its newest version: each time once, by when it was so last."""
    times = tuple(reversed(dict.fromkeys(reversed(done))))[-MOST_TIMES:]
    store.execute(
        "UPDATE versions SET undone = ? WHERE id = (SELECT max(id) FROM versions"
        " WHERE document_id = ?)",
        (_told(Moment(undone, times)), document_id),
    )


def _packed(delta: Delta) -> bytes:
    """A third of its text. The fastest way, since a whole file is packed at each export."""
    return zlib.compress(to_json(delta).encode(), level=1)


def _unpacked(kept: bytes) -> Delta:
    delta: Delta = json.loads(zlib.decompress(kept))
    return delta


def _told(moment: Moment) -> str:
    return " ".join((moment.undone, *moment.done))
