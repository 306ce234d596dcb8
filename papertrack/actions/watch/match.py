"""Match announcements with topics, and make papers of the matches."""

from __future__ import annotations

import math
import shlex
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache

from papertrack.actions.watch.calendar import eastern_day
from papertrack.errors import NotFoundError, UsageError
from papertrack.identifiers import url_of
from papertrack.identifiers.feeds import host_of_feed
from papertrack.library.trust import accepted_hosts
from papertrack.matching.judge import Answer, Description, judge
from papertrack.queries.matcher import (
    AnnouncedText,
    Hit,
    Test,
    TopicMatcher,
    announced_text,
    describe_hits,
    make_matcher,
)
from papertrack.queries.parser import parse_query
from papertrack.ranking.words import terms_of
from papertrack.records import Identifier, Link, Paper, PaperFacts
from papertrack.store.categories import put_in_category
from papertrack.store.known import described, read_known
from papertrack.store.lookup import find_by_title, find_papers, get_paper, get_papers
from papertrack.store.papers import add_identifiers, add_paper, add_papers
from papertrack.store.states import primary_category_shares
from papertrack.store.store import Store
from papertrack.store.watch.announcements import (
    FirstText,
    last_id,
    last_id_before_day,
    read_announcements,
    read_texts_after,
)
from papertrack.store.watch.feeds import get_state
from papertrack.store.watch.ranks import read_papers
from papertrack.store.watch.topics import (
    EVERYTHING,
    Mark,
    Topic,
    add_match,
    attach_topic,
    get_marks,
    list_topics,
    matched_ids,
    pending_matches,
    remove_match,
    set_mark,
    topic_reasons,
)
from papertrack.text import group, title_key

TITLE_WEIGHT = 2.0
"""A term in the title counts as two in the abstract: titles name what a paper is about."""
WEIGHTS = {"title": TITLE_WEIGHT, "abstract": 1.0, "comment": 0.5, "author": 0.0}
FOLLOWED_AUTHOR = 8.0
"""The points for a followed author: more than for a rare term in title and abstract."""
HOME_CATEGORY = 1.0
"""The points if the primary category is one of the topic's, and not only a cross-listed one."""
READ_CATEGORY = 1.0
"""The points, times the share of the user's saved papers with this primary category."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well a paper fits a topic, and why."""

    value: float
    reason: str
    """``speculative decoding (title, abstract); Tri Dao (author)``."""


def plain_score(
    hits: tuple[Hit, ...], rarity: dict[str, float], *, is_home: bool, read_share: float
) -> Score:
    """Score rare terms over common ones, titles over abstracts, and authors that the topic
    follows first.

    ``rarity`` is by term of a hit (see ``rarity_of``), ``is_home`` whether the primary category
    is one of the topic's, ``read_share`` the share of the user's saved papers with the same
    one.
    """
    value = HOME_CATEGORY * is_home + READ_CATEGORY * read_share
    for hit in hits:
        value += rarity[hit.term] * sum(WEIGHTS.get(field, 0.0) for field in hit.fields)
        value += FOLLOWED_AUTHOR * ("author" in hit.fields)
    return Score(round(value, 3), describe_hits(hits))


def rarity_of(count: int, total: int) -> float:
    """Return how distinctive a term is that ``count`` of ``total`` texts contain: BM25's idf,
    never negative.

    Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009), with
    the 1 added inside the logarithm as Lucene does.
    """
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


KEPT = 300
"""How many of the papers read last keep their words: no topic is narrowed by these."""
RARITY_SAMPLE = 200
"""How many of the latest announcements decide how rare a term is; more would change little."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """An active topic."""

    topic: Topic
    matcher: TopicMatcher
    arxiv_categories: frozenset[str]
    """In lower case; none if it looks in feeds only."""
    feeds: frozenset[str] = frozenset()
    """In lower case."""

    def takes(self, text: AnnouncedText, carried_by: Collection[str] | None = None) -> bool:
        """Return whether the topic wants this announcement (see ``looks_in``)."""
        looked_in = text.arxiv_categories
        return self.looks_in(looked_in, carried_by) and self.matcher.matches(text)

    def looks_in(
        self, categories: tuple[str, ...], carried_by: Collection[str] | None = None
    ) -> bool:
        """Return whether the topic covers papers in these categories, primary one first.

        ``carried_by`` are the categories whose lists announce it, by default all: an old paper
        that is new in another list is not news to a topic that covers other categories.
        """
        if carried_by is not None and not self.feeds.isdisjoint(carried_by):
            return True
        looked_in = set(categories if self.topic.has_cross_lists else categories[:1])
        if carried_by is not None:
            looked_in.intersection_update(carried_by)
        return not self.arxiv_categories.isdisjoint(looked_in)


def make_watcher(topic: Topic, default_categories: Sequence[str]) -> Watcher:
    """Return the topic, prepared for matching.

    Raises UsageError when its query uses fields that announcements lack, or when it has no
    categories.
    """
    names = arxiv_categories_of(topic, default_categories)
    if not names and not topic.feeds:
        remedy = f"papertrack topic edit {shlex.quote(topic.name)} " if topic.name else ""
        raise UsageError(
            f"{f'The topic {topic.name}' if topic.name else 'A topic'} names no categories of "
            "arXiv, and neither does the setting watch.arxiv_categories. "
            f"Name some: {remedy}--arxiv cs.LG,cs.CL"
        )
    matcher = make_matcher(parse_query(topic.query), may_be_empty=not names)
    lower = (frozenset(name.lower() for name in some) for some in (names, topic.feeds))
    return Watcher(topic, matcher, *lower)


def arxiv_categories_of(topic: Topic, default_categories: Sequence[str]) -> tuple[str, ...]:
    """Return the arXiv categories of a topic: none if it names feeds and no category."""
    return topic.arxiv_categories or (() if topic.feeds else tuple(default_categories))


def text_of(facts: PaperFacts) -> AnnouncedText:
    """Return the texts of a paper that topics search."""
    authors = [author.name for author in facts.authors]
    title, abstract, comment = (t or "" for t in (facts.title, facts.abstract, facts.comment))
    return announced_text(title, abstract, authors, comment, facts.arxiv_categories)


def text_of_first(first: FirstText) -> AnnouncedText:
    """Return the texts of a stored announcement that topics search."""
    return announced_text(
        first.title, first.abstract, first.authors, first.comment, first.arxiv_categories
    )


def match_topics(store: Store, watchers: Sequence[Watcher], *, since: date | None) -> set[int]:
    """Match the topics with announcements that they have not seen, or with all since a day.

    Stores the matches with reason and score, and how far each topic has got. Returns the matched
    announcements. Call it in a transaction.
    """
    marks = get_marks(store)
    earliest = last_id(store) if since is None else last_id_before_day(store, since)
    starts = {}
    for watcher in watchers:
        topic, mark = watcher.topic, marks.get(watcher.topic.id)
        if mark is None:  # Another device has added it: it looks at what came since then.
            added = eastern_day(datetime.fromisoformat(topic.added))
            mark = Mark(topic.query, last_id_before_day(store, added))
        starts[topic.id] = min(mark.announcement_id, earliest)
        if mark.query != topic.query:  # What it no longer gives is no match any more.
            matched = read_announcements(store, matched_ids(store, topic.id))
            for announcement_id, facts in matched.items():
                if not watcher.takes(text_of(facts)):
                    remove_match(store, topic.id, announcement_id)
    found = _look_through(store, watchers, starts)
    newest = last_id(store)
    for watcher in watchers:
        set_mark(store, watcher.topic.id, Mark(watcher.topic.query, newest))
    return found


def _look_through(store: Store, watchers: Sequence[Watcher], starts: dict[int, int]) -> set[int]:
    """Match every announcement after the starts; return those that a topic wants."""
    matches_found: list[tuple[Watcher, int, AnnouncedText]] = []
    sample: deque[AnnouncedText] = deque(maxlen=RARITY_SAMPLE)
    ready = [(starts[first.topic.id], first.matcher.matches, first) for first in watchers]

    @cache
    def looking_in(
        categories: tuple[str, ...], carried_by: frozenset[str]
    ) -> list[tuple[int, Test, Watcher]]:
        return [entry for entry in ready if entry[2].looks_in(categories, carried_by)]

    for first in read_texts_after(store, min(starts.values(), default=0)):
        text = text_of_first(first)
        sample.append(text)
        for start, matches, watcher in looking_in(text.arxiv_categories, first.carried_by):
            if first.id > start and matches(text):
                matches_found.append((watcher, first.id, text))
    scorer = Scorer(store, sample)
    for watcher, announcement_id, text in matches_found:
        score = scorer.score(watcher, text)
        add_match(store, watcher.topic.id, announcement_id, reason=score.reason, score=score.value)
    return {announcement_id for _, announcement_id, _ in matches_found}


class Scorer:
    """Scores matches with rarities and shares that it computes once."""

    def __init__(self, store: Store, sample: Collection[AnnouncedText]) -> None:
        self._sample = sample
        self._shares = {
            name.lower(): share for name, share in primary_category_shares(store).items()
        }
        self._rarities: dict[tuple[int, str], float] = {}
        """By topic and term, only for terms that were found."""

    def score(self, watcher: Watcher, text: AnnouncedText) -> Score:
        """Return how well a matching paper fits the topic."""
        if not watcher.topic.query:
            return Score(0.0, EVERYTHING)
        hits = watcher.matcher.hits(text)
        return plain_score(
            hits,
            {hit.term: self._rarity(watcher, hit.term) for hit in hits},
            is_home=not watcher.arxiv_categories.isdisjoint(text.arxiv_categories[:1]),
            read_share=sum(self._shares.get(name, 0.0) for name in text.arxiv_categories[:1]),
        )

    def _rarity(self, watcher: Watcher, term: str) -> float:
        name = watcher.topic.id, term
        if name not in self._rarities:
            count = watcher.matcher.count_term(term, self._sample)
            self._rarities[name] = rarity_of(count, len(self._sample))
        return self._rarities[name]


def matching_topics(
    store: Store, texts: Sequence[AnnouncedText], default_categories: Sequence[str]
) -> Iterator[list[tuple[str, Score]]]:
    """Return for each text the names of the topics that match it, with scores, best first."""
    watchers, _ = split_topics(topics_at_work(store), default_categories)
    scorer = Scorer(store, texts[-RARITY_SAMPLE:])
    for text in texts:
        # A text without categories may be in any list.
        scores = [
            (watcher.topic.name, scorer.score(watcher, text))
            for watcher in watchers
            if watcher.arxiv_categories
            and (watcher.takes(text) if text.arxiv_categories else watcher.matcher.matches(text))
        ]
        yield sorted(scores, key=lambda pair: (-pair[1].value, pair[0]))


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """The settings of the watch."""

    default_categories: tuple[str, ...]
    """The categories of topics that name none."""
    keep_days: int
    """How long announcements are kept."""
    outside: int | None = None
    """The most papers outside the topics; None leaves the number to the ranking."""


def topics_at_work(store: Store) -> list[Topic]:
    """Return the topics that are not paused."""
    return [topic for topic in list_topics(store) if not topic.is_paused]


def watched_categories(store: Store, default_categories: Sequence[str]) -> list[str]:
    """Return the categories of the active topics in order, each once, then their accepted feeds."""
    topics = topics_at_work(store)
    names = [name for topic in topics for name in arxiv_categories_of(topic, default_categories)]
    feeds = [feed for topic in topics for feed in topic.feeds]
    hosts = accepted_hosts() if feeds else frozenset()
    return list(dict.fromkeys([*names, *(one for one in feeds if host_of_feed(one) in hosts)]))


def feeds_of_topics(store: Store) -> dict[str, list[str]]:
    """Return the names of the active topics that look in each feed."""
    names = group((feed, topic.name) for topic in topics_at_work(store) for feed in topic.feeds)
    return names


def waiting_feeds(store: Store) -> dict[str, str]:
    """Return each feed that waits until its host is accepted on this machine, and one of its
    topics."""
    feeds = feeds_of_topics(store)
    hosts = accepted_hosts() if feeds else frozenset()
    return {feed: names[0] for feed, names in feeds.items() if host_of_feed(feed) not in hosts}


def hosts_of_feeds(store: Store) -> tuple[str, ...]:
    """Return the accepted hosts of the active topics' feeds."""
    return tuple(sorted(hosts_asked_for(store, feeds_of_topics(store)) & accepted_hosts()))


def hosts_asked_for(store: Store, feeds: Iterable[str]) -> set[str]:
    """Return the hosts of these feeds, and those to which they have moved or redirect."""
    states = [get_state(store, feed) for feed in feeds]
    places = (
        place for state in states for place in (state.name, state.moved_to, state.redirect) if place
    )
    return set(map(host_of_feed, places))


def waiting_warnings(store: Store) -> list[str]:
    """Return a message for each feed that waits."""
    return [
        f"{feed} is not fetched: you have not accepted its host on this machine. "
        f"Accept it: `papertrack topic edit {shlex.quote(name)} --accept`."
        for feed, name in waiting_feeds(store).items()
    ]


def ready_watchers(store: Store, plan: WatchPlan) -> tuple[list[Watcher], list[str]]:
    """Return the active topics that can be matched, and for the others, why not and what to do.

    Raises NotFoundError when there is no topic, UsageError when none can be matched.
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
    """Return the topics that can be matched, and for the others, why not and what to do."""
    watchers: list[Watcher] = []
    unready: list[str] = []
    for topic in topics:
        try:
            watchers.append(make_watcher(topic, default_categories))
        except UsageError as error:
            unready.append(str(error))
    return watchers, unready


def narrower_topics(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """Return the topics that found a paper, with queries that exclude a word of its title. No title
    of the papers read last has this word; if there is no such word, returns nothing."""
    known_terms = {term for one in read_papers(store, KEPT) for term in terms_of(one.title, "")}
    title = terms_of(get_paper(store, paper_id).facts.title or "", "")
    # Pairs tell more than words.
    own = sorted((one for one in title if one not in known_terms), key=lambda one: -one.count(" "))
    names = {name for name, _ in topic_reasons(store, paper_id)}
    return [
        (topic.name, f'({topic.query}) AND NOT "{word}"' if topic.query else f'NOT "{word}"')
        for topic in list_topics(store)
        if topic.name in names
        for word in own[:1]
    ]


SOURCE = "announcement"
"""The source of an announcement's facts."""
PREPRINT_DOIS = ("10.1101/", "10.64898/", "10.21203/", "10.26434/", "10.2139/", "10.48550/")
"""The DOI prefixes of bioRxiv and medRxiv (old and new), Research Square, ChemRxiv, SSRN, arXiv."""
MIN_TITLE = 12
"""The letters a title needs, so that two papers with this title count as one work."""


@dataclass(slots=True)
class Arrivals:
    """The result of filing matches."""

    new: list[int] = field(default_factory=list)
    """Papers that were added to the inbox."""
    outside: list[int] = field(default_factory=list)
    """Papers that were added to the inbox by rank alone."""
    known: list[int] = field(default_factory=list)
    """Papers of the library that a topic found for the first time."""


def fill_inbox(store: Store, topics: Sequence[Topic]) -> Arrivals:
    """Add papers for matches that the library lacks; for known papers, record the topic.

    Call it inside an action: undo removes the papers, and the next call adds them again, since
    the matches stay. Papers that the user discarded or removed never come back.
    """
    by_id = {topic.id: topic for topic in topics}
    pending = [match for match in pending_matches(store) if match.topic_id in by_id]
    facts = read_announcements(store, {match.announcement_id for match in pending})
    arrivals = Arrivals(_add_absent(store, facts))
    for match in pending:
        announcement = facts[match.announcement_id]
        take_in(store, by_id[match.topic_id], announcement, arrivals, match.reason, match.score)
    return arrivals


def add_found(store: Store, announcement_ids: Sequence[int]) -> list[int]:
    """Add papers for announcements that no topic matched, if the library has them in no form.
    Call it inside an action."""
    facts = read_announcements(store, announcement_ids)
    return _add_absent(store, {number: facts[number] for number in announcement_ids})


def take_in(
    store: Store, topic: Topic, facts: PaperFacts, arrivals: Arrivals, reason: str, score: float
) -> None:
    """Add a paper that a topic found to the inbox, or record the topic for a known one."""
    paper_id = _find_known(store, facts)
    if paper_id is None:
        paper_id = add_paper(store, _facts_with_address(facts), source=SOURCE, decision="inbox")
        arrivals.new.append(paper_id)
    is_news = attach_topic(store, paper_id, topic.id, reason=reason, score=score)
    if paper_id in arrivals.new:
        if topic.category:
            put_in_category(store, [paper_id], topic.category)
    elif is_news and paper_id not in arrivals.known:
        arrivals.known.append(paper_id)


def _add_absent(store: Store, facts: Mapping[int, PaperFacts]) -> list[int]:
    """Add the papers that share no identifier or title with the library or one another, all at
    once."""
    titles = {number: title_key(each.title or "") for number, each in facts.items()}
    counts = Counter(identifier for each in facts.values() for identifier in each.identifiers)
    title_counts = Counter(titles.values())
    papers = read_known(store, counts, titles.values())
    known_titles = {title_key(paper.facts.title or "") for paper in papers}
    owned = {identifier for identifier, count in counts.items() if count > 1}
    owned.update(*(paper.facts.identifiers for paper in papers))
    absent = [
        _facts_with_address(each)
        for number, each in facts.items()
        if owned.isdisjoint(each.identifiers)
        and titles[number] not in known_titles
        and title_counts[titles[number]] == 1
    ]
    return add_papers(store, absent, source=SOURCE, decision="inbox")


def _find_known(store: Store, facts: PaperFacts) -> int | None:
    """Return the library's paper for an announcement, by identifier, else by title.

    A paper found by other identifiers or by title gets the missing identifier. An id or DOI of two
    papers stays with both: the first counts, and nothing changes.
    """
    owners = find_papers(store, facts.identifiers)
    own = facts.identifiers[0]
    if own in owners:
        return owners[own]
    paper_id = next(iter(owners.values()), None)
    if paper_id is None:
        paper_id = _find_by_title(store, facts)
    if paper_id is not None:
        add_identifiers(store, paper_id, [own])
    return paper_id


def _find_by_title(store: Store, facts: PaperFacts) -> int | None:
    """Return the only paper of this title that may be the work.

    If the announcement is of arXiv, papers with an arXiv id do not count.
    """
    title, is_on_arxiv = facts.title or "", facts.identifiers[0].scheme == "arxiv"
    if len(title_key(title)) < MIN_TITLE:
        return None
    same = get_papers(store, find_by_title(store, title))
    lacking = [
        paper.id
        for paper in same
        if not (is_on_arxiv and paper.facts.identifier("arxiv")) and _is_one_work(facts, paper)
    ]
    return lacking[0] if len(lacking) == 1 else None


def _is_one_work(facts: PaperFacts, paper: Paper) -> bool:
    """Return whether an announcement may be the library's paper with the same title."""
    if not _hosts(facts.identifiers).isdisjoint(_hosts(paper.facts.identifiers)):
        return False  # A site gives each of its posts an address.
    announced, other = Description(facts), described(paper)
    dois = announced.values("doi") | other.values("doi")
    if any(doi.startswith(PREPRINT_DOIS) for doi in dois):
        # Of a preprint and its publication people and title are one, and nothing else.
        announced, other = (
            Description(side.facts._replace(identifiers=(), year=None))
            for side in (announced, other)
        )
    answer = judge(announced, other).answer
    # A post without authors may be about a paper.
    is_post = "post" in (facts.kind, paper.facts.kind)
    return answer is Answer.SAME or (answer is Answer.UNKNOWN and not is_post)


def _hosts(identifiers: Iterable[Identifier]) -> set[str]:
    return {host_of_feed(address.value) for address in identifiers if address.scheme == "url"}


def _facts_with_address(facts: PaperFacts) -> PaperFacts:
    if facts.links:
        return facts
    # The feed's own links were seen to point to the feed's host: the id is what counts.
    return facts._replace(links=(Link("paper", url_of(facts.identifiers[0])),))
