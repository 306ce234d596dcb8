"""Filter papers while the query is typed: incomplete words, parts of words and misspelled words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from papertrack.errors import UsageError
from papertrack.queries.nodes import And, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.store.listing import find_ids
from papertrack.store.store import Store


def words_of(query: Query) -> tuple[str, ...]:
    """Return the words that the query looks for in texts, to highlight them."""
    match query:
        case Term(
            field=None | "title" | "abstract" | "author" | "takeaway",
            value=Text(text) | Phrase(text) | Prefix(text),
        ):
            return (text,)
    return tuple(word for part in getattr(query, "parts", ()) for word in words_of(part))


def words_in(typed: str) -> tuple[str, ...]:
    """Return ``words_of`` a filter as typed; none while it is not a valid query."""
    try:
        return words_of(parse_query(typed))
    except UsageError:
        return ()


def phrases_in(typed: str) -> tuple[str, ...]:
    """Return the phrases that a typed filter looks for in PDFs; a star marks an incomplete one."""
    try:
        return _phrases_of(parse_query(typed)) if "text:" in typed else ()
    except UsageError:
        return ()


def _phrases_of(query: Query) -> tuple[str, ...]:
    match query:
        case Term(field="text", value=Text(text) | Phrase(text)):
            return (text,)
        case Term(field="text", value=Prefix(text)):
            return (f"{text}*",)
    return tuple(one for part in getattr(query, "parts", ()) for one in _phrases_of(part))


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
    """Return the query with each bare word replaced by words that are ``like`` it or begin with it;
    None if this finds no more."""
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


def asked_of(view: str, typed: str) -> Query:
    """Return the view's query with the filter. Raises UsageError, with the place, when the filter
    is not a valid query.

    A bare word matches all words that begin with it, so that every key narrows the list and
    incomplete words find papers.
    """
    return And((parse_query(view), _open_ended(parse_query(typed))))


def find_filtered(
    store: Store, view: str, typed: str, *, order: str, is_reversed: bool
) -> list[int]:
    """Return the papers of a view that match a filter, in order. Raises UsageError when the filter
    is not a valid query.

    If nothing matches, words within titles that contain the typed words count too, and words with a
    similar spelling: ``former``, ``transfromer``.
    """
    found = find_ids(store, asked_of(view, typed), order=order, is_reversed=is_reversed)
    if found:
        return found
    from papertrack.store.search import words_like

    wider = _widened(parse_query(typed), partial(words_like, store))
    if wider is None:
        return []
    asked = And((parse_query(view), wider))
    return find_ids(store, asked, order=order, is_reversed=is_reversed)
