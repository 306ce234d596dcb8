"""The groups of a list that is sorted by topic or by rank: where each begins, and its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from papertrack.store.store import Store
from papertrack.store.watch.ranks import Standing, read_standings
from papertrack.text import clean, plural

_MOST = 5_000
"""Papers; a longer list has no groups: nobody reads it from one to the next."""
Label = Callable[[Standing | None], str]


def _by_topic(standing: Standing | None) -> str:
    return clean(standing.topic) if standing and standing.topic else "Outside your topics"


def _by_rank(standing: Standing | None) -> str:
    if standing is None or standing.score is None:
        return "Not ranked"
    return "More like what you keep" if standing.score > 0 else "Less like what you keep"


LABELS: Mapping[str, Label] = {"topic": _by_topic, "rank": _by_rank}
"""How the groups of an order are called."""


def find_heads(store: Store, ids: Sequence[int], order: str) -> list[tuple[int, str]]:
    """The place at which each group begins, and its name with how many are in it.

    None where the order has no groups, and where all papers are in one that says nothing.
    """
    label = LABELS.get(order)
    if label is None or not 0 < len(ids) <= _MOST:
        return []
    standings = read_standings(store, ids)
    labels = [label(standings.get(paper_id)) for paper_id in ids]
    counts = Counter(labels)
    if len(counts) == 1:
        return []
    return [
        (at, f"{name} · {plural(counts[name], 'paper')}")
        for at, name in enumerate(labels)
        if at == 0 or labels[at - 1] != name
    ]
