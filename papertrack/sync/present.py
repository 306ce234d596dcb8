"""What the library says now of a document's entries, as the stamps of entries that say it.

By it an earlier version of a document is known to say again what the library says
(``sync.versions``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from papertrack.records import Paper
from papertrack.store.documents import EntryState, StoredEntry, papers_without_entry
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.format import Format
from papertrack.sync.items import Category
from papertrack.sync.stamps import (
    is_unknown,
    paper_of,
    said_in,
    stamp_saying,
    told_of,
    waiting_of,
)
from papertrack.sync.threeway import Values


@dataclass
class Present:
    """What the library says now of the entries of a document."""

    store: Store
    document: Format
    stored: Sequence[StoredEntry]
    papers: dict[int, Paper] = field(default_factory=dict)
    said: dict[int, Values] = field(default_factory=dict)
    right: set[str] = field(default_factory=set)
    """The stamps of entries that say it."""
    kept: set[str] = field(default_factory=set)
    """Those of entries that would say it of papers that get none any more, but keep it."""

    def __post_init__(self) -> None:
        self.rows: dict[int, list[StoredEntry]] = {}
        self.unlinked = {one.paper_id for one in self.stored if one.state is EntryState.UNLINKED}
        for entry in self.stored:
            if entry.paper_id is not None and entry.is_in_file:
                self.rows.setdefault(entry.paper_id, []).append(entry)
        self.look_at(set(self.rows))

    def look_at(self, paper_ids: Collection[int]) -> None:
        """Ask the library about these papers too."""
        missing = sorted(set(paper_ids) - self.papers.keys())
        for paper in get_papers(self.store, missing):
            self.papers[paper.id] = paper
            self.said[paper.id] = self.document.library_values(paper)
            stamps = {self._stamp(paper.id, path) for path in self._places(paper)}
            (self.right if self._may_have_entry(paper) else self.kept).update(stamps)

    def _may_have_entry(self, paper: Paper) -> bool:
        """Whether the paper has one, or may get it back: a list gets only what is saved, and no
        document what the reader took out of it."""
        is_listing = self.document.fields.is_listing
        may_come = paper.id not in self.unlinked and (not is_listing or paper.decision == "saved")
        return paper.id in self.rows or may_come

    def _stamp(self, paper_id: int, category: Category) -> str:
        return stamp_saying(self.document.fields, paper_id, category, self.said[paper_id])

    def _places(self, paper: Paper) -> set[Category]:
        """Where the paper may have an entry: one that cannot follow it stays where it was."""
        rows = self.rows.get(paper.id, ())
        held = {row.category for row in rows if row.held_in == paper.categories}
        return {(), *paper.categories, *held}

    def wanted(self) -> set[str]:
        """Return the stamps of the entries that are there and stay there, or that come."""
        missing = {
            path: papers_without_entry(self.store, path)
            for path in (self.document.sections if self.document.fields.is_listing else ())
        }
        self.look_at({paper_id for papers in missing.values() for paper_id in papers})
        coming = {self._stamp(one, path) for path, papers in missing.items() for one in papers}
        return coming | {
            self._stamp(paper.id, row.category)
            for paper in self.papers.values()
            for row in self.rows.get(paper.id, ())
            if row.category in self._places(paper)
        }

    def are_right(self, stamps: Sequence[str], *, is_as_then: bool = False) -> bool:
        """Whether these entries say what the library says. If all is done that was done then, a
        paper may have an entry that it would not get now."""
        if not all(is_as_then and told_of(one) for one in stamps if is_unknown(one)):
            return False
        linked = [one for one in stamps if not is_unknown(one)]
        self.look_at({paper_of(stamp) for stamp in linked})
        right = self.right | self.kept if is_as_then else self.right
        return all(said_in(one) in right or self._is_held_right(one) for one in linked)

    def _is_held_right(self, stamp: str) -> bool:
        """Whether the entry stayed where it was, of a paper that is again where it could not
        follow it."""
        paper, waiting = self.papers.get(paper_of(stamp)), waiting_of(stamp)
        is_held = paper is not None and waiting.held_in == paper.categories
        return is_held and self._stamp(paper_of(stamp), waiting.category) == said_in(stamp)
