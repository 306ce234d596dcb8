"""The list of papers: virtual, so that only the lines that are seen are ever built.

Its rows are read by page, and each has its cells in the columns for a width.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from papertrack.latex.display import readable
from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.store import Store, when_free
from papertrack.text import clean, display_width, pad, truncate
from papertrack.tui import glyphs
from papertrack.tui.keys import LIST_KEYS
from papertrack.tui.views import Selection, View, empty_text

Columns = tuple[int, int, int, int]
"""The widths in cells of id, title, author and date; a column of width 0 is left out."""
Cell = tuple[str, str]
"""A text that fills its column, and the part of the row's look that it has: ``title``, …"""

DATE_HEADS = {"announced": "Announced", "submitted": "Submitted", "added": "Added"}
"""Order → the date column's head; other orders show when a paper was submitted."""

_MAX_TITLE = 1_000
"""Characters; no terminal is wider."""
PAGE = 64
KEPT_PAGES = 16
_LOOKS = ("mark", "state", "pass", "id", "title", "muted")


class RowPages:
    """The rows behind a list of ids, so that 100,000 papers cost no more than 100.

    The last pages that were looked at. An id without a paper (removed elsewhere) has no row.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids: Sequence[int] = ()
        self._page = lru_cache(KEPT_PAGES)(self._read_page)
        self.is_behind = False
        """Whether a page could not be read because another process holds the library."""

    def show(self, ids: Sequence[int]) -> None:
        """Take other ids; all pages are read anew."""
        self._ids = ids
        self.forget()

    def forget(self) -> None:
        """Read pages anew from now on."""
        self._page.cache_clear()
        self.is_behind = False

    def row(self, index: int) -> ListedPaper | None:
        """The row at a place in the list, or None while it cannot be read."""
        page = self._page(index // PAGE)
        if page is None:
            self.forget()
            self.is_behind = True
            return None
        return page.get(self._ids[index])

    def _read_page(self, number: int) -> dict[int, ListedPaper] | None:
        ids = self._ids[number * PAGE : (number + 1) * PAGE]
        rows = when_free(self._store, lambda: read_rows(self._store, ids))
        return None if rows is None else {row.id: row for row in rows}


def columns_for(width: int) -> Columns:
    """What fits: on narrow lists first the author gives way, then the date, then the id."""
    signs = 9  # mark, state, flag and pass columns with their blanks
    id_width = 12 if width >= 48 else 0
    date = 12 if width >= 60 else 0
    author = 18 if width >= 100 else 0
    return id_width, max(width - signs - id_width - date - author, 8), author, date


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


def title_of(row: ListedPaper) -> str:
    """The title as one clean line, math made readable; an untitled paper shows its id."""
    unnamed = f"({row.arxiv_id or row.citekey})"
    return clean(readable(row.title[:_MAX_TITLE]) if row.title else unnamed)


def head_cells(columns: Columns, order: str, *, is_reversed: bool) -> str:
    """The line above the rows, an arrow at the column that the list is sorted by."""
    # By rank all stand together that came: when they did tells more than when they were sent in.
    date_label = DATE_HEADS.get("announced" if order == "rank" else order, DATE_HEADS["submitted"])
    sorted_by = {"title": "Title", "author": "Author", "citekey": "Id", "pass": "Pass"}
    by = sorted_by.get(order, date_label if order in DATE_HEADS else "")

    def head(label: str, width: int) -> str:
        is_down = (order in DATE_HEADS or order == "pass") != is_reversed
        arrow = (" ↓" if is_down else " ↑") if label == by else ""
        return pad(truncate(label + arrow, max(width - 1, 0)), width)

    heads = zip(("Pass", "Id", "Title", "Author", date_label), (5, *columns), strict=True)
    return " " * 4 + "".join(head(label, width) for label, width in heads)


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
        (f"{glyphs.DECISIONS[row.decision]}{flag_glyph(row, is_timed=is_timed)} ", "state"),
        (f"{glyphs.passes(row.passes_done)}  ", "pass"),
        (_fit(row.arxiv_id or row.citekey, columns[0]), "id"),
        (_fit(title_of(row), columns[1]), "title"),
        (_fit(author, columns[2]), "muted"),
        (_fit(_date_of(row, order)[:10], columns[3]), "muted"),
    )


def _date_of(row: ListedPaper, order: str) -> str:
    announced = row.announced or row.added
    dates = {"announced": announced, "rank": announced, "added": row.added}
    return dates.get(order, row.submitted or "")


def _fit(text: str, width: int) -> str:
    """The text cut and filled to the width, the last cell blank."""
    if not width:
        return ""
    # Hostile titles of 10,000 characters are cut before they are measured.
    fitted = truncate(clean(text[: width * 8]), width - 1)
    return fitted + " " * (width - display_width(fitted))


class PaperList(ScrollView, can_focus=True):
    """A head line and a line for each paper. Textual's line API draws what is in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [*LIST_KEYS]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--head",
        "list--cursor",
        "list--decided",
        "list--empty",
        *(f"list--{look}" for look in _LOOKS),
    }

    # Not repainted as a whole: only the two rows that the cursor leaves and enters.
    cursor: reactive[int] = reactive(0, repaint=False)
    """The place of the paper that keys are about."""

    def __init__(self, store: Store) -> None:
        super().__init__(id="list")
        self._pages = RowPages(store)
        self.ids: Sequence[int] = ()
        self.marked: set[int] = set()
        self._selection = Selection(View("", "", (), "added", ""), "", "added")
        self.timed_id: int | None = None
        self._looks: dict[str, Style] = {}
        self.on_moved: Callable[[], None] | None = None
        """Called when the cursor is on another paper. A message would cost a repaint of its own."""

    def show(self, selection: Selection, ids: Sequence[int], *, cursor: int) -> None:
        """Show what is selected, the cursor at a place that is clamped to the list."""
        self._selection, self.ids = selection, ids
        self._pages.show(ids)
        self.marked &= set(ids) if self.marked else set()
        self.virtual_size = Size(self.size.width, len(ids) + 1)
        self.set_reactive(PaperList.cursor, self.validate_cursor(cursor))
        self._follow_cursor()
        self.refresh()
        self._say_moved()

    def reread(self, paper_ids: Collection[int] | None = None) -> None:
        """Read rows anew and draw them: those of some papers, or all that are in sight."""
        self._pages.forget()
        if paper_ids is None:
            self.refresh()
            return
        top = self.scroll_offset.y
        for index in range(top, min(top + self.size.height, len(self.ids))):
            if self.ids[index] in paper_ids:
                self._refresh_row(index)

    def mark(self, paper_ids: Iterable[int]) -> None:
        """Mark these papers and no others."""
        wanted = set(paper_ids)
        changed = self.marked ^ wanted
        self.marked = wanted
        if changed:
            self.reread(changed)

    @property
    def is_behind(self) -> bool:
        """Whether rows could not be read for another process, and wait to be read again."""
        return self._pages.is_behind

    def _say_moved(self) -> None:
        if self.on_moved is not None:
            self.on_moved()

    @property
    def paper_id(self) -> int | None:
        """The paper under the cursor, also while its row cannot be read."""
        return self.ids[self.cursor] if self.ids else None

    def go_to(self, paper_id: int) -> bool:
        """Put the cursor on a paper; return whether it is in the list."""
        try:
            self.cursor = self.ids.index(paper_id)
        except ValueError:
            return False
        return True

    def step(self, by: int, among: Collection[int] | None = None) -> bool:
        """Go to the next paper in a direction, or the next one of some; return if there is one."""
        at = self.cursor + by
        while 0 <= at < len(self.ids):
            if among is None or self.ids[at] in among:
                self.cursor = at
                return True
            at += by
        return False

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.ids) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._refresh_row(old)
        self._refresh_row(new)
        self._follow_cursor()
        self._say_moved()

    def _follow_cursor(self) -> None:
        room = max(self.size.height - 1, 1)
        if self.cursor < self.scroll_y:
            self.scroll_to(y=self.cursor, animate=False, force=True, immediate=True)
        elif self.cursor >= self.scroll_y + room:
            self.scroll_to(y=self.cursor - room + 1, animate=False, force=True, immediate=True)

    def _refresh_row(self, index: int) -> None:
        self.refresh(Region(0, index + 1 - self.scroll_offset.y, self.size.width, 1))

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.ids) + 1)
        self._follow_cursor()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()

    def action_next_row(self) -> None:
        self.step(1)

    def action_previous_row(self) -> None:
        self.step(-1)

    def action_first_row(self) -> None:
        self.cursor = 0

    def action_last_row(self) -> None:
        self.cursor = len(self.ids) - 1

    def action_page_down(self) -> None:
        self.cursor += max(self.size.height - 2, 1)

    def action_page_up(self) -> None:
        self.cursor -= max(self.size.height - 2, 1)

    async def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            await self.run_action("screen.sort")
            return
        index = event.y - 1 + self.scroll_offset.y
        if index >= len(self.ids):
            return
        if index == self.cursor:
            await self.run_action("screen.open")
        self.cursor = index

    def render_line(self, y: int) -> Strip:
        width, selection = self.size.width, self._selection
        if y == 0:
            columns = columns_for(width)
            head = head_cells(columns, selection.order, is_reversed=selection.is_reversed)
            return self._strip([(head, "head")])
        index = y - 1 + self.scroll_offset.y
        if not self.ids:
            return self._empty_line(y)
        if index >= len(self.ids):
            return Strip.blank(width, self.rich_style)
        row = self._pages.row(index)
        return self._strip([(" …", "muted")] if row is None else self._cells(row, index))

    def _cells(self, row: ListedPaper, index: int) -> Sequence[Cell]:
        cells = cells_of(
            row,
            columns_for(self.size.width),
            self._selection.order,
            is_marked=row.id in self.marked,
            is_timed=row.id == self.timed_id,
        )
        if index == self.cursor:
            return [("".join(text for text, _ in cells), "cursor")]
        # In the inbox, decided papers are done with.
        if self._selection.view.name == "inbox" and row.decision != "inbox":
            return [("".join(text for text, _ in cells), "decided")]
        return cells

    def _empty_line(self, y: int) -> Strip:
        width = self.size.width
        lines = wrap(empty_text(self._selection), max(width - 4, 1), break_on_hyphens=False)
        text = lines[y - 2] if 2 <= y < len(lines) + 2 else ""
        return self._strip([(f"  {truncate(text, width - 2)}", "empty")])

    def _strip(self, cells: Sequence[Cell]) -> Strip:
        segments = [Segment(text, self._look(look)) for text, look in cells if text]
        style = segments[-1].style if segments else None
        return Strip(segments).adjust_cell_length(self.size.width, style)

    def _look(self, name: str) -> Style:
        if name not in self._looks:
            self._looks[name] = self.get_component_rich_style(f"list--{name}")
        return self._looks[name]
