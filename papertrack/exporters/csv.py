"""Export papers as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from papertrack.exporters.json import paper_to_json
from papertrack.identifiers.derived import year_of
from papertrack.records import Paper
from papertrack.text import clean

COLUMNS = (
    *("id", "citekey", "kind", "title", "authors", "year", "venue", "arxiv_id", "version", "doi"),
    *("url", "submitted", "primary_category", "categories", "tags", "decision", "passes_done"),
    *("rating", "code", "notes", "added"),
)
"""The columns in order. Lists are joined by ``"; "``, repositories by a space."""

# A spreadsheet takes a cell that starts so, also after blanks or quotes, for a formula to run.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(papers: Iterable[Paper]) -> str:
    """Return one header line and one line per paper, every cell quoted, lines ended by ``\\n``.

    A text that a spreadsheet would run as a formula is prefixed with ``'`` (OWASP, *CSV
    Injection*).
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper in papers:
        writer.writerow(_cells(paper))
    return out.getvalue()


def _cells(paper: Paper) -> Iterator[str]:
    """Return the cells from the JSON values; the year is the one to cite."""
    code = " ".join(link.url for link in paper.facts.links if link.role == "code")
    known = paper_to_json(paper) | {"year": year_of(paper), "code": code}
    for name in COLUMNS:
        value = known[name]
        text = clean("; ".join(value) if isinstance(value, list) else str(value))
        is_formula = text.lstrip("\"' ").startswith(_FORMULA_STARTS)
        yield "" if value is None else f"'{text}" if is_formula else text
