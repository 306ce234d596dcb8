"""One row of the list: its columns for a width, and a paper's cells in them. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from papertrack.latex.display import readable
from papertrack.store.listing import ListedPaper
from papertrack.text import clean, display_width, pad, truncate
from papertrack.tui import glyphs

Cell = tuple[str, str]
"""A text that fills its column, and the part of the row's look that it has: ``title``, …"""

DATE_HEADS = {"announced": "Announced", "submitted": "Submitted", "added": "Added"}
"""Order → the date column's head; other orders show when a paper was submitted."""


_MAX_TITLE = 1_000
"""Characters; no terminal is wider."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The widths in cells; a column of width 0 is left out."""

    id: int
    title: int
    author: int
    date: int


def columns_for(width: int) -> Columns:
    """What fits: on narrow lists first the author gives way, then the date, then the id."""
    signs = 9  # mark, state, flag and pass columns with their blanks
    id_width = 12 if width >= 48 else 0
    date = 12 if width >= 60 else 0
    author = 18 if width >= 100 else 0
    return Columns(id_width, max(width - signs - id_width - date - author, 8), author, date)


def state_glyph(row: ListedPaper) -> str:
    """What was decided."""
    return {"inbox": glyphs.NEW, "saved": glyphs.SAVED, "discarded": glyphs.DISCARDED}[row.decision]


def flag_glyph(row: ListedPaper, *, is_timed: bool = False) -> str:
    """What is special now, the most pressing first."""
    if is_timed:
        return glyphs.TIMED
    if row.in_hand_since:
        return glyphs.IN_HAND
    if row.is_withdrawn:
        return glyphs.WITHDRAWN
    if row.version_read and row.version and row.version > row.version_read:
        return glyphs.OUTDATED
    return " "


def pass_glyphs(passes_done: int) -> str:
    """``●●○`` for two passes."""
    return glyphs.DONE * passes_done + glyphs.OPEN * (3 - passes_done)


def title_of(row: ListedPaper) -> str:
    """The title as one clean line, math made readable; an untitled paper shows its id."""
    return (
        clean(readable(row.title[:_MAX_TITLE]))
        if row.title
        else clean(f"({row.arxiv_id or row.citekey})")
    )


def head_cells(columns: Columns, order: str, *, is_reversed: bool) -> str:
    """The line above the rows, an arrow at the column that the list is sorted by."""
    date_label = DATE_HEADS.get(order, DATE_HEADS["submitted"])
    sorted_by = {"title": "Title", "author": "Author", "citekey": "Id", "pass": "Pass"}
    by = sorted_by.get(order, date_label if order in DATE_HEADS else "")

    def head(label: str, width: int) -> str:
        is_down = (order in DATE_HEADS or order == "pass") != is_reversed
        arrow = (" ↓" if is_down else " ↑") if label == by else ""
        return pad(truncate(label + arrow, max(width - 1, 0)), width)

    return (
        " " * 4
        + pad(head("Pass", 5), 5)
        + head("Id", columns.id)
        + head("Title", columns.title)
        + head("Author", columns.author)
        + head(date_label, columns.date)
    )


@lru_cache(1024)
def cells_of(
    row: ListedPaper, columns: Columns, order: str, *, is_marked: bool, is_timed: bool = False
) -> tuple[Cell, ...]:
    """The row's cells; together they take exactly the width that the columns are for."""
    author = row.first_author or ""
    if row.author_count > 1:
        author = f"{author.rpartition(' ')[2]} et al."
    return (
        (glyphs.MARKED if is_marked else " ", "mark"),
        (f"{state_glyph(row)}{flag_glyph(row, is_timed=is_timed)} ", "state"),
        (f"{pass_glyphs(row.passes_done)}  ", "pass"),
        (_fit(row.arxiv_id or row.citekey, columns.id), "id"),
        (_fit(title_of(row), columns.title), "title"),
        (_fit(author, columns.author), "muted"),
        (_fit(_date_of(row, order)[:10], columns.date), "muted"),
    )


def _date_of(row: ListedPaper, order: str) -> str:
    if order == "announced":
        return row.announced or row.added
    return row.added if order == "added" else row.submitted or ""


def _fit(text: str, width: int) -> str:
    """The text cut and filled to the width, the last cell blank."""
    if not width:
        return ""
    # Hostile titles of 10,000 characters are cut before they are measured.
    fitted = truncate(clean(text[: width * 8]), width - 1)
    return fitted + " " * (width - display_width(fitted))
