"""The rows behind a list of ids, read by page, so that 100,000 papers cost no more than 100."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.store import Store, when_free

PAGE = 64
KEPT_PAGES = 16


class RowPages:
    """The last pages that were looked at. An id without a paper (removed elsewhere) has no row."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids: Sequence[int] = ()
        self._pages: OrderedDict[int, dict[int, ListedPaper]] = OrderedDict()
        self.is_behind = False
        """Whether a page could not be read because another process holds the library."""

    def show(self, ids: Sequence[int]) -> None:
        """Take other ids; all pages are read anew."""
        self._ids = ids
        self.forget()

    def forget(self) -> None:
        """Read pages anew from now on."""
        self._pages.clear()

    def row(self, index: int) -> ListedPaper | None:
        """The row at a place in the list, or None while it cannot be read."""
        number = index // PAGE
        page = self._pages.get(number)
        if page is None:
            ids = self._ids[number * PAGE : (number + 1) * PAGE]
            rows = when_free(self._store, lambda: read_rows(self._store, ids))
            self.is_behind = rows is None
            if rows is None:
                return None
            page = self._pages[number] = {row.id: row for row in rows}
            if len(self._pages) > KEPT_PAGES:
                self._pages.popitem(last=False)
        else:
            self._pages.move_to_end(number)
        return page.get(self._ids[index])


def merge_kept(old: Sequence[int], new: Sequence[int], kept: set[int]) -> list[int]:
    """``new`` with the ``kept`` ids of ``old`` that it lacks, each after the one it stood behind.

    So a paper that was just decided keeps its place until the reader looks away.
    """
    present = set(new)
    followers: dict[int | None, list[int]] = {}
    anchor: int | None = None
    for paper_id in old:
        if paper_id in present:
            anchor = paper_id
        elif paper_id in kept:
            followers.setdefault(anchor, []).append(paper_id)
    if not followers:
        return list(new)
    merged = followers.get(None, [])[:]
    for paper_id in new:
        merged.append(paper_id)
        merged += followers.get(paper_id, ())
    return merged
