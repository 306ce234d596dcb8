"""What stands around the list: tabs, the state of things, the filter, the abstract."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Input, Static

from papertrack.text import clean
from papertrack.tui.glyphs import MUTED
from papertrack.tui.views import VIEWS, Counts, View, count_of


class ViewBar(Static):
    """The views as tabs, each with the number of its papers."""

    def __init__(self, choose: Callable[[View], None]) -> None:
        super().__init__(id="views")
        self._choose = choose
        self._ends: list[tuple[int, View]] = []

    def show(self, chosen: View, counts: Counts, *, width: int) -> None:
        """Draw the tabs; where they do not fit, only the chosen one has its number."""
        texts = [f" {view.label} {count_of(view, counts):,} " for view in VIEWS]
        if sum(map(len, texts)) > width:
            texts = [
                text if view is chosen else f" {view.label[:3]} "
                for text, view in zip(texts, VIEWS, strict=True)
            ]
        self._ends = list(zip(accumulate(map(len, texts)), VIEWS, strict=True))
        styles = ("bold reverse" if view is chosen else "" for view in VIEWS)
        self.update(Content.assemble(*zip(texts, styles, strict=True)), layout=False)

    def on_click(self, event: events.Click) -> None:
        for end, view in self._ends:
            if event.x < end:
                self._choose(view)
                return


class StatusLine(Static):
    """What holds just now: filter, marks, papers in hand, timer, jobs."""

    def __init__(self) -> None:
        super().__init__(id="status")

    def show(self, *facts: str, is_fault: bool = False) -> None:
        """Say it in a line; what is wrong in as many as it takes, up to three."""
        was_fault = self.has_class("-fault")
        self.set_class(is_fault, "-fault")
        text = " · ".join(fact for fact in facts if fact)
        self.update(Content(f" {text}"), layout=was_fault or is_fault)


class FilterBox(Input):
    """The line where a filter is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep"),
        Binding("escape", "screen.clear", "Clear"),
    ]

    def __init__(self) -> None:
        placeholder = "words, author:name, tag:x, pass:<2, is:saved …"
        super().__init__(id="filter", placeholder=placeholder)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual takes a slash for a key of the screen's, and names that in the footer.
        return key == "slash" or super().check_consume_key(key, character)

    def open(self) -> None:
        """Show the line and take the keys."""
        self.add_class("-open")
        self.focus()

    def close(self) -> None:
        """Hide the line; its text stays in force."""
        self.remove_class("-open", "-wrong")

    def put(self, typed: str) -> None:
        """Set the text without searching."""
        with self.prevent(Input.Changed):
            self.value = clean(typed)


class Preview(Widget):
    """The abstract, drawn line by line and paged: a new text moves nothing else on the screen.

    Static inside a scroll view would lay out the whole screen each time.
    """

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._content = Content("")
        self._strips: list[Strip] | None = None
        self._blank = Strip([])
        self._top = 0

    def show(self, content: Content) -> None:
        """Show a text from its beginning."""
        self._content, self._strips, self._top = content, None, 0
        self.refresh()

    def page(self) -> bool:
        """Go a page on; return whether there was more to see."""
        rest = len(self._lines()) - self._top - self.size.height
        if rest <= 0:
            return False
        self._move(max(self.size.height - 1, 1))
        return True

    def on_mouse_scroll_down(self) -> None:
        self._move(2)

    def on_mouse_scroll_up(self) -> None:
        self._move(-2)

    def _move(self, by: int) -> None:
        most = max(len(self._lines()) - self.size.height, 0)
        self._top = max(0, min(self._top + by, most))
        self.refresh()

    def _lines(self) -> list[Strip]:
        if self._strips is None:
            width, style = self.size.width, self.visual_style
            self._strips = Visual.to_strips(self, self._content, width, None, style, pad=True)
            # Looking a style up costs more than drawing a line with it.
            self._blank = Strip.blank(width, self.rich_style)
        return self._strips

    def on_resize(self) -> None:
        self._strips = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None

    def render_line(self, y: int) -> Strip:
        lines = self._lines()
        more = len(lines) - self._top - self.size.height
        if y == self.size.height - 1 and more > 0:
            text = Content.styled(f"… {more + 1} more lines", MUTED)
            return Visual.to_strips(self, text, self.size.width, 1, self.visual_style, pad=True)[0]
        at = self._top + y
        return lines[at] if at < len(lines) else self._blank
