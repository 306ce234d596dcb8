"""Papers as JSON: the shape that docs/json.md documents and scripts rely on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from papertrack.category_paths import format_path
from papertrack.identifiers.derived import address_of
from papertrack.records import Paper

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from papertrack.holdings import Details, Holdings, Topic


def paper_to_json(paper: Paper) -> dict[str, object]:
    """Return one paper as JSON values: unknown is None, categories are written ``LLM/Decoding``.

    The keys and their order are a contract: keys are added, never changed.
    """
    facts = paper.facts
    values = dict(reversed(facts.identifiers))  # The first identifier of each scheme.
    return {
        "id": paper.id,
        "kind": facts.kind,
        "citekey": paper.citekey,
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "arxiv_id": values.get("arxiv"),
        "version": facts.version,
        "doi": values.get("doi"),
        "url": address_of(paper),
        "submitted": facts.submitted,
        "updated": facts.updated,
        "primary_category": facts.primary_category,
        "arxiv_categories": list(facts.arxiv_categories),
        "abstract": facts.abstract,
        "categories": [format_path(path) for path in paper.categories],
        "tags": list(paper.tags),
        "passes_done": paper.passes_done,
        "readings": [
            {
                "pass": reading.pass_number,
                "at": reading.at,
                "minutes": reading.minutes,
                "version": reading.version,
                "takeaway": reading.takeaway,
            }
            for reading in paper.readings
        ],
        "decision": paper.decision,
        "decision_reason": paper.decision_reason,
        "rating": paper.rating,
        "snoozed_until": paper.snoozed_until,
        "links": [
            {"role": link.role, "label": link.label, "url": link.url} for link in facts.links
        ],
        "notes": list(paper.notes),
        "topics": list(paper.topics),
        "added": paper.added,
        "description": facts.description,
        "comment": facts.comment,
        "venue": facts.venue,
        "year": facts.year,
        "journal_ref": facts.journal_ref,
        "is_withdrawn": facts.is_withdrawn,
        "citekey_aliases": list(paper.citekey_aliases),
    }


def topic_to_json(topic: Topic) -> dict[str, object]:
    """Return one topic as JSON values."""
    return {
        "name": topic.name,
        "query": topic.query or None,
        "arxiv_categories": list(topic.arxiv_categories),
        "cross": topic.has_cross_lists,
        "feeds": list(topic.feeds),
        "category": format_path(topic.category) or None,
        "paused": topic.is_paused,
        "added": topic.added or None,
    }


def reasons_to_json(
    words: Sequence[str], authors: Sequence[str], topics: Iterable[tuple[str, str]]
) -> Iterator[dict[str, str | None]]:
    """Return the reasons for a paper's rank as JSON values: words, authors, topics with their
    reasons."""
    for kind, names in (("words", words), ("authors", authors)):
        if names:
            yield {"kind": kind, "text": ", ".join(names), "citekey": None}
    for name, reason in topics:
        yield {"kind": "topic", "text": f"{name}: {reason}", "citekey": None}


def ranks_to_json(
    ranks: Iterable[tuple[int, float, Sequence[str], Sequence[str]]],
    topics: Mapping[int, Sequence[tuple[str, str]]],
) -> dict[int, dict[str, object]]:
    """Return ranks as JSON values, by paper: score, words and authors, and the topics' names and
    reasons."""
    return {
        number: {
            "score": score,
            "reasons": [*reasons_to_json(words, authors, topics.get(number, ()))],
        }
        for number, score, words, authors in ranks
    }


def ranked_to_json(paper: Paper, rank: dict[str, object] | None) -> dict[str, object]:
    """Return one paper as JSON values, with its rank, or None if it has none."""
    shape = paper_to_json(paper)
    shape["rank"] = rank
    return shape


def to_json(
    papers: Iterable[Paper],
    *,
    details: Mapping[int, Details] = MappingProxyType({}),
    holdings: Holdings | None = None,
) -> str:
    """Return a JSON array of papers, each with everything that is kept about it, indented by two
    spaces, in UTF-8, with a final newline.

    ``details`` is what is kept about the papers but not shown, ``holdings`` the library's other
    data, which the first paper carries; without papers, an object of its own.
    """
    from papertrack.holdings import Details  # A list shows papers without their details.

    shapes: list[dict[str, object]] = [
        {**paper_to_json(paper), **_rest_to_json(paper, details.get(paper.id, Details()))}
        for paper in papers
    ]
    if holdings is not None and (shapes or holdings != type(holdings)()):
        first = shapes[0] if shapes else {}
        first["library"] = {
            "categories": list(map(format_path, holdings.categories)),
            "topics": list(map(topic_to_json, holdings.topics)),
            "documents": _objects(holdings.documents),
            "forgotten": list(holdings.forgotten),
        }
        shapes = shapes or [first]
    return json.dumps(shapes, ensure_ascii=False, indent=2) + "\n"


def _rest_to_json(paper: Paper, details: Details) -> dict[str, object]:
    facts = paper.facts
    return {
        "identifiers": [identifier._asdict() for identifier in facts.identifiers],
        "author_details": [author._asdict() for author in facts.authors],
        "announced": facts.announced,
        "published_type": facts.published_type,
        "publication": [list(pair) for pair in facts.publication],
        "licence": facts.licence,
        "is_citekey_given": details.is_citekey_given,
        "draft_keys": list(paper.draft_keys),
        "decided_at": details.decided_at,
        "in_hand_since": details.in_hand_since,
        "sources": _objects(details.sources),
        "suggestions": _objects(details.suggestions),
        "originals": [{"source": source, "text": text} for source, text in details.originals],
        "different": list(details.different),
        "found": _objects(details.found),
        "places": [
            {"category": format_path(path), "position": position}
            for path, position in details.places
        ],
        "wish": details.wish,
        "library": None,
    }


def _objects(records: Iterable[DataclassInstance]) -> list[dict[str, object]]:
    from dataclasses import asdict

    return list(map(asdict, records))
