"""Read the rows of HTML tables and the items of HTML lists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from papertrack.documents.markdown.grammar.cells import Cell, with_cells
from papertrack.documents.markdown.grammar.columns import column_roles
from papertrack.documents.markdown.grammar.likeness import title_likeness
from papertrack.documents.markdown.marks.kind import CellReader, Mark, MarkKind
from papertrack.documents.markdown.model import Unit
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, most_common, stripped

_CELL = re.compile(
    r"<(?P<name>td|th)\b[^<>]{0,500}>(?P<inner>[^<]*+(?:<(?!/?(?:td|th|tr)\b)[^<]*+)*+)",
    re.IGNORECASE,
)
_ROW = re.compile(r"<(?P<name>tr|li|dt)\b[^<>]{0,500}>", re.IGNORECASE)
_ROW_END = re.compile(r"</(?:tr|li)\s*>", re.IGNORECASE)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)


def pieces_of(text: str, start: int, end: int) -> list[Span]:
    """Split HTML at table rows and list items; a row ends at its ``</tr>``."""
    cuts = [match.start() for match in _ROW.finditer(text, start, end)]
    cuts += [match.end() for match in _ROW_END.finditer(text, start, end)]
    cuts += [match.start() for match in _TABLE.finditer(text, start, end)]
    edges = [start, *sorted(cuts), end]
    return [(first, last) for first, last in pairwise(edges) if text[first:last].strip()]


def is_row(text: str, span: Span) -> bool:
    """Return whether a piece of HTML is a row or an item."""
    return _ROW.match(text, span[0]) is not None


@dataclass(frozen=True, slots=True)
class MarkColumn:
    """The column of reading marks in an HTML table."""

    number: int
    width: int
    """The number of cells in a complete row."""
    kind: MarkKind | None
    """The kind of most of its marks."""
    find: CellReader

    def mark_in(self, text: str, cells: Sequence[Span]) -> Mark | None:
        """Return the mark of a row; for an empty cell, the place where one goes."""
        if len(cells) != self.width:
            return None
        span = stripped(text, cells[self.number])
        if span[0] < span[1]:
            mark = self.find(text, span)
            return replace(mark, is_placed=True) if mark else None
        return Mark(self.kind, span, 0, is_placed=True) if self.kind else None


def mark_columns(
    context: Context, pieces: Sequence[Span], chosen: Mapping[str, str]
) -> dict[Span, MarkColumn]:
    """Return the mark column of each piece that is a row of a table with one.

    ``chosen`` are the reader's settings for columns: folded header → role.
    """
    columns: dict[Span, MarkColumn] = {}
    table: list[Span] = []
    for piece in (*pieces, None):
        if piece is None or _TABLE.match(context.text, piece[0]):
            column = _mark_column(context, table, chosen) if context.marks.mean_read else None
            columns |= dict.fromkeys(table, column) if column else {}
            table = []
        if piece is not None and is_row(context.text, piece):
            table.append(piece)
    return columns


def _mark_column(
    context: Context, table: Sequence[Span], chosen: Mapping[str, str]
) -> MarkColumn | None:
    rows = [_cells_of(context.text, row) for row in table]
    if len(rows) < 2 or _names_of(context.text, table[0]) != {"th"}:
        return None
    head, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    headers = [context.text[slice(*cell)] for cell in head]
    columns = column_roles(headers, [[Cell(context, cell) for cell in row] for row in body], chosen)
    number = next((n for n, column in enumerate(columns) if column.role == "passes"), None)
    if number is None or not body:
        return None
    spans = [stripped(context.text, row[number]) for row in body]
    find = context.marks.cell_reader([context.text[slice(*span)] for span in spans])
    marks = [find(context.text, span) for span in spans if span[0] < span[1]]
    kind = most_common([mark.kind for mark in marks if mark])
    return MarkColumn(number, len(head), kind, find)


def _names_of(text: str, span: Span) -> set[str]:
    return {match["name"].lower() for match in _CELL.finditer(text, *span)}


def _cells_of(text: str, span: Span) -> list[Span]:
    return [match.span("inner") for match in _CELL.finditer(text, *span)]


def read_row(
    context: Context, span: Span, column: MarkColumn | None = None
) -> tuple[Unit, list[Span]]:
    """Return the unit of the cell that names the work, and the other cells.

    ``column`` is the column of marks.
    """
    cells = _cells_of(context.text, span)
    mark = column.mark_in(context.text, cells) if column else None
    read = (lists.read_unit(context, cell) for cell in cells)
    units = [unit for unit in read if unit.anatomy.title is not None]
    if not units:
        return lists.read_unit(context, span), []
    linked = [unit for unit in units if unit.leading_link] or units[:1]
    named = max(linked, key=lambda unit: _title_likeness(context.text, unit))
    others = [cell for cell in cells if cell != named.anatomy.own]
    return lists.with_mark(with_cells(context.text, named, others), mark), others


def _title_likeness(text: str, unit: Unit) -> float:
    """Return how much the first words of a cell read like its row's title."""
    return title_likeness(plain(text[slice(*(unit.anatomy.title or (0, 0)))]))
