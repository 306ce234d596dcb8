"""The views: which papers each tab shows, in which order, and its text when it is empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, get_args

from papertrack.records import Decision, Paper
from papertrack.store.listing import find_ids_of_states
from papertrack.store.states import has_state
from papertrack.store.store import Store
from papertrack.text import shorten

if TYPE_CHECKING:
    from papertrack.queries.nodes import Query

Counts = Mapping[tuple[str, int], int]
"""The number of papers by (decision, passes done)."""


class View(NamedTuple):
    """One tab over the library."""

    name: str
    title: str
    """What it contains, in a few words."""
    short: str
    """Its label for narrow screens."""
    query: str
    """The query for its papers."""
    states: tuple[tuple[str, int], ...]
    """The same as the query, as pairs of (decision, passes done)."""
    order: str
    """Its default order, one of ``store.listing.ORDERS``."""
    empty: str
    """What to do when it is empty."""

    @property
    def label(self) -> str:
        return self.name.capitalize()


VIEWS = (
    View(
        "inbox",
        "Inbox: undecided",
        "Inbox",
        "is:inbox",
        tuple(("inbox", passes) for passes in range(4)),
        "rank",
        "Nothing is waiting for a decision. R looks for new announcements in your topics; ] goes "
        "on to the papers to read.",
    ),
    View(
        "first",
        "Saved for the first pass",
        "1st",
        "is:saved pass:0",
        (("saved", 0),),
        "added",
        "No paper waits for its first pass. s in the Inbox saves one for it.",
    ),
    View(
        "second",
        "Saved for the second pass",
        "2nd",
        "is:saved pass:1",
        (("saved", 1),),
        "read",
        "No paper waits for its second pass. 1 records the first one.",
    ),
    View(
        "third",
        "Saved for the third pass",
        "3rd",
        "is:saved pass:2",
        (("saved", 2),),
        "read",
        "No paper waits for its third pass. 2 records the second one.",
    ),
    View(
        "done",
        "Done with",
        "Done",
        "(is:saved pass:3) OR (is:discarded pass:>=1)",
        (("saved", 3), ("discarded", 1), ("discarded", 2), ("discarded", 3)),
        "read",
        "Nothing is finished yet. 3 records a third pass; d after a pass discards what you have "
        "read enough of.",
    ),
    View(
        "all",
        "All papers",
        "All",
        "",
        tuple((decision, passes) for decision in get_args(Decision) for passes in range(4)),
        "added",
        "The library is empty. Press A to add a paper, or ctrl+p to import a README or .bib file.",
    ),
)


def count_of(view: View, counts: Counts) -> int:
    """Return how many papers the view shows, from the counts by state."""
    return sum(counts.get(state, 0) for state in view.states)


def view_of(paper: Paper) -> View:
    """Return the view that shows a paper."""
    state = paper.decision, paper.passes_done
    return next(view for view in VIEWS if state in view.states)


def first_view(store: Store) -> View:
    """Return the first view that has something to do; All if there is none."""
    waiting = (view for view in VIEWS[:2] if any(has_state(store, *state) for state in view.states))
    return next(waiting, VIEWS[-1])


class Selection(NamedTuple):
    """A view with filter and order. Equal selections of an unchanged library give equal lists."""

    view: View = VIEWS[0]
    typed: str = ""
    """The filter, in the query language."""
    order: str = VIEWS[0].order
    is_reversed: bool = False

    def query(self) -> Query:
        """Return its query. Raises UsageError, with the place, if the filter is invalid."""
        from papertrack.tui.filtering import filtered_query

        return filtered_query(self.view.query, self.typed)

    def find_ids(self, store: Store) -> list[int]:
        """Return the papers in order. Raises UsageError when the filter is not a valid query."""
        order, is_reversed = self.order, self.is_reversed
        if not self.typed.strip():
            states = self.view.states if self.view.query else None
            return find_ids_of_states(store, states, order=order, is_reversed=is_reversed)
        # Imported late: the first paint does not wait for the query language.
        from papertrack.tui.filtering import find_filtered

        return find_filtered(
            store, self.view.query, self.typed, order=order, is_reversed=is_reversed
        )


def empty_text(selection: Selection) -> str:
    """Return what to do when it selects nothing."""
    if not selection.typed:
        return selection.view.empty
    no_match = f"No match for {shorten(selection.typed, 60)}"
    if selection.view is VIEWS[-1]:
        return f"{no_match} in the library. Esc clears the filter."
    return (
        f"{no_match} in {selection.view.label}. Enter, then ] looks in the next view; Esc clears "
        "the filter."
    )


def filter_fact(selection: Selection, count: int) -> str:
    """Return the filter in force and the number of matches, or nothing."""
    if not selection.typed:
        return ""
    return f"filter: {shorten(selection.typed, 40)} · {count:,} found"
