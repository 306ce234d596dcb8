"""Papers as CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable

from papertrack.identifiers.derived import address_of, year_of
from papertrack.records import Paper
from papertrack.text import clean

_COLUMNS: dict[str, Callable[[Paper], object]] = {
    "id": lambda paper: paper.id,
    "citekey": lambda paper: paper.citekey,
    "kind": lambda paper: paper.facts.kind,
    "title": lambda paper: paper.facts.title,
    "authors": lambda paper: "; ".join(author.name for author in paper.facts.authors),
    "year": year_of,
    "venue": lambda paper: paper.facts.venue,
    "arxiv_id": lambda paper: paper.facts.identifier("arxiv"),
    "version": lambda paper: paper.facts.version,
    "doi": lambda paper: paper.facts.identifier("doi"),
    "url": address_of,
    "submitted": lambda paper: paper.facts.submitted,
    "primary_category": lambda paper: paper.facts.primary_category,
    "categories": lambda paper: "; ".join("/".join(path) for path in paper.categories),
    "tags": lambda paper: "; ".join(paper.tags),
    "decision": lambda paper: paper.decision,
    "passes_done": lambda paper: paper.passes_done,
    "rating": lambda paper: paper.rating,
    "code": lambda paper: " ".join(link.url for link in paper.facts.links if link.role == "code"),
    "notes": lambda paper: "; ".join(paper.notes),
    "added": lambda paper: paper.added,
}

COLUMNS = tuple(_COLUMNS)
"""The columns in their order. Lists are joined by ``"; "``, the repositories by a blank."""

# A spreadsheet takes a cell that starts so, also after blanks or quotes, for a formula to run.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(papers: Iterable[Paper]) -> str:
    """One header line and one line per paper, every cell in quotes, lines ended by ``\\n``.

    A text that a spreadsheet would run as a formula gets ``'`` before it (OWASP, *CSV Injection*).
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper in papers:
        writer.writerow([_cell(value_of(paper)) for value_of in _COLUMNS.values()])
    return out.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = clean(str(value))
    return "'" + text if text.lstrip("\"' ").startswith(_FORMULA_STARTS) else text
