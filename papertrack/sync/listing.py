"""What it means for papers, and for other documents, that a document lists them or no longer does.

Where the documents of a format are lists of what they hold, the library has a paper where they
list it, and what waits to be written to one may be written to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papertrack.records import Paper
from papertrack.store.categories import take_out_of_category
from papertrack.store.documents import (
    PaperEntry,
    StoredEntry,
    entries_of_paper,
    remove_entry,
    set_library_values,
)
from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.format import Format
from papertrack.sync.items import Category
from papertrack.sync.threeway import Values, find_waiting, keep_in_step

Results = dict[int, StoredEntry]
"""What is to be stored of each item of the document, by its number."""


class Listing:
    """What one import changes about where papers are listed."""

    def __init__(self, store: Store, document: Format, document_id: int | None) -> None:
        self.store = store
        self.document = document
        self.document_id = document_id
        self.linked: dict[int, Paper | None] = {}
        """Papers that got a first entry in this document, as they were before; None if new."""
        self.left: list[tuple[int, Category]] = []
        """Papers and the categories where an entry of theirs was."""

    def entries_elsewhere(self, paper_id: int) -> list[PaperEntry]:
        """The paper's entries in the files of other documents."""
        return [entry for entry in self._others(paper_id) if entry.is_in_file]

    def hand_on(self, paper_id: int, then: Values, entries: Sequence[PaperEntry]) -> None:
        """Let what waits for a row that is gone, and was told ``then``, wait for the paper's
        others, in other files."""
        if entries:
            now = self._values_of(get_paper(self.store, paper_id))
            waiting = find_waiting(self.document.fields, then, now)
            for entry in entries if waiting else ():
                set_library_values(self.store, entry.id, entry.library | waiting)

    def settle(self, results: Results) -> None:
        """Once every item has its paper: see to the other files, the categories and what waits."""
        self._settle_returned(results)
        self._leave_categories(results)
        papers = get_papers(self.store, list(self.linked))
        after = {paper.id: self._values_of(paper) for paper in papers}
        before = {
            paper_id: self._values_of(known) for paper_id, known in self.linked.items() if known
        }
        self._note_here(results, before, after)
        self._note_elsewhere(before, after)

    def _settle_returned(self, results: Results) -> None:
        """A paper that was unlinked from another file and has an entry here is unlinked no more.

        What waited to be written there is written here.
        """
        waiting: dict[int, Values] = {}
        for paper_id, known in self.linked.items():
            if known is not None:
                self._take_unlinked(known, paper_id, waiting)
        for number, result in results.items():
            if result.id is None and result.paper_id in waiting:
                results[number] = replace(result, library=waiting[result.paper])

    def _take_unlinked(self, known: Paper, paper_id: int, waiting: dict[int, Values]) -> None:
        """Forget where a paper was unlinked, but not what ``waiting`` is then to hold of it."""
        for entry in self._others(paper_id):
            if not entry.is_in_file:
                remove_entry(self.store, entry.id)
                self.left.append((paper_id, entry.category))
                now = self._values_of(known)
                fields = self.document.fields
                waiting[paper_id] = now | find_waiting(fields, entry.library, now)

    def _leave_categories(self, results: Results) -> None:
        """Take papers out of the categories where no document lists them any more."""
        listed = {(entry.paper_id, entry.category) for entry in results.values()}
        for paper_id, category in dict.fromkeys(self.left):
            elsewhere = {entry.category for entry in self.entries_elsewhere(paper_id)}
            is_in_it = category in get_paper(self.store, paper_id).categories
            if is_in_it and (paper_id, category) not in listed and category not in elsewhere:
                take_out_of_category(self.store, paper_id, category)

    def _note_here(
        self, results: Results, before: dict[int, Values], after: dict[int, Values]
    ) -> None:
        """Store what the library says of the papers linked now: nothing of it waits for export."""
        for number, entry in results.items():
            if entry.paper_id in after:
                values = after[entry.paper]
                if entry.library and entry.paper in before:
                    old = before[entry.paper]
                    values = keep_in_step(self.document.fields, entry.library, old, values)
                results[number] = replace(entry, library=values)

    def _note_elsewhere(self, before: dict[int, Values], after: dict[int, Values]) -> None:
        """Nor does it wait for the papers' entries in other files."""
        for paper_id, old in before.items():
            for placed in self.entries_elsewhere(paper_id):
                new = after[paper_id]
                values = keep_in_step(self.document.fields, placed.library, old, new)
                set_library_values(self.store, placed.id, values)

    def _values_of(self, paper: Paper) -> Values:
        return self.document.library_values(paper)

    def _others(self, paper_id: int) -> list[PaperEntry]:
        """The paper's entries in other documents, where they are lists of what they hold."""
        if not self.document.fields.is_listing:
            return []
        entries = entries_of_paper(self.store, paper_id, kind=self.document.kind)
        return [entry for entry in entries if entry.document_id != self.document_id]
