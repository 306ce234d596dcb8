"""Complete the last word of a filter: field names, and values from the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from papertrack.category_paths import format_path
from papertrack.queries.fields import FIELD_OF_NAME, FIELDS
from papertrack.store.categories import ordered_paths
from papertrack.store.states import tag_counts
from papertrack.store.store import Store
from papertrack.store.watch.topics import found_counts, list_topics
from papertrack.text import fold

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
