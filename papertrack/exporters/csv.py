"""Export papers as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

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

# Spreadsheets run a cell that starts like this as a formula, also after blanks or quotes.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(papers: Iterable[Paper]) -> str:
    """Return one header line and one line per paper, every cell quoted, lines ended by ``\\n``.

    A text that a spreadsheet would run as a formula is prefixed with ``'`` (OWASP, *CSV
    Injection*).
    """
    return write_rows(COLUMNS, (cells_of(paper).values() for paper in papers))


def write_rows(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a header line and rows, written as ``to_csv`` does."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow(map(_without_formula, row))
    return out.getvalue()


def _without_formula(text: str) -> str:
    return f"'{text}" if text.lstrip("\"' ").startswith(_FORMULA_STARTS) else text


def cells_of(paper: Paper) -> dict[str, str]:
    """Return a paper's cells by column: the JSON values, and the year to cite."""
    code = " ".join(link.url for link in paper.facts.links if link.role == "code")
    values = paper_to_json(paper) | {"year": year_of(paper), "code": code}
    texts = {name: "" if values[name] is None else values[name] for name in COLUMNS}
    return {
        name: clean("; ".join(value) if isinstance(value, list) else str(value))
        for name, value in texts.items()
    }
