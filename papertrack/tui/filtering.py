"""Filter papers while the query is typed: incomplete words, parts of words and misspelled words;
and complete its last word: field names, and values from the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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


_LAST_WORD = re.compile(r'(?:^|(?<=[\s(]))-?((?:\w+:)?(?:"[^"]*|[^\s"()]*))$')


def _category_counts(store: Store) -> list[tuple[str, int]]:
    return [(format_path(path), count) for path, count in ordered_paths(store)]


def _topic_counts(store: Store) -> list[tuple[str, int]]:
    counts = found_counts(store)
    return [(topic.name, counts.get(topic.id, (0, ""))[0]) for topic in list_topics(store)]


FILTERS = (
    ("category", _category_counts),
    ("tag", tag_counts),
    ("topic", _topic_counts),
)
"""Query field → its values with their numbers of papers."""


def complete(typed: str, names_of: Callable[[str], Sequence[str]]) -> tuple[str, list[str]]:
    """Return the filter with its last word completed as far as all candidates agree, and the
    candidates.

    ``names_of`` returns the library's values for a field, such as its categories.
    """
    found = _LAST_WORD.search(typed)
    if found is None or not found[1]:
        return typed, []
    before, word = typed[: found.start(1)], found[1]
    name, colon, start = word.partition(":")
    if not colon:
        fields = [f"{field.name}:" for field in FIELDS if field.name.startswith(name.lower())]
        return before + (_common(fields) or word), fields
    field = FIELD_OF_NAME.get(name.lower())
    if field is None:
        return typed, []
    wanted = fold(start.lstrip('"'))
    names = [value for value, _ in field.values] or names_of(field.name)
    fit = [one for one in names if fold(one).startswith(wanted)]
    fit = fit or [one for one in names if wanted in fold(one)]
    value = fit[0] if len(fit) == 1 else _common(fit)
    if not fold(value).startswith(wanted) and len(fit) != 1:
        return typed, fit
    if re.search(r'[\s"()]', value):
        value = f'"{value}' + '"' * (len(fit) == 1)
    return f"{before}{name}:{value}" if fit else typed, fit


def _common(texts: Sequence[str]) -> str:
    """Return the common prefix."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in letters)
