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

# A spreadsheet takes a cell that starts so, also after blanks or quotes, for a formula to run.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def to_csv(papers: Iterable[Paper]) -> str:
    """Return one header line and one line per paper, every cell quoted, lines ended by ``\\n``.

    A text that a spreadsheet would run as a formula is prefixed with ``'`` (OWASP, *CSV
    Injection*).
    """
    return write_rows(COLUMNS, (cells_of(paper).values() for paper in papers))


def write_rows(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a header line and rows in the form of ``to_csv``."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow(map(_not_run, row))
    return out.getvalue()


def _not_run(text: str) -> str:
    is_formula = text.lstrip("\"' ").startswith(_FORMULA_STARTS)
    return f"'{text}" if is_formula else text


def cells_of(paper: Paper) -> dict[str, str]:
    """Return the text of each column for a paper: the JSON values, except for the year to cite."""
    code = " ".join(link.url for link in paper.facts.links if link.role == "code")
    known = paper_to_json(paper) | {"year": year_of(paper), "code": code}
    texts = {name: "" if known[name] is None else known[name] for name in COLUMNS}
    return {
        name: clean("; ".join(value) if isinstance(value, list) else str(value))
        for name, value in texts.items()
    }
