"""Tables: rows split into cells with exact offsets."""

from __future__ import annotations

import re
from itertools import pairwise

from papertrack.documents.markdown.values import Span, stripped

_PIPE = re.compile(r"(?<!\\)\|")


def split_row(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the span of each cell of a row, padding included, without the outer pipes.

    As GFM has it, ``\\|`` never ends a cell, not even within a code span, and any other pipe does,
    even within one. ``start`` is where the row starts, behind a quote's or list item's marks.
    """
    start = end - len(text[start:end].lstrip(" \t>"))
    if not text.startswith("|", start, end):
        start -= 1  # The edge before the first cell, as a pipe is.
    edges = [start, *(match.start() for match in _PIPE.finditer(text, start + 1, end))]
    cells = [(edge + 1, pipe) for edge, pipe in pairwise(edges)]
    if text[edges[-1] + 1 : end].strip():
        cells.append((edges[-1] + 1, end))
    return tuple(cells)


def content_span(text: str, cell: Span) -> Span:
    """Return a cell's span without its padding; an empty cell gives an empty span inside it."""
    return stripped(text, cell, " \t")
