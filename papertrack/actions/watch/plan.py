"""What a night's watch is to look for, and where: the topics at work and their categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.actions.watch.match import Watcher, make_watcher
from papertrack.errors import NotFoundError, UsageError
from papertrack.store.store import Store
from papertrack.store.watch.topics import Topic, list_topics


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """What to watch, from the settings of the library."""

    default_categories: tuple[str, ...]
    """Where topics look that name no category of arXiv."""
    keep_days: int
    """How long announcements are kept."""
    citekey_template: str = "{auth}{year}{shorttitle}"


def topics_at_work(store: Store) -> list[Topic]:
    """The topics that are not paused."""
    return [topic for topic in list_topics(store) if not topic.is_paused]


def watched_categories(store: Store, default_categories: Sequence[str]) -> list[str]:
    """The categories that the topics at work look in, each once, in their order."""
    topics = topics_at_work(store)
    names = (name for t in topics for name in t.arxiv_categories or default_categories)
    return list(dict.fromkeys(names))


def ready_watchers(store: Store, plan: WatchPlan) -> tuple[list[Watcher], list[str]]:
    """The topics at work, and of those that cannot look, why and what to do.

    Raises NotFoundError when there is no topic, UsageError when none of them can look.
    """
    topics = topics_at_work(store)
    if not topics:
        raise NotFoundError(
            "There is no topic to watch for (or all are paused). "
            "Make one: papertrack topic add NAME --query 'QUERY' --arxiv cs.LG"
        )
    watchers, unready = split_topics(topics, plan.default_categories)
    if not watchers:
        raise UsageError(" ".join(unready))
    return watchers, unready


def split_topics(
    topics: Sequence[Topic], default_categories: Sequence[str]
) -> tuple[list[Watcher], list[str]]:
    """The topics that can look, and of the others why not and what to do."""
    watchers: list[Watcher] = []
    unready: list[str] = []
    for topic in topics:
        try:
            watchers.append(make_watcher(topic, default_categories))
        except UsageError as error:
            unready.append(str(error))
    return watchers, unready
