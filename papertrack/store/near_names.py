"""What a query that found nothing may have meant: names that it asks for and nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from papertrack.queries.nodes import And, Or, Phrase, Query, Term, Text
from papertrack.store import categories
from papertrack.store.store import Store
from papertrack.text import fold

FIELDS = ("category", "tag", "topic")
"""Those that ask for names of the reader's own."""
SHOWN = 3


def unknown_names(store: Store, query: Query) -> list[str]:
    """Sentences about categories, tags and topics that a query asks for and that do not exist."""
    sentences = []
    for field, name in dict.fromkeys(_asked(query)):
        known = _names(store, field)
        if any(fold(name) == fold(each) for each in known):
            continue
        near = [each for each in known if fold(name) in fold(each)]
        near = near or difflib.get_close_matches(name[:80], known, n=SHOWN, cutoff=0.5)
        meant = f" There is {_listed(near)}." if near else ""
        sentences.append(f"No {field} is named {name!r}.{meant}")
    return sentences


def _asked(query: Query) -> Iterator[tuple[str, str]]:
    match query:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _asked(part)
        case Term(field, Text(name) | Phrase(name)) if field in FIELDS:
            yield field, name


def _names(store: Store, field: str) -> list[str]:
    if field == "category":
        # LLM/Serving is also found as Serving.
        paths = categories.paths(store).values()
        ends = {path[start:] for path in paths for start in range(len(path))}
        return sorted(map(categories.format_path, ends))
    sql = {"tag": "SELECT DISTINCT tag FROM tags", "topic": "SELECT name FROM topics"}[field]
    return sorted(name for (name,) in store.execute(sql))


def _listed(names: Sequence[str]) -> str:
    quoted = [repr(name) for name in names[:SHOWN]]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))
