"""Papers as JSON: the shape that docs/json.md documents and scripts rely on."""

from __future__ import annotations

import json
from collections.abc import Iterable

from papertrack.category_paths import format_path
from papertrack.identifiers.derived import address_of
from papertrack.records import Paper


def paper_to_json(paper: Paper) -> dict[str, object]:
    """One paper as JSON values: unknown is None, categories are written ``LLM/Decoding``.

    The keys and their order are a contract: they are added to, never changed.
    """
    facts = paper.facts
    return {
        "id": paper.id,
        "kind": facts.kind,
        "citekey": paper.citekey,
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "arxiv_id": facts.identifier("arxiv"),
        "version": facts.version,
        "doi": facts.identifier("doi"),
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


def to_json(papers: Iterable[Paper]) -> str:
    """An array of papers, indented by two blanks, UTF-8 kept, with a final newline."""
    shapes = [paper_to_json(paper) for paper in papers]
    return json.dumps(shapes, ensure_ascii=False, indent=2) + "\n"
