"""Ranking any records against the library, without adding them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from papertrack.actions.ranking.learning import decided_model
from papertrack.actions.ranking.why import reasons_of
from papertrack.actions.watch.match import (
    RARITY_SAMPLE,
    Score,
    Scorer,
    Watcher,
    split_topics,
    topics_at_work,
)
from papertrack.errors import UsageError
from papertrack.identifiers import parse_arxiv_id
from papertrack.queries.matcher import AnnouncedText, announced_text
from papertrack.ranking.words import terms_of
from papertrack.records import Identifier
from papertrack.store.lookup import citekeys_of, find_papers
from papertrack.store.store import Store
from papertrack.text import clean, clean_block


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
    topics: tuple[tuple[str, str], ...]
    """Names and reasons, the best match first."""


def parse_records(text: str, source: str) -> list[Record]:
    """The records of JSON lines, or of one JSON array, in their order.

    Raises UsageError naming ``source`` and the line of what is no record.
    """
    if text.lstrip().startswith("["):
        values = _parsed(text, source)
        if isinstance(values, list):
            return [_record(one, f"{source}, record {n}") for n, one in enumerate(values, 1)]
    lines = ((n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip())
    return [_record(_parsed(line, f"{source}:{n}"), f"{source}:{n}") for n, line in lines]


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
    names = [one if isinstance(one, str) else "" for one in _list(value.get("authors"))]
    categories = [one for one in _list(value.get("arxiv_categories")) if isinstance(one, str)]
    return Record(
        _arxiv_id(value.get("arxiv_id")),
        clean(value["title"]),
        clean_block(_text(value.get("abstract"))),
        tuple(filter(None, map(clean, names))),
        tuple(categories),
    )


def _arxiv_id(value: object) -> str | None:
    """The id as the library has it, without a version; what is none as it was written."""
    text = clean(_text(value))
    found = parse_arxiv_id(text)
    return found.id if found else text or None


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def rank_records(
    store: Store, records: Sequence[Record], default_categories: Sequence[str], today: date
) -> list[Ranked]:
    """The records, best first, equals by their arXiv id and title; nothing is written."""
    model = decided_model(store, today)
    matched = _topics_of(store, records, default_categories)
    known = _citekeys(store, records)
    ranked = []
    for record, topics in zip(records, matched, strict=True):
        terms = terms_of(record.title, record.abstract, record.authors)
        best = max((score.value for _, score in topics), default=0.0)
        reasons = tuple((name, score.reason) for name, score in topics)
        score = model.score(terms, best) if model.decisions else best
        words, authors = reasons_of(model, terms, record.authors)
        citekey = known.get(record.arxiv_id or "")
        ranked.append(Ranked(record, citekey, round(score, 4), words, authors, reasons))
    ranked.sort(key=lambda one: (-one.score, one.record.arxiv_id or "", one.record.title))
    return ranked


def _topics_of(
    store: Store, records: Sequence[Record], default_categories: Sequence[str]
) -> list[list[tuple[str, Score]]]:
    """Of each record the topics that want it, with what they say of it, best first."""
    watchers, _ = split_topics(topics_at_work(store), default_categories)
    texts = [
        announced_text(one.title, one.abstract, one.authors, "", one.arxiv_categories)
        for one in records
    ]
    scorer = Scorer(store, texts[-RARITY_SAMPLE:])
    return [_matches(scorer, watchers, text) for text in texts]


def _matches(
    scorer: Scorer, watchers: Sequence[Watcher], text: AnnouncedText
) -> list[tuple[str, Score]]:
    # A record without categories may stand in any list.
    found = [
        (one.topic.name, scorer.score(one, text))
        for one in watchers
        if (one.takes(text) if text.arxiv_categories else one.matcher.matches(text))
    ]
    return sorted(found, key=lambda pair: (-pair[1].value, pair[0]))


def _citekeys(store: Store, records: Sequence[Record]) -> dict[str, str]:
    ids = {one.arxiv_id for one in records if one.arxiv_id}
    found = find_papers(store, [Identifier("arxiv", one) for one in sorted(ids)])
    numbers = list(found.values())
    keys = dict(zip(numbers, citekeys_of(store, numbers), strict=True))
    return {identifier.value: keys[number] for identifier, number in found.items()}
