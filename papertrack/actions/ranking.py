"""The ranking: what each decision says, what is learnt from all, how the inbox and any records
rank, why a paper ranks where it does, and what the reader says of that.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
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
from papertrack.text import clean, clean_block, few, fold

BY_PASSES = (0.5, 1.0, 2.0, 3.0)
"""What a saved paper says, by its passes: reading costs more than saving, so it says more. Grades
in place of yes and no, as in learning to rank from graded judgements (Järvelin and Kekäläinen,
*Cumulated gain-based evaluation of IR techniques*, 2002)."""
IN_HAND = 0.5
"""What being read now says besides."""
MIDDLE_RATING = 3
"""A rating makes a paper say more or less in its proportion to this one."""
WISH = 2.0
"""What asking for more or less like a paper says: as much as a second pass."""
DISCARDED = 1.0
OFF_TOPIC = 1.5
WEAK = 0.5
"""A weak paper is on topic: it says little of its words."""
LET_PASS = 0.1
"""What was announced and not decided on was perhaps not seen: learning from positive and
unlabelled texts (Elkan and Noto, *Learning classifiers from only positive and unlabeled data*,
2008)."""
HALF_LIFE_DAYS = 180.0
"""Tastes move: a decision of half a year ago says half as much."""
MOST_LABELS = 2000
"""The newest decisions, of which are learnt from…"""
MOST_OF_EACH = 500
"""…so many of papers that are wanted, and of others…"""
MOST_LET_PASS = 1000
"""…and so many announcements: more gained nothing in a trial; learning takes a second or two."""
ENOUGH = 50
"""Decisions from which on a line is drawn, and what no topic matched is shown unasked."""
OUTSIDE_BY_DEFAULT = 3
FIRST = 10
"""Papers of a day that a reader gets to."""
TELLING = 10
"""Kept papers below which a difference says nothing, and decisions."""
REASONED = 60
"""For so many of the best the words are kept that carry them; `papertrack ranking` finds any."""
_ABOUT_WORTH = frozenset("weak shallow incremental poor badly sloppy unconvincing quality".split())
_ABOUT_TOPIC = frozenset("off topic irrelevant unrelated uninteresting field area".split())
_ABOUT_ELSE = frozenset(
    "duplicate known already read elsewhere instead seen later time busy another version survey "
    "superseded replaced".split()
)


def example_of(label: Label, now: datetime) -> Example:
    """What a decision says, of what nobody would learn from with a weight of 0."""
    weight = _weight(label)
    age = (now - _moment(label.at, now)).total_seconds() / 86400
    recency = 0.5 ** (max(0.0, age) / HALF_LIFE_DAYS)
    terms = terms_of(label.title, label.abstract, label.authors)
    return Example(terms, weight > 0, abs(weight) * recency)


def _moment(at: str, now: datetime) -> datetime:
    """A stored time; one without an hour or offset is a day that a README names."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return now
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _weight(label: Label) -> float:
    """Above 0 the reader wants such papers, below 0 not."""
    if label.wish is not None:
        return WISH if label.wish == "more" else -WISH
    if label.decision == "discarded" and not label.passes_done:
        return -weight_of_reason(label.reason)
    weight = BY_PASSES[label.passes_done] + IN_HAND * label.is_in_hand
    return weight * (label.rating or MIDDLE_RATING) / MIDDLE_RATING


def weight_of_reason(reason: str | None) -> float:
    """How much a paper that was discarded for this reason speaks against others like it."""
    words = set(fold(reason or "").split())
    if words & _ABOUT_TOPIC:
        return OFF_TOPIC
    if words & _ABOUT_ELSE:
        return 0.0
    return WEAK if words & _ABOUT_WORTH else DISCARDED


def learn_model(store: Store, today: date, before: str = "9999") -> Model:
    """What the decisions (before a time, ISO 8601) say together, against what was announced
    before today and let pass."""
    now = store.now().astimezone()
    sides: dict[bool, list[Example]] = {True: [], False: []}
    for label in ranks.read_labels(store, limit=MOST_LABELS, before=before):
        weight = _weight(label)
        side = sides[weight > 0]
        if weight and len(side) < MOST_OF_EACH:
            side.append(example_of(label, now))
    day = today.isoformat()
    passed = ranks.read_let_pass(store, limit=MOST_LET_PASS, before=day, until=before)
    texts = [terms_of(one.title, one.abstract, one.authors) for one in passed]
    let_pass = [Example(terms, False, LET_PASS, is_decided=False) for terms in texts]
    return make_model([*sides[True], *sides[False], *let_pass], ranks.forgotten_terms(store))


def decided_model(store: Store, today: date) -> Model:
    """What the decisions up to now say: the model that is kept if it knows them all, else one
    that is learnt now. Only reads."""
    kept = ranks.find_model(store)
    if kept is not None and kept[1] == ranks.decisions_stamp(store):
        return kept[0]
    return learn_model(store, today)


def present_model(store: Store, today: date) -> Model:
    """As ``decided_model``, and kept."""
    model = decided_model(store, today)
    with store.transaction():
        ranks.keep_model(store, model, ranks.decisions_stamp(store))
    return model


def refresh(store: Store, today: date) -> Model:
    """Learn again if decisions came since, and rank the inbox by it."""
    model = present_model(store, today)
    with store.transaction():
        rank_inbox(store, model)
    return model


def rank_inbox(store: Store, model: Model) -> None:
    """Keep how the papers of the inbox rank. Without a decision none has a rank: what the topics
    say orders them. Call it in a transaction."""
    ranks.keep_ranks(store, rank(model, ranks.read_inbox(store)) if model.decisions else ())


def rank_newcomers(store: Store, paper_ids: Sequence[int]) -> None:
    """Rank those of these papers that are in the inbox and have no rank, by what was learnt last:
    put there by hand, or brought back by undo. Call it in a transaction."""
    lacking = ranks.papers_without_rank(store, paper_ids)
    if lacking and (kept := ranks.find_model(store)):
        ranks.add_ranks(store, rank(kept[0], ranks.read_inbox(store, lacking)))


def rank(model: Model, papers: Iterable[Seen]) -> list[Rank]:
    """The papers with score and reasons, best first, equals by their number."""
    texts = [(one, terms_of(one.title, one.abstract, one.authors)) for one in papers]
    scored = [(-model.score(terms, one.topic_score), one.id, one, terms) for one, terms in texts]
    ranked = []
    for place, (score, number, one, terms) in enumerate(sorted(scored)):
        reasons = model.explain(terms)[1] if place < REASONED else ((), ())
        ranked.append(Rank(number, -round(score, 4), *spelled(reasons, one.authors)))
    return ranked


def spelled(reasons: Reasons, authors: Sequence[str]) -> Reasons:
    """The reasons with the authors as the paper spells them."""
    words, names = reasons
    by_name = {fold(name): name for name in authors} if names else {}
    return words, tuple(by_name[name] for name in names)


def best_outside(store: Store, model: Model, *, seen_since: str, wanted: int | None) -> list[int]:
    """The announcements of this run (seen since a time, ISO 8601) that no topic matched and that
    are more like what the reader keeps than like the rest: the best ``wanted``, best first."""
    if wanted is None:
        wanted = OUTSIDE_BY_DEFAULT if model.decisions >= ENOUGH else 0
    if not wanted or not model.decisions or not model.is_sided:
        return []
    best = rank(model, ranks.read_unmatched(store, seen_since))[:wanted]
    # On a quiet day the best few are noise: only what is above the line comes.
    return [one.paper_id for one in best if one.score > 0]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the first papers of each of the reader's own last days would have held."""

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
        return min(self.kept, self.decisions) >= TELLING


def judge(store: Store, today: date) -> Judgement:
    """Learn from what was decided before the last two weeks, and rank what they announced."""
    since = today - timedelta(weeks=2)
    model = learn_model(store, since, datetime.combine(since, time(), EASTERN).isoformat())
    kept = ranks.kept_arxiv_ids(store)
    days = defaultdict[str | None, list[tuple[float, Seen]]](list)
    for one in ranks.read_announced(store, since=since.isoformat()):
        terms = terms_of(one.title, one.abstract, one.authors)
        days[one.announced_on].append((model.score(terms, one.topic_score), one))
    by_rank = by_topics = count = wanted = 0
    for day in days.values():
        saved = {one.id for _, one in day if one.arxiv_id in kept}
        ranked = sorted(day, key=lambda pair: (-pair[0], pair[1].id))[:FIRST]
        matched = sorted(day, key=lambda pair: (-pair[1].topic_score, pair[1].id))[:FIRST]
        by_rank += sum(one.id in saved for _, one in ranked)
        by_topics += sum(one.id in saved for _, one in matched)
        count, wanted = count + len(day), wanted + len(saved)
    return Judgement(since, model.decisions, count, wanted, by_rank, by_topics)


NEAR_AMONG = 300
"""The papers read last, among which the nearest one is looked for."""
LEAST_SHARED = 2
"""Words or pairs that a paper needs to share with another to be near it."""
VERBS = {"more": "more like", "less": "less like", None: "no wish about"}


@dataclass(frozen=True, slots=True)
class Near:
    """The paper that was read and is nearest."""

    citekey: str
    title: str
    passes_done: int
    takeaway: str | None
    shared: tuple[str, ...]
    """The words that both have, the most telling first."""


@dataclass(frozen=True, slots=True)
class Why:
    """Everything that says why a paper ranks where it does."""

    score: float | None
    """None while nothing was decided."""
    is_like_kept: bool | None
    """Whether it is more like what the reader keeps than like the rest; None while one of both is
    not known."""
    is_current: bool
    """Whether that counts every decision; else the last ones count after the next ``watch``."""
    words: tuple[str, ...]
    authors: tuple[str, ...]
    near: Near | None
    topics: tuple[tuple[str, str], ...]
    """Names and reasons, the best match first."""


def explain(store: Store, paper_id: int, today: date, *, may_learn: bool = True) -> Why:
    """Why a paper of the library ranks where it does, by the decisions up to now; by those of the
    last learning, if there was one and it may not learn."""
    paper = get_paper(store, paper_id)
    facts = paper.facts
    kept = None if may_learn else ranks.find_model(store)
    model, learnt_from = kept or (decided_model(store, today), decisions_stamp(store))
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
    """What finds, of these papers but for one (by its citekey), the one that says most of the same
    rare words; None where none is near."""
    texts = [terms_of(one.title, one.abstract) for one in read]
    counts = Counter(term for text in texts for term in text)
    rarities = {term: math.log((1 + len(read)) / count) for term, count in counts.items()}
    vectors = [vector(text, rarities) for text in texts]
    holders = defaultdict[str, list[tuple[int, float]]](list)
    for number, text in enumerate(vectors):
        for term, value in text.items():
            holders[term].append((number, value))

    def find(terms: Terms, but: str | None) -> Near | None:
        seen = vector(terms, rarities)
        likeness, shared = [0.0] * len(read), [0] * len(read)
        for term, said in seen.items():
            for number, value in holders[term]:
                likeness[number] += said * value
                shared[number] += 1
        near = [
            number
            for number, count in enumerate(shared)
            if count >= LEAST_SHARED and read[number].citekey != but
        ]
        if not near:
            return None
        nearest = max(near, key=likeness.__getitem__)
        one, text = read[nearest], vectors[nearest]
        both = sorted(seen.keys() & text.keys(), key=lambda term: (-seen[term] * text[term], term))
        return Near(one.citekey, one.title, one.passes_done, one.takeaway, tuple(both[:3]))

    return find


def shown_reasons(store: Store, paper_id: int) -> list[tuple[str, str]]:
    """What is shown beside a paper that waits for a decision: each topic with its reason, and the
    words and authors that its rank stands on."""
    found = ranks.find_rank(store, paper_id)
    reasons = topic_reasons(store, paper_id)
    if found is None:
        return reasons
    named = (("words", found.words), ("authors you kept", found.authors))
    return reasons + [(name, ", ".join(of)) for name, of in named if of]


def wish(store: Store, paper_ids: Sequence[int], wanted: str | None) -> list[str]:
    """Want ``more`` or ``less`` like these papers, or take that back; return their citekeys."""
    citekeys = citekeys_of(store, paper_ids)
    with store.action("ranking", f"{VERBS[wanted]} {few(citekeys)}"):
        for paper_id in paper_ids:
            ranks.set_wish(store, paper_id, wanted)
    return citekeys


def forget(store: Store, typed: str) -> str:
    """Let a word, a pair of words or an author say nothing in the ranking.

    Returns what is forgotten. Raises UsageError where the ranking sees no such thing.
    """
    term = term_of(store, typed)
    with store.action("ranking", f"forget {shown(term)}"):
        ranks.forget_term(store, term)
    return term


def recall(store: Store, typed: str) -> str:
    """Let what was forgotten count again; return it. Raises NotFoundError if it was not."""
    known = ranks.forgotten_terms(store)
    wanted = {fold(typed), AUTHOR + fold(typed)}
    term = next((one for one in known if one in wanted), None)
    if term is None:
        names = f" Forgotten are {few([*map(shown, known)])}." if known else ""
        raise NotFoundError(f"{clean(typed)} is not among the forgotten words.{names}")
    with store.action("ranking", f"recall {shown(term)}"):
        ranks.recall_term(store, term)
    return term


def term_of(store: Store, typed: str) -> str:
    """What the ranking calls a word, two words, or the name of an author of the library."""
    if is_author(store, fold(typed)):
        return AUTHOR + fold(typed)
    words = words_of(typed)
    if not words or len(words) > 2 or None in words:
        raise UsageError(
            f"{clean(typed)!r} is not something that the ranking uses: name one word, or two "
            "neighbouring words, as `papertrack ranking` shows them, or an author of the library."
        )
    return " ".join(filter(None, words))


def shown(term: str) -> str:
    """A forgotten term as people write it."""
    return term.removeprefix(AUTHOR)


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a work that is to be ranked."""

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
    """Of the paper, if the library has it."""
    score: float
    """The ranking's, or the topics' own while nothing was decided."""
    words: tuple[str, ...]
    authors: tuple[str, ...]
    near: Near | None
    topics: tuple[tuple[str, str], ...]
    """Names and reasons, the best match first."""


def parse_records(text: str, source: str) -> list[Record]:
    """The records of JSON lines, or of one JSON array, in their order.

    Raises UsageError naming ``source`` and the line of what is no record.
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
        raise UsageError(f"{place} is no JSON: {error}.") from None


def _record(value: Any, place: str) -> Record:
    if not isinstance(value, dict) or not isinstance(value.get("title"), str):
        raise UsageError(
            f"{place} has no title: a record is an object with title, and with abstract, authors, "
            "arxiv_id and arxiv_categories where they are known."
        )
    texts = {name: one.strip() for name, one in value.items() if isinstance(one, str)}
    lists = {
        name: [clean(one) for one in several if isinstance(one, str)]
        for name, several in value.items()
        if isinstance(several, list)
    }
    # The id as the library has it, without a version; what is none as it was written.
    written = clean(texts.get("arxiv_id", ""))
    found = parse_arxiv_id(written)
    return Record(
        found.id if found else written or None,
        clean(texts["title"]),
        clean_block(texts.get("abstract", "")),
        tuple(filter(None, lists.get("authors", ()))),
        tuple(lists.get("arxiv_categories", ())),
    )


def rank_records(
    store: Store, records: Sequence[Record], default_categories: Sequence[str], today: date
) -> list[Ranked]:
    """The records, best first, equals by their arXiv id and title; nothing is written."""
    # Undo ranks, too, and needs no queries.
    from papertrack.actions.watch.match import matching_topics
    from papertrack.queries.matcher import announced_text

    model = decided_model(store, today)
    ids = {one.arxiv_id for one in records if one.arxiv_id}
    known = find_papers(store, [Identifier("arxiv", one) for one in sorted(ids)])
    keys = dict(zip(known, citekeys_of(store, list(known.values())), strict=True))
    find_near = near_among(read_papers(store, NEAR_AMONG))
    texts = [
        announced_text(one.title, one.abstract, one.authors, "", one.arxiv_categories)
        for one in records
    ]
    ranked = []
    for one, topics in zip(records, matching_topics(store, texts, default_categories), strict=True):
        terms = terms_of(one.title, one.abstract, one.authors)
        best = max((score.value for _, score in topics), default=0.0)
        score, found = model.explain(terms, best)
        citekey = keys.get(Identifier("arxiv", one.arxiv_id or ""))
        words, authors = spelled(found, one.authors)
        near = find_near(terms, citekey)
        reasons = tuple((name, score.reason) for name, score in topics)
        ranked.append(Ranked(one, citekey, round(score, 4), words, authors, near, reasons))
    ranked.sort(key=lambda one: (-one.score, one.record.arxiv_id or "", one.record.title))
    return ranked
