"""How data looks on stdout: for people as columns, for programs as JSON or tab-separated lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, Self, TypeVar

import click

from papertrack.actions.results import plain
from papertrack.text import clean, display_width, pad, truncate

Columns = Mapping[str, str | Callable[[Mapping[str, Any]], str]]
"""The head of each column, with the value of a record that it shows, or what makes its text."""
_PAGE = 500
"""Rows that are looked at and written together."""
_LINES = 20
"""Lines of JSON that are written together: text of over 128 KB would be given memory of its own
each time, which the system makes anew."""
_NARROWEST = 20
"""Cells of the flexible column that a narrow terminal leaves it."""
_T = TypeVar("_T")


def is_terminal() -> bool:
    """Whether a person reads stdout."""
    return sys.stdout.isatty()


def line_width() -> int:
    """The cells of a line: what $COLUMNS says, or the terminal, else 80."""
    # As shutil does it, which brings all kinds of archives along.
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (ValueError, OSError):
        return 80


def wrapped(text: str, width: int) -> Iterator[str]:
    """The words of a text in lines of at most so many cells; a longer word has one for itself."""
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
    """One JSON value on stdout, indented; what cannot be printed or encoded is escaped."""
    click.echo("\n".join(map(_printable, _encoder(indent=2).encode(plain(value)).split("\n"))))


def print_json_lines(records: Iterable[object]) -> None:
    """An array on stdout, one record a line, each written when it is there: none is kept."""
    encode = _encoder().encode
    between = "[\n"
    for some in _pages(map(_printable, map(encode, records)), _LINES):
        sys.stdout.write(between + ",\n".join(some))
        between = ",\n"
    sys.stdout.write("[]\n" if between == "[\n" else "\n]\n")


def _encoder(indent: int | None = None) -> json.JSONEncoder:
    is_narrow = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    # What is printed holds nothing that holds it.
    return json.JSONEncoder(check_circular=False, ensure_ascii=is_narrow, indent=indent)


def _printable(line: str) -> str:
    # ASCII within a JSON text is printable but for this one, and is found to be so in no time.
    if (line.isascii() and "\x7f" not in line) or line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def _pages(things: Iterable[_T], length: int = _PAGE) -> Iterator[list[_T]]:
    """The things, in lists of as many as are looked at and written together."""
    rest = iter(things)
    while page := list(islice(rest, length)):
        yield page


def attributes(thing: object, *names: str) -> dict[str, Any]:
    """These attributes of a thing, for JSON that calls them the same."""
    return {name: getattr(thing, name) for name in names}


def print_text(text: str) -> None:
    """Text on stdout: as it is in a pipe, on a terminal with what would steer it made visible."""
    if is_terminal():
        text = "".join(
            c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
        )
    click.echo(text, nl=False)


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    flexible: int,
    right: Sequence[int] = (),
    colour: Callable[[str], str] | None = None,
) -> int:
    """Rows under a head: aligned on a terminal, tab-separated and without head in a pipe.

    ``flexible`` is the column that is cut to what the terminal's width leaves it; those in
    ``right`` are flush right; ``colour`` paints the first column. Cells are cleaned here, whatever
    they are made of. Rows are written as they come, and columns are as wide as the first few
    hundred want them. Returns the number of rows.
    """
    pages = _pages(map(_cleaned, rows))
    if not is_terminal():
        return sum(map(_print_tabbed, pages))
    first = next(pages, [])
    if not first:
        return 0
    # Of what comes later, nothing is known yet.
    shown = _known_columns(first, flexible) if len(first) < _PAGE else range(len(head))
    layout = _Layout.of([head, *first], shown, flexible, right)
    click.echo(style(layout.line(head), dim=True))
    return sum(_print_aligned(page, layout, colour) for page in chain([first], pages))


def _cleaned(row: Sequence[str]) -> Sequence[str]:
    # What is printable throughout needs no cleaning: 50,000 cells would cost more than the query.
    return row if "".join(row).isprintable() else [clean(cell) for cell in row]


def _print_tabbed(page: Sequence[Sequence[str]]) -> int:
    sys.stdout.write("".join(["\t".join(row) + "\n" for row in page]))
    return len(page)


def cells_of(row: object, columns: Columns) -> list[str]:
    """What a result shows in each column."""
    record = plain(row)
    return [
        _cell(record[what]) if isinstance(what, str) else what(record) for what in columns.values()
    ]


def _cell(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def style(text: str, **how: Any) -> str:
    """``text`` in a colour or weight, on terminals that want it."""
    if os.environ.get("NO_COLOR") or not is_terminal():
        return text
    return click.style(text, **how)


def _print_aligned(
    page: Sequence[Sequence[str]], layout: _Layout, colour: Callable[[str], str] | None
) -> int:
    for row in page:
        line = layout.line(row)
        click.echo(colour(row[0]) + line[len(row[0]) :] if colour else line)
    return len(page)


def _known_columns(cells: Sequence[Sequence[str]], flexible: int) -> Sequence[int]:
    # A column in which nothing is known would only push the others together.
    columns = range(len(cells[0]))
    return [i for i in columns if i == flexible or any(row[i] for row in cells)]


class _Layout(NamedTuple):
    """How rows stand under each other."""

    shown: Sequence[int]
    """The columns, of those that a row has."""
    widths: Sequence[int]
    """How wide each of these is."""
    flexible: int
    """Which of these is cut, where the line is too long."""
    right: Sequence[bool]
    """Whether each of these is flush right."""

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[str]],
        shown: Sequence[int],
        flexible: int,
        right: Sequence[int],
    ) -> Self:
        """As wide as these rows need it, in a terminal as wide as this one."""
        widths = [max(display_width(row[i]) for row in rows) for i in shown]
        at = shown.index(flexible)
        others = sum(widths) - widths[at] + 2 * (len(widths) - 1)
        room = max(line_width() - others, _NARROWEST)
        # Where there are more rows, some may well fill it.
        widths[at] = min(widths[at], room) if len(rows) <= _PAGE else room
        return cls(shown, widths, at, [i in right for i in shown])

    def line(self, row: Sequence[str]) -> str:
        """The row as one line; what one cell has too much, the flexible one has less."""
        cells, widths = [row[i] for i in self.shown], list(self.widths)
        room = widths[self.flexible] - self._too_much(cells)
        widths[self.flexible] = max(room, min(widths[self.flexible], _NARROWEST))
        cells[self.flexible] = truncate(cells[self.flexible], widths[self.flexible])
        filled = map(_filled, cells, widths, self.right)
        return "  ".join(filled).rstrip()

    def _too_much(self, cells: Sequence[str]) -> int:
        """How much wider than their columns all but the flexible cell are."""
        wider = [max(display_width(c) - w, 0) for c, w in zip(cells, self.widths, strict=True)]
        return sum(wider) - wider[self.flexible]


def _filled(cell: str, width: int, is_right: bool) -> str:
    return " " * (width - display_width(cell)) + cell if is_right else pad(cell, width)
