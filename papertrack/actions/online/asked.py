"""By which identifier sources can be asked about papers, and what they answered last."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.identifiers import identify
from papertrack.sources import registry
from papertrack.store.store import Store
from papertrack.store.suggestions import Asked, read_answers


def asked_about(store: Store, paper_ids: Sequence[int]) -> list[Asked]:
    """Those of these papers that a source answers for, in the order given, each once."""
    schemes = {scheme for source in registry.SOURCES for scheme in source.schemes}
    known = read_answers(store, paper_ids, schemes)
    chosen = []
    for answers in map(known.get, paper_ids):
        by_identifier = {one.identifier: one for one in answers or ()}
        best = registry.best_identifier(by_identifier)
        if best is not None:
            chosen.append(by_identifier[best])
    return chosen


def waiting_for_an_answer(store: Store, paper_ids: Sequence[int]) -> set[int]:
    """Those of these papers about which a source has still to be asked."""
    return {asked.paper_id for asked in asked_about(store, paper_ids) if asked.source is None}


def is_worth_asking(texts: Sequence[str]) -> bool:
    """Whether one of these texts names a work that a source may know."""
    named = filter(None, (identify(text.strip()) for text in texts))
    return registry.best_identifier(named) is not None
