"""How well the ranking would have done on the reader's own last weeks, beside the topics alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from papertrack.actions.ranking.learning import learn_model
from papertrack.actions.watch.calendar import EASTERN
from papertrack.ranking.words import terms_of
from papertrack.store.store import Store
from papertrack.store.watch.labels import Seen, kept_arxiv_ids, read_announced

WEEKS = 2
"""Tried on; the announcements of the weeks before, as far as they are kept, are learnt from."""
FIRST = 10
"""Papers of a day that a reader gets to."""
ENOUGH = 10
"""Kept papers below which a difference says nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the first papers of each day would have held."""

    since: date
    decisions: int
    """From before, which it was learnt from."""
    announced: int
    kept: int
    """Of those announced, by the reader."""
    first_by_rank: int
    """Kept papers among the first of their day, by the ranking…"""
    first_by_topics: int
    """…and by what topics alone say."""

    @property
    def is_telling(self) -> bool:
        """Whether there is enough to tell by."""
        return self.kept >= ENOUGH and self.decisions >= ENOUGH


def judge(store: Store, today: date) -> Judgement:
    """Learn from what was decided before the last weeks, and rank what they announced."""
    since = today - timedelta(weeks=WEEKS)
    start = datetime.combine(since, time(), EASTERN).isoformat()
    model = learn_model(store, since, before=start)
    kept = kept_arxiv_ids(store)
    days: dict[str | None, list[Seen]] = defaultdict(list)
    for one in read_announced(store, since=since.isoformat()):
        days[one.announced_on].append(one)
    found = {"rank": 0, "topics": 0}
    for announced in days.values():
        scores = {
            one.id: model.score(terms_of(one.title, one.abstract, one.authors), one.topic_score)
            for one in announced
        }
        by_rank = sorted(announced, key=lambda one: (-scores[one.id], one.id))
        by_topics = sorted(announced, key=lambda one: (-one.topic_score, one.id))
        for name, order in (("rank", by_rank), ("topics", by_topics)):
            found[name] += sum(one.arxiv_id in kept for one in order[:FIRST])
    every = [one for announced in days.values() for one in announced]
    return Judgement(
        since,
        model.decisions,
        len(every),
        sum(one.arxiv_id in kept for one in every),
        found["rank"],
        found["topics"],
    )
