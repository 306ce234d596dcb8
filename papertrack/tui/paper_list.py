"""The list of papers. It is virtual: only visible lines are built."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
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

from papertrack.store.store import Store
from papertrack.text import truncate
from papertrack.tui import glyphs, rows
from papertrack.tui.keys import LIST_KEYS
from papertrack.tui.rows import Cell, Row, RowPages, Shape
from papertrack.tui.views import VIEWS, Selection, empty_text


class Places:
    """The lines of the papers: the same number for each, and headings above groups."""

    def __init__(self, number: int = 0, height: int = 1, heads: Sequence[tuple[int, str]] = ()):
        self._number, self.height = number, height
        self._starts = [start for start, _ in heads]
        self._labels = [label for _, label in heads]

    @property
    def lines(self) -> int:
        """Return the total number of lines."""
        return self._number * self.height + len(self._starts)

    def line_of(self, index: int) -> int:
        """Return the first line of a paper."""
        return index * self.height + bisect_right(self._starts, index)

    def at(self, line: int) -> tuple[int, int]:
        """Return the paper on a line, and which of its lines that is: -1 for its heading."""
        index = bisect_right(range(self._number), line, key=self.line_of) - 1
        line_in_row = line - self.line_of(index) if index >= 0 else self.height
        return (index, line_in_row) if line_in_row < self.height else (index + 1, -1)

    def heading(self, index: int) -> str | None:
        """Return the heading above a paper, if it begins a group."""
        group = bisect_right(self._starts, index) - 1
        return self._labels[group] if group >= 0 and self._starts[group] == index else None


class PaperList(ScrollView, can_focus=True):
    """The list, with two lines for each paper, or with a header and one line for each.

    It uses Textual's line API, which draws only visible lines.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*LIST_KEYS]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--head",
        "list--group",
        "list--cursor",
        "list--at",
        "list--decided",
        "list--empty",
        *(f"list--{look}" for look in rows.LOOKS),
    }

    # Only the two rows that the cursor leaves and enters are painted again.
    cursor: reactive[int] = reactive(0, repaint=False)
    """The index of the paper that keys act on."""

    def __init__(self, store: Store) -> None:
        super().__init__(id="list")
        self._pages = RowPages(store)
        self.ids: Sequence[int] = ()
        self.marked: set[int] = set()
        """Marked papers in the list, on which the next action works."""
        self.hidden_marks: set[int] = set()
        """Marked papers that the filter hides; they are marked again when they return."""
        self._selection = Selection(VIEWS[-1])
        self.timed_id: int | None = None
        self._progress = ("", "")
        """Progress, and more urgent news, shown when the list has only one line."""
        self._row_height = 2
        self._places = Places()
        self._heads: Sequence[tuple[int, str]] = ()
        self._shape: Shape | None = None
        """The state that was drawn last."""
        self._looks: dict[str, Style] = {}
        self.on_moved: Callable[[], None] | None = None
        """Called when the cursor moves to another paper, or its paper changes. Textual's messages
        would cost another repaint."""

    def show(
        self,
        selection: Selection,
        ids: Sequence[int],
        *,
        cursor: int,
        heads: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Show a selection, with the cursor at a position that is clamped to the list.

        ``heads`` are the groups: the position of the first paper of each, and its name.
        """
        self._update_marks(ids, is_new_filter=selection.typed != self._selection.typed)
        self._selection, self.ids, self._heads = selection, ids, heads
        self._pages.show(ids, selection.order)
        self.set_reactive(PaperList.cursor, self.validate_cursor(cursor))
        self._place()
        self.report_move()

    def _update_marks(self, ids: Sequence[int], *, is_new_filter: bool) -> None:
        """Keep the marks of papers in the list, and remember those that the filter hides."""
        if not (self.marked or self.hidden_marks):
            return
        marked, shown = self.marked | self.hidden_marks, set(ids)
        hidden = marked if is_new_filter else self.hidden_marks
        self.marked, self.hidden_marks = marked & shown, hidden - shown

    def _place(self) -> None:
        """Compute the lines of the papers."""
        self._places = Places(len(self.ids), self._row_height, self._heads)
        # Width 0, because another width would lay out the whole screen again.
        self.virtual_size = Size(0, self._places.lines + self._head_height)
        self._follow_cursor()
        self.refresh()

    @property
    def _head_height(self) -> int:
        # Rows of two lines have no columns, and so no header.
        return 2 - self._row_height

    def action_switch_lines(self) -> None:
        """Switch between one line and two for each paper."""
        self._row_height = 3 - self._row_height
        self._place()

    def show_progress(self, progress: str, urgent: str) -> None:
        """Show progress, after urgent news, when the list has only one line."""
        if (progress, urgent) != self._progress:
            self._progress = (progress, urgent)
            if self.size.height == 1:
                self.refresh()

    def reread(self, paper_ids: Collection[int] | None = None) -> None:
        """Read rows again and draw them: those of some papers, or all visible ones."""
        self._pages.forget()
        visible = self._visible_rows()
        if paper_ids is None or self._has_other_shape(visible):
            self.refresh()
            return
        for index in visible:
            if self.ids[index] in paper_ids:
                self._refresh_row(index)

    def _visible_rows(self) -> range:
        top = self.scroll_offset.y
        first, _ = self._places.at(top)
        last, _ = self._places.at(top + self.size.height)
        return range(first, min(last + 1, len(self.ids)))

    def _has_other_shape(self, visible: range) -> bool:
        """Return whether the rows now need other columns than those drawn."""
        before = self._shape
        for index in {*visible[:1], *visible[-1:]}:
            self._pages.row(index)
        return self._shape_now() != before

    def mark(self, paper_ids: Iterable[int]) -> None:
        """Mark exactly these papers."""
        marks = set(paper_ids)
        changed = self.marked ^ marks
        self.marked = marks
        if changed:
            self.reread(changed)

    def unmark(self, paper_ids: Collection[int] | None = None) -> None:
        """Unmark these papers, or all, whether visible or hidden by the filter."""
        unmarked = self.marked | self.hidden_marks if paper_ids is None else set(paper_ids)
        self.hidden_marks -= unmarked
        self.mark(self.marked - unmarked)

    @property
    def is_behind(self) -> bool:
        """Whether rows must be read again, because another process prevented it."""
        return self._pages.is_behind

    def report_move(self) -> None:
        """Let the panes beside the list follow its cursor."""
        if self.on_moved is not None:
            self.on_moved()

    @property
    def paper_id(self) -> int | None:
        """The paper under the cursor, even if its row cannot be read."""
        return self.ids[self.cursor] if self.ids else None

    def go_to(self, paper_id: int) -> bool:
        """Move the cursor to a paper; return whether it is in the list."""
        try:
            self.cursor = self.ids.index(paper_id)
        except ValueError:
            return False
        return True

    def step(self, step: int, among: Collection[int] | None = None) -> bool:
        """Move to the next paper, or the next of some papers; return whether there is one."""
        index = self.cursor + step
        while 0 <= index < len(self.ids):
            if among is None or self.ids[index] in among:
                self.cursor = index
                return True
            index += step
        return False

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.ids) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._refresh_row(old)
        self._refresh_row(new)
        self._follow_cursor()
        self.report_move()

    def _follow_cursor(self) -> None:
        if not self.ids:
            return
        room = max(self.size.height - self._head_height, 1)
        top = self._places.line_of(self.cursor)
        bottom = top + self._row_height
        if self._places.heading(self.cursor):
            top -= 1
        if top < self.scroll_y:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)
        elif bottom > self.scroll_y + room:
            self.scroll_to(y=bottom - room, animate=False, force=True, immediate=True)

    def _refresh_row(self, index: int) -> None:
        if not self.ids or self.size.height == 1:
            self.refresh()
            return
        y = self._places.line_of(index) + self._head_height - self.scroll_offset.y
        self.refresh(Region(0, y, self.size.width, self._row_height))

    def on_resize(self) -> None:
        # The list is drawn already; only the cursor may be invisible.
        self._follow_cursor()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()

    def action_row(self, by: int) -> None:
        self.step(by)

    def action_first_row(self) -> None:
        self.cursor = 0

    def action_last_row(self) -> None:
        self.cursor = len(self.ids) - 1

    def action_page_of_rows(self, by: int) -> None:
        rows = (self.size.height - self._head_height) // self._row_height - 1
        self.cursor += by * max(rows, 1)

    async def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None:
            return
        line = at.y - self._head_height
        if line < 0:
            await self.run_action("screen.sort")
            return
        index, line_in_row = self._places.at(line + self.scroll_offset.y)
        if index >= len(self.ids) or line_in_row < 0:
            return
        if index == self.cursor:
            await self.run_action("screen.open")
        self.cursor = index

    def render_line(self, y: int) -> Strip:
        if not self.ids:
            return self._empty_line(y)
        if self.size.height == 1:
            return self._brief_line()
        line = y - self._head_height
        if line < 0:
            selection = self._selection
            head = rows.head_cells(self._shape_now(), is_reversed=selection.is_reversed)
            return self._strip([(head, "head")])
        index, row_line = self._places.at(line + self.scroll_offset.y)
        if index >= len(self.ids):
            return Strip.blank(self.size.width, self.rich_style)
        if row_line < 0:
            heading = f" {self._places.heading(index)}"
            return self._strip([(truncate(heading, self.size.width), "group")])
        row = self._pages.row(index)
        return self._strip([(" …", "muted")] if row is None else self._cells(row, index, row_line))

    def _shape_now(self) -> Shape:
        """Return the columns in which rows differ; more rows may need more columns."""
        view = self._selection.view
        shape = self._pages.shape(self.size.width, "inbox" if view.name == "inbox" else "")
        before = self._shape
        # After a change of width all lines are drawn anyway.
        if before is not None and shape != before and shape.width == before.width:
            self.call_later(self.refresh)
        self._shape = shape
        return shape

    def _brief_line(self) -> Strip:
        row = self._pages.row(self.cursor)
        progress, urgent = self._progress
        place = f"{self.cursor + 1:,} of {len(self.ids):,}"
        place = f"{place} · {progress}" if progress else place
        place = f"{urgent} · {place}" if urgent else place
        width = self.size.width
        return self._strip([(place, "muted")] if row is None else rows.brief(row, place, width))

    def _cells(self, row: Row, index: int, line: int) -> Sequence[Cell]:
        paper, shape = row.paper, self._shape_now()
        is_marked, is_timed = paper.id in self.marked, paper.id == self.timed_id
        cells: Sequence[Cell]
        if self._row_height == 1:
            cells = rows.one_line(row, shape, is_marked=is_marked, is_timed=is_timed)
        else:
            cells = rows.two_lines(row, shape, is_marked=is_marked, is_timed=is_timed)[line]
        style = self._row_style(row, index)
        if style is None:
            return cells
        text = "".join(text for text, _ in cells)
        # A bar at the left shows the cursor where colours are weak.
        sign = glyphs.AT if text.startswith(" ") else text[0]
        return [(sign, "at"), (text[1:], style)] if style == "cursor" else [(text, style)]

    def _row_style(self, row: Row, index: int) -> str | None:
        """Return the style of a whole row, for cells without a style of their own."""
        if index == self.cursor:
            return "cursor"
        # Decided papers need no more attention in the inbox.
        is_done = self._selection.view.name == "inbox" and row.paper.decision != "inbox"
        return "decided" if is_done else None

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
