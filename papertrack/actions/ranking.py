"""The ranking: learn from decisions, rank the inbox and other records, explain a rank, and store
the user's wishes."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from papertrack.actions.watch.calendar import EASTERN
from papertrack.errors import NotFoundError, UsageError
from papertrack.identifiers import parse_arxiv_id
from papertrack.ranking.model import Example, Model, Reasons, make_model, vector
from papertrack.ranking.words import AUTHOR, Terms, terms_of, words_of
from papertrack.records import Identifier
from papertrack.store.lookup import citekeys_of, find_papers, get_paper
from papertrack.store.store import Store
from papertrack.store.watch import ranks
from papertrack.store.watch.ranks import (
    Label,
    Rank,
    ReadPaper,
    Seen,
    decisions_stamp,
    is_author,
    read_papers,
)
from papertrack.store.watch.topics import topic_reasons, topic_score
from papertrack.text import clean, clean_block, few, fold, group, moment_of

BY_PASSES = (0.5, 1.0, 2.0, 3.0)
"""The weight of a saved paper by its passes: reading costs more than saving, so it says more.
Grades instead of yes and no, as in learning to rank from graded judgements (Järvelin and
Kekäläinen, *Cumulated gain-based evaluation of IR techniques*, 2002)."""
IN_HAND = 0.5
"""The weight that being read now adds."""
MIDDLE_RATING = 3
"""A rating scales a paper's weight relative to this one."""
WISH = 2.0
"""The weight of a wish for more or less like a paper: the same as a second pass."""
DISCARDED = 1.0
OFF_TOPIC = 1.5
WEAK = 0.5
"""The weight of a paper discarded as weak: it is on topic, so its words say little."""
LET_PASS = 0.1
"""The weight of announcements without a decision, which were perhaps not seen: learning from
positive and unlabelled texts (Elkan and Noto, *Learning classifiers from only positive and
unlabeled data*, 2008)."""
HALF_LIFE_DAYS = 180.0
"""Tastes change: a decision that is half a year old counts half."""
MOST_LABELS = 2000
"""The most decisions to learn from, newest first…"""
MOST_OF_EACH = 500
"""…at most this many papers that were wanted, and as many that were not…"""
MOST_LET_PASS = 1000
"""…and this many announcements: more gained nothing in a trial; learning takes a second or two."""
ENOUGH = 50
"""The decisions needed to tell wanted from unwanted, and to show papers outside the topics."""
OUTSIDE_BY_DEFAULT = 3
FIRST = 10
"""How many papers of a day the user is likely to look at."""
TELLING = 10
"""Below this many kept papers, or decisions, a difference means nothing."""
REASONED = 60
"""Reasons are stored for this many of the best papers; `papertrack ranking` computes any."""
_ABOUT_WORTH = frozenset("weak shallow incremental poor badly sloppy unconvincing quality".split())
_ABOUT_TOPIC = frozenset("off topic irrelevant unrelated uninteresting field area".split())
_ABOUT_ELSE = frozenset(
    "duplicate known already read elsewhere instead seen later time busy another version survey "
    "superseded replaced".split()
)


def example_of(label: Label, now: datetime) -> Example:
    """Return a decision as a training example; its weight is 0 if nothing can be learnt from it."""
    weight, moment = _weight(label), now
    with suppress(ValueError):
        moment = moment_of(label.at)  # A README has days.
    age = (now - moment).total_seconds() / 86400
    recency = 0.5 ** (max(0.0, age) / HALF_LIFE_DAYS)
    terms = terms_of(label.title, label.abstract, label.authors)
    return Example(terms, weight > 0, abs(weight) * recency)


def _weight(label: Label) -> float:
    """Return the weight of a decision: above 0 the user wants such papers, below 0 not."""
    if label.wish is not None:
        return WISH if label.wish == "more" else -WISH
    if label.decision == "discarded" and not label.passes_done:
        return -weight_of_reason(label.reason)
    weight = BY_PASSES[label.passes_done] + IN_HAND * label.is_in_hand
    return weight * (label.rating or MIDDLE_RATING) / MIDDLE_RATING


def weight_of_reason(reason: str | None) -> float:
    """Return how much a paper discarded for this reason counts against similar papers."""
    words = set(fold(reason or "").split())
    if words & _ABOUT_TOPIC:
        return OFF_TOPIC
    if words & _ABOUT_ELSE:
        return 0.0
    return WEAK if words & _ABOUT_WORTH else DISCARDED


def learn_model(store: Store, today: date, before: str = "9999") -> Model:
    """Learn a model from the decisions (before an ISO 8601 time), against announcements before
    today without a decision."""
    now = store.now().astimezone()
    sides: dict[bool, list[Example]] = {True: [], False: []}
    for label in ranks.read_labels(store, limit=MOST_LABELS, before=before):
        weight = _weight(label)
        side = sides[weight > 0]
        if weight and len(side) < MOST_OF_EACH:
            side.append(example_of(label, now))
    day = today.isoformat()
    passed = ranks.read_let_pass(store, limit=MOST_LET_PASS, before=day, until=before)
    texts = [terms_of(paper.title, paper.abstract, paper.authors) for paper in passed]
    let_pass = [Example(terms, False, LET_PASS, is_decided=False) for terms in texts]
    return make_model([*sides[True], *sides[False], *let_pass], ranks.forgotten_terms(store))


def decided_model(store: Store, today: date) -> Model:
    """Return a model of all decisions: the stored one if it is current, else a new one. Writes
    nothing."""
    stored = ranks.find_model(store)
    if stored is not None and stored[1] == ranks.decisions_stamp(store):
        return stored[0]
    return learn_model(store, today)


def present_model(store: Store, today: date) -> Model:
    """Return the same as ``decided_model``, and store it."""
    model = decided_model(store, today)
    with store.transaction():
        ranks.keep_model(store, model, ranks.decisions_stamp(store))
    return model


def refresh(store: Store, today: date) -> Model:
    """Learn again if there are new decisions, and rank the inbox."""
    model = present_model(store, today)
    with store.transaction():
        rank_inbox(store, model)
    return model


def rank_inbox(store: Store, model: Model) -> None:
    """Store the ranks of the inbox. Without any decision no paper gets a rank: topics give the
    order. Call it in a transaction."""
    ranks.keep_ranks(store, rank(model, ranks.read_inbox(store)) if model.decisions else ())


def rank_newcomers(store: Store, paper_ids: Sequence[int]) -> None:
    """Rank those of these papers that are in the inbox without a rank, by the last model: papers
    added by hand or restored by undo. Call it in a transaction."""
    lacking = ranks.papers_without_rank(store, paper_ids)
    if lacking and (stored := ranks.find_model(store)):
        ranks.add_ranks(store, rank(stored[0], ranks.read_inbox(store, lacking)))


def rank(model: Model, papers: Iterable[Seen]) -> list[Rank]:
    """Return these papers with score and reasons, best first; ties are ordered by id."""
    texts = [(paper, terms_of(paper.title, paper.abstract, paper.authors)) for paper in papers]
    scored = [
        (-model.score(terms, paper.topic_score), paper.id, paper, terms) for paper, terms in texts
    ]
    ranked = []
    for place, (score, number, paper, terms) in enumerate(sorted(scored)):
        reasons = model.explain(terms)[1] if place < REASONED else ((), ())
        ranked.append(Rank(number, -round(score, 4), *spelled(reasons, paper.authors)))
    return ranked


def spelled(reasons: Reasons, authors: Sequence[str]) -> Reasons:
    """Return the reasons, with authors as the paper spells them."""
    words, names = reasons
    by_name = {fold(name): name for name in authors} if names else {}
    return words, tuple(by_name[name] for name in names)


def best_outside(store: Store, model: Model, *, seen_since: str, wanted: int | None) -> list[int]:
    """Return the best ``wanted`` announcements of this run (seen since an ISO 8601 time) that match
    no topic and that the user would rather keep than not, best first."""
    if wanted is None:
        wanted = OUTSIDE_BY_DEFAULT if model.decisions >= ENOUGH else 0
    if not wanted or not model.decisions or not model.is_sided:
        return []
    best = rank(model, ranks.read_unmatched(store, seen_since))[:wanted]
    # On a quiet day the best few are noise: only what is above the line comes.
    return [paper.paper_id for paper in best if paper.score > 0]


@dataclass(frozen=True, slots=True)
class Judgement:
    """How many kept papers the top of each recent day would have held, by ranking and by topics."""

    since: date
    decisions: int
    """The number of decisions before that time, from which the model was learnt."""
    announced: int
    kept: int
    """Announced papers that the user kept."""
    first_by_rank: int
    """Kept papers among the first of their day by the ranking…"""
    first_by_topics: int
    """…and by the topics alone."""
    is_telling: bool
    """Whether there are enough decisions to compare."""
    forgotten: tuple[str, ...]
    """The words and authors that the ranking ignores."""


def judge(store: Store, today: date) -> Judgement:
    """Learn from the decisions before the last two weeks, and rank the announcements since."""
    since = today - timedelta(weeks=2)
    model = learn_model(store, since, datetime.combine(since, time(), EASTERN).isoformat())
    kept_ids = ranks.kept_arxiv_ids(store)
    days = group(
        (p.announced_on, (model.score(terms_of(p.title, p.abstract, p.authors), p.topic_score), p))
        for p in ranks.read_announced(store, since=since.isoformat())
    )
    by_rank = by_topics = count = wanted = 0
    for day in days.values():
        saved = {paper.id for _, paper in day if paper.arxiv_id in kept_ids}
        ranked = sorted(day, key=lambda pair: (-pair[0], pair[1].id))[:FIRST]
        matched = sorted(day, key=lambda pair: (-pair[1].topic_score, pair[1].id))[:FIRST]
        by_rank += sum(paper.id in saved for _, paper in ranked)
        by_topics += sum(paper.id in saved for _, paper in matched)
        count, wanted = count + len(day), wanted + len(saved)
    is_telling = min(wanted, model.decisions) >= TELLING
    forgotten = tuple(map(shown, ranks.forgotten_terms(store)))
    counts = (model.decisions, count, wanted, by_rank, by_topics)
    return Judgement(since, *counts, is_telling, forgotten)


NEAR_AMONG = 300
"""The nearest paper is searched among this many papers, read last."""
LEAST_SHARED = 2
"""How many words or pairs a paper must share with another to be near it."""
VERBS = {"more": "more like", "less": "less like", None: "neither more nor less like"}


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest paper that the user has read."""

    citekey: str
    title: str
    passes_done: int
    takeaway: str | None
    shared: tuple[str, ...]
    """The words that both share, the most distinctive first."""


@dataclass(frozen=True, slots=True)
class Why:
    """All reasons why a paper ranks where it does."""

    score: float | None
    """None if there are no decisions yet."""
    is_like_kept: bool | None
    """Whether it is more like papers that the user keeps than like the rest; None if the user
    only kept or only discarded papers."""
    is_current: bool
    """Whether all decisions are included; otherwise the last ones count after the next
    ``watch``."""
    words: tuple[str, ...]
    authors: tuple[str, ...]
    near: Near | None
    topics: tuple[tuple[str, str], ...]
    """Topic names and reasons, the best match first."""


def explain(store: Store, paper_id: int, today: date, *, may_learn: bool = True) -> Why:
    """Explain the rank of a paper in the library, by all decisions so far, or by the last model if
    it may not learn."""
    paper = get_paper(store, paper_id)
    facts = paper.facts
    stored = None if may_learn else ranks.find_model(store)
    model, learnt_from = stored or (decided_model(store, today), decisions_stamp(store))
    names = [author.name for author in facts.authors]
    terms = terms_of(facts.title or "", facts.abstract or "", names)
    score, reasons = model.explain(terms, topic_score(store, paper_id))
    return Why(
        score if model.decisions else None,
        score > 0 if model.decisions and model.is_sided else None,
        learnt_from == decisions_stamp(store),
        *spelled(reasons, names),
        near_among(read_papers(store, NEAR_AMONG))(terms, paper.citekey),
        tuple(topic_reasons(store, paper_id)),
    )


def near_among(read: Sequence[ReadPaper]) -> Callable[[Terms, str | None], Near | None]:
    """Return a function that finds the paper sharing the most rare words with a given one, other
    than the paper with its citekey; None if none is near."""
    texts = [terms_of(paper.title, paper.abstract) for paper in read]
    counts = Counter(term for text in texts for term in text)
    rarities = {term: math.log((1 + len(read)) / count) for term, count in counts.items()}
    vectors = [vector(text, rarities) for text in texts]
    holders = group(
        (term, (number, value))
        for number, text in enumerate(vectors)
        for term, value in text.items()
    )

    def find(terms: Terms, but: str | None) -> Near | None:
        weights = vector(terms, rarities)
        likeness, shared = [0.0] * len(read), [0] * len(read)
        for term, weight in weights.items():
            for number, value in holders.get(term, ()):
                likeness[number] += weight * value
                shared[number] += 1
        several = (number for number, count in enumerate(shared) if count >= LEAST_SHARED)
        near = [number for number in several if read[number].citekey != but]
        if not near:
            return None
        nearest = max(near, key=likeness.__getitem__)
        paper, text = read[nearest], vectors[nearest]
        both = sorted(
            weights.keys() & text.keys(), key=lambda term: (-weights[term] * text[term], term)
        )
        return Near(paper.citekey, paper.title, paper.passes_done, paper.takeaway, tuple(both[:3]))

    return find


def shown_reasons(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """Return the reasons shown beside a paper in the inbox: each topic with its reason, and the
    words and authors that its rank is based on."""
    ranked = ranks.find_rank(store, paper_id)
    reasons = topic_reasons(store, paper_id)
    if ranked is None:
        return reasons
    named = (("words", ranked.words), ("authors you kept", ranked.authors))
    return reasons + [(name, ", ".join(of)) for name, of in named if of]


def wish(store: Store, paper_ids: Sequence[int], wanted: str | None) -> list[str]:
    """Rank papers like these higher (``more``) or lower (``less``), or take that back; return their
    citekeys."""
    citekeys = citekeys_of(store, paper_ids)
    with store.action("ranking", f"{VERBS[wanted]} {few(citekeys)}"):
        for paper_id in paper_ids:
            ranks.set_wish(store, paper_id, wanted)
    return citekeys


def forget(store: Store, typed: str) -> str:
    """Ignore a word, a pair of words or an author in the ranking.

    Returns the forgotten term. Raises UsageError if the ranking knows no such term.
    """
    term = term_of(store, typed)
    with store.action("ranking", f"forget {shown(term)}"):
        ranks.forget_term(store, term)
    return term


def recall(store: Store, typed: str) -> str:
    """Let a forgotten term count again; return it. Raises NotFoundError if it was not forgotten."""
    forgotten = ranks.forgotten_terms(store)
    wanted = {fold(typed), AUTHOR + fold(typed)}
    term = next((each for each in forgotten if each in wanted), None)
    if term is None:
        names = f" The forgotten words are {few([*map(shown, forgotten)])}." if forgotten else ""
        raise NotFoundError(f"{clean(typed)} is not among the forgotten words.{names}")
    with store.action("ranking", f"recall {shown(term)}"):
        ranks.recall_term(store, term)
    return term


def term_of(store: Store, typed: str) -> str:
    """Return the ranking's term for a word, two words, or an author in the library."""
    if is_author(store, fold(typed)):
        return AUTHOR + fold(typed)
    words = words_of(typed)
    if not words or len(words) > 2 or None in words:
        raise UsageError(
            f"The ranking does not use {clean(typed)!r}: name one word, or two adjacent words, "
            "as `papertrack ranking` shows them, or an author in the library."
        )
    return " ".join(filter(None, words))


def shown(term: str) -> str:
    """Return a forgotten term as people write it."""
    return term.removeprefix(AUTHOR)


@dataclass(frozen=True, slots=True)
class Record:
    """A work that is to be ranked."""

    arxiv_id: str | None
    title: str
    abstract: str
    authors: tuple[str, ...]
    arxiv_categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record with its rank."""

    record: Record
    citekey: str | None
    """The citekey of the paper, if the library has it."""
    score: float
    """The ranking's score, or the topics' score while there are no decisions."""
    words: tuple[str, ...]
    authors: tuple[str, ...]
    near: Near | None
    topics: tuple[tuple[str, str], ...]
    """Topic names and reasons, the best match first."""


def parse_records(text: str, source: str) -> list[Record]:
    """Parse records from JSON lines, or from one JSON array, in order.

    Raises UsageError with ``source`` and the line of an invalid record.
    """
    if text.lstrip().startswith("["):
        values = enumerate(_parsed(text, source), 1)
        return [_record(value, f"{source}, record {n}") for n, value in values]
    lines = [(f"{source}:{n}", line) for n, line in enumerate(text.splitlines(), 1)]
    return [_record(_parsed(line, place), place) for place, line in lines if line.strip()]


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place} is not JSON: {error}.") from None


def _record(value: Any, place: str) -> Record:
    if not isinstance(value, dict) or not isinstance(value.get("title"), str):
        raise UsageError(
            f"{place} has no title: a record is an object with a title, and with abstract, "
            "authors, arxiv_id and arxiv_categories if they are known."
        )
    texts = {name: text.strip() for name, text in value.items() if isinstance(text, str)}
    lists = {
        name: [clean(text) for text in several if isinstance(text, str)]
        for name, several in value.items()
        if isinstance(several, list)
    }
    # The id as the library has it, without a version; what is none as it was written.
    written = clean(texts.get("arxiv_id", ""))
    arxiv_id = parse_arxiv_id(written)
    return Record(
        arxiv_id.id if arxiv_id else written or None,
        clean(texts["title"]),
        clean_block(texts.get("abstract", "")),
        tuple(filter(None, lists.get("authors", ()))),
        tuple(lists.get("arxiv_categories", ())),
    )


def rank_records(
    store: Store, records: Sequence[Record], default_categories: Sequence[str], today: date
) -> list[Ranked]:
    """Return the records, best first, ties by arXiv id and title; writes nothing."""
    # Undo ranks, too, and needs no queries.
    from papertrack.actions.watch.match import matching_topics
    from papertrack.queries.matcher import announced_text

    model = decided_model(store, today)
    ids = {record.arxiv_id for record in records if record.arxiv_id}
    owners = find_papers(store, [Identifier("arxiv", record) for record in sorted(ids)])
    keys = dict(zip(owners, citekeys_of(store, list(owners.values())), strict=True))
    find_near = near_among(read_papers(store, NEAR_AMONG))
    texts = [
        announced_text(record.title, record.abstract, record.authors, "", record.arxiv_categories)
        for record in records
    ]
    ranked = []
    for record, topics in zip(
        records, matching_topics(store, texts, default_categories), strict=True
    ):
        terms = terms_of(record.title, record.abstract, record.authors)
        best = max((score.value for _, score in topics), default=0.0)
        score, weighed = model.explain(terms, best)
        citekey = keys.get(Identifier("arxiv", record.arxiv_id or ""))
        words, authors = spelled(weighed, record.authors)
        near = find_near(terms, citekey)
        reasons = tuple((name, score.reason) for name, score in topics)
        ranked.append(Ranked(record, citekey, round(score, 4), words, authors, near, reasons))
    ranked.sort(
        key=lambda record: (-record.score, record.record.arxiv_id or "", record.record.title)
    )
    return ranked
