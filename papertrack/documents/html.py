"""HTML blocks: comments, ``<details>``, table rows and list items written as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from papertrack.documents.blocks import Block, Lines
from papertrack.documents.lists import Context, links_in, make_entry, names_thing
from papertrack.documents.model import Entry, PlacedLink, Shape, Span
from papertrack.documents.roles import strong_identifier

_DETAILS = re.compile(r"<details\b", re.IGNORECASE)
_DETAILS_END = re.compile(r"</details\b", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary\b[^<>]{0,500}>(?P<inner>.{0,2000}?)</summary>", re.I | re.S)
_ROW = re.compile(r"<(?P<name>tr|li)\b[^<>]{0,500}>", re.IGNORECASE)

_Rest = list[tuple[Span, Sequence[PlacedLink]]]


def is_comment(lines: Lines, block: Block) -> bool:
    """Return whether a block is an HTML comment and nothing else."""
    return lines.text.startswith("<!--", block.start + _indent(lines, block))


def _indent(lines: Lines, block: Block) -> int:
    line = lines.text[block.start : lines.ends[block.first]]
    return len(line) - len(line.lstrip(" \t>"))


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


def read_html(context: Context, block: Block) -> tuple[list[Entry], _Rest]:
    """Return (the entries of an HTML block, stretches with links that are none)."""
    lines = context.lines
    start, end = block.start, lines.ends[block.end - 1]
    entries: list[Entry] = []
    rest: _Rest = []
    for span in _pieces(lines.text, start, end):
        unit = context.unit(span)
        links = unit.links
        if not links:
            continue
        is_row = _ROW.match(lines.text, span[0]) is not None
        if any(strong_identifier(link.url) for link in links) or (
            is_row and names_thing(unit) and unit.title_link is not None
        ):
            shape: Shape = "html_row" if is_row else "paragraph"
            entries.append(make_entry(context, unit, shape=shape, span=span))
        else:
            rest.append((span, links_in(context, span)))
    return entries, rest


def _pieces(text: str, start: int, end: int) -> list[Span]:
    """Cut HTML at its table rows and list items."""
    cuts = [match.start() for match in _ROW.finditer(text, start, end)]
    edges = [start, *cuts, end]
    return [(first, last) for first, last in pairwise(edges) if first < last]
