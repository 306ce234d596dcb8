"""Which papers of the library cite which: found in the references of its PDFs (see
``matching.citations``), and stored in their index.

It is updated when it is needed: a newly read PDF is compared with all papers, and a paper that
is new or has another title with the references of all PDFs.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from typing import NamedTuple

from papertrack.matching.citations import Work, Works
from papertrack.records import Identifier
from papertrack.store.pdfs import PdfIndex, has_index, open_index, pdf_files
from papertrack.store.store import Store

_MOST_AUTHORS = 10
_LIBRARY = 0
"""Stands among the papers for the library's file, as it was when all of them were compared."""


class Citation(NamedTuple):
    """A citing and a cited paper, by id."""

    citing: int
    cited: int


def read_citations(store: Store) -> list[Citation]:
    """Return which papers cite which, in order, according to the PDFs read so far. A work that
    the library has twice does not cite itself. Empty for a library that is not trusted.

    Raises StoreError when the index cannot be updated.
    """
    if store.is_read_only or not has_index(store):
        return []
    with open_index(store) as index:
        _bring_up_to_date(store, index)
        found = index.cited()
    if not found:
        return []
    owners = {file.name: file.paper_id for file in pdf_files(store)}
    pairs = {Citation(owners[name], cited) for name, cited in found if name in owners}
    return sorted(_of_different_works(store, pairs))


def _of_different_works(store: Store, pairs: Collection[Citation]) -> Iterator[Citation]:
    """The pairs of papers that are there and have different titles."""
    ids = sorted({paper_id for pair in pairs for paper_id in pair})
    titles = dict(
        store.execute(
            "SELECT id, title_key FROM papers WHERE id IN (SELECT value FROM json_each(?))", (ids,)
        )
    )
    for pair in pairs:
        if pair.cited in titles and titles[pair.citing] != titles[pair.cited]:
            yield pair


def _bring_up_to_date(store: Store, index: PdfIndex) -> None:
    known = index.compared_papers()
    status = store.path.stat()
    library = f"{status.st_size}-{status.st_mtime_ns}"
    # What an action that is open has changed may never come to be: it is compared again.
    is_open = store.connection.in_transaction
    is_current = known.get(_LIBRARY) == library and not is_open
    new_files = index.references(is_new=True)
    if is_current and not new_files:
        return
    works = _read_works(store)
    marks = {work.paper_id: f"{zlib.crc32(repr(work).encode()):x}" for work in works}
    changed = [work for work in works if known.get(work.paper_id) != marks[work.paper_id]]
    gone = known.keys() - marks.keys() - {_LIBRARY}
    found: set[tuple[int, int]] = set()
    for sought, files in ((changed, index.references(is_new=False)), (works, new_files)):
        these = Works.of(sought if files else ())
        for file_id, references in files:
            found |= {(file_id, paper_id) for paper_id in these.cited_in(references)}
    kept = {work.paper_id: marks[work.paper_id] for work in changed}
    kept[_LIBRARY] = "" if is_open else library
    index.keep_citations(found, kept, gone, [file_id for file_id, _ in new_files])


def _read_works(store: Store) -> list[Work]:
    """What a reference may say of each paper."""
    authors, identifiers = (
        store.select_groups(f"{columns} ORDER BY 1, position")
        for columns in (
            f"SELECT paper_id, name FROM authors WHERE position < {_MOST_AUTHORS}",
            "SELECT paper_id, scheme, value FROM identifiers WHERE scheme IN ('arxiv', 'doi')",
        )
    )
    works = []
    for paper_id, title, *dates in store.execute("SELECT id, title, year, submitted FROM papers"):
        names = tuple(name for (name,) in authors.get(paper_id, ()))
        of_it = tuple(Identifier(*one) for one in identifiers.get(paper_id, ()))
        years = tuple(int(year) for date in dates if (year := str(date)[:4]).isdecimal())
        works.append(Work(paper_id, title or "", names, years, of_it))
    return works
