"""The rows of the list of papers: read page by page, in one line or two, and grouped.

In two lines, the title is complete, and the author and the reason why the paper is here follow. A
column with the same value in all rows is left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import chop_cells

from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.store import Store, when_free
from papertrack.store.watch.ranks import Standing, read_standings
from papertrack.text import clean, display_width, pad, plural, truncate
from papertrack.tui import glyphs

Cell = tuple[str, str]
"""A text that fills its column, and the name of its style: ``title``, …"""

DATE_HEADS = {"announced": "Announced", "submitted": "Submitted", "added": "Added"}
"""The date column's header for each order; other orders show the date of submission."""

_MAX_TITLE = 1_000
"""The most characters of a title that are used; no terminal is wider."""
PAGE = 32
KEPT_PAGES = 32
STEPS = 5
_SIGNS_WIDTH = 4
"""The width of the signs at the start of each row: marked, decided, being read."""
_MAX_GROUPED = 5_000
"""Longer lists have no groups, because nobody reads them group by group."""
LOOKS = ("mark", "state", "pass", "id", "title", "muted", "rank")


class Row(NamedTuple):
    """The data of a row."""

    paper: ListedPaper
    standing: Standing | None = None
    """Its rank and the reasons why it is here, if known."""


class Shape(NamedTuple):
    """The columns in which the rows of a list differ."""

    width: int
    order: str
    usual: str = ""
    """The decision that all papers of this list have until the user decides."""
    has_passes: bool = True
    has_rank: bool = False
    has_dates: bool = True


class RowPages:
    """The rows for a list of ids, so that 100,000 papers cost no more than 100.

    It keeps the last pages that were used. An id without a paper (removed elsewhere) has no row.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids: Sequence[int] = ()
        self._order = ""
        self._page = lru_cache(KEPT_PAGES)(self._read_page)
        self.is_behind = False
        """Whether a page could not be read because another process holds the library."""
        self.passes: set[int] = set()
        self.steps: set[int] = set()
        self.days: set[str] = set()
        """The values in the rows read so far; a value that all rows share is not shown."""

    def show(self, ids: Sequence[int], order: str) -> None:
        """Set other ids in this order; all pages are read again."""
        self._ids, self._order = ids, order
        for values in (self.passes, self.steps, self.days):
            values.clear()
        self.forget()

    def forget(self) -> None:
        """Forget all pages, so that they are read again."""
        self._page.cache_clear()
        self.is_behind = False

    def row(self, index: int) -> Row | None:
        """Return the row at a position in the list, or None while it cannot be read."""
        page = self._page(index // PAGE)
        if page is None:
            self.forget()
            self.is_behind = True
            return None
        return page.get(self._ids[index])

    def _read_page(self, number: int) -> dict[int, Row] | None:
        ids = self._ids[number * PAGE : (number + 1) * PAGE]
        return when_free(self._store, lambda: self._read_rows(ids))

    def _read_rows(self, ids: Sequence[int]) -> dict[int, Row]:
        standings = read_standings(self._store, ids)
        rows = [Row(paper, standings.get(paper.id)) for paper in read_rows(self._store, ids)]
        self.passes |= {row.paper.passes_done for row in rows}
        self.days |= {_date_of(row.paper, self._order) for row in rows}
        self.steps |= {rank_step(row.standing) for row in rows}
        return {row.paper.id: row for row in rows}

    def shape(self, width: int, usual: str) -> Shape:
        """Return the columns of the list, by the rows read so far."""
        differ = (len(values) > 1 for values in (self.passes, self.steps, self.days))
        return Shape(width, self._order, usual, *differ)


def rank_step(standing: Standing | None) -> int:
    """Return a paper's rank in five steps, or 0 without a rank.

    Three and more mean that it is like papers that the user saves.
    """
    if standing is None or standing.score is None:
        return 0
    return min(max(2 + math.ceil(standing.score), 1), STEPS)


def rank_bar(standing: Standing | None) -> str:
    """Return the rank as a bar of five steps; blanks for none."""
    step = rank_step(standing)
    return glyphs.STEP * step + glyphs.NO_STEP * (STEPS - step) if step else " " * STEPS


def flag_glyph(row: ListedPaper, *, is_timed: bool = False) -> str:
    """Return the symbol of the most urgent fact about a paper."""
    if is_timed:
        return glyphs.TIMED
    if row.in_hand_since:
        return glyphs.IN_HAND
    if row.is_withdrawn:
        return glyphs.WITHDRAWN
    if row.version_read and row.version and row.version > row.version_read:
        return glyphs.OUTDATED
    return " "


def title_of(row: ListedPaper) -> str:
    """Return the title as one clean line with readable math; an untitled paper shows its id."""
    unnamed = f"({row.identifier or row.citekey})"
    return clean(_readable(row.title[:_MAX_TITLE]) if row.title else unnamed)


def _readable(title: str) -> str:
    if "\\" not in title and "$" not in title:
        return title
    from papertrack.latex.display import readable  # Most lists need none of it.

    return readable(title)


def author_of(row: ListedPaper) -> str:
    """Return the first author, with "et al." if there are more."""
    author = row.first_author or ""
    return clean(f"{author.rpartition(' ')[2]} et al." if row.author_count > 1 else author)


def why_of(standing: Standing | None) -> str:
    """Return in a few words why the paper is here: its topic, or the reasons for its rank."""
    if standing is None:
        return ""
    words = ", ".join(standing.words[:2])
    return clean(": ".join(filter(None, (standing.topic, words))))


class Columns(NamedTuple):
    """The widths in cells of the columns after the signs; 0 for a column that is left out."""

    id: int
    title: int
    author: int
    date: int


def columns_for(shape: Shape) -> Columns:
    """Return the columns that fit: a narrow line lacks the author, then the date, then the id."""
    signs = _SIGNS_WIDTH + 5 * shape.has_passes + (STEPS + 1) * shape.has_rank
    room = shape.width - signs
    id_width = 12 if shape.width >= 48 else 0
    date = 12 if shape.width >= 60 and shape.has_dates else 0
    author = 18 if shape.width >= 100 else 0
    return Columns(id_width, max(room - id_width - date - author, 8), author, date)


def head_cells(shape: Shape, *, is_reversed: bool) -> str:
    """Return the header of one-line rows, with an arrow at the column that sorts the list."""
    order = shape.order
    # A ranked list groups papers by the day when they came, which is more useful than their
    # submission.
    date_label = DATE_HEADS.get("announced" if order == "rank" else order, DATE_HEADS["submitted"])
    sorted_by = {"title": "Title", "author": "Author", "citekey": "Id", "pass": "Pass"}
    sorted_label = sorted_by.get(order, date_label if order in DATE_HEADS else "")

    def head(label: str, width: int) -> str:
        is_down = (order in DATE_HEADS or order == "pass") != is_reversed
        arrow = (" ↓" if is_down else " ↑") if label and label == sorted_label else ""
        return pad(truncate(label + arrow, max(width - 1, 0)), width)

    signs = [("", _SIGNS_WIDTH)]
    signs += [("Pass", 5)] if shape.has_passes else []
    signs += [("Rank", STEPS + 1)] if shape.has_rank else []
    heads = zip(("Id", "Title", "Author", date_label), columns_for(shape), strict=True)
    return "".join(head(label, width) for label, width in (*signs, *heads))


def _signs(row: Row, shape: Shape, is_marked: bool, is_timed: bool) -> list[Cell]:
    paper = row.paper
    decision = " " if paper.decision == shape.usual else glyphs.DECISIONS[paper.decision]
    cells = [
        (glyphs.MARKED if is_marked else " ", "mark"),
        (f"{decision}{flag_glyph(paper, is_timed=is_timed)} ", "state"),
    ]
    cells += [(f"{glyphs.passes(paper.passes_done)}  ", "pass")] if shape.has_passes else []
    cells += [(f"{rank_bar(row.standing)} ", "rank")] if shape.has_rank else []
    return cells


@lru_cache(1024)
def one_line(
    row: Row, shape: Shape, *, is_marked: bool, is_timed: bool = False
) -> tuple[Cell, ...]:
    """Return the row's cells; together they are exactly as wide as the list."""
    columns, paper = columns_for(shape), row.paper
    return (
        *_signs(row, shape, is_marked, is_timed),
        (_fit(paper.arxiv_id or paper.citekey, columns.id), "id"),
        (_fit(title_of(paper), columns.title), "title"),
        (_fit(author_of(paper), columns.author), "muted"),
        (_fit(_date_of(paper, shape.order), columns.date), "muted"),
    )


@lru_cache(1024)
def two_lines(
    row: Row, shape: Shape, *, is_marked: bool, is_timed: bool = False
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the cells of both lines: the title, then the author, why it is here, and when."""
    signs = _signs(row, shape, is_marked, is_timed)
    indent = sum(display_width(text) for text, _ in signs)
    room = max(shape.width - indent, 8)
    title, rest = split_line(title_of(row.paper), room - 1)
    first = (*signs, (_fit(title, room), "title"))
    if display_width(rest) > room - 2:
        # A long rest also uses the space below the signs.
        indent = _SIGNS_WIDTH
        room = max(shape.width - indent, 8)
    rest = truncate(f"{rest} ", room - 1) if rest else ""
    room_left = room - display_width(rest)
    facts, edge = _facts(row, shape)
    is_room = display_width(" ".join(["·", *facts[:1], edge])) < room_left - 1
    edge = f"{edge} " if is_room else ""
    text = " · ".join(facts)
    text = _fit(f"· {text}" if rest and text else text, room_left - display_width(edge))
    return first, ((" " * indent, "muted"), (rest, "title"), (f"{text}{edge}", "muted"))


def _facts(row: Row, shape: Shape) -> tuple[list[str], str]:
    """Return what is known of a paper, and its date or else its id, for the right edge."""
    paper = row.paper
    date = _date_of(paper, shape.order) if shape.has_dates else ""
    stars = glyphs.SAVED * (paper.rating or 0)
    facts = filter(None, (stars, author_of(paper), why_of(row.standing)))
    return [*facts], date or clean(paper.arxiv_id or paper.citekey)


def brief(row: Row, place: str, width: int) -> tuple[Cell, ...]:
    """Return one line of facts about the paper whose abstract fills the screen."""
    shape = Shape(width, "rank", "inbox", row.paper.passes_done > 0, bool(row.standing))
    signs = _signs(row, shape, is_marked=False, is_timed=False)
    room = width - sum(len(text) for text, _ in signs[1:])
    facts, edge = _facts(row, shape)
    return (*signs[1:], (_fit(" · ".join([place, *facts, edge]), room), "muted"))


def split_line(text: str, width: int) -> tuple[str, str]:
    """Return as many whole words as fit, and the rest; a single longer word is cut."""
    if display_width(text) <= width:
        return text, ""
    end = 0
    while (blank := text.find(" ", end + 1)) > 0 and display_width(text[:blank]) <= width:
        end = blank
    if not end:
        end = len(chop_cells(text[: width * 2], width)[0])
    return text[:end], text[end:].lstrip()


def _date_of(row: ListedPaper, order: str) -> str:
    announced = row.announced or row.added
    dates = {"announced": announced, "rank": announced, "topic": announced, "added": row.added}
    return clean(dates.get(order, row.submitted or "")[:10])


def _fit(text: str, width: int) -> str:
    """Cut and pad the text to the width, with a blank last cell."""
    if width <= 0:
        return ""
    # Titles of 10,000 characters are cut before they are measured.
    fitted = truncate(clean(text[: width * 8]), width - 1)
    return fitted + " " * (width - display_width(fitted))


def _by_topic(standing: Standing | None) -> str:
    return clean(standing.topic) if standing and standing.topic else "Outside your topics"


def _by_rank(standing: Standing | None) -> str:
    if standing is None or standing.score is None:
        return "Not ranked"
    return "More like what you keep" if standing.score > 0 else "Less like what you keep"


LABELS: Mapping[str, Callable[[Standing | None], str]] = {"topic": _by_topic, "rank": _by_rank}
"""The function that names the groups of an order."""


def find_heads(store: Store, ids: Sequence[int], order: str) -> list[tuple[int, str]]:
    """Return where each group begins, and its name with the number of papers.

    The list is empty if the order has no groups, or if all papers are in one group.
    """
    label = LABELS.get(order)
    if label is None or not 0 < len(ids) <= _MAX_GROUPED:
        return []
    standings = read_standings(store, ids)
    labels = [label(standings.get(paper_id)) for paper_id in ids]
    counts = Counter(labels)
    if len(counts) == 1:
        return []
    return [
        (at, f"{name} · {plural(counts[name], 'paper')}")
        for at, name in enumerate(labels)
        if at == 0 or labels[at - 1] != name
    ]
