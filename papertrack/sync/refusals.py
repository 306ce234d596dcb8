"""What is told of changes that a document has no place for: of which papers, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from papertrack.store.lookup import citekey_of
from papertrack.store.store import Store
from papertrack.sync.changes import Add, Change, Remove
from papertrack.sync.format import Written
from papertrack.sync.items import Item
from papertrack.text import few

_NAMED = 5
"""As many papers are named of which the same is told."""
About = tuple[str, str]
"""What a sentence is about, and the sentence."""


def name_of_change(change: Change, items: Sequence[Item]) -> str:
    """Return what a change is about: the paper's key, and the line if it has one."""
    if isinstance(change, Remove):
        return items[change.number].name
    key = change.paper.citekey
    return key if isinstance(change, Add) else f"{key} (line {items[change.number].line})"


def about_new_rows(store: Store, rows: Iterable[tuple[int, object, str]]) -> Iterable[About]:
    """Return what is told of papers that get no row: number, category and reason of each."""
    return [(citekey_of(store, paper_id), reason) for paper_id, _, reason in rows]


def about_added(written: Written) -> Iterable[About]:
    """Return what is told of what new rows do not say."""
    keys = {item.number: add.paper.citekey for add, item in written.added}
    return [(keys[number], reason) for number, _, reason in written.refused_of_added]


def sentences(told: Iterable[About]) -> list[str]:
    """Return each reason once, with the papers that it is told of."""
    names: dict[str, list[str]] = {}
    for name, reason in told:
        if name not in names.setdefault(reason, []):
            names[reason].append(name)
    return [f"{few(several, _NAMED)}: {reason}" for reason, several in names.items()]
