"""How data looks on stdout: for people as columns, for programs as JSON or tab-separated lines."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

import click

from papertrack.text import clean, display_width, pad, truncate

Columns = Mapping[str, str | Callable[[Mapping[str, Any]], str]]
"""The head of each column, with the value of a record that it shows, or what makes its text."""


def is_terminal() -> bool:
    """Whether a person reads stdout."""
    return sys.stdout.isatty()


def print_json(value: object) -> None:
    """One JSON value on stdout, indented; what cannot be printed or encoded is escaped."""
    is_narrow = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    text = json.dumps(value, ensure_ascii=is_narrow, indent=2, default=_plain)
    if not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    click.echo(text)


def _plain(value: object) -> object:
    """A dataclass by its fields, a day or a path as text: JSON has none of them."""
    if is_dataclass(value):
        return attributes(value, *(field.name for field in fields(value)))
    return value.isoformat() if isinstance(value, date) else str(value)


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
) -> None:
    """Rows under a head: aligned on a terminal, tab-separated and without head in a pipe.

    ``flexible`` is the column that is cut to what the terminal's width leaves it; those in
    ``right`` are flush right; ``colour`` paints the first column. Cells are cleaned here, whatever
    they are made of.
    """
    # What is printable throughout needs no cleaning: 50,000 cells would cost more than the query.
    cells = [[cell if cell.isprintable() else clean(cell) for cell in row] for row in rows]
    if not is_terminal():
        sys.stdout.writelines("\t".join(row) + "\n" for row in cells)
        return
    if cells:
        _print_aligned(head, cells, flexible, right, colour)


def cells_of(record: Mapping[str, Any], columns: Columns) -> list[str]:
    """What a record shows in each column."""
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
    head: Sequence[str],
    cells: Sequence[Sequence[str]],
    flexible: int,
    right: Sequence[int],
    colour: Callable[[str], str] | None,
) -> None:
    shown = _known_columns(cells, flexible)
    head, cells = [head[i] for i in shown], [[row[i] for i in shown] for row in cells]
    flexible, right = shown.index(flexible), [shown.index(i) for i in right if i in shown]
    widths = _widths([head, *cells], flexible)
    click.echo(style(_line(head, widths, flexible, right), dim=True))
    for row in cells:
        line = _line(row, widths, flexible, right)
        click.echo(colour(row[0]) + line[len(row[0]) :] if colour else line)


def _known_columns(cells: Sequence[Sequence[str]], flexible: int) -> list[int]:
    # A column in which nothing is known would only push the others together.
    columns = range(len(cells[0]))
    return [i for i in columns if i == flexible or any(row[i] for row in cells)]


def _widths(rows: Sequence[Sequence[str]], flexible: int) -> list[int]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    others = sum(widths) - widths[flexible] + 2 * (len(widths) - 1)
    room = shutil.get_terminal_size().columns
    widths[flexible] = min(widths[flexible], max(room - others, 20))
    return widths


def _line(row: Sequence[str], widths: Sequence[int], flexible: int, right: Sequence[int]) -> str:
    cells = []
    for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
        if i == flexible:
            cell = truncate(cell, width)
        fill = " " * (width - display_width(cell))
        cells.append(fill + cell if i in right else pad(cell, width))
    return "  ".join(cells).rstrip()
