"""Filter papers while the query is typed, and complete its last word.

Incomplete words, parts of words and misspelled words match too. Completion knows field names and
the values in the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile

from papertrack.category_paths import format_path
from papertrack.errors import UsageError
from papertrack.queries.fields import FIELD_OF_NAME, FIELDS
from papertrack.queries.nodes import And, Or, Phrase, Prefix, Query, Term, Text
from papertrack.queries.parser import parse_query
from papertrack.store.categories import ordered_paths
from papertrack.store.listing import find_ids
from papertrack.store.states import tag_counts
from papertrack.store.store import Store
from papertrack.store.watch.topics import found_counts, list_topics
from papertrack.text import fold


def _terms_in(typed: str) -> Iterator[Term]:
    """Yield the terms of a typed filter; none while it is not a valid query."""
    try:
        left = [parse_query(typed)]
    except UsageError:
        return
    while left:
        query = left.pop()
        left += reversed(getattr(query, "parts", ()))
        if isinstance(query, Term):
            yield query


def words_in(typed: str) -> tuple[str, ...]:
    """Return the words that a typed filter looks for in texts, for highlighting."""
    return tuple(
        term.value.text
        for term in _terms_in(typed)
        if term.field in (None, "title", "abstract", "author", "takeaway")
        and isinstance(term.value, Text | Phrase | Prefix)
    )


def phrases_in(typed: str) -> tuple[str, ...]:
    """Return the phrases that a typed filter looks for in PDFs; a star marks an incomplete one."""
    return tuple(
        f"{term.value.text}*" if isinstance(term.value, Prefix) else term.value.text
        for term in (_terms_in(typed) if "text:" in typed else ())
        if term.field == "text" and isinstance(term.value, Text | Phrase | Prefix)
    )


def _match_beginnings(query: Query) -> Query:
    match query:
        case Term(field=field, value=Text(text=text)) if field in (None, "title", "author"):
            prefix_term = Term(field, Prefix(text))
            # A word with a digit may be an id or a citekey, so it also counts as typed.
            has_digit = any(char.isdigit() for char in text)
            return Or((query, prefix_term)) if has_digit else prefix_term
        case And(parts=parts):
            return And(tuple(map(_match_beginnings, parts)))
    return query


def _widen(query: Query, like: Callable[[str], Sequence[str]]) -> Query | None:
    """Return the query with each bare word replaced by words that are ``like`` it.

    None if this adds no words.
    """
    match query:
        case Term(field=field, value=Text(text=text)) if field in (None, "title", "author"):
            words = [Term(field, Text(word)) for word in like(text)]
            return Or((_match_beginnings(query), *words)) if words else None
        case And(parts=parts):
            wider = [_widen(part, like) for part in parts]
            if not any(wider):
                return None
            return And(
                tuple(w or _match_beginnings(part) for w, part in zip(wider, parts, strict=True))
            )
    return None


def filtered_query(view: str, typed: str) -> Query:
    """Return the view's query with the filter.

    A bare word matches all words that begin with it, so that every key narrows the list and
    incomplete words find papers. Raises UsageError, with the place, if the filter is not a valid
    query.
    """
    return And((parse_query(view), _match_beginnings(parse_query(typed))))


def find_filtered(
    store: Store, view: str, typed: str, *, order: str, is_reversed: bool
) -> list[int]:
    """Return the papers of a view that match a filter, in order.

    If nothing matches, titles that contain the typed words inside words count too (``former``), and
    words with a similar spelling (``transfromer``). Raises UsageError if the filter is not a valid
    query.
    """
    ids = find_ids(store, filtered_query(view, typed), order=order, is_reversed=is_reversed)
    if ids:
        return ids
    from papertrack.store.search import words_like

    wider = _widen(parse_query(typed), partial(words_like, store))
    if wider is None:
        return []
    wide_query = And((parse_query(view), wider))
    return find_ids(store, wide_query, order=order, is_reversed=is_reversed)


_LAST_WORD = re.compile(r'(?:^|(?<=[\s(]))-?((?:\w+:)?(?:"[^"]*|[^\s"()]*))$')


def _category_counts(store: Store) -> list[tuple[str, int]]:
    return [(format_path(path), count) for path, count in ordered_paths(store)]


def _topic_counts(store: Store) -> list[tuple[str, int]]:
    counts = found_counts(store)
    return [(topic.name, counts.get(topic.id, (0, ""))[0]) for topic in list_topics(store)]


FILTERS = (("category", _category_counts), ("tag", tag_counts), ("topic", _topic_counts))
"""Query fields, and the functions for their values with numbers of papers."""


def complete(typed: str, names_of: Callable[[str], Sequence[str]]) -> tuple[str, list[str]]:
    """Return the filter with its last word completed, and the candidates.

    The word is completed as far as all candidates agree. ``names_of`` returns the library's values
    for a field, such as its categories.
    """
    match = _LAST_WORD.search(typed)
    if match is None or not match[1]:
        return typed, []
    before, word = typed[: match.start(1)], match[1]
    name, colon, start = word.partition(":")
    if not colon:
        fields = [f"{field.name}:" for field in FIELDS if field.name.startswith(name.lower())]
        return before + (_common(fields) or word), fields
    field = FIELD_OF_NAME.get(name.lower())
    if field is None:
        return typed, []
    folded_start = fold(start.lstrip('"'))
    names = [value for value, _ in field.values] or names_of(field.name)
    fitting = [name for name in names if fold(name).startswith(folded_start)]
    fitting = fitting or [name for name in names if folded_start in fold(name)]
    value = fitting[0] if len(fitting) == 1 else _common(fitting)
    if not fold(value).startswith(folded_start) and len(fitting) != 1:
        return typed, fitting
    if re.search(r'[\s"()]', value):
        value = f'"{value}' + '"' * (len(fitting) == 1)
    return f"{before}{name}:{value}" if fitting else typed, fitting


def _common(texts: Sequence[str]) -> str:
    """Return the common prefix."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in letters)
