"""What stands in the cells of a table row: set, emptied, and never more replaced than is meant."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.documents.markdown.headers import PASS_ROLES
from papertrack.documents.markdown.marks.style import kind_of, mark_text
from papertrack.documents.markdown.model import Document, Entry, Table
from papertrack.documents.markdown.read.columns import content_span, split_row
from papertrack.documents.markdown.read.dates import date_pattern
from papertrack.documents.markdown.values import (
    Span,
    most_common,
    write_date,
    write_rating,
)
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.documents.markdown.write.patches import Patch, replaced

_EMPTY_WORDS = ("", "null", "-", "–", "—", "N/A", "n/a", "None", "none", ":heavy_minus_sign:", "无")
_EMPHASIS = "*_~ \t"
MODELS = 50
"""Rows that tell a table's style; reading all of a long one for each new row would take minutes."""


def set_cell(document: Document, entry: Entry, column: int, content: str) -> list[Patch]:
    """Return the patch that puts content into a row's cell.

    Padding is kept where cells are padded to their column's width. Elsewhere a cell of n blanks
    becomes one blank, content, n blanks; emptying it makes it n blanks again.
    """
    table = document.table_of(entry)
    if column >= len(entry.anatomy.cells):
        return _lengthened(document, entry, column, content) if content else []
    cell = entry.anatomy.cells[column]
    raw = document.text[slice(*cell)]
    content = content or empty_word(document, table, column)
    width = column_width(document, table, column)
    text = padded(raw, content, keeps_width=table.is_aligned and len(raw) == width)
    return [Patch(cell, text)] if text != raw else []


def set_value(
    document: Document, entry: Entry, role: str, span: Span | None, content: str
) -> list[Patch]:
    """Return the patch that puts a value into the row's cell of this role.

    It takes the place of the value at ``span``; a remark beside that stays. Raises NoPlaceError
    for a cell that holds something else than such a value.
    """
    table = document.table_of(entry)
    column = table.column_of(role)
    assert column is not None, "the caller asked for a place that the table does not have"
    if span is None:
        if not is_empty_cell(document, entry, column):
            header = table.columns[column].header
            raise NoPlaceError(
                f"A cell under {header!r} that holds something else is not written over."
            )
        return set_cell(document, entry, column, content)
    start, end = content_span(document.text, entry.anatomy.cells[column])
    beside = document.text[start : span[0]] + document.text[span[1] : end]
    if beside and (content or beside.strip(_EMPHASIS)):
        return [replaced(document.text, span, content)]
    return set_cell(document, entry, column, content)


def set_pass_cells(document: Document, entry: Entry, passes: int, at: str | None) -> list[Patch]:
    """Return the patches that mark passes in a row with a cell for each: the new ones in theirs,
    the last with its day ``at`` where the cells hold days; those above ``passes`` are emptied.

    Raises NoPlaceError where a cell holds something else, or needs a day that is not known.
    """
    style = document.marks_of(entry.group)
    patches = []
    for cell in entry.anatomy.pass_cells:
        is_done = cell.mark is not None and cell.mark.passes > 0
        is_new = (entry.fields.passes or 0) < cell.number <= passes
        if is_done == is_new or not (is_new or cell.number > passes):
            continue
        text = mark_text(style, int(is_new), at if cell.number == passes else None)
        if text is None:
            if cell.number < passes:
                continue
            raise NoPlaceError(kind_of(style).needs)
        span = cell.mark.span if cell.mark else None
        patches += set_value(document, entry, PASS_ROLES[cell.number - 1], span, text)
    return patches


def padded(raw: str, content: str, *, keeps_width: bool) -> str:
    """Return a cell with other content, padding as ``set_cell`` promises."""
    old = raw.strip(" \t")
    if not content:
        blanks = len(raw) if keeps_width else max(len(raw) - len(old) - bool(old), 0)
        return " " * blanks
    if old:
        lead = len(raw) - len(raw.lstrip(" \t"))
        trail = len(raw) - len(old) - lead
        if keeps_width:
            trail = max(len(raw) - lead - len(content), 1)
        return raw[:lead] + content + " " * trail
    is_roomy = keeps_width and len(raw) >= len(content) + 2
    trail = len(raw) - 1 - len(content) if is_roomy else len(raw)
    return f" {content}{' ' * trail}" if raw else content


def empty_word(document: Document, table: Table, column: int) -> str:
    """Return what the document writes for nothing in a column: mostly nothing, or ``null``."""
    cells = (e.anatomy.cells for e in model_rows(document, table))
    words = [document.text[slice(*row[column])].strip() for row in cells if column < len(row)]
    return most_common([word for word in words if word in _EMPTY_WORDS]) or ""


def is_empty_cell(document: Document, entry: Entry, column: int) -> bool:
    """Return whether a row shows nothing in a column."""
    cells = entry.anatomy.cells
    return column >= len(cells) or document.text[slice(*cells[column])].strip() in _EMPTY_WORDS


def model_rows(document: Document, table: Table) -> list[Entry]:
    """Return the rows of a table that a new one is like: the last ones."""
    return document.rows_of(table)[-MODELS:]


def column_width(document: Document, table: Table, column: int) -> int:
    """Return the width of a column's cell in the delimiter row."""
    cells = split_row(document.text, *document.line_span(table.header_line + 1))
    return cells[column][1] - cells[column][0] if column < len(cells) else 0


def _lengthened(document: Document, entry: Entry, column: int, content: str) -> list[Patch]:
    """Return the patch that gives a short row the cells up to this column."""
    start, end = entry.anatomy.own
    row = document.text[start:end].rstrip(" \t")
    is_closed = row.endswith("|") and not row.endswith("\\|")
    at = start + len(row)
    text = " |" * (column - len(entry.anatomy.cells)) + f" {content} |"
    return [Patch((at, at), text if is_closed else " |" + text[:-2])]


def date_text(document: Document, table: Table, date: str | None) -> str | None:
    """Return a date as the table writes dates; None if it is not known precisely enough."""
    if date is None:
        return ""
    rows = model_rows(document, table)
    patterns = [p for row in rows if (p := date_pattern(document.text, row))]
    style = document.style
    pattern = style.chosen_date_format or most_common(patterns) or style.date_format or "%Y/%m"
    return write_date(date, pattern)


def rating_text(document: Document, rating: int | None, samples: Sequence[str] = ()) -> str:
    """Return a rating written as others are, if these are numbers; else in the document's stars."""
    written_score = write_rating(rating, samples) if rating else None
    return written_score or (document.style.rating or "⭐️") * (rating or 0)


def rating_samples(document: Document, entry: Entry) -> list[str]:
    """Return the ratings of an entry and of the other rows of its table, as they are written."""
    others = () if entry.anatomy.table is None else document.rows_of(document.table_of(entry))
    spans = (one.anatomy.rating for one in (entry, *others))
    return [document.text[slice(*span)] for span in spans if span]
