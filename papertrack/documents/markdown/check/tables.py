"""Rows of tables with other than their header's number of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.model import Lines
from papertrack.documents.markdown.read.columns import split_row
from papertrack.documents.markdown.syntax import Block, plain
from papertrack.documents.markdown.values import Span
from papertrack.text import shorten


def ragged_rows(lines: Lines, table: Block) -> Iterator[Finding]:
    """Yield ragged rows; where most rows have the same number of cells, ragged is the header.

    A row with nothing but words in its first cell divides the table on purpose.
    """
    spans = [lines.line_span(number) for number in range(table.first, table.end)]
    header, _, *rows = (split_row(lines.text, *span) for span in spans)
    wanted, common, count = len(header), *_most_common([len(cells) for cells in rows])
    if common != wanted and count > 1 and count * 2 > len(rows):
        message = f"The header has {wanted} cells, but {count} of {len(rows)} rows have {common}"
        message = f"{message}.{_hidden(common, wanted)}"
        yield Finding(table.first + 1, "ragged-row", message, _shown(lines, spans[0]))
        wanted = common
    for number, cells in enumerate(rows, start=2):
        if len(cells) != wanted and not _is_divider(lines, spans[number], cells):
            message = f"The row has {len(cells)} cells, but its table has {wanted} columns."
            message += _hidden(len(cells), wanted)
            about = _shown(lines, spans[number])
            yield Finding(table.first + number + 1, "ragged-row", message, about)


def _most_common(widths: Sequence[int]) -> tuple[int, int]:
    return next(iter(Counter(widths).most_common(1)), (0, 0))


def _is_divider(lines: Lines, row: Span, cells: Sequence[Span]) -> bool:
    """Whether a row only says something about those below it: it links nothing. A paragraph glued
    to the table, which has no pipe, is no such row."""
    text = lines.text[slice(*row)]
    filled = [cell for cell in cells if lines.text[slice(*cell)].strip()]
    return filled == [*cells[:1]] and "|" in text and "](" not in text and "://" not in text


def _shown(lines: Lines, row: Span) -> str:
    return shorten(plain(lines.text[slice(*row)]).replace("|", " "), 120)


def _hidden(width: int, wanted: int) -> str:
    """GFM shows no cell that its table has no column for."""
    return " What is behind the last column is not shown." if width > wanted else ""
