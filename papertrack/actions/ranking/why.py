"""Why a paper ranks where it does, and what the reader says of that.

What speaks for it: words, authors, the nearest paper that was read, topics. What the reader can
say: more or less like a paper, and words to forget.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from papertrack.actions.ranking.learning import decided_model, reasons_of
from papertrack.errors import NotFoundError, UsageError
from papertrack.ranking.model import vector
from papertrack.ranking.words import AUTHOR, Terms, terms_of, words_of
from papertrack.store.lookup import citekeys_of, get_paper
from papertrack.store.store import Store
from papertrack.store.watch import ranks
from papertrack.store.watch.labels import ReadPaper, decisions_stamp, is_author, read_papers
from papertrack.store.watch.topics import topic_reasons, topic_score
from papertrack.text import clean, few, fold

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
    score = model.score(terms, topic_score(store, paper_id)) if model.decisions else None
    return Why(
        score,
        score > 0 if score is not None and model.is_sided else None,
        learnt_from == decisions_stamp(store),
        *reasons_of(model, terms, names),
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
        raise NotFoundError(f"{clean(typed)} is not forgotten.{names}")
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
            f"{clean(typed)!r} is nothing that the ranking sees: name one word or two that stand "
            "side by side, as `papertrack ranking` shows them, or an author of the library."
        )
    return " ".join(filter(None, words))


def shown(term: str) -> str:
    """A forgotten term as people write it."""
    return term.removeprefix(AUTHOR)
