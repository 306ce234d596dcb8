"""Which papers of the library cite which: found in the references of its PDFs (see
``matching.citations``), and stored in their index.

It is updated when it is needed: the references of a newly read PDF are compared with the papers
that they may mention, and so are those that may mention a paper which the journal says is new or
changed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection
from typing import Any, NamedTuple

from papertrack.matching.citations import cited_in, keys_of, named_in
from papertrack.store.known import read_known
from papertrack.store.lookup import get_papers
from papertrack.store.pdfs import PdfIndex, has_index, open_index, pdf_files, unpacked
from papertrack.store.store import Store

_MANY = 50
"""So many changed papers are as soon compared as all."""
_LISTED = "IN (SELECT value FROM json_each(?))"


class Citation(NamedTuple):
    """A citing and a cited paper, by id."""

    citing: int
    cited: int


def read_citations(store: Store, about: Collection[int] | None = None) -> list[Citation]:
    """Return which papers cite which, in order, according to the PDFs read so far: all, or those
    that have a paper ``about`` which is asked. A work that the library has twice does not cite
    itself. Empty for a library that is not trusted.

    Raises StoreError when the index cannot be updated.
    """
    if store.is_read_only or not has_index(store):
        return []
    own = [file.name for file in pdf_files(store, about)] if about is not None else []
    with open_index(store) as index:
        _bring_up_to_date(store, index)
        found = index.execute(
            f"""SELECT f.name, c.paper_id FROM citations c JOIN files f ON f.id = c.file_id
                WHERE ?1 OR c.paper_id {_LISTED} OR f.name {_LISTED}""",
            (about is None, [*(about or ())], own),
        ).fetchall()
    files = pdf_files(store, names={name for name, _ in found})
    owners = {file.name: file.paper_id for file in files}
    pairs = {Citation(owners[name], cited) for name, cited in found if name in owners}
    titles = dict(
        store.execute(
            f"SELECT id, title_key FROM papers WHERE id {_LISTED}",
            ([*{paper_id for pair in pairs for paper_id in pair}],),
        )
    )
    return sorted(
        pair for pair in pairs if pair.cited in titles and titles[pair.citing] != titles[pair.cited]
    )


def _bring_up_to_date(store: Store, index: PdfIndex) -> None:
    seen = json.loads(index.select_value("SELECT place FROM compared_until") or "null")
    changed, place = _changed_since(store, seen)
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
            index.insert("compared_until (place)", (json.dumps(place),))


def _changed_since(store: Store, seen: list[Any] | None) -> tuple[list[int] | None, object]:
    """The papers of which something changed since this place of the journal, None for all; and the
    place now."""
    newest = store.select_value("SELECT ifnull(max(id), 0) FROM changes")
    undone = store.select_column("SELECT id FROM actions WHERE state <> 'done' ORDER BY id")
    # What a dry run or an open action changed may never come to be: all is compared again.
    may_stay = not (store.is_trial or store.connection.in_transaction)
    place = [newest, _signature(store, newest), undone] if may_stay else None
    if seen is None or seen[1] != _signature(store, seen[0]):
        return None, place  # The library may have been restored from a backup.
    changes = store.execute(
        f"""SELECT paper_id, json_extract(old, '$.paper_id') FROM changes
            WHERE (id > ? OR action_id {_LISTED})
            AND table_name IN ('papers', 'authors', 'identifiers')""",
        (seen[0], [*{*seen[2]} ^ {*undone}]),
    )
    changed = {paper_id for pair in changes for paper_id in pair if paper_id}
    return None if len(changed) > _MANY else [*changed], place


def _signature(store: Store, change_id: int) -> int:
    """Tells a change of the journal from another one with the same number, and a library's schema
    from another one."""
    change = store.execute(
        """SELECT a.at, a.sitting, c.row_key, c.old, iif(c.old IS NULL, NULL, c.new), user_version
           FROM pragma_user_version LEFT JOIN changes c ON c.id = ?
           LEFT JOIN actions a ON a.id = c.action_id""",
        (change_id,),
    )
    return zlib.crc32(repr(change.fetchall()).encode())


def _compare(store: Store, index: PdfIndex, file_id: int) -> None:
    """Store which papers the references of a file cite."""
    packed = index.select_value("SELECT text FROM reference_lists WHERE file_id = ?", (file_id,))
    references = unpacked(packed or b"")
    cited = cited_in(references, read_known(store, *named_in(references)))
    index.execute("DELETE FROM citations WHERE file_id = ?", (file_id,))
    index.insert_many("citations (paper_id, file_id)", ((cited_id, file_id) for cited_id in cited))
    index.execute("UPDATE reference_lists SET is_new = 0 WHERE file_id = ?", (file_id,))
