"""Groups in a list that is sorted by topic or rank: where each begins, and its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from papertrack.store.store import Store
from papertrack.store.watch.ranks import Standing, read_standings
from papertrack.text import clean, plural

_MOST = 5_000
"""Longer lists have no groups: nobody reads them group by group."""
Label = Callable[[Standing | None], str]


def _by_topic(standing: Standing | None) -> str:
    return clean(standing.topic) if standing and standing.topic else "Outside your topics"


def _by_rank(standing: Standing | None) -> str:
    if standing is None or standing.score is None:
        return "Not ranked"
    return "More like what you keep" if standing.score > 0 else "Less like what you keep"


LABELS: Mapping[str, Label] = {"topic": _by_topic, "rank": _by_rank}
"""The function that names the groups of an order."""


def find_heads(store: Store, ids: Sequence[int], order: str) -> list[tuple[int, str]]:
    """Return where each group begins, and its name with the number of papers.

    None if the order has no groups, or if all papers are in one unnamed group.
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
