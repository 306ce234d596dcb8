"""Earlier versions of documents.

A version is two rows of texts, its lines and what its entries said; each text is kept once however
many versions have it. The user did not make them, so they are not in the journal.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from papertrack.store.database import Database, to_json
from papertrack.store.store import Store

MOST_VERSIONS = 1000
"""Of one document; when there are more, the older half of them is forgotten, but for what single
entries need."""


class Version(NamedTuple):
    """A document as it was once."""

    id: int
    digest: str
    """SHA-256 of the file's bytes."""
    lines: bytes
    """Which texts its lines are (see ``texts_of``)."""
    entries: bytes
    """The same of what its entries said."""
    is_ours: bool
    """Whether it was made of the version before it by papertrack alone."""


def done_now(db: Database, *, without: int | None = None) -> str:
    """Return what tells whether the library holds what it held at another time: a digest of all
    that is done and can be undone, ``without`` one action."""
    done = "SELECT id FROM actions WHERE state = 'done' AND can_undo AND id IS NOT ? ORDER BY id"
    return hashlib.sha256(to_json(db.select_column(done, (without,))).encode()).hexdigest()[:16]


def newest_version(store: Store, document_id: int) -> Version | None:
    """Return what a document was when it was last read or written."""
    return next(_versions(store, document_id), None)


def version_of(store: Store, document_id: int, done: str) -> Version | None:
    """Return what a document was last when this was done, and nothing else, if no other hand wrote
    since."""
    asked = """AND id IN (SELECT version_id FROM version_moments WHERE done = ?) AND id >= (
        SELECT max(id) FROM versions v WHERE v.document_id = versions.document_id
        AND NOT v.is_ours)"""
    return next(_versions(store, document_id, asked, done), None)


def changed_entries(
    store: Store, document_id: int
) -> Iterator[tuple[Version, Version, list[str], list[str]]]:
    """Yield each version but the newest, the one after it, and the texts of entries that only the
    one or only the other has; the newest first."""
    for newer, older in pairwise(_versions(store, document_id)):
        had, has = ({*_numbers(one.entries)} for one in (older, newer))
        yield older, newer, _texts(store, sorted(had - has)), _texts(store, sorted(has - had))


def _versions(store: Store, document_id: int, where: str = "", *values: str) -> Iterator[Version]:
    rows = store.execute(
        f"""SELECT id, digest, lines, entries, is_ours FROM versions WHERE document_id = ? {where}
            ORDER BY id DESC""",
        (document_id, *values),
    )
    return map(Version._make, rows)


def texts_of(store: Store, numbers: bytes) -> list[str]:
    """Return the texts that a version names, in order."""
    return _texts(store, _numbers(numbers))


def _numbers(packed: bytes) -> array[int]:
    return array("Q", zlib.decompress(packed))


def _texts(store: Store, numbers: Iterable[int]) -> list[str]:
    asked = "SELECT text FROM texts WHERE id = ?"
    return [
        zlib.decompress(store.select_value(asked, (number,))).decode("utf-8", "surrogatepass")
        for number in numbers
    ]


def keep_version(
    store: Store,
    document_id: int,
    digest: str,
    texts: tuple[Sequence[str], Sequence[str]],
    *,
    is_ours: bool,
) -> int:
    """Keep what a document is, its lines and entries, and return its number: the newest version,
    if it is that still."""
    lines, entries = (_kept(store, document_id, one) for one in texts)
    newest = newest_version(store, document_id)
    if newest is not None and newest[1:4] == (digest, lines, entries):
        return newest.id
    row = (document_id, digest, lines, entries, is_ours)
    cursor = store.insert("versions (document_id, digest, lines, entries, is_ours)", row)
    return int(cursor.lastrowid or 0)


def _kept(store: Store, document_id: int, texts: Sequence[str]) -> bytes:
    """Keep these texts where they are not kept yet, and return which they are."""
    asked = "SELECT digest, id FROM texts WHERE document_id = ?"
    known = dict(store.execute(asked, (document_id,)))
    numbers = array("Q")
    for text in texts:
        plain = text.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(plain).digest()
        if digest not in known:
            row = (document_id, digest, zlib.compress(plain, level=1))
            known[digest] = store.insert("texts (document_id, digest, text)", row).lastrowid
        numbers.append(known[digest])
    return zlib.compress(numbers.tobytes(), level=1)


def are_too_many(store: Store, document_id: int) -> bool:
    """Return whether a document has more versions than are kept."""
    count = "SELECT count(*) FROM versions WHERE document_id = ?"
    return int(store.select_value(count, (document_id,))) > MOST_VERSIONS


def forget_older(store: Store, document_id: int, needed: Collection[int]) -> None:
    """Forget the older half of a document's versions, but for those that are ``needed``, and the
    texts that no version has any more. What is behind a gap then counts as by another hand:
    nobody knows what came between."""
    numbers = sorted(one.id for one in _versions(store, document_id))
    older = numbers[: (len(numbers) - 1) // 2]
    forgotten = [number for number in older if number not in needed]
    gaps = [number for before, number in pairwise(numbers) if before in {*forgotten}]
    ids = "id IN (SELECT value FROM json_each(?))"
    store.execute(f"UPDATE versions SET is_ours = 0 WHERE {ids}", (gaps,))
    store.execute(f"DELETE FROM versions WHERE {ids}", (forgotten,))
    left = _versions(store, document_id)
    used = {number for one in left for of in (one.lines, one.entries) for number in _numbers(of)}
    store.execute(
        "DELETE FROM texts WHERE document_id = ? AND id NOT IN (SELECT value FROM json_each(?))",
        (document_id, sorted(used)),
    )


def add_moment(store: Store, version_id: int, done: str) -> None:
    """Remember that a document was this version when this was done."""
    moment = (version_id, done)
    store.insert("version_moments (version_id, done)", moment, on_conflict="DO NOTHING")


def is_of_moment(store: Store, version: Version, done: str) -> bool:
    """Return whether a document was this version when this was done."""
    asked = "SELECT EXISTS (SELECT 1 FROM version_moments WHERE version_id = ? AND done = ?)"
    return bool(store.select_value(asked, (version.id, done)))
