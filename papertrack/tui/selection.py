"""What the list shows: a view, a filter and an order; and the ids that this comes to."""

from __future__ import annotations

from dataclasses import dataclass

from papertrack.queries import Query
from papertrack.store.listing import find_ids
from papertrack.store.store import Store
from papertrack.text import shorten
from papertrack.tui.views import VIEWS, View, query_of


@dataclass(frozen=True, slots=True)
class Selection:
    """Equal selections of an unchanged library are equal lists."""

    view: View = VIEWS[0]
    typed: str = ""
    """The filter, in the query language."""
    order: str = VIEWS[0].order
    is_reversed: bool = False

    def query(self) -> Query:
        """What it selects. Raises UsageError when the filter is no query."""
        return query_of(self.view, self.typed)

    def find_ids(self, store: Store) -> list[int]:
        """The papers in their order. Raises UsageError when the filter is no query."""
        return find_ids(store, self.query(), order=self.order, is_reversed=self.is_reversed)


def empty_text(selection: Selection) -> str:
    """What to do when it selects nothing."""
    if not selection.typed:
        return selection.view.empty
    return (
        f"No match for {shorten(selection.typed, 60)} in {selection.view.label}. "
        "] looks in the next view, Esc clears the filter."
    )


def filter_fact(selection: Selection, found: int) -> str:
    """The filter in force and what it found, or nothing."""
    if not selection.typed:
        return ""
    return f"filter: {shorten(selection.typed, 40)} · {found:,} found"
