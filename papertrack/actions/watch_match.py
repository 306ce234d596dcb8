"""From announcements to the inbox: what the topics match, and the papers that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from papertrack.actions.watch_ranking import Candidate, Ranking, plain_score, rarity_of
from papertrack.identifiers import url_of
from papertrack.queries import parse_query
from papertrack.queries.matcher import AnnouncedText, TopicMatcher, announced_text, make_matcher
from papertrack.records import Announcement, Link, PaperFacts
from papertrack.store.announcements import (
    StoredAnnouncement,
    last_id,
    last_id_before_day,
    last_id_before_time,
    read_after,
    read_announcements,
)
from papertrack.store.categories import put_in_category
from papertrack.store.lookup import find_by_title, find_papers, get_papers
from papertrack.store.papers import add_identifiers, add_paper
from papertrack.store.stats import primary_category_shares
from papertrack.store.store import Store
from papertrack.store.topics import (
    Mark,
    Pending,
    Topic,
    add_match,
    attach_topic,
    get_marks,
    list_topics,
    matched_ids,
    pending_matches,
    remove_match,
    set_mark,
)
from papertrack.text import title_key

SOURCE = "announcement"
"""The source of what an announcement says about a paper."""
MIN_TITLE = 12
"""Letters that a title needs before having the same one makes two papers one work."""
RARITY_SAMPLE = 500
"""The last announcements of a look, among which the rarity of terms is measured."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """A topic that is at work."""

    topic: Topic
    matcher: TopicMatcher
    arxiv_categories: frozenset[str]
    """In lower case."""

    def takes(self, text: AnnouncedText) -> bool:
        """Whether the topic wants this announcement."""
        categories = text.arxiv_categories
        looked_in = categories if self.topic.has_cross_lists else categories[:1]
        return not self.arxiv_categories.isdisjoint(looked_in) and self.matcher.matches(text)

    def is_home(self, text: AnnouncedText) -> bool:
        return not self.arxiv_categories.isdisjoint(text.arxiv_categories[:1])


@dataclass(slots=True)
class Matched:
    """What the topics made of the announcements."""

    announcements: set[int] = field(default_factory=set)
    """Those that were matched for the first time."""
    new_papers: list[int] = field(default_factory=list)
    known_papers: list[int] = field(default_factory=list)
    """Papers of the library that a topic found for the first time."""


def make_watcher(topic: Topic, default_categories: Sequence[str]) -> Watcher:
    """The topic, ready to look. Raises UsageError when its query asks for what is not there."""
    names = topic.arxiv_categories or tuple(default_categories)
    matcher = make_matcher(parse_query(topic.query))
    return Watcher(topic, matcher, frozenset(name.lower() for name in names))


def text_of(announcement: Announcement) -> AnnouncedText:
    """What the topics see of an announcement."""
    facts = announcement.facts
    return announced_text(
        title=facts.title or "",
        abstract=facts.abstract or "",
        authors=[author.name for author in facts.authors],
        comment=facts.comment or "",
        arxiv_categories=facts.arxiv_categories,
    )


def match_topics(
    store: Store,
    default_categories: Sequence[str],
    *,
    since: date | None = None,
    ranking: Ranking = plain_score,
    citekey_template: str = "{auth}{year}{shorttitle}",
) -> Matched:
    """Let the topics look at what they have not seen, or at all since a day; fill the inbox.

    Call it inside an action: what it puts into the inbox is undone with it, while what it noted
    about announcements stays, so that an undone paper comes back with the next call.
    """
    topics = [topic for topic in list_topics(store) if not topic.is_paused]
    watchers = [make_watcher(topic, default_categories) for topic in topics]
    marks = get_marks(store)
    for watcher in watchers:
        mark = marks.get(watcher.topic.id)
        if mark is not None and mark.query != watcher.topic.query:
            _match_again(store, watcher)
    starts = _starts(store, topics, marks, since)
    found = _look_through(store, watchers, starts, ranking)
    newest = last_id(store)
    for topic in topics:
        set_mark(store, topic.id, Mark(topic.query, newest))
    matched = Matched(announcements=found)
    _fill_inbox(store, {topic.id: topic for topic in topics}, matched, citekey_template)
    return matched


def _starts(
    store: Store, topics: Iterable[Topic], marks: dict[int, Mark], since: date | None
) -> dict[int, int]:
    """By topic: the announcement after which it looks."""
    starts = {}
    for topic in topics:
        mark = marks.get(topic.id)
        # A new topic looks at what was seen since it was made.
        start = mark.announcement_id if mark else last_id_before_time(store, topic.added)
        starts[topic.id] = start if since is None else min(start, last_id_before_day(store, since))
    return starts


def _match_again(store: Store, watcher: Watcher) -> None:
    """Forget the matches that the topic's query, since it was edited, no longer gives."""
    for stored in read_announcements(store, matched_ids(store, watcher.topic.id)):
        if not watcher.takes(text_of(stored.announcement)):
            remove_match(store, watcher.topic.id, stored.id)


def _look_through(
    store: Store, watchers: Sequence[Watcher], starts: dict[int, int], ranking: Ranking
) -> set[int]:
    """Match every announcement after the starts; return those that a topic wants."""
    found: list[tuple[Watcher, StoredAnnouncement, AnnouncedText]] = []
    sample: list[AnnouncedText] = []
    first = min(starts.values(), default=last_id(store))
    for stored in read_after(store, first):
        text = text_of(stored.announcement)
        sample.append(text)
        del sample[:-RARITY_SAMPLE]
        found += [
            (watcher, stored, text)
            for watcher in watchers
            if starts[watcher.topic.id] < stored.id and watcher.takes(text)
        ]
    shares = primary_category_shares(store)
    rarities: dict[int, dict[str, float]] = {}
    for watcher, stored, text in found:
        topic_id = watcher.topic.id
        if topic_id not in rarities:
            counts = watcher.matcher.count_terms(sample)
            rarities[topic_id] = {
                term: rarity_of(count, len(sample)) for term, count in counts.items()
            }
        candidate = Candidate(
            hits=watcher.matcher.hits(text),
            rarity=rarities[topic_id],
            is_home=watcher.is_home(text),
            read_share=shares.get(stored.announcement.facts.primary_category or "", 0.0),
        )
        score = ranking(candidate)
        add_match(store, topic_id, stored.id, reason=score.reason, score=score.value)
    return {stored.id for _, stored, _ in found}


def _fill_inbox(
    store: Store, topics: dict[int, Topic], matched: Matched, citekey_template: str
) -> None:
    """Make papers of the matches whose paper is absent; tell known papers who found them."""
    pending = pending_matches(store)
    announcements = {
        stored.id: stored
        for stored in read_announcements(store, {one.announcement_id for one in pending})
    }
    made: dict[str, int] = {}
    for one in pending:
        stored = announcements[one.announcement_id]
        paper_id = one.paper_id or made.get(stored.announcement.arxiv_id)
        if paper_id is None:
            paper_id, is_new = _take_in(store, stored, citekey_template)
            made[stored.announcement.arxiv_id] = paper_id
            (matched.new_papers if is_new else matched.known_papers).append(paper_id)
        elif one.paper_id is not None and paper_id not in matched.known_papers:
            matched.known_papers.append(paper_id)
        _attach(store, topics[one.topic_id], paper_id, one, is_new=one.paper_id is None)


def _attach(store: Store, topic: Topic, paper_id: int, one: Pending, *, is_new: bool) -> None:
    attach_topic(store, paper_id, topic.id, reason=one.reason, score=one.score)
    if is_new and topic.category:
        put_in_category(store, paper_id, topic.category)


def _take_in(store: Store, stored: StoredAnnouncement, citekey_template: str) -> tuple[int, bool]:
    """The paper of an announcement, and whether it had to be made.

    One that the library has without its arXiv id, by its DOI or title, is that work and gets it.
    """
    facts = stored.announcement.facts
    known = _known_otherwise(store, facts)
    if known is not None:
        add_identifiers(store, known, facts.identifiers[:1])
        return known, False
    paper_id = add_paper(
        store,
        inbox_facts(facts),
        source=SOURCE,
        decision="inbox",
        citekey_template=citekey_template,
    )
    return paper_id, True


def _known_otherwise(store: Store, facts: PaperFacts) -> int | None:
    owners = set(find_papers(store, facts.identifiers).values())
    if owners:
        return min(owners)
    title = facts.title or ""
    if len(title_key(title)) < MIN_TITLE:
        return None
    same = [
        paper.id
        for paper in get_papers(store, find_by_title(store, title))
        if paper.facts.identifier("arxiv") is None
    ]
    return same[0] if len(same) == 1 else None


def inbox_facts(facts: PaperFacts) -> PaperFacts:
    """What a new paper on arXiv knows from its announcement, with the address made from its id."""
    return replace(facts, links=(Link("paper", url_of(facts.identifiers[0])),))
