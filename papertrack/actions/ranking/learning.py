"""From decisions to a ranking: what each says, what is learnt from all, and how the inbox ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from papertrack.ranking.learn import Example
from papertrack.ranking.model import Model, make_model
from papertrack.ranking.words import Terms, terms_of
from papertrack.store.store import Store
from papertrack.store.watch.labels import (
    Label,
    Seen,
    decisions_stamp,
    read_inbox,
    read_labels,
    read_let_pass,
)
from papertrack.store.watch.ranks import (
    Rank,
    add_ranks,
    find_model,
    forgotten_terms,
    keep_model,
    keep_ranks,
)
from papertrack.text import fold

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
MOST_LET_PASS = 4000
"""Of both the newest; beyond them nothing was gained in a trial over sixteen months, and a night's
learning stays a matter of seconds."""
REASONED = 60
"""For so many of the best the words are kept that carry them; `papertrack why` finds any."""

_ABOUT_WORTH = frozenset("weak shallow incremental poor badly sloppy unconvincing quality".split())
_ABOUT_TOPIC = frozenset("off topic irrelevant unrelated uninteresting field area".split())
_ABOUT_ELSE = frozenset(
    "duplicate known already read elsewhere instead seen later time busy another version survey "
    "superseded replaced".split()
)


def example_of(label: Label, now: datetime, terms: Terms | None = None) -> Example | None:
    """What a decision says; None where it says nothing of the paper's worth to the reader."""
    weight = _weight(label)
    if weight == 0.0:
        return None
    age = (now - _moment(label.at, now)).total_seconds() / 86400
    recency = 0.5 ** (max(0.0, age) / HALF_LIFE_DAYS)
    if terms is None:
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
    labels = read_labels(store, limit=MOST_LABELS, before=before)
    examples = [one for label in labels if (one := example_of(label, now))]
    if not examples:
        return Model()
    passed = read_let_pass(store, limit=MOST_LET_PASS, before=today.isoformat(), until=before)
    examples += [
        Example(terms_of(one.title, one.abstract, one.authors), False, LET_PASS, is_decided=False)
        for one in passed
    ]
    return make_model(examples, forgotten_terms(store))


def decided_model(store: Store, today: date) -> Model:
    """What the decisions up to now say: the model that is kept if it knows them all, else one
    that is learnt now. Only reads."""
    kept = find_model(store)
    if kept is not None and kept[1] == decisions_stamp(store):
        return kept[0]
    return learn_model(store, today)


def present_model(store: Store, today: date) -> Model:
    """As ``decided_model``, and kept."""
    model = decided_model(store, today)
    with store.transaction():
        keep_model(store, model, decisions_stamp(store))
    return model


def rank_inbox(store: Store, model: Model) -> None:
    """Keep how the papers of the inbox rank. Without a decision none has a rank: what the topics
    say orders them. Call it in a transaction."""
    keep_ranks(store, rank(model, read_inbox(store)) if model.decisions else ())


def rank_newcomers(store: Store, paper_ids: Sequence[int]) -> None:
    """Give papers of the inbox that have no rank theirs, by what was learnt last. Call it in a
    transaction."""
    kept = find_model(store)
    if kept is not None and kept[0].decisions:
        add_ranks(store, rank(kept[0], read_inbox(store, paper_ids)))


def rank(model: Model, papers: Iterable[Seen]) -> list[Rank]:
    """The papers with score and reasons, best first, equals by their number."""
    scored = [
        (model.score(terms, one.topic_score), one, terms)
        for one in papers
        for terms in [terms_of(one.title, one.abstract, one.authors)]
    ]
    scored.sort(key=lambda found: (-found[0], found[1].id))
    return [
        _rank(model, *found, with_reasons=place < REASONED) for place, found in enumerate(scored)
    ]


def _rank(model: Model, score: float, one: Seen, terms: Terms, *, with_reasons: bool) -> Rank:
    if not with_reasons:
        return Rank(one.id, round(score, 4), (), ())
    names = spelled(model.telling_authors(terms), one.authors)
    return Rank(one.id, round(score, 4), model.telling_words(terms), names)


def spelled(folded: Sequence[str], authors: Sequence[str]) -> tuple[str, ...]:
    """Authors by their folded names, as a paper spells them."""
    by_name = {fold(name): name for name in authors}
    return tuple(by_name[name] for name in folded if name in by_name)


def refresh(store: Store, today: date) -> Model:
    """Learn anew if decisions came since, and rank the inbox by it."""
    model = present_model(store, today)
    with store.transaction():
        rank_inbox(store, model)
    return model
