"""Ranks as JSON, as they are kept: loaded without what ranks, which commands that read need not."""

from __future__ import annotations

from papertrack.exporters.ranks import rank_to_json, reasons_to_json
from papertrack.store.store import Store
from papertrack.store.watch.ranks import find_rank, read_ranks, topics_of_ranked


def rank_as_json(store: Store, paper_id: int) -> dict[str, object] | None:
    """The rank of a paper, as ``show --json`` prints it; None where it has none."""
    one = find_rank(store, paper_id)
    if one is None:
        return None
    from papertrack.store.watch.topics import topic_reasons  # A whole list asks for none.

    topics = topic_reasons(store, paper_id)
    return rank_to_json(one.score, reasons_to_json(one.words, one.authors, topics))


def ranks_as_json(store: Store) -> dict[int, dict[str, object]]:
    """By paper that has one: its rank, as ``list --json`` prints it."""
    topics = topics_of_ranked(store)
    return {
        one.paper_id: rank_to_json(
            one.score, reasons_to_json(one.words, one.authors, topics.get(one.paper_id, ()))
        )
        for one in read_ranks(store).values()
    }
