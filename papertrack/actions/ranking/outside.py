"""What comes into the inbox although no topic matched it: the best by rank, if they are good."""

from __future__ import annotations

from papertrack.actions.ranking.learning import rank
from papertrack.ranking.model import Model
from papertrack.store.store import Store
from papertrack.store.watch.labels import read_unmatched

ENOUGH = 50
"""Decisions from which on anything from outside of the topics is shown unasked."""
BY_DEFAULT = 3


def best_outside(store: Store, model: Model, *, seen_since: str, wanted: int | None) -> list[int]:
    """The announcements of this run (seen since a time, ISO 8601) that no topic matched and that
    are more like what the reader keeps than like the rest: the best ``wanted``, best first."""
    if wanted is None:
        wanted = BY_DEFAULT if model.decisions >= ENOUGH else 0
    if not wanted or not model.decisions or not model.is_sided:
        return []
    ranks = rank(model, read_unmatched(store, seen_since))
    # On a quiet day the best few are noise: only what is above the line comes.
    return [one.paper_id for one in ranks[:wanted] if one.score > 0]
