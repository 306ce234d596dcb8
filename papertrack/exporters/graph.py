"""Draw which papers cite which, as SVG or for Graphviz (DOT)."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from papertrack.identifiers.derived import year_of
from papertrack.records import Paper
from papertrack.text import clean, shorten

_ROW, _LETTER, _GAP, _TOP = 22, 7, 90, 70
"""Pixels between two papers, per letter, between two columns, and above the first row."""
_LONGEST = 30
"""How many letters of a citekey are shown."""
_SHADES = ("#b8c4d0", "#7fa3c7", "#3f78ad", "#123f6d")
"""The colours of papers with 0 to 3 passes."""


def to_dot(papers: Iterable[Paper], citations: Iterable[tuple[int, int]]) -> str:
    """Return a graph for `dot`: a node for each paper, by citekey, and an arrow to each paper it
    cites."""
    key_of = {paper.id: _quoted(paper.citekey) for paper in papers}
    lines = [
        f"  {key_of[paper.id]} [tooltip={_quoted(paper.facts.title or paper.citekey)}];"
        for paper in papers
    ]
    lines += [f"  {key_of[citing]} -> {key_of[cited]};" for citing, cited in citations]
    return "\n".join(["digraph citations {", "  rankdir=RL;", "  node [shape=box];", *lines, "}\n"])


def _quoted(text: str) -> str:
    return '"' + clean(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_svg(papers: Sequence[Paper], citations: Iterable[tuple[int, int]]) -> str:
    """Return a picture with a column for each year, oldest left, and an arrow to each cited
    paper."""
    by_year = sorted(papers, key=lambda paper: (year_of(paper) or 0, paper.citekey))
    columns = [(year, list(of)) for year, of in groupby(by_year, key=year_of)]
    parts, ends = [], dict[int, tuple[int, int, int]]()
    left = 30
    for year, members in columns:
        longest = max(len(shorten(paper.citekey, _LONGEST)) for paper in members)
        parts.append(_text(left, _TOP - 26, str(year or "no year"), 'font-weight="bold"'))
        for row, paper in enumerate(members):
            y = _TOP + row * _ROW
            ends[paper.id] = left, left + 14 + longest * _LETTER, y
            title = html.escape(clean(paper.facts.title or paper.citekey))
            dot = f'<circle cx="{left}" cy="{y}" r="5" fill="{_SHADES[paper.passes_done]}"/>'
            name = _text(left + 10, y + 4, shorten(clean(paper.citekey), _LONGEST))
            parts.append(f"<g><title>{title}</title>{dot}{name}</g>")
        left += 14 + longest * _LETTER + _GAP
    arrows = [_arrow(ends, citing, cited) for citing, cited in citations]
    height = _TOP + _ROW * max((len(members) for _, members in columns), default=1)
    about = "An arrow leads from a paper to one that it cites; the darker a dot, the more passes."
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(left, 640)} {height}"'
            ' font-family="sans-serif" font-size="12">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7"'
            ' markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#777"/></marker></defs>',
            '<rect width="100%" height="100%" fill="white"/>',
            _text(20, 22, about),
            '<g fill="none" stroke="#777" stroke-opacity=".6">',
            *arrows,
            "</g>",
            *parts,
            "</svg>\n",
        ]
    )


def _text(x: int, y: int, text: str, style: str = "") -> str:
    return f'<text x="{x}" y="{y}" {style}>{html.escape(text)}</text>'.replace(" >", ">")


def _arrow(ends: Mapping[int, tuple[int, int, int]], citing: int, cited: int) -> str:
    """Draw a curve to the nearer side of the cited paper's dot or name; within a year, to its
    left."""
    left, right, y = ends[citing]
    other_left, other_right, other_y = ends[cited]
    start = right if other_left > left else left - 6
    end = other_right if other_right < left else other_left - 7
    is_one_year = left == other_left
    middle = left - 16 - min(abs(y - other_y), 60) if is_one_year else (start + end) // 2
    return (
        f'<path d="M{start} {y}C{middle} {y} {middle} {other_y} {end} {other_y}" '
        'marker-end="url(#tip)"/>'
    )
