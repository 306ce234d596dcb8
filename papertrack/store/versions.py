"""Earlier versions of documents, and the original records of papers.

A version consists of two lists of texts, its lines (some of them together) and its entries. Each
text is stored once, however many versions have it. Versions are not in the journal, because no
action of the user creates them.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from papertrack.errors import DamagedError
from papertrack.store.database import Database, to_json
from papertrack.store.store import Store

_MAX_NUMBERS = 2**21
"""The most lines or entries that a version may have."""
_MAX_BYTES = 256 * 2**20
"""The largest version that is unpacked; lists of more than 16 MB are not read."""
MOST_VERSIONS = 1000
"""The most versions kept of one document; with more, the older half is deleted.

Versions needed to restore single entries are kept.
"""


class Version(NamedTuple):
    """An earlier version of a document."""

    id: int
    digest: str
    """SHA-256 of the file's bytes."""
    lines: bytes
    """The packed numbers of the texts of its lines (see ``texts_of``)."""
    entries: bytes
    """The packed numbers of the texts of its entries."""
    is_ours: bool
    """Whether papertrack made it from the version before, and nobody edited the file."""


def done_now(db: Database, *, without: int | None = None) -> str:
    """Return a digest of the actions that are done and can be undone, except ``without``.

    With equal digests, the library has the same content.
    """
    sql = "SELECT id FROM actions WHERE state = 'done' AND can_undo AND id IS NOT ? ORDER BY id"
    return hashlib.sha256(to_json(db.select_column(sql, (without,))).encode()).hexdigest()[:16]


def newest_version(store: Store, document_id: int) -> Version | None:
    """Return the version of a document that was last read or written."""
    return next(_versions(store, document_id), None)


def version_of(store: Store, document_id: int, done: str) -> Version | None:
    """Return the last version of a document that existed while exactly these actions were done.

    ``done`` is their digest (see ``done_now``). Returns None if there is none, or if somebody else
    has written to the file since.
    """
    condition = """AND id IN (SELECT version_id FROM version_moments WHERE done = ?) AND id >= (
        SELECT max(id) FROM versions v WHERE v.document_id = versions.document_id
        AND NOT v.is_ours)"""
    return next(_versions(store, document_id, condition, done), None)


def changed_entries(
    store: Store, document_id: int
) -> Iterator[tuple[Version, Version, list[str], list[str]]]:
    """Yield pairs of successive versions, with the entries in which they differ.

    A pair consists of the older and the newer version, the texts of entries that only the older one
    has, and of those that only the newer one has. The newest pair comes first.
    """
    for newer, older in pairwise(_versions(store, document_id)):
        had, has = ({*_numbers(version.entries)} for version in (older, newer))
        yield older, newer, _texts(store, sorted(had - has)), _texts(store, sorted(has - had))


def _versions(store: Store, document_id: int, where: str = "", *values: str) -> Iterator[Version]:
    rows = store.execute(
        f"""SELECT id, digest, lines, entries, is_ours FROM versions WHERE document_id = ? {where}
            ORDER BY id DESC""",
        (document_id, *values),
    )
    return map(Version._make, rows)


def texts_of(store: Store, numbers: bytes) -> list[str]:
    """Return the lines or entries of a version, in order, by their packed numbers."""
    return _texts(store, _numbers(numbers))


def _numbers(packed: bytes) -> array[int]:
    return array("Q", _unpacked(packed, _MAX_NUMBERS * 8))


def _texts(store: Store, numbers: Iterable[int]) -> list[str]:
    sql = "SELECT text FROM texts WHERE id = ?"
    texts, room = [], _MAX_BYTES
    for number in numbers:
        plain = _unpacked(store.select_value(sql, (number,)) or b"", room)
        room -= len(plain)
        texts.append(plain.decode("utf-8", "surrogatepass"))
    return texts


def _unpacked(packed: bytes, most: int = _MAX_BYTES) -> bytes:
    """Return what was packed. Raises DamagedError for damage, and for more bytes than ``most``: a
    stranger's few bytes may unpack to gigabytes."""
    inflater = zlib.decompressobj()
    with suppress(zlib.error):
        plain = inflater.decompress(packed, max(most, 1))
        if inflater.eof:
            return plain
    raise DamagedError(
        "What the library keeps of an earlier version of a document is damaged, or too large. "
        "`papertrack backup --restore` brings back a copy of the library."
    )


def keep_version(
    store: Store,
    document_id: int,
    digest: str,
    texts: tuple[Sequence[str], Sequence[str]],
    *,
    is_ours: bool,
) -> int:
    """Store a version with its lines and entries, unless it equals the newest; return its id."""
    lines, entries = (_keep_texts(store, document_id, group) for group in texts)
    newest = newest_version(store, document_id)
    if newest is not None and newest[1:4] == (digest, lines, entries):
        return newest.id
    row = (document_id, digest, lines, entries, is_ours)
    cursor = store.insert("versions (document_id, digest, lines, entries, is_ours)", row)
    return int(cursor.lastrowid or 0)


def _keep_texts(store: Store, document_id: int, texts: Sequence[str]) -> bytes:
    """Store the texts that are new; return the packed numbers of all texts."""
    sql = "SELECT digest, id FROM texts WHERE document_id = ?"
    ids = store.select_dict(sql, (document_id,))
    newest = store.select_value("SELECT ifnull(max(id), 0) FROM texts")
    numbers, rows = array("Q"), []
    for text in texts:
        plain = text.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(plain).digest()
        if digest not in ids:
            ids[digest] = newest = newest + 1
            rows.append((newest, document_id, digest, zlib.compress(plain, level=1)))
        numbers.append(ids[digest])
    store.insert_many("texts (id, document_id, digest, text)", rows)
    return zlib.compress(numbers.tobytes(), level=1)


def are_too_many(store: Store, document_id: int) -> bool:
    """Return whether a document has more than ``MOST_VERSIONS`` versions."""
    count = "SELECT count(*) FROM versions WHERE document_id = ?"
    return int(store.select_value(count, (document_id,))) > MOST_VERSIONS


def forget_older(store: Store, document_id: int, needed: Collection[int]) -> None:
    """Delete the older half of a document's versions, except ``needed`` ones, and unused texts.

    A version after a gap then counts as written by somebody else, because the changes before it are
    unknown.
    """
    numbers = sorted(version.id for version in _versions(store, document_id))
    older = numbers[: (len(numbers) - 1) // 2]
    forgotten = [number for number in older if number not in needed]
    gaps = [number for before, number in pairwise(numbers) if before in {*forgotten}]
    ids = "id IN (SELECT value FROM json_each(?))"
    store.execute(f"UPDATE versions SET is_ours = 0 WHERE {ids}", (gaps,))
    store.execute(f"DELETE FROM versions WHERE {ids}", (forgotten,))
    remaining = _versions(store, document_id)
    used = {number for v in remaining for of in (v.lines, v.entries) for number in _numbers(of)}
    store.execute(
        "DELETE FROM texts WHERE document_id = ? AND id NOT IN (SELECT value FROM json_each(?))",
        (document_id, sorted(used)),
    )


def add_moment(store: Store, version_id: int, done: str) -> None:
    """Record that a document was at this version while the actions with this digest were done."""
    moment = (version_id, done)
    store.insert("version_moments (version_id, done)", moment, on_conflict="DO NOTHING")


def is_of_moment(store: Store, version: Version, done: str) -> bool:
    """Return whether a document was at this version while exactly these actions were done."""
    sql = "SELECT EXISTS (SELECT 1 FROM version_moments WHERE version_id = ? AND done = ?)"
    return bool(store.select_value(sql, (version.id, done)))


# -- The original records of papers: texts of .bib entries by file and key (``refs.bib:key``), and
# records of other tools' items by tool and key (``zotero:ABCD2345``).

IS_ITEM = """text LIKE '{"made"%'"""
"""SQL condition for a record of another tool's item, which is JSON; others are .bib entries.

``actions.migrate.item_import`` writes the records.
"""


def get_originals(store: Store, paper_id: int) -> dict[str, str]:
    """Return the original records of a paper, by source: ``"refs.bib:key"``."""
    sql = "SELECT source, text FROM originals WHERE paper_id = ? ORDER BY source"
    return store.select_dict(sql, (paper_id,))


def has_originals(store: Store) -> bool:
    """Return whether any paper has a .bib entry."""
    return bool(
        store.select_value(f"SELECT EXISTS (SELECT 1 FROM originals WHERE NOT ({IS_ITEM}))")
    )


def originals_with(store: Store, text: str) -> list[tuple[int, str]]:
    """Return the paper and text of .bib entries that contain this text, in upper or lower case."""
    rows = store.execute(
        f"""SELECT paper_id, text FROM originals WHERE text LIKE '%' || ? || '%'
           AND NOT ({IS_ITEM}) ORDER BY 1""",
        (text,),
    )
    return rows.fetchall()


def find_by_sources(store: Store, sources: Iterable[str]) -> list[int]:
    """Return the papers with an original record of one of these sources: ``"refs.bib:key"``."""
    return store.select_column(
        """SELECT DISTINCT paper_id FROM originals
           WHERE source IN (SELECT value FROM json_each(?)) ORDER BY paper_id""",
        (sorted(sources),),
    )


class TakenItem(NamedTuple):
    """An item of another tool that was imported before."""

    paper_id: int
    record: Mapping[str, Any]
    """The record stored by the import."""


def taken_items(db: Database, tool: str) -> dict[str, TakenItem]:
    """Return the imported items of a tool, by key."""
    rows = db.execute(
        "SELECT source, paper_id, text FROM originals WHERE source GLOB ? || ':*'", (tool,)
    )
    return {
        source.partition(":")[2]: TakenItem(paper_id, _record_of(text))
        for source, paper_id, text in rows
    }


def removed_items(db: Database, tool: str) -> set[str]:
    """Return the keys of a tool's items whose papers were removed; they stay removed."""
    rows = db.execute(
        """SELECT json_extract(c.row_key, '$[1]') FROM changes c
           JOIN actions a ON a.id = c.action_id AND a.state = 'done'
           WHERE c.table_name = 'originals' AND c.operation = 'delete'
           AND json_extract(c.row_key, '$[1]') GLOB ? || ':*'""",
        (tool,),
    )
    return {source.partition(":")[2] for (source,) in rows}


def is_made_name(name: str) -> bool:
    """Return whether an import can have made a file of this name, in ``notes`` or ``pdfs``.

    Records from elsewhere may claim that an import made any file.
    """
    return bool(re.fullmatch(r"(?:notes/(?!\.)[^/\\\0]+|pdfs)/(?!\.)[^/\\\0]+", name))


def without_links(text: str) -> str:
    """Return an original record from elsewhere without the links it says an import made.

    It must not create links on this machine. Records that are not items are returned unchanged.
    """
    if not text.lower().startswith('{"made"'):
        return text
    item = _record_of(text)
    targets = item["made"].items() if isinstance(item.get("made"), dict) else ()
    files = {name: None for name, target in targets if target is None and is_made_name(name)}
    record = json.dumps({"made": files, "said": item.get("said", {})}, ensure_ascii=False)
    return record.encode("utf-8", "replace").decode()


def made_files(db: Database) -> dict[str, str | None]:
    """Return the files that imports made, by name: the target of a link, or None."""
    return {name: target for _, name, target in made_of_papers(db)}


def made_of_papers(
    db: Database, paper_ids: Iterable[int] | None = None
) -> Iterator[tuple[int, str, str | None]]:
    """Yield the files that imports made for these papers, or for all.

    Each is given as paper, name and, for a link, its target, which is otherwise None.
    """
    which = "1" if paper_ids is None else "o.paper_id IN (SELECT value FROM json_each(?))"
    rows = db.execute(
        f"""SELECT o.paper_id, j.key, j.value FROM originals o,
               json_each(iif(json_valid(o.text), o.text, '{{}}'), '$.made') j
           WHERE {which} AND o.{IS_ITEM} AND typeof(j.key) = 'text'
           AND typeof(j.value) IN ('text', 'null') ORDER BY o.paper_id""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return (row for row in rows.fetchall() if is_made_name(row[1]))


def forget_made(db: Database, names: Collection[str]) -> None:
    """Remove these files from the records of files that imports made."""
    listed = "(SELECT value FROM json_each(?1))"
    db.execute(
        f"""UPDATE originals SET text = json_set(text, '$.made', (
               SELECT json_group_object(key, value) FROM json_each(text, '$.made')
               WHERE key NOT IN {listed}))
           WHERE {IS_ITEM} AND json_valid(text) AND EXISTS (
               SELECT 1 FROM json_each(text, '$.made') WHERE key IN {listed})""",
        (list(names),),
    )


def sources_of(db: Database, name: str) -> list[str]:
    """Return the paths of the attached files of items for which an import made this file."""
    return db.select_column(
        f"""SELECT DISTINCT f.value FROM originals o,
               json_each(iif(json_valid(o.text), o.text, '{{}}'), '$.made') j,
               json_each(iif(json_valid(o.text), o.text, '{{}}'), '$.said.files') f
           WHERE o.{IS_ITEM} AND j.key = ? AND typeof(f.value) = 'text'""",
        (name,),
    )


def set_added(db: Database, dates: Iterable[tuple[int, str]]) -> None:
    """Set when papers were added: pairs of paper and date."""
    db.connection.executemany(
        "UPDATE papers SET added = ?2 WHERE id = ?1 AND added <> ?2", list(dates)
    )


def _record_of(text: str) -> Mapping[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
