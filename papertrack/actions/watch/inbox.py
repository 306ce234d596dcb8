"""From matches to the inbox: the papers that come of what the topics matched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from papertrack.identifiers import url_of
from papertrack.records import Link, PaperFacts
from papertrack.store.categories import put_in_category
from papertrack.store.known import read_known
from papertrack.store.lookup import find_by_title, find_papers, get_papers
from papertrack.store.papers import add_identifiers, add_paper, add_papers
from papertrack.store.store import Store
from papertrack.store.watch.announcements import read_announcements
from papertrack.store.watch.topics import Topic, attach_topic, pending_matches
from papertrack.text import title_key

SOURCE = "announcement"
"""The source of what an announcement says about a paper."""
MIN_TITLE = 12
"""Letters that a title needs before having the same one makes two papers one work."""


@dataclass(slots=True)
class Arrivals:
    """What came of matches."""

    new: list[int] = field(default_factory=list)
    """Papers that came into the inbox."""
    outside: list[int] = field(default_factory=list)
    """Papers that came into the inbox by their rank alone."""
    known: list[int] = field(default_factory=list)
    """Papers of the library that a topic found for the first time."""


def fill_inbox(store: Store, topics: Sequence[Topic]) -> Arrivals:
    """Make papers of the matches whose paper is absent; tell known papers who found them.

    Call it inside an action: undoing that takes the papers out, and the next call, as the matches
    stay, brings them back. What was discarded or removed by the reader never comes back.
    """
    by_id = {topic.id: topic for topic in topics}
    pending = [one for one in pending_matches(store) if one.topic_id in by_id]
    facts = read_announcements(store, {one.announcement_id for one in pending})
    arrivals = Arrivals(_add_absent(store, facts))
    for one in pending:
        said = facts[one.announcement_id]
        take_in(store, by_id[one.topic_id], said, arrivals, one.reason, one.score)
    return arrivals


def add_found(store: Store, announcement_ids: Sequence[int]) -> list[int]:
    """Make papers of announcements that no topic matched, of those that the library may not have
    in any form. Call it inside an action."""
    facts = read_announcements(store, announcement_ids)
    return _add_absent(store, {number: facts[number] for number in announcement_ids})


def take_in(
    store: Store, topic: Topic, facts: PaperFacts, arrivals: Arrivals, reason: str, score: float
) -> None:
    """Put a paper that a topic found into the inbox, or note that it found one that is there."""
    paper_id = _find_known(store, facts)
    if paper_id is None:
        paper_id = add_paper(store, _facts_with_address(facts), source=SOURCE, decision="inbox")
        arrivals.new.append(paper_id)
    is_news = attach_topic(store, paper_id, topic.id, reason=reason, score=score)
    if paper_id in arrivals.new:
        if topic.category:
            put_in_category(store, paper_id, topic.category)
    elif is_news and paper_id not in arrivals.known:
        arrivals.known.append(paper_id)


def _add_absent(store: Store, facts: Mapping[int, PaperFacts]) -> list[int]:
    """Add at once the papers that nothing in the library may be.

    They are those that share neither identifier nor title with a paper or one another.
    """
    titles = {number: title_key(one.title or "") for number, one in facts.items()}
    counts = Counter(identifier for one in facts.values() for identifier in one.identifiers)
    known = read_known(store, counts, titles.values())
    known_titles = {title_key(paper.facts.title or "") for paper in known}
    taken = {identifier for identifier, count in counts.items() if count > 1}
    taken.update(*(paper.facts.identifiers for paper in known))
    absent = [
        _facts_with_address(one)
        for number, one in facts.items()
        if taken.isdisjoint(one.identifiers) and titles[number] not in known_titles
    ]
    return add_papers(store, absent, source=SOURCE, decision="inbox")


def _find_known(store: Store, facts: PaperFacts) -> int | None:
    """The library's paper: by arXiv id, or one without an arXiv id by DOI or title, which gets it.

    An id or a DOI of two papers is theirs: the first one counts, and nothing is changed.
    """
    owners = find_papers(store, facts.identifiers)
    arxiv = facts.identifiers[0]
    if arxiv in owners:
        return owners[arxiv]
    known = next(iter(owners.values()), None)
    if known is None:
        known = _find_without_id(store, facts.title or "")
    if known is not None:
        add_identifiers(store, known, [arxiv])
    return known


def _find_without_id(store: Store, title: str) -> int | None:
    """The one paper of this title that has no arXiv id."""
    if len(title_key(title)) < MIN_TITLE:
        return None
    same = get_papers(store, find_by_title(store, title))
    lacking = [paper.id for paper in same if paper.facts.identifier("arxiv") is None]
    return lacking[0] if len(lacking) == 1 else None


def _facts_with_address(facts: PaperFacts) -> PaperFacts:
    # The feed's own links were seen to point to the feed's host: the id is what counts.
    return facts._replace(links=(Link("paper", url_of(facts.identifiers[0])),))
