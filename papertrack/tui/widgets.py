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
from papertrack.tui.glyphs import KEY
from papertrack.tui.views import VIEWS, Counts, View, count_of

if TYPE_CHECKING:
    from papertrack.actions.pdfs import PdfPassage

T = TypeVar("T")
_KEY = (KEY, "$foreground")
"""The styles of a key, and of its description."""


def scroll_pane(pane: Widget, lines: int) -> None:
    """Scroll a pane by a number of lines, negative for up."""
    # Immediately: each of many fast keys counts, even before the screen is drawn.
    pane.scroll_to(y=pane.scroll_offset.y + lines, animate=False, immediate=True)


class Choices(Static, Generic[T]):
    """A line of texts; a click on one chooses its value."""

    def __init__(self, id: str, choose: Callable[[T], object]) -> None:
        super().__init__(id=id)
        self._choose = choose
        self._ends: list[tuple[int, T]] = []

    def end_at(self, widths: Iterable[int], choices: Iterable[T]) -> None:
        """Set the widths of the texts and their values."""
        self._ends = list(zip(accumulate(widths), choices, strict=True))

    def on_click(self, event: events.Click) -> None:
        chosen = next((choice for end, choice in self._ends if event.x < end), None)
        if chosen is not None:
            self._choose(chosen)


class ViewBar(Choices[View]):
    """The views as tabs, each with its number of papers."""

    def __init__(self, choose: Callable[[View], None]) -> None:
        super().__init__("views", choose)
        self._drawn: tuple[View, list[str]] | None = None

    def show(self, chosen: View, counts: Counts | None, *, width: int) -> None:
        """Draw the tabs, with their numbers once known, if anything changed.

        If they do not all fit, only the chosen tab has its number.
        """
        numbers = ["" if counts is None else f" {count_of(view, counts):,}" for view in VIEWS]
        texts = [f" {view.label}{number} " for view, number in zip(VIEWS, numbers, strict=True)]
        if sum(map(len, texts)) > width:
            texts = [
                text if view is chosen else f" {view.short} "
                for text, view in zip(texts, VIEWS, strict=True)
            ]
        if (chosen, texts) == self._drawn:
            return
        self._drawn = chosen, texts
        self.end_at(map(len, texts), VIEWS)
        styles = ("bold reverse" if view is chosen else "" for view in VIEWS)
        self.update(Content.assemble(*zip(texts, styles, strict=True)), layout=False)


class StatusLine(Static):
    """A line with the current state: filter, marks, papers being read, timer, jobs."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self._drawn: tuple[str, bool] | None = None

    def show(self, *facts: str, is_fault: bool = False) -> None:
        """Show the state in one line, an error in up to three, if anything changed."""
        was_fault = self.has_class("-fault")
        text = " · ".join(fact for fact in facts if fact)
        if (text, is_fault) == self._drawn:
            return
        self._drawn = text, is_fault
        self.set_class(is_fault, "-fault")
        self.update(Content(f" {text}"), layout=was_fault or is_fault)


class KeyLine(Choices[str]):
    """The footer: keys that work now, as many as fit; a click on one presses it.

    Textual's footer has a widget for each key, and rebuilds all of them whenever the focus moves,
    which takes as long as drawing everything else.
    """

    def __init__(self) -> None:
        super().__init__("keys", lambda key: self.app.simulate_key(key))
        self._ids, self._always = list[str](), ["help"]

    def teach(self, ids: str, always: str = "help") -> None:
        """Show the keys of these actions, the likeliest first; keys in ``always`` come first."""
        ids_list = ids.split()
        if ids_list != self._ids:
            self._ids, self._always = ids_list, always.split()
            self._show()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._show())

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if not (self.is_attached and self.size.width):
            return
        bindings = self._shown_bindings()
        texts = [(self.app.get_key_display(key), f" {key.description}  ") for key in bindings]
        widths = [display_width("".join(parts)) for parts in texts]
        fixed = sum(key.id in self._always for key in bindings)
        while len(widths) > 1 and sum(widths) > self.size.width + 2:
            # If there is no room even for the fixed keys, the last one stays.
            index = -1 - fixed if len(widths) > fixed else -2
            del bindings[index], texts[index], widths[index]
        self.end_at(widths, (key.key for key in bindings))
        pieces = (part for parts in texts for part in zip(parts, _KEY, strict=True))
        # Below the other lines, which begin with a blank, unless a key would have to go for it.
        is_room = sum(widths) <= self.size.width + 1
        self.update(Content.assemble(" " * is_room, *pieces), layout=False)

    def _shown_bindings(self) -> list[Binding]:
        """Return the bindings to show, the first of several with the same action."""
        by_id: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            by_id.setdefault((binding.show and binding.action) or binding.id or "", binding)
        focused_bindings = [binding for binding in by_id.values() if binding.show]
        ids = [*self._ids, *self._always]
        return focused_bindings + [by_id[id] for id in ids if id in by_id]


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
        # Textual takes a slash for a key of the screen, and shows it in the footer.
        return key == "slash" or super().check_consume_key(key, character)

    def open(self) -> None:
        """Show the line and focus it."""
        self.add_class("-open")
        self.focus()

    def close(self) -> None:
        """Hide the line; its filter stays active."""
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
        """Show these pages, if they changed."""
        if passages == self.passages:
            return
        self.passages = passages
        self.clear_options()
        self.add_options(
            Content.assemble((f"page {passage.page}  ", "bold"), clean(passage.sentence))
            for passage in passages
        )
        self.highlighted = 0 if passages else None


class TextPane(ScrollView, can_focus=False):
    """A text beside the list, drawn line by line and paged, so that a new text moves nothing else.

    A Static in a scroll view would lay out the whole screen each time. Of Textual's widgets, only
    scroll views may change their size at the cost of one layout.
    """

    def __init__(self, id: str, title: str) -> None:
        super().__init__(id=id)
        self.border_title = title
        self._text, self._rest = Content(""), Content("")
        self._about: int | None = None
        self._strips: list[Strip] | None = None
        self._width = 0
        """The width for which the lines were made."""
        self._text_lines = 0
        """How many lines the text has; further facts follow."""
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
        """Whether the end of the text has been visible."""
        # This must come first, because it counts the lines.
        self._lines()
        return self._top + self.size.height >= self._text_lines

    def page(self) -> bool:
        """Scroll down a page; return False if the end of the text was visible already."""
        if self.is_read:
            return False
        self.move(self.size.height - 1)
        return True

    def page_back(self) -> bool:
        """Scroll up a page; return False at the beginning."""
        if not self._top:
            return False
        self.move(1 - self.size.height)
        return True

    def half_page(self, direction: int) -> None:
        """Scroll half a page down (1) or up (-1), also to the facts below the text."""
        self.move(direction * max(self.size.height // 2, 1))

    def on_mouse_scroll_down(self) -> None:
        self.move(2)

    def on_mouse_scroll_up(self) -> None:
        self.move(-2)

    def move(self, lines: int) -> None:
        """Scroll by a number of lines, at least one, as far as possible."""
        last_top = max(len(self._lines()) - self.size.height, 0)
        self._top = max(0, min(self._top + (lines or 1), last_top))
        self.refresh()

    def _lines(self) -> list[Strip]:
        if self._strips is None or self._width != self.size.width:
            self._width = self.size.width
            text = self._strips_of(self._text)
            self._text_lines = len(text)
            self._strips = text + (self._strips_of(self._rest) if self._rest.plain else [])
            # Looking up a style costs more than drawing a line with it.
            self._style = self.rich_style
        return self._strips

    def _strips_of(self, content: Content) -> list[Strip]:
        # The last column is for the arrows that show that there is more.
        width = max(self.size.width - 1, 1)
        return Visual.to_strips(self, content, width, None, self.visual_style, pad=True)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None

    def render_line(self, y: int) -> Strip:
        lines, height = self._lines(), self.size.height
        index = self._top + y
        line = lines[index] if index < len(lines) else Strip([])
        if y == height - 1 and index + 1 < len(lines):
            return self._with_arrow(line, "↓")
        if y == 0 and self._top:
            return self._with_arrow(line, "↑")
        return line.extend_cell_length(self.size.width, self._style)

    def _with_arrow(self, line: Strip, arrow: str) -> Strip:
        room = line.crop(0, self.size.width - 1)
        return Strip.join([room, Strip([Segment(arrow, self._style)])])
