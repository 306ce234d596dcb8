"""The ranking on what curators really picked, beside topics alone and other ways to rank.

    python benchmarks/ranking.py DATA [--months 2025-06,2025-08] [--morning]

DATA holds ``announced_*.jsonl.gz`` (what was announced, by day) and for each curator a table of
arXiv ids with the day on which they were added to a list. For each month it learns from what was
in the list before the month, and ranks all that was announced in it, day by day and as one pool.
It learns from all, and from the newest 20, 10, 5 and 0 of the list. The months that are measured
by default are every second one: the others served to choose.

With scikit-learn (a development dependency) two linear SVMs, one of which takes what is to be
ranked for unwanted, and a logistic regression are measured beside. ``--morning`` measures instead
what a morning of 1,500 announcements costs in a library of 10,000 papers, in processor time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from typing import Any

from papertrack.actions.ranking import (
    BY_PASSES,
    HALF_LIFE_DAYS,
    LET_PASS,
    MOST_LET_PASS,
    MOST_OF_EACH,
    Record,
    present_model,
    rank,
    rank_records,
)
from papertrack.actions.watch.match import plain_score, rarity_of
from papertrack.holdings import Announcement
from papertrack.queries.matcher import AnnouncedText, announced_text, make_matcher
from papertrack.queries.parser import parse_query
from papertrack.ranking.model import Example, Model, make_model
from papertrack.ranking.words import AUTHOR, Terms, terms_of, words_of
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import add_papers
from papertrack.store.store import Store
from papertrack.store.watch.announcements import record_batch
from papertrack.store.watch.ranks import Seen

MONTHS = ["2025-06", "2025-08", "2025-10", "2025-12", "2026-02", "2026-04", "2026-06"]
FIRST = 10
LABELS = (10**9, 20, 10, 5, 0)
"""The newest so many alone."""
TOPICS = {
    "Efficient-Reasoning": (
        '"efficient reasoning" OR overthink*',
        '("chain of thought" OR CoT) AND (compress* OR concise OR shorter OR length OR token)',
        '"test time" AND (budget OR efficient OR adaptive) AND reasoning',
        '"reasoning models" AND (efficien* OR "early exit" OR pruning OR redundan*)',
        '"latent reasoning" OR "speculative reasoning" OR "hybrid reasoning"',
    ),
    "ai-for-math": (
        '"theorem proving" OR "theorem prover"',
        'autoformalization OR "formal proof" OR "formal mathematics" OR Lean',
        '"mathematical discovery" OR conjecture*',
        '"research mathematics" OR "mathematical research" OR mathematicians',
        '"machine learning" AND ("number theory" OR combinatorics OR topology) AND mathemat*',
    ),
    "Video-Diffusion": (
        '"video diffusion"',
        '"video generation" OR "text to video" OR "image to video"',
        '"video editing"',
        'video AND ("camera control" OR "motion control" OR controllable) AND diffusion',
        '"human animation" OR "talking head" OR "video synthesis"',
    ),
}
"""Five topics of each curator, written from the names of their lists."""
HOMES = {"Video-Diffusion": {"cs.cv"}}
OTHER_HOMES = {"cs.cl", "cs.lg", "cs.ai"}


@dataclass(frozen=True, slots=True)
class Paper:
    """One announced paper, as far as it is ranked."""

    arxiv_id: str
    day: str
    title: str
    abstract: str
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    terms: Terms


@dataclass(frozen=True, slots=True)
class Case:
    """One month of one curator."""

    curator: str
    start: str
    known: list[int]
    """What was in the list before and announced, the first added in front."""
    passed: list[int]
    asked: list[int]
    """Everything announced in the month that was not in the list."""
    wanted: frozenset[int]


Scorer = Callable[[int], float]


def read_announced(folder: Path, most: int = 10**9) -> list[Paper]:
    papers: dict[str, Paper] = {}
    for path in sorted(folder.glob("announced_*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                one = json.loads(line)
                if len(papers) >= most:
                    break
                if one["id"] not in papers:
                    names = tuple(one["a"])
                    terms = terms_of(one["t"], one["s"], names)
                    papers[one["id"]] = Paper(
                        one["id"], one["d"], one["t"], one["s"], names, tuple(one["c"]), terms
                    )
    return sorted(papers.values(), key=lambda one: (one.day, one.arxiv_id))


def read_lists(folder: Path, papers: Sequence[Paper]) -> dict[str, dict[int, str]]:
    """Curator → announced paper in the list → when it was added."""
    places = {one.arxiv_id: place for place, one in enumerate(papers)}
    lists = {}
    for path in sorted(folder.glob("*+*.tsv")):
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        lists[path.stem] = {places[row[0]]: row[1] for row in rows if row[0] in places}
    return lists


def cases(
    papers: Sequence[Paper], added: dict[int, str], curator: str, months: Sequence[str]
) -> Iterator[Case]:
    days = [one.day for one in papers]
    for month in months:
        year, number = map(int, month.split("-"))
        start, end = f"{month}-01", f"{year + number // 12}-{number % 12 + 1:02}-01"
        low, high = bisect_left(days, start), bisect_left(days, end)
        before = {place for place, day in added.items() if day < start}
        known = sorted(
            (place for place in before if place < low), key=lambda p: (added[p], papers[p].arxiv_id)
        )
        month_before = (date.fromisoformat(start) - timedelta(days=30)).isoformat()
        passed = [p for p in range(bisect_left(days, month_before), low) if p not in before]
        asked = [place for place in range(low, high) if place not in before]
        wanted = frozenset(place for place in asked if place in added)
        if wanted and known:
            yield Case(curator, start, known, passed[-MOST_LET_PASS:], asked, wanted)


def topic_scores(papers: Sequence[Paper], curator: str) -> list[float]:
    """What papertrack's topics say of each paper, the best of five."""
    name = next(name for name in TOPICS if name.lower() in curator.lower())
    home = HOMES.get(name, OTHER_HOMES)
    matchers = [make_matcher(parse_query(query)) for query in TOPICS[name]]
    recent: list[AnnouncedText] = []
    rarity: dict[tuple[int, str], float] = {}
    scores = []
    for one in papers:
        text = announced_text(one.title, one.abstract, one.authors, "", one.categories)
        recent.append(text)
        best = 0.0
        for number, matcher in enumerate(matchers):
            if not matcher.matches(text):
                continue
            hits = matcher.hits(text)
            for hit in hits:
                if (number, hit.term) not in rarity:
                    sample = recent[-1500:]
                    count = matcher.count_term(hit.term, sample)
                    rarity[number, hit.term] = rarity_of(count, len(sample))
            rare = {hit.term: rarity[number, hit.term] for hit in hits}
            is_home = text.arxiv_categories[0] in home
            best = max(best, plain_score(hits, rare, is_home=is_home, read_share=0).value)
        scores.append(best)
    return scores


def learnt(papers: Sequence[Paper], case: Case, added: dict[int, str]) -> Model:
    """What papertrack learns of a list that was imported, and of what was let pass."""
    now = date.fromisoformat(case.start)
    examples = []
    for place in case.known[-MOST_OF_EACH:]:
        age = (now - date.fromisoformat(added[place])).days
        weight = BY_PASSES[0] * 0.5 ** (age / HALF_LIFE_DAYS)
        examples.append(Example(papers[place].terms, True, weight))
    examples += [Example(papers[p].terms, False, LET_PASS, is_decided=False) for p in case.passed]
    return make_model(examples)


class Rivals:
    """Linear SVMs and a logistic regression of scikit-learn, on the words that papertrack sees."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        import numpy as np
        from scipy import sparse

        numbers: dict[str, int] = {}
        places, starts, values = array("i"), array("l", [0]), array("f")
        for one in papers:
            for term, value in one.terms.items():
                places.append(numbers.setdefault(term, len(numbers)))
                values.append(value)
            starts.append(len(places))
        shape = (len(papers), len(numbers))
        table = sparse.csr_matrix((np.array(values), np.array(places), np.array(starts)), shape)
        is_author = np.array([term[0] == AUTHOR for term in numbers])
        self._authors, self._words = table[:, is_author].tocsr(), table[:, ~is_author].tocsr()

    def scores(self, case: Case) -> Iterator[tuple[str, Scorer]]:
        """What each says of what is asked, learnt from the labels that papertrack has."""
        import numpy as np
        from scipy import sparse
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        known = [*case.known, *case.passed]
        answers = np.array([1] * len(case.known) + [0] * len(case.passed))
        # Document frequencies of all that is known and asked.
        every = self._words[sorted({*known, *case.asked})]
        counts = np.bincount(every.indices, minlength=every.shape[1])
        rarity = np.where(counts >= 5, 1 + np.log((1 + every.shape[0]) / (1 + counts)), 0)
        texts = (self._words[[*known, *case.asked]] @ sparse.diags(rarity))[:, counts >= 5]
        lengths = np.sqrt(np.asarray(texts.multiply(texts).sum(axis=1)).ravel())
        texts = (sparse.diags(1 / np.maximum(lengths, 1e-9)) @ texts).tocsr()
        told, asked = texts[: len(known)], texts[len(known) :]
        authors = self._authors[[*known, *case.asked]]
        whole = sparse.hstack([texts, authors]).tocsr()
        none = np.zeros(len(case.asked), int)
        svm = LinearSVC(C=0.1, class_weight="balanced", random_state=0)
        regression = LogisticRegression(C=10, class_weight="balanced", max_iter=300)
        fitted = (
            ("SVM", svm.fit(told, answers).decision_function(asked)),
            ("SVM, asked too", svm.fit(texts, [*answers, *none]).decision_function(asked)),
            (
                "regression",
                regression.fit(whole[: len(known)], answers).decision_function(whole[len(known) :]),
            ),
        )
        for name, said in fitted:
            yield name, dict(zip(case.asked, said, strict=True)).__getitem__


@dataclass(slots=True)
class Tally:
    """What a way to rank came to, for one curator."""

    found: int = 0
    wanted: int = 0
    precisions: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)

    def add(self, papers: Sequence[Paper], case: Case, score: Scorer) -> None:
        order = sorted(case.asked, key=lambda place: (-score(place), papers[place].arxiv_id))
        seen: dict[str, int] = defaultdict(int)
        hits, precision = 0, 0.0
        for position, place in enumerate(order, 1):
            seen[papers[place].day] += 1
            if place in case.wanted:
                hits += 1
                precision += hits / position
                self.found += seen[papers[place].day] <= FIRST
        self.wanted += len(case.wanted)
        self.precisions.append(precision / len(case.wanted))
        self.firsts.append(sum(place in case.wanted for place in order[:20]) / 20)

    @property
    def numbers(self) -> tuple[float, float, float]:
        return mean(self.precisions), mean(self.firsts), self.found / self.wanted


def deletions(papers: Sequence[Paper], case: Case, model: Model) -> tuple[int, int]:
    """Of the ten best of each day: how often taking the named words out lowers the score."""
    by_day: dict[str, list[int]] = defaultdict(list)
    for place in case.asked:
        by_day[papers[place].day].append(place)
    lowered = tried = 0
    for places in by_day.values():
        best = sorted(places, key=lambda place: (-model.score(papers[place].terms), place))[:FIRST]
        for one in (papers[place] for place in best):
            _, (named, _) = model.explain(one.terms)
            gone = {word for phrase in named for word in phrase.split()}
            left = terms_of(without(one.title, gone), without(one.abstract, gone), one.authors)
            lowered += bool(named) and model.score(left) < model.score(one.terms)
            tried += 1
    return lowered, tried


def without(text: str, words: set[str]) -> str:
    """The text with these words taken out; a sign stands where they stood."""
    return " ".join(word if word and word not in words else "." for word in words_of(text))


def measure(folder: Path, months: Sequence[str]) -> None:
    papers = read_announced(folder)
    rivals = Rivals(papers) if find_spec("sklearn") else None
    tallies: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    lowered = tried = 0
    for curator, added in read_lists(folder, papers).items():
        plain = topic_scores(papers, curator)
        for case in cases(papers, added, curator, months):
            for labels in LABELS:
                fewer = replace(case, known=case.known[-labels:] if labels else [])
                model = learnt(papers, fewer, added)
                scores = {p: model.score(papers[p].terms, plain[p]) for p in case.asked}
                ways = {"papertrack": scores.__getitem__, "topics alone": plain.__getitem__}
                if rivals and labels >= 20:
                    ways |= dict(rivals.scores(fewer))
                for name, score in ways.items():
                    many = "all" if labels > 1000 else str(labels)
                    tallies[f"{many:>4} {name}"][curator].add(papers, case, score)
                if labels > 1000:
                    some = deletions(papers, case, model)
                    lowered, tried = lowered + some[0], tried + some[1]
    print(f"{len(papers)} announced; {' '.join(months)}")
    print("Average precision, precision@20, recall@10 a day: in the mean, and of each curator")
    for name, by_curator in sorted(tallies.items()):
        of_each = [tally.numbers for tally in by_curator.values()]
        means = tuple(map(mean, zip(*of_each, strict=True)))
        shown = (" ".join(f"{value:.3f}" for value in one) for one in (means, *of_each))
        print(f"{name:20}", " | ".join(shown))
    print(f"Taking the named words out lowered the score of {lowered} of {tried} papers.")


def morning(folder: Path) -> None:
    """What ranking 1,500 announcements costs in a library of 10,000 papers."""
    papers = read_announced(folder, 16_000)
    facts = [_facts(one) for one in papers]
    now = datetime(2026, 11, 16, 8, tzinfo=UTC)
    with tempfile.TemporaryDirectory() as name:
        store = Store.create(Path(name) / "papertrack.db", now=lambda: now)
        with store.action("add"):
            add_papers(store, facts[:9_700], source="announcement", decision="saved")
            add_papers(store, facts[9_700:10_000], source="announcement", decision="discarded")
        batch = [
            Announcement(one.arxiv_id, 1, "new", fact)
            for one, fact in zip(papers, facts, strict=True)
        ]
        record_batch(store, "cs.LG", batch[10_000:14_000], day=date(2026, 11, 2), source="feed")
        before = time.process_time()
        present_model(store, date(2026, 11, 16))
        print(f"learning, once a night: {time.process_time() - before:.2f} s")
        news = papers[14_000:15_500]
        seen = [
            Seen(n, one.arxiv_id, one.title, one.abstract, list(one.authors), 0.0, None)
            for n, one in enumerate(news)
        ]
        before = time.process_time()
        rank(present_model(store, date(2026, 11, 16)), seen)
        print(f"a morning of {len(seen)}, with reasons: {time.process_time() - before:.2f} s")
        records = [Record(o.arxiv_id, o.title, o.abstract, o.authors, o.categories) for o in news]
        before = time.process_time()
        rank_records(store, records, ["cs.LG"], date(2026, 11, 16))
        print(f"`rank FILE` of {len(records)}: {time.process_time() - before:.2f} s")
        store.close()


def _facts(one: Paper) -> PaperFacts:
    identifiers = (Identifier("arxiv", one.arxiv_id),)
    authors = tuple(map(Author, one.authors))
    kept: dict[str, Any] = {"arxiv_categories": one.categories, "abstract": one.abstract}
    return PaperFacts(title=one.title, identifiers=identifiers, authors=authors, **kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--months", default=",".join(MONTHS))
    parser.add_argument("--morning", action="store_true")
    asked = parser.parse_args()
    if asked.morning:
        morning(asked.data)
    else:
        measure(asked.data, asked.months.split(","))


if __name__ == "__main__":
    main()
