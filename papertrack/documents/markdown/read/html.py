"""HTML blocks: comments, ``<details>``, table rows and list items written as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from papertrack.documents.markdown.model import Entry, PlacedLink, Shape, Unit
from papertrack.documents.markdown.read.blocks import Block, Context, Lines
from papertrack.documents.markdown.read.inline import links_in
from papertrack.documents.markdown.read.naming import make_entry
from papertrack.documents.markdown.read.units import names_thing, read_unit
from papertrack.documents.markdown.roles import strong_identifier
from papertrack.documents.markdown.values import Span

LONGEST_DETAILS = 50
"""Blocks. A longer ``<details>`` folds a list, not one paper."""

_DETAILS = re.compile(r"<details\b", re.IGNORECASE)
_DETAILS_END = re.compile(r"</details\b", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^<>]{0,500}>(?P<inner>.{0,2000}?)</summary>", re.I | re.S)
_CELL = re.compile(
    r"<(?P<name>td|th)\b[^<>]{0,500}>(?P<inner>[^<]*+(?:<(?!/?(?:td|th|tr)\b)[^<]*+)*+)",
    re.IGNORECASE,
)
_ROW = re.compile(r"<(?P<name>tr|li)\b[^<>]{0,500}>", re.IGNORECASE)
_ROW_END = re.compile(r"</(?:tr|li)\s*>", re.IGNORECASE)

_Rest = list[tuple[Span, Sequence[PlacedLink]]]


def opens_details(text: str) -> bool:
    """Return whether a block opens a ``<details>``."""
    return _DETAILS.search(text) is not None


def closes_details(text: str) -> int:
    """Return how many ``<details>`` a block closes."""
    return len(_DETAILS_END.findall(text))


def summary_of(text: str) -> str | None:
    """Return the markup of a ``<summary>``."""
    match = _SUMMARY.search(text)
    return match["inner"] if match else None


def details_extent(lines: Lines, blocks: Sequence[Block], first: int) -> int:
    """Return how many blocks the ``<details>`` of block ``first`` takes; 0 if it opens none."""
    depth = 0
    for number in range(first, min(first + LONGEST_DETAILS, len(blocks))):
        block = blocks[number]
        if block.kind == "html":
            text = lines.text[lines.starts[block.first] : lines.ends[block.end - 1]]
            depth += len(_DETAILS.findall(text)) - closes_details(text)
            if number == first and not opens_details(text):
                return 0
            if depth <= 0:
                return number - first + 1
    return 0


def read_details(context: Context, blocks: Sequence[Block]) -> Entry | None:
    """Return the entry of a ``<details>`` about one paper; None if it folds a list or other text.

    It is about one paper if its summary names one and its links name one work with a registered
    identifier, or the summary itself is a link to it.
    """
    lines = context.lines
    span = lines.span(blocks[0].first, blocks[-1].end)
    summary = _SUMMARY.search(lines.text, *span)
    if summary is None or any(block.kind == "table" for block in blocks):
        return None
    links = links_in(context, span)
    works = {found for link in links if (found := strong_identifier(link.url))}
    if len(works) != 1:
        return None
    unit = read_unit(context, summary.span("inner"))
    if unit.anatomy.title is None:
        return None
    rest = [(span[0], summary.start("inner")), (summary.end("inner"), span[1])]
    return make_entry(context, unit, shape="details", span=span, detail_spans=rest)


def read_html(context: Context, block: Block) -> tuple[list[Entry], _Rest]:
    """Return (the entries of an HTML block, stretches with links that are none)."""
    lines = context.lines
    start, end = block.start, lines.ends[block.end - 1]
    entries: list[Entry] = []
    rest: _Rest = []
    for span in _pieces(lines.text, start, end):
        is_row = _ROW.match(lines.text, span[0]) is not None
        unit, others = _read_row(context, span) if is_row else (read_unit(context, span), [])
        links = [*unit.links]
        for other in others:
            links += links_in(context, other)
        if _is_entry(unit, links, is_row=is_row):
            shape: Shape = "html_row" if is_row else "paragraph"
            entry = make_entry(context, unit, shape=shape, span=span, detail_spans=others)
            entries.append(entry)
        elif links:
            rest.append((span, links))
    return entries, rest


def _is_entry(unit: Unit, links: Sequence[PlacedLink], *, is_row: bool) -> bool:
    """Whether a piece of HTML names a work, or is a row whose title is a link."""
    if any(strong_identifier(link.url) for link in links):
        return True
    return is_row and names_thing(unit) and unit.title_link is not None


def _read_row(context: Context, span: Span) -> tuple[Unit, list[Span]]:
    """Return what the cell of a row says that names the thing, and the other cells."""
    cells = [match.span("inner") for match in _CELL.finditer(context.text, *span)]
    units = [
        unit
        for unit in (read_unit(context, cell) for cell in cells)
        if unit.anatomy.title is not None
    ]
    named = [unit for unit in units if unit.starts_with_title] or units
    if not named:
        return read_unit(context, span), []
    return named[0], [cell for cell in cells if cell != named[0].anatomy.own]


def _pieces(text: str, start: int, end: int) -> list[Span]:
    """Cut HTML at its table rows and list items; a row ends at its ``</tr>``."""
    cuts = [match.start() for match in _ROW.finditer(text, start, end)]
    cuts += [match.end() for match in _ROW_END.finditer(text, start, end)]
    edges = [start, *sorted(cuts), end]
    return [(first, last) for first, last in pairwise(edges) if text[first:last].strip()]
