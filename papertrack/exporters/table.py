"""A table of papers and what the reader says of them, as Markdown, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papertrack.exporters.citations import cite_latex
from papertrack.exporters.csv import write_rows
from papertrack.exporters.markdown import escape_markdown, http_target
from papertrack.latex.encode import escape_text

Rows = Sequence[Sequence[str]]
ADDRESSES = ("link", "code")
"""Columns of addresses."""
_LONG = 30
"""Letters of the longest cell from which on those of its column are broken into lines in LaTeX."""


def to_markdown(columns: Sequence[str], rows: Rows) -> str:
    """A table of GitHub's Markdown: nothing in a cell is markup but papertrack's own links."""

    def cell(column: str, text: str) -> str:
        target = http_target(text) if column in ADDRESSES else None
        return f"[{column}](<{target}>)" if target else escape_markdown(text)

    head = [escape_markdown(_header(name)) for name in columns], [":---"] * len(columns)
    shown = ([cell(*pair) for pair in zip(columns, row, strict=True)] for row in rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in (*head, *shown))


def to_latex(columns: Sequence[str], rows: Rows) -> str:
    """A ``tabular`` with the rules of booktabs; papers are cited in a column of keys."""

    def cell(column: str, text: str) -> str:
        shown = cite_latex([text]) if column == "key" else escape_text(text, encode=False)
        # What begins so would be an option of the rule or line end before it.
        return "{}" + shown if shown.startswith(("[", "*")) else shown

    def line(cells: Sequence[str]) -> str:
        return f"{' & '.join(cells)} \\\\"

    long = [any(len(row[at]) > _LONG for row in rows) for at in range(len(columns))]
    share = 0.9 / (sum(long) + (len(long) - sum(long)) / 4)
    form = "".join(f"p{{{share:.2f}\\linewidth}}" if one else "l" for one in long)
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            f"\\begin{{tabular}}{{{form}}}",
            "\\toprule",
            line([escape_text(_header(name), encode=False) for name in columns]),
            "\\midrule",
            *(line([cell(*pair) for pair in zip(columns, row, strict=True)]) for row in rows),
            "\\bottomrule",
            "\\end{tabular}\n",
        ]
    )


def _header(name: str) -> str:
    return name[:1].upper() + name[1:]


FORMS: dict[str, Callable[[Sequence[str], Rows], str]] = {
    "md": to_markdown,
    "csv": write_rows,
    "latex": to_latex,
}
"""The forms of a table, each with its writer."""
