"""A table of papers with the user's data, as Markdown, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papertrack.exporters.citations import cite_latex
from papertrack.exporters.csv import write_rows
from papertrack.exporters.markdown import escape_markdown, http_target
from papertrack.latex.encode import escape_text

Names = Sequence[str]
Rows = Sequence[Sequence[str]]
_LONG = 30
"""In LaTeX, columns with a cell longer than this many letters get line breaks."""


def to_markdown(columns: Names, rows: Rows) -> str:
    """Return a GitHub Markdown table: the only markup in cells is papertrack's own links."""

    def cell(column: str, text: str) -> str:
        target = http_target(text) if column in ("link", "url", "code") else None
        return f"[{column}](<{target}>)" if target else escape_markdown(text)

    head = [escape_markdown(_header(name)) for name in columns], [":---"] * len(columns)
    body = ([*map(cell, columns, row)] for row in rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in (*head, *body))


def to_latex(columns: Names, rows: Rows) -> str:
    """Return a ``tabular`` with booktabs rules; the column of keys cites the papers."""

    def cell(column: str, text: str) -> str:
        is_key = column in ("key", "citekey")
        return cite_latex([text]) if is_key else escape_text(text, encode=False)

    def line(cells: Sequence[str]) -> str:
        # LaTeX would read this as an option of the preceding rule or line end.
        return "{}" * cells[0].startswith(("[", "*")) + f"{' & '.join(cells)} \\\\"

    is_long = [any(len(row[at]) > _LONG for row in rows) for at in range(len(columns))]
    share = 0.9 / (0.25 * len(columns) + 0.75 * sum(is_long))
    form = "".join(f"p{{{share:.2f}\\linewidth}}" if long else "l" for long in is_long)
    head = line([cell("", _header(name)) for name in columns])
    body = [line([*map(cell, columns, row)]) for row in rows]
    begin = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{{form}}}", "\\toprule"]
    return "\n".join([*begin, head, "\\midrule", *body, "\\bottomrule", "\\end{tabular}\n"])


def _header(name: str) -> str:
    return name[:1].upper() + name[1:]


FORMS: dict[str, Callable[[Names, Rows], str]] = {
    "md": to_markdown,
    "csv": write_rows,
    "latex": to_latex,
}
"""The forms of a table, each with its writer."""
