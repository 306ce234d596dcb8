"""What stands around the list: tabs, the state of things, the filter, the abstract."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Input, Static

from papertrack.errors import PapertrackError
from papertrack.text import clean
from papertrack.tui.glyphs import MUTED
from papertrack.tui.session import Session
from papertrack.tui.views import VIEWS, Counts, Selection, View, count_of


class ViewBar(Static):
    """The views as tabs, each with the number of its papers."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, view: View) -> None:
            super().__init__()
            self.view = view

    def __init__(self) -> None:
        super().__init__(id="views")
        self._ends: list[tuple[int, View]] = []

    def show(self, chosen: View, counts: Counts, *, width: int) -> None:
        """Draw the tabs; where they do not fit, only the chosen one has its number."""
        parts = self._parts(chosen, counts, is_short=False)
        if sum(len(text) for text, _ in parts) > width:
            parts = self._parts(chosen, counts, is_short=True)
        self._ends, end = [], 0
        for (text, _), view in zip(parts, VIEWS, strict=True):
            end += len(text)
            self._ends.append((end, view))
        self.update(Content.assemble(*parts), layout=False)

    def _parts(self, chosen: View, counts: Counts, *, is_short: bool) -> list[tuple[str, str]]:
        parts = []
        for view in VIEWS:
            number = f" {count_of(view, counts):,}" if view is chosen or not is_short else ""
            label = view.label[:3] if is_short and view is not chosen else view.label
            style = "bold reverse" if view is chosen else ""
            parts.append((f" {label}{number} ", style))
        return parts

    def on_click(self, event: events.Click) -> None:
        for end, view in self._ends:
            if event.x < end:
                self.post_message(self.Chosen(view))
                return


class StatusLine(Static):
    """What holds just now: filter, marks, papers in hand, timer, jobs."""

    def __init__(self) -> None:
        super().__init__(id="status")

    def show(self, facts: Sequence[str]) -> None:
        was_fault = self.has_class("-fault")
        self.remove_class("-fault")
        text = " " + " · ".join(fact for fact in facts if fact)
        self.update(Content(text), layout=was_fault)

    def show_fault(self, fault: str) -> None:
        """Say what is wrong, in as many lines as it takes, up to three."""
        self.add_class("-fault")
        self.update(Content(f" {fault}"))


class FilterBox(Input):
    """Posts what each change of the text narrows the list to, and every fault in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep"),
        Binding("escape", "screen.clear", "Clear"),
    ]

    class Narrowed(Message):
        """The text selects these papers."""

        def __init__(self, selection: Selection, ids: list[int]) -> None:
            super().__init__()
            self.selection = selection
            self.ids = ids

    class Faulty(Message):
        """The text is no query."""

        def __init__(self, fault: str) -> None:
            super().__init__()
            self.fault = fault

    def __init__(self, session: Session, selection: Callable[[], Selection]) -> None:
        super().__init__(
            id="filter",
            placeholder="words, author:name, tag:x, pass:<2, is:saved …",
        )
        self._session = session
        self._selection = selection

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual takes a slash for a key of the screen's, and names that in the footer.
        return key == "slash" or super().check_consume_key(key, character)

    def on_mount(self) -> None:
        self.put(self._selection().typed)

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

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        selection = replace(self._selection(), typed=event.value)
        self.run_worker(
            lambda: self._search(selection), thread=True, exclusive=True, group="filter"
        )

    def _search(self, selection: Selection) -> None:
        try:
            ids = self._session.read_apart(selection.find_ids)
        except PapertrackError as error:
            self.app.call_from_thread(self._show_fault, selection, str(error))
        else:
            self.app.call_from_thread(self._show, selection, ids)

    def _show(self, selection: Selection, ids: list[int]) -> None:
        # A search that was overtaken by more typing says nothing any more.
        if selection.typed == self.value:
            self.remove_class("-wrong")
            self.post_message(self.Narrowed(selection, ids))

    def _show_fault(self, selection: Selection, fault: str) -> None:
        if selection.typed == self.value:
            self.add_class("-wrong")
            self.post_message(self.Faulty(fault))


class Preview(Widget):
    """Text that is paged. Static inside a scroll view would lay out the whole screen each time."""

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
