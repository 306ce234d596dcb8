"""Earlier versions of documents: what the library's own files were before it wrote them.

A version is two rows of texts, its lines and what its entries said. Both are cut into runs that
are kept once however many versions have them: where a run ends hangs on its own texts alone, so
that an edit makes one or two new. No doing of the reader's, so none of it is journalled.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papertrack.store.database import Database, to_json
from papertrack.store.store import Store

MOST_VERSIONS = 1000
"""Of one document; when there are more, the older half of them is forgotten."""
_RUN = 16
"""How many texts are in a run, on average."""


class Version(NamedTuple):
    """A document as it was once."""

    id: int
    digest: str
    """SHA-256 of the file's bytes."""
    lines: bytes
    """Which runs its lines are (see ``texts_of``)."""
    entries: bytes
    """The same of what its entries said."""


def done_now(db: Database, *, without: int | None = None) -> str:
    """Return what tells whether the library holds what it held at another time: a digest of all
    that is done and can be undone, ``without`` one action."""
    done = "SELECT id FROM actions WHERE state = 'done' AND can_undo AND id IS NOT ? ORDER BY id"
    return hashlib.sha256(to_json(db.select_column(done, (without,))).encode()).hexdigest()[:16]


def newest_version(store: Store, document_id: int) -> Version | None:
    """Return what a document was when it was last read or written."""
    return next(_versions(store, document_id), None)


def version_of(store: Store, document_id: int, done: str) -> Version | None:
    """Return what a document was last when this was done, and nothing else."""
    asked = "AND id IN (SELECT version_id FROM version_moments WHERE done = ?)"
    return next(_versions(store, document_id, asked, done), None)


def _versions(store: Store, document_id: int, where: str = "", *values: str) -> Iterator[Version]:
    rows = store.execute(
        f"""SELECT id, digest, lines, entries FROM versions WHERE document_id = ? {where}
            ORDER BY id DESC""",
        (document_id, *values),
    )
    return map(Version._make, rows)


def texts_of(store: Store, runs: bytes) -> list[str]:
    """Return the texts that these runs are, in order."""
    asked = "SELECT text FROM texts WHERE id = ?"
    return [
        text
        for number in array("Q", zlib.decompress(runs))
        for text in json.loads(zlib.decompress(store.select_value(asked, (number,))))
    ]


def keep_version(
    store: Store,
    document_id: int,
    digest: str,
    texts: tuple[Sequence[str], Sequence[str]],
    *,
    is_next: bool,
) -> int:
    """Keep what a document is, its lines and entries, and return its number: the newest version,
    if it is that still. Unless it ``is_next``, nothing that was kept is a version of it any more.
    """
    if not is_next:
        store.execute("DELETE FROM versions WHERE document_id = ?", (document_id,))
    lines, entries = (_kept(store, document_id, one) for one in texts)
    newest = newest_version(store, document_id)
    if newest is not None and newest[1:] == (digest, lines, entries):
        return newest.id
    row = (document_id, digest, lines, entries)
    cursor = store.insert("versions (document_id, digest, lines, entries)", row)
    if not is_next:
        _forget_texts(store, document_id)
    elif len(kept := [one.id for one in _versions(store, document_id)]) > MOST_VERSIONS:
        oldest = kept[len(kept) // 2]
        forget = "DELETE FROM versions WHERE document_id = ? AND id < ?"
        store.execute(forget, (document_id, oldest))
        _forget_texts(store, document_id)
    return int(cursor.lastrowid or 0)


def add_moment(store: Store, version_id: int, done: str) -> None:
    """Remember that a document was this version when this was done."""
    moment = (version_id, done)
    store.insert("version_moments (version_id, done)", moment, on_conflict="DO NOTHING")


def is_of_moment(store: Store, version: Version, done: str) -> bool:
    """Return whether a document was this version when this was done."""
    asked = "SELECT EXISTS (SELECT 1 FROM version_moments WHERE version_id = ? AND done = ?)"
    return bool(store.select_value(asked, (version.id, done)))


def _kept(store: Store, document_id: int, texts: Sequence[str]) -> bytes:
    """Keep these texts where they are not kept yet, and return which runs they are."""
    numbers = array("Q")
    for run in _runs(texts):
        plain = to_json(run).encode()
        name = document_id, hashlib.sha256(plain).digest()
        asked = "SELECT id FROM texts WHERE document_id = ? AND digest = ?"
        number = store.select_value(asked, name)
        if number is None:
            packed = (*name, zlib.compress(plain, level=1))
            number = store.insert("texts (document_id, digest, text)", packed).lastrowid
        numbers.append(int(number or 0))
    return zlib.compress(numbers.tobytes(), level=1)


def _runs(texts: Sequence[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for text in texts:
        run.append(text)
        if zlib.crc32(text.encode("utf-8", "surrogatepass")) % _RUN == 0:
            yield run
            run = []
    if run:
        yield run


def _forget_texts(store: Store, document_id: int) -> None:
    """Forget the texts that no version of a document has any more."""
    used = {
        number
        for version in _versions(store, document_id)
        for runs in (version.lines, version.entries)
        for number in array("Q", zlib.decompress(runs))
    }
    store.execute(
        "DELETE FROM texts WHERE document_id = ? AND id NOT IN (SELECT value FROM json_each(?))",
        (document_id, sorted(used)),
    )
