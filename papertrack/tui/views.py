"""The views: which papers each tab shows, in which order, and what it says when it is empty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, get_args

from papertrack.errors import UsageError
from papertrack.queries.nodes import And, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.records import Decision
from papertrack.store.listing import find_ids
from papertrack.store.states import has_state
from papertrack.store.store import Store
from papertrack.text import shorten

Counts = Mapping[tuple[str, int], int]
"""How many papers there are by (decision, passes done)."""


class View(NamedTuple):
    """One tab over the library."""

    name: str
    query: str
    """Which papers it shows, in the query language."""
    states: tuple[tuple[str, int], ...]
    """The same as (decision, passes done)."""
    order: str
    """Its first order, one of ``store.listing.ORDERS``."""
    empty: str
    """What to do when there is nothing in it."""

    @property
    def label(self) -> str:
        return self.name.capitalize()

    @property
    def short(self) -> str:
        """Its label where there is little room."""
        return _SHORT.get(self.name, self.label)


_SHORT = {"first": "1st", "second": "2nd", "third": "3rd"}
VIEWS = (
    View(
        "inbox",
        "is:inbox",
        tuple(("inbox", passes) for passes in range(4)),
        "rank",
        "Nothing is waiting for a decision. R looks for new announcements in your topics; ] goes "
        "on to the papers to read.",
    ),
    View(
        "first",
        "is:saved pass:0",
        (("saved", 0),),
        "added",
        "No paper waits for its first pass. s in the Inbox saves one for it.",
    ),
    View(
        "second",
        "is:saved pass:1",
        (("saved", 1),),
        "read",
        "No paper waits for its second pass. 1 records the first one.",
    ),
    View(
        "third",
        "is:saved pass:2",
        (("saved", 2),),
        "read",
        "No paper waits for its third pass. 2 records the second one.",
    ),
    View(
        "done",
        "(is:saved pass:3) OR (is:discarded pass:>=1)",
        (("saved", 3), ("discarded", 1), ("discarded", 2), ("discarded", 3)),
        "read",
        "Nothing is done yet. 3 records a third pass; d after a pass says that it was enough.",
    ),
    View(
        "all",
        "",
        tuple((decision, passes) for decision in get_args(Decision) for passes in range(4)),
        "added",
        "The library is empty. `papertrack import README.md` or `papertrack add 2309.06180` "
        "fills it; so do A here, and Import of ctrl+p.",
    ),
)


def count_of(view: View, counts: Counts) -> int:
    """How many papers the view shows, from the counts by state."""
    return sum(counts.get(state, 0) for state in view.states)


def first_view(store: Store) -> View:
    """The first view that has something to do; All where there is nothing."""
    waiting = (view for view in VIEWS[:2] if any(has_state(store, *one) for one in view.states))
    return next(waiting, VIEWS[-1])


def words_of(query: Query) -> tuple[str, ...]:
    """The words that the query looks for in texts, for showing where they are."""
    match query:
        case Term(
            field=None | "title" | "abstract" | "author" | "takeaway",
            value=Text(text) | Phrase(text) | Prefix(text),
        ):
            return (text,)
    return tuple(word for part in getattr(query, "parts", ()) for word in words_of(part))


def words_in(typed: str) -> tuple[str, ...]:
    """``words_of`` a filter as typed; none while it is no query."""
    try:
        return words_of(parse_query(typed))
    except UsageError:
        return ()


def _open_ended(query: Query) -> Query:
    match query:
        case Term(field=field, value=Text(text=text)) if field in (None, "title", "author"):
            started = Term(field, Prefix(text))
            # A word with a digit in it may be an id or a citekey, and is looked for as that, too.
            has_digit = any(char.isdigit() for char in text)
            return Or((query, started)) if has_digit else started
        case And(parts=parts):
            return And(tuple(map(_open_ended, parts)))
    return query


def _widened(query: Query, like: Callable[[str], Sequence[str]]) -> Query | None:
    """The query with the words that are ``like`` each bare one, or begin with it, in its place;
    None if that finds no more."""
    match query:
        case Term(field=field, value=Text(text=text)) if field in (None, "title", "author"):
            words = [Term(field, Text(word)) for word in like(text)]
            return Or((_open_ended(query), *words)) if words else None
        case And(parts=parts):
            wider = [_widened(part, like) for part in parts]
            if not any(wider):
                return None
            return And(
                tuple(new or _open_ended(old) for new, old in zip(wider, parts, strict=True))
            )
    return None


class Selection(NamedTuple):
    """Equal selections of an unchanged library are equal lists."""

    view: View = VIEWS[0]
    typed: str = ""
    """The filter, in the query language."""
    order: str = VIEWS[0].order
    is_reversed: bool = False

    def query(self) -> Query:
        """What it selects. Raises UsageError, with the place, when the filter is no query.

        A bare word stands for all words that begin with it, so that every key narrows the list,
        and half words find what is meant.
        """
        return And((parse_query(self.view.query), _open_ended(parse_query(self.typed))))

    def find_ids(self, store: Store) -> list[int]:
        """The papers in their order. Raises UsageError when the filter is no query.

        Where it finds nothing, so do words of titles that have its words in them, or words that
        are spelled nearly so: ``former``, ``transfromer``.
        """
        found = self._find(store, self.query())
        if found or not self.typed.strip():
            return found
        from papertrack.store.words import words_like

        typed = parse_query(self.typed)
        wider = _widened(typed, partial(words_like, store))
        return self._find(store, And((parse_query(self.view.query), wider))) if wider else []

    def _find(self, store: Store, query: Query) -> list[int]:
        return find_ids(store, query, order=self.order, is_reversed=self.is_reversed)


def empty_text(selection: Selection) -> str:
    """What to do when it selects nothing."""
    if not selection.typed:
        return selection.view.empty
    sought = f"No match for {shorten(selection.typed, 60)}"
    if selection.view is VIEWS[-1]:
        return f"{sought} in the library. Esc clears the filter."
    return (
        f"{sought} in {selection.view.label}. Enter, then ] looks in the next view; Esc clears "
        "the filter."
    )


def filter_fact(selection: Selection, found: int) -> str:
    """The filter in force and what it found, or nothing."""
    if not selection.typed:
        return ""
    return f"filter: {shorten(selection.typed, 40)} · {found:,} found"
