"""Draw which papers cite which, as SVG or for Graphviz (DOT)."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from papertrack.identifiers.derived import year_of
from papertrack.records import Paper
from papertrack.text import clean, shorten

_ROW, _LETTER, _TOP = 22, 7, 56
"""Pixels between two papers, per letter, above the first row."""
_FARTHEST = 500
"""Pixels to which an arc reaches out."""
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
    """Return a picture with a line for each paper, newest first, and an arc to each paper it cites.

    The arcs start behind the names, so none crosses a name.
    """
    ordered = sorted(papers, key=lambda paper: (-(year_of(paper) or 0), paper.citekey))
    rows = {paper.id: number for number, paper in enumerate(ordered)}
    names = [shorten(clean(paper.citekey), _LONGEST) for paper in ordered]
    x = 90 + _LETTER * max(map(len, names), default=0)
    parts, before, widest = list[str](), "", 0
    for paper, name in zip(ordered, names, strict=True):
        y = _TOP + _ROW * rows[paper.id]
        year, before = before, str(year_of(paper) or "no year")
        label = "" if year == before else _text(20, y, before, 'font-weight="bold"')
        title = html.escape(clean(paper.facts.title or paper.citekey))
        dot = f'<circle cx="{x}" cy="{y}" r="5" fill="{_SHADES[paper.passes_done]}"/>'
        name = _text(x - 12, y, name, 'text-anchor="end"')
        parts.append(f"{label}<g><title>{title}</title>{name}{dot}</g>")
    for citing, cited in citations:
        start, end = (_TOP + _ROW * rows[paper_id] for paper_id in (citing, cited))
        reach = min(24 + abs(start - end) * 2 // 3, _FARTHEST)
        widest = max(widest, reach)
        curve = f"M{x + 7} {start}C{x + reach} {start} {x + reach} {end} {x + 8} {end}"
        parts.append(f'<path d="{curve}" marker-end="url(#tip)"/>')
    size = f"{max(x + widest, 560)} {_TOP + _ROW * len(ordered)}"
    about = "An arrow leads from a paper to one that it cites; the darker a dot, the more passes."
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-size="12"'
            ' font-family="sans-serif">',
            "<style>path{fill:none;stroke:#777;stroke-opacity:.6}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7"'
            ' markerHeight="7" orient="auto"><polygon points="0,0 8,4 0,8" fill="#777"/></marker>'
            "</defs>",
            '<rect width="100%" height="100%" fill="white"/>',
            _text(20, 20, about),
            *parts,
            "</svg>\n",
        ]
    )


def _text(x: int, y: int, text: str, style: str = "") -> str:
    return f'<text x="{x}" y="{y + 4}" {style}>{html.escape(text)}</text>'.replace(" >", ">")
