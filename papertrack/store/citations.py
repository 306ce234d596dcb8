"""Which papers of the library cite which, by the references in its PDFs.

``matching.citations`` finds them, and the index of PDFs stores them. An update compares the
references of new PDFs with the papers that they may mention, and papers that the journal calls new
or changed with the PDFs that may mention them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple

from papertrack.matching.citations import candidate_keys, cited_in, keys_of
from papertrack.store.lookup import find_named, get_papers
from papertrack.store.pdfs import PdfIndex, has_index, known_pdfs, open_index, unpacked
from papertrack.store.store import Store

_MANY = 50
"""If more papers than this changed, all papers are compared."""
_LISTED = "IN (SELECT value FROM json_each(?))"


class Citation(NamedTuple):
    """A citing and a cited paper, by id."""

    citing: int
    cited: int


def read_citations(store: Store, about: Collection[int] | None = None) -> list[Citation]:
    """Return which papers cite which, according to the PDFs read so far.

    With ``about``, returns only citations from or to these papers. A work that the library has
    twice does not cite itself. Returns nothing for an untrusted library. Raises StoreError when the
    index cannot be updated.
    """
    if store.is_read_only or not has_index(store):
        return []
    own = [] if about is None else [file.name for file in known_pdfs(store, about)]
    with open_index(store) as index:
        _bring_up_to_date(store, index)
        found = index.execute(
            f"""SELECT f.name, c.paper_id FROM citations c JOIN files f ON f.id = c.file_id
                WHERE ?1 OR c.paper_id {_LISTED} OR f.name {_LISTED}""",
            (about is None, list(about or ()), own),
        ).fetchall()
    files = known_pdfs(store, names={name for name, _ in found})
    owners = {file.name: file.paper_id for file in files}
    pairs = {(owners.get(name), cited) for name, cited in found}
    pairs_of_titles = store.execute(
        """SELECT one.id, other.id FROM json_each(?) pair
           JOIN papers one ON one.id = json_extract(pair.value, '$[0]')
           JOIN papers other ON other.id = json_extract(pair.value, '$[1]')
           WHERE one.title_key IS NOT other.title_key ORDER BY 1, 2""",
        (list(pairs),),
    )
    return list(map(Citation._make, pairs_of_titles))


def _bring_up_to_date(store: Store, index: PdfIndex) -> None:
    seen = index.select_value("SELECT place FROM compared_until")
    changed, place = _papers_changed_since(store, seen)
    keys = {key for paper in get_papers(store, changed or ()) for key in keys_of(paper)}
    stale = index.select_column(
        f"""SELECT file_id FROM reference_lists WHERE is_new OR ?
            OR EXISTS (SELECT 1 FROM json_each(?) WHERE instr(letters, value))
            OR file_id IN (SELECT file_id FROM citations WHERE paper_id {_LISTED})""",
        (changed is None, [*keys], [*(changed or ())]),
    )
    for file_id in stale:
        with index.transaction():
            _compare(store, index, file_id)
    if place != seen:
        with index.transaction():
            index.execute("DELETE FROM compared_until")
            index.insert("compared_until (place)", (place,))


def _papers_changed_since(store: Store, seen: str | None) -> tuple[list[int] | None, str]:
    """Return the papers changed since a place in the journal, and its present end.

    The papers are None if all must be compared.
    """
    newest = store.select_value("SELECT ifnull(max(id), 0) FROM changes")
    undone = store.select_column("SELECT id FROM actions WHERE state <> 'done' ORDER BY id")
    # What a dry run or an open action changed may never come to be: all is compared again.
    may_stay = not (store.is_trial or store.connection.in_transaction)
    place = json.dumps([newest, _checksum_of_change(store, newest), undone]) if may_stay else ""
    # Nothing may have been seen yet, the library restored, or the index be a stranger's.
    with suppress(ValueError, TypeError, LookupError, OverflowError):
        change_id, signature, were_undone = json.loads(seen or "")
        if signature == _checksum_of_change(store, change_id):
            changes = store.execute(
                f"""SELECT paper_id, json_extract(old, '$.paper_id') FROM changes
                    WHERE (id > ? OR action_id {_LISTED})
                    AND table_name IN ('papers', 'authors', 'identifiers')""",
                (change_id, [*{*were_undone} ^ {*undone}]),
            )
            changed = {paper_id for pair in changes for paper_id in pair if paper_id}
            return [*changed] if len(changed) <= _MANY else None, place
    return None, place


def _checksum_of_change(store: Store, change_id: int) -> int:
    """Return a checksum of a journalled change, to detect another one with the same id."""
    change = store.execute(
        """SELECT at, summary, row_key, old, iif(old IS NULL, NULL, new)
           FROM changes c JOIN actions a ON a.id = c.action_id WHERE c.id = ?""",
        (change_id,),
    )
    return zlib.crc32(repr(change.fetchall()).encode())


def _compare(store: Store, index: PdfIndex, file_id: int) -> None:
    """Store which papers the references of a file cite."""
    packed = index.select_value("SELECT text FROM reference_lists WHERE file_id = ?", (file_id,))
    references = unpacked(packed or b"")
    cited = cited_in(references, get_papers(store, find_named(store, *candidate_keys(references))))
    index.execute("DELETE FROM citations WHERE file_id = ?", (file_id,))
    index.insert_many("citations (paper_id, file_id)", ((cited_id, file_id) for cited_id in cited))
    index.execute("UPDATE reference_lists SET is_new = 0 WHERE file_id = ?", (file_id,))
