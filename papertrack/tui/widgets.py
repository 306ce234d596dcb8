"""Widgets around the list: tabs, status, filter, abstract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from papertrack.text import clean, display_width
from papertrack.tui.views import VIEWS, Counts, View, count_of

if TYPE_CHECKING:
    from papertrack.actions.pdfs import PdfPassage

T = TypeVar("T")
_KEY = ("bold $footer-key-foreground", "$foreground")
"""The styles of a key, and of its description."""


def scroll_pane(pane: Widget, by: int) -> None:
    """Scroll a number of lines on or back."""
    # At once: of keys that come faster than the screen is drawn, each counts.
    pane.scroll_to(y=pane.scroll_offset.y + by, animate=False, immediate=True)


class Choices(Static, Generic[T]):
    """A line of texts; a click on one chooses what it stands for."""

    def __init__(self, id: str, choose: Callable[[T], object]) -> None:
        super().__init__(id=id)
        self._choose = choose
        self._ends: list[tuple[int, T]] = []

    def end_at(self, widths: Iterable[int], choices: Iterable[T]) -> None:
        """Set the widths of the texts, and what they stand for."""
        self._ends = list(zip(accumulate(widths), choices, strict=True))

    def on_click(self, event: events.Click) -> None:
        chosen = next((choice for end, choice in self._ends if event.x < end), None)
        if chosen is not None:
            self._choose(chosen)


class ViewBar(Choices[View]):
    """The views as tabs, each with its number of papers."""

    def __init__(self, choose: Callable[[View], None]) -> None:
        super().__init__("views", choose)
        self._shown: tuple[View, list[str]] | None = None

    def show(self, chosen: View, counts: Counts | None, *, width: int) -> None:
        """Draw the tabs, with their numbers once known; if they do not fit, only the chosen tab has
        its number. Does nothing if nothing changed."""
        numbers = ["" if counts is None else f" {count_of(view, counts):,}" for view in VIEWS]
        texts = [f" {view.label}{number} " for view, number in zip(VIEWS, numbers, strict=True)]
        if sum(map(len, texts)) > width:
            texts = [
                text if view is chosen else f" {view.short} "
                for text, view in zip(texts, VIEWS, strict=True)
            ]
        if (chosen, texts) == self._shown:
            return
        self._shown = chosen, texts
        self.end_at(map(len, texts), VIEWS)
        styles = ("bold reverse" if view is chosen else "" for view in VIEWS)
        self.update(Content.assemble(*zip(texts, styles, strict=True)), layout=False)


class StatusLine(Static):
    """A line with the current state: filter, marks, papers being read, timer, jobs."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self._shown: tuple[str, bool] | None = None

    def show(self, *facts: str, is_fault: bool = False) -> None:
        """Show the state in one line; errors take up to three. Does nothing if nothing changed."""
        was_fault = self.has_class("-fault")
        text = " · ".join(fact for fact in facts if fact)
        if (text, is_fault) == self._shown:
            return
        self._shown = text, is_fault
        self.set_class(is_fault, "-fault")
        self.update(Content(f" {text}"), layout=was_fault or is_fault)


class KeyLine(Choices[str]):
    """The footer: keys that work now, as many as fit; a click on one presses it.

    Textual's footer has a widget for each key, and rebuilds all of them whenever the focus moves:
    that takes as long as drawing everything else.
    """

    def __init__(self) -> None:
        super().__init__("keys", lambda key: self.app.simulate_key(key))
        self._taught, self._always = list[str](), ["help"]

    def teach(self, ids: str, always: str = "help") -> None:
        """Show the keys of these actions, likeliest first, as far as there is room; keys in
        ``always`` get their room first."""
        taught = ids.split()
        if taught != self._taught:
            self._taught, self._always = taught, always.split()
            self._show()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._show())

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if not (self.is_attached and self.size.width):
            return
        named = self._named()
        texts = [(self.app.get_key_display(key), f" {key.description}  ") for key in named]
        widths = [display_width("".join(parts)) for parts in texts]
        kept = sum(key.id in self._always for key in named)
        while len(widths) > 1 and sum(widths) > self.size.width + 2:
            # Where there is no room for those either, the last one stays.
            at = -1 - kept if len(widths) > kept else -2
            del named[at], texts[at], widths[at]
        self.end_at(widths, (key.key for key in named))
        drawn = (part for parts in texts for part in zip(parts, _KEY, strict=True))
        self.update(Content.assemble(*drawn), layout=False)

    def _named(self) -> list[Binding]:
        """Return the keys to show; of several that do the same, the first."""
        by_id: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            by_id.setdefault((binding.show and binding.action) or binding.id or "", binding)
        of_focused = [binding for binding in by_id.values() if binding.show]
        ids = [*self._taught, *self._always]
        return of_focused + [by_id[id] for id in ids if id in by_id]


class FilterBox(Input):
    """The line in which a filter is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep"),
        Binding("escape", "screen.clear", "Clear"),
        Binding("tab", "screen.complete", "Complete"),
    ]

    def __init__(self) -> None:
        placeholder = "words, author:name, tag:x, pass:<2, is:saved …"
        super().__init__(id="filter", placeholder=placeholder)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual takes a slash for a key of the screen's, and names that in the footer.
        return key == "slash" or super().check_consume_key(key, character)

    def open(self) -> None:
        """Show the line and focus it."""
        self.add_class("-open")
        self.focus()

    def close(self) -> None:
        """Hide the line; its filter stays in force."""
        self.remove_class("-open", "-wrong")

    def put(self, typed: str) -> None:
        """Set the text without searching."""
        with self.prevent(Input.Changed):
            self.value = clean(typed)


class HitsPane(OptionList):
    """The pages of a PDF that contain a phrase, each with the sentence around it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open page"),
        Binding("j", "cursor_down", "Next", show=False),
        Binding("k", "cursor_up", "Previous", show=False),
        Binding("escape", "screen.clear", "Back"),
    ]

    def __init__(self) -> None:
        super().__init__(id="hits")
        self.border_title = "In its PDF"
        self.passages: Sequence[PdfPassage] = ()

    def show(self, passages: Sequence[PdfPassage]) -> None:
        """Show these pages. Does nothing if nothing changed."""
        if passages == self.passages:
            return
        self.passages = passages
        self.clear_options()
        self.add_options(
            Content.assemble((f"page {one.page}  ", "bold"), clean(one.sentence))
            for one in passages
        )
        self.highlighted = 0 if passages else None


class TextPane(ScrollView, can_focus=False):
    """A text beside the list, drawn line by line and paged: a new text moves nothing else.

    Static inside a scroll view would lay out the whole screen each time. This pane scrolls itself:
    of Textual's widgets, only scroll views may change their size at the cost of one layout.
    """

    def __init__(self, id: str, title: str) -> None:
        super().__init__(id=id)
        self.border_title = title
        self._text, self._rest = Content(""), Content("")
        self._about: int | None = None
        self._strips: list[Strip] | None = None
        self._width = 0
        """The text for which the lines were made."""
        self._must = 0
        """How many lines of the text are to be read; further facts follow."""
        self._style = Style.null()
        """The default style of the lines."""
        self._top = 0

    def show(self, about: int | None, text: Content, rest: Content) -> None:
        """Show a text from its beginning, with further facts below it.

        A text about the same paper as the last one keeps its scroll position; the same text is not
        drawn again.
        """
        if about != self._about:
            self._top = 0
        elif self._text.is_same(text) and self._rest.is_same(rest):
            return
        self._about, self._text, self._rest = about, text, rest
        self._strips = None
        self.refresh()

    def go_home(self) -> None:
        """Go to the beginning of the text."""
        self._top = 0

    @property
    def is_read(self) -> bool:
        """Return whether the end of the text has been visible."""
        # Looked up first: that counts them.
        self._lines()
        return self._top + self.size.height >= self._must

    def page(self) -> bool:
        """Go on a page; return whether there was more of the text."""
        if self.is_read:
            return False
        self.move(self.size.height - 1)
        return True

    def page_back(self) -> bool:
        """Go back a page; return whether there was one."""
        if not self._top:
            return False
        self.move(1 - self.size.height)
        return True

    def half_page(self, by: int) -> None:
        """Go half a page on (1) or back (-1), also to what is below the text."""
        self.move(by * max(self.size.height // 2, 1))

    def on_mouse_scroll_down(self) -> None:
        self.move(2)

    def on_mouse_scroll_up(self) -> None:
        self.move(-2)

    def move(self, by: int) -> None:
        """Scroll a number of lines on or back, as far as possible, at least one."""
        most = max(len(self._lines()) - self.size.height, 0)
        self._top = max(0, min(self._top + (by or 1), most))
        self.refresh()

    def _lines(self) -> list[Strip]:
        if self._strips is None or self._width != self.size.width:
            self._width = self.size.width
            text = self._strips_of(self._text)
            self._must = len(text)
            self._strips = text + (self._strips_of(self._rest) if self._rest.plain else [])
            # Looking a style up costs more than drawing a line with it.
            self._style = self.rich_style
        return self._strips

    def _strips_of(self, content: Content) -> list[Strip]:
        # The last column is for the arrows that say that there is more.
        width = max(self.size.width - 1, 1)
        return Visual.to_strips(self, content, width, None, self.visual_style, pad=True)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None

    def render_line(self, y: int) -> Strip:
        lines, height = self._lines(), self.size.height
        at = self._top + y
        line = lines[at] if at < len(lines) else Strip([])
        if y == height - 1 and at + 1 < len(lines):
            return self._with_arrow(line, "↓")
        if y == 0 and self._top:
            return self._with_arrow(line, "↑")
        return line.extend_cell_length(self.size.width, self._style)

    def _with_arrow(self, line: Strip, arrow: str) -> Strip:
        room = line.crop(0, self.size.width - 1)
        return Strip.join([room, Strip([Segment(arrow, self._style)])])
