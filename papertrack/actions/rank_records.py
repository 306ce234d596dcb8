"""Ranking any records against the library, without adding them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from papertrack.actions.ranking import NEAR_AMONG, Near, decided_model, near_among, reasons_of
from papertrack.actions.watch.match import matching_topics
from papertrack.errors import UsageError
from papertrack.identifiers import parse_arxiv_id
from papertrack.queries.matcher import announced_text
from papertrack.ranking.words import terms_of
from papertrack.records import Identifier
from papertrack.store.lookup import citekeys_of, find_papers
from papertrack.store.store import Store
from papertrack.store.watch.labels import read_papers
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
        score = model.score(terms, max((score.value for _, score in topics), default=0.0))
        citekey = keys.get(Identifier("arxiv", one.arxiv_id or ""))
        words, authors = reasons_of(model, terms, one.authors)
        near = find_near(terms, citekey)
        reasons = tuple((name, score.reason) for name, score in topics)
        ranked.append(Ranked(one, citekey, round(score, 4), words, authors, near, reasons))
    ranked.sort(key=lambda one: (-one.score, one.record.arxiv_id or "", one.record.title))
    return ranked
