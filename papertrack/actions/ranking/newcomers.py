"""What comes into the inbox between two nights has its place in it at once."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.store.store import Store
from papertrack.store.watch.ranks import papers_without_rank


def rank_newcomers(store: Store, paper_ids: Sequence[int]) -> None:
    """Rank those of these papers that are in the inbox and have no rank: put there by hand, or
    brought back by undo, since a rank is found out and not recorded. Call it in a transaction."""
    lacking = papers_without_rank(store, paper_ids)
    if lacking:
        # Most commands need not load what ranks.
        from papertrack.actions.ranking import learning

        learning.rank_newcomers(store, lacking)
