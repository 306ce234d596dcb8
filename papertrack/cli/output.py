"""Print data to stdout: columns for people, JSON or tab-separated lines for programs.

It also describes papers in words, and lets the user choose from lists.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import click

from papertrack.actions.results import plain
from papertrack.errors import UsageError
from papertrack.records import DECISIONS
from papertrack.text import clean, display_width, pad, truncate, visible

if TYPE_CHECKING:
    from papertrack.actions.online.search_arxiv import Candidate
    from papertrack.queries.nodes import Query
    from papertrack.store.listing import ListedPaper

Columns = Mapping[str, str | Callable[[Any], str]]
"""The head of each column, with the name of a result's field or a function for the text."""
_PAGE = 500
"""The width of columns depends on this many first rows."""
_MIN_FLEXIBLE = 20
"""Other columns are left out if the flexible column has fewer cells than this."""
_MIN_WIDTH = 8
"""The minimum width of the flexible column; longer lines wrap."""


def is_terminal() -> bool:
    """Return whether a person reads stdout."""
    return sys.stdout.isatty()


def line_width() -> int:
    """Return the width of a line: $COLUMNS, or the terminal's width, else 80."""
    # The same as in shutil, whose import loads modules for archives.
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (ValueError, OSError):
        return 80


def wrapped(text: str, width: int) -> Iterator[str]:
    """Wrap the words of a text into lines of at most this many cells; longer words stay whole."""
    line: list[str] = []
    used = 0
    for word in text.split():
        cells = display_width(word)
        if line and used + cells > width:
            yield " ".join(line)
            line, used = [], 0
        line.append(word)
        used += cells + 1
    if line:
        yield " ".join(line)


def print_json(value: object) -> None:
    """Print one JSON value to stdout, indented, with escapes for unprintable characters."""
    click.echo("\n".join(map(_printable, _json_encoder(indent=2).encode(plain(value)).split("\n"))))


def print_json_lines(records: Iterable[object]) -> None:
    """Print an array to stdout, one record per line, without keeping the records in memory."""
    separator = "[\n"
    for line in map(_printable, map(_json_encoder().encode, records)):
        sys.stdout.write(separator + line)
        separator = ",\n"
    sys.stdout.write("[]\n" if separator == "[\n" else "\n]\n")


def _json_encoder(indent: int | None = None) -> json.JSONEncoder:
    is_narrow = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    # The printed values contain no cycles.
    return json.JSONEncoder(check_circular=False, ensure_ascii=is_narrow, indent=indent)


def _printable(line: str) -> str:
    # A fast check: the only unprintable ASCII character in JSON is this one.
    if (line.isascii() and "\x7f" not in line) or line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def print_text(text: str) -> None:
    """Print text to stdout: unchanged in a pipe, with visible control characters on a terminal."""
    click.echo(visible(text) if is_terminal() else text, nl=False)


def print_document(data: bytes) -> None:
    """Print the content of a file to stdout: exact bytes in a pipe, text on a terminal."""
    if is_terminal():
        print_text(data.decode("utf-8", "replace"))
    else:
        click.echo(data, nl=False)


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    flexible: int,
    right: Sequence[int] = (),
    spare: Sequence[int] = (),
    colour: Callable[[str], str] | None = None,
) -> int:
    """Print rows below a head: aligned on a terminal, tab-separated and without head in a pipe.

    ``flexible`` is the column that is cut to the remaining width. Columns in ``right`` are aligned
    right. Columns in ``spare`` are left out, one after another, if there is too little space.
    ``colour`` colours the first column. Cells are cleaned here. Rows are printed as they come, and
    the first few hundred rows decide the widths. Returns the number of rows.
    """
    cleaned = ([clean(cell) for cell in row] for row in rows)
    if not is_terminal():
        return sum(sys.stdout.write("\t".join(row) + "\n") > 0 for row in cleaned)
    first = list(islice(cleaned, _PAGE))
    if not first:
        return 0
    # Later rows are not known yet.
    columns = _filled_columns(first, flexible) if len(first) < _PAGE else range(len(head))
    layout = _Layout.of([head, *first], columns, flexible, right, spare)
    click.echo(style(layout.line(head), dim=True))
    count = 0
    for count, row in enumerate(chain(first, cleaned), start=1):  # noqa: B007  # The number.
        line = layout.line(row)
        click.echo(colour(row[0]) + line[len(row[0]) :] if colour else line)
    return count


def cells_of(row: object, columns: Columns) -> list[str]:
    """Return the texts of a result, column by column."""
    return [
        _cell(getattr(row, source)) if isinstance(source, str) else source(row)
        for source in columns.values()
    ]


def _cell(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def style(text: str, **attributes: Any) -> str:
    """Return ``text`` in a colour or weight, on terminals that support it."""
    if os.environ.get("NO_COLOR") or not is_terminal():
        return text
    return click.style(text, **attributes)


def _filled_columns(cells: Sequence[Sequence[str]], flexible: int) -> Sequence[int]:
    # An empty column would only take space.
    columns = range(len(cells[0]))
    return [i for i in columns if i == flexible or any(row[i] for row in cells)]


class _Layout(NamedTuple):
    """The layout of a table's columns."""

    shown: Sequence[int]
    """The indexes of the columns that are shown."""
    widths: Sequence[int]
    """The width of each shown column."""
    flexible: int
    """Which shown column is cut if the line is too long."""
    right: Sequence[bool]
    """Whether each shown column is flush right."""

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[str]],
        shown: Sequence[int],
        flexible: int,
        right: Sequence[int],
        spare: Sequence[int],
    ) -> Self:
        """Return a layout as wide as these rows need, within the terminal's width."""
        full = [max(map(display_width, column)) for column in zip(*rows, strict=True)]

        def room_beside(columns: Sequence[int]) -> int:
            others = sum(full[i] + 2 for i in columns if i != flexible)
            return max(line_width() - others, _MIN_WIDTH)

        for column in spare:
            if room_beside(shown) < min(full[flexible], _MIN_FLEXIBLE):
                shown = [i for i in shown if i != column]
        widths, index, room = [full[i] for i in shown], shown.index(flexible), room_beside(shown)
        # If there are more rows, some may fill it.
        widths[index] = min(widths[index], room) if len(rows) <= _PAGE else room
        return cls(shown, widths, index, [i in right for i in shown])

    def line(self, row: Sequence[str]) -> str:
        """Return the row as one line; the flexible cell shrinks if other cells are too wide."""
        cells, widths = [row[i] for i in self.shown], list(self.widths)
        excess = [max(display_width(c) - w, 0) for c, w in zip(cells, widths, strict=True)]
        room = widths[self.flexible] - (sum(excess) - excess[self.flexible])
        widths[self.flexible] = max(room, min(widths[self.flexible], _MIN_WIDTH))
        cells[self.flexible] = truncate(cells[self.flexible], widths[self.flexible])
        padded = (
            " " * (width - display_width(cell)) + cell if is_right else pad(cell, width)
            for cell, width, is_right in zip(cells, widths, self.right, strict=True)
        )
        return "  ".join(padded).rstrip()


STATE_COLOURS = {"inbox": "yellow", "discarded": "red", "unread": None}
_LIST_HEAD = ("state", "date", "key", "author", "title")
_CANDIDATE_HEAD = ("no.", "library", "arXiv", "date", "author", "title")


def state_word(decision: str, passes_done: int) -> str:
    """Return the most important state: ``inbox``, ``discarded``, ``unread`` or ``pass 2``."""
    if decision != "saved" and not passes_done:
        return decision
    return f"pass {passes_done}" if passes_done else "unread"


def coloured_state(word: str) -> str:
    """Return a state word in its colour: green for passes, yellow for waiting papers."""
    colour = STATE_COLOURS.get(word, "green")
    return style(word, fg=colour) if colour else word


def month_shown(submitted: str | None, arxiv_id: str | None) -> str:
    """Return ``2023-09``, the month of version 1 from a source or the arXiv id, or ""."""
    if submitted is None and arxiv_id is not None:
        from papertrack.identifiers import arxiv_month

        return arxiv_month(arxiv_id)
    return (submitted or "")[:7]


def author_shown(first: str | None, count: int) -> str:
    """Return ``Kwon et al.`` or ``Keshav``: the first author, and whether there are more."""
    if not first:
        return ""
    family, comma, _ = first.partition(",")
    name = family if comma else first.rpartition(" ")[2]
    return f"{name} et al." if count > 1 else name


def warnings(
    is_withdrawn: bool | None,
    version: int | None,
    version_read: int | None,
    *,
    has_other_title: bool = False,
    is_brief: bool = False,
) -> Sequence[str]:
    """Return warnings about a paper: withdrawn, a newer version, another title.

    If brief, each is a single word, for a line that also shows the title.
    """
    messages = ["withdrawn"] if is_withdrawn else []
    if version and version_read and version > version_read:
        text = f"read v{version_read}"
        messages.append(f"v{version}, {text}" if is_brief else f"v{version} is out, you {text}")
    if has_other_title:
        messages.append("retitled" if is_brief else "arXiv has another title")
    return messages


def print_papers(papers: Iterable[ListedPaper]) -> int:
    """Print the papers as a table, one line each; return their number."""
    rows = map(_listed_row, papers)
    return print_table(_LIST_HEAD, rows, flexible=4, spare=(1, 3), colour=coloured_state)


def _listed_row(paper: ListedPaper) -> tuple[str, str, str, str, str]:
    title = paper.title or f"{paper.identifier} (title not known yet)"
    for warning in warnings(
        bool(paper.is_withdrawn),
        paper.version,
        paper.version_read,
        has_other_title=bool(paper.has_other_title),
        is_brief=True,
    ):
        title = f"[{warning}] {title}"
    return (
        state_word(paper.decision, paper.passes_done),
        month_shown(paper.submitted, paper.arxiv_id) or str(paper.year or ""),
        paper.citekey,
        author_shown(paper.first_author, paper.author_count),
        title,
    )


def print_candidates(candidates: Sequence[Candidate]) -> None:
    """Print one line for each candidate, numbered from 1, with its state in the library."""
    rows = []
    for number, candidate in enumerate(candidates, start=1):
        facts = candidate.record.facts
        first = facts.authors[0].name if facts.authors else None
        row = (
            str(number),
            candidate.decision or "",
            candidate.record.identifier.value,
            (facts.submitted or "")[:10],
            author_shown(first, len(facts.authors)),
            facts.title or "",
        )
        rows.append(row)
    print_table(_CANDIDATE_HEAD, rows, flexible=5, right=(0,))


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """Let the user pick a candidate on the terminal; None if the user wants none."""
    print_candidates(candidates)
    number: int = click.prompt(
        "Which one (0 for none)", type=click.IntRange(0, len(candidates)), default=1, err=True
    )
    return candidates[number - 1] if number else None


def can_choose() -> bool:
    """Return whether there is a user to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def choose_by_number(candidates: Sequence[Candidate], numbers: Sequence[int]) -> list[Candidate]:
    """Return the candidates with these numbers. Raises UsageError for an unknown number."""
    unknown = [number for number in numbers if not 1 <= number <= len(candidates)]
    if unknown:
        raise UsageError(
            f"There is no number {unknown[0]}: {len(candidates)} were found. Nothing was added."
        )
    return [candidates[number - 1] for number in dict.fromkeys(numbers)]


def shown_query(text: str, *, with_discarded: bool = False) -> Query:
    """Return the query of a list, without discarded papers unless it asks for a decision."""
    from papertrack.queries.nodes import EVERYTHING, And, Not, Term, Text

    query: Query = EVERYTHING
    if text.strip():
        # A list of all papers does not need the parser.
        from papertrack.queries.parser import parse_query

        query = parse_query(text)
    if with_discarded or _asks_for_decision(query):
        return query
    parts = query.parts if isinstance(query, And) else (query,)
    not_discarded = Not(Term("is", Text("discarded")))
    return And((*parts, not_discarded)) if parts else not_discarded


def _asks_for_decision(query: Query) -> bool:
    from papertrack.queries.nodes import And, Not, Or, Term, Text

    match query:
        case And(parts) | Or(parts):
            return any(map(_asks_for_decision, parts))
        case Not(part):
            return _asks_for_decision(part)
        case Term("is", Text(word)):
            return word in DECISIONS
        case Term(field, _):
            return field == "decision"
