"""Works folded away: a ``<details>`` that tells of one paper is its entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.documents.markdown.model import Entry, Lines
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.naming import make_entry
from papertrack.documents.markdown.roles import strong_identifier
from papertrack.documents.markdown.syntax import DETAILS, DETAILS_END, Block

LONGEST_DETAILS = 50
"""Blocks. A longer ``<details>`` folds a list, not one paper."""

SUMMARY = re.compile(r"<summary\b[^<>]{0,500}>(?P<inner>.{0,2000}?)</summary>", re.I | re.S)


def read_details(context: Context, blocks: Sequence[Block]) -> tuple[Entry | None, int]:
    """Return the entry of a ``<details>`` about one paper, and how many blocks it takes; no entry
    if it folds a list or other text.

    It is about one paper if its summary names one and its links name one work with a registered
    identifier, or the summary itself is a link to it.
    """
    count = _extent(context, blocks)
    span = context.span(blocks[0].first, blocks[count - 1].end)
    summary = SUMMARY.search(context.text, *span) if count else None
    if summary is None or any(block.kind == "table" for block in blocks[:count]):
        return None, 0
    works = {strong_identifier(link.url) for link in context.links_in(span)} - {None}
    unit = lists.read_unit(context, summary.span("inner"))
    if len(works) != 1 or unit.anatomy.title is None:
        return None, 0
    rest = [(span[0], summary.start("inner")), (summary.end("inner"), span[1])]
    return make_entry(context, unit, shape="details", span=span, detail_spans=rest), count


def _extent(lines: Lines, blocks: Sequence[Block]) -> int:
    """Return how many of the blocks the ``<details>`` of the first takes; 0 if it opens none."""
    depth = 0
    for count, block in enumerate(blocks, start=1):
        if block.kind == "html":
            text = lines.text[lines.starts[block.first] : lines.ends[block.end - 1]]
            opened = len(DETAILS.findall(text))
            if count == 1 and not opened:
                return 0
            depth += opened - len(DETAILS_END.findall(text))
            if depth <= 0:
                return count
    return 0
