"""Pages of text: the keys of a screen, and other texts."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from papertrack.text import clean, clean_lines, fold, shorten
from papertrack.tui import texts
from papertrack.tui.glyphs import KEY, MUTED
from papertrack.tui.keys import ALL_KEYS, KEY_GROUPS, PAGE_KEYS
from papertrack.tui.widgets import scroll_pane

_Row = tuple[str, str, str]
"""The keys, their effect, and their id in the settings."""
_MARGINS = 3


class Page(Screen[None]):
    """A scrolling text under a head, which ends with the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*PAGE_KEYS]

    def __init__(self, head: str, keys: str = "`q` goes back") -> None:
        super().__init__()
        title = Content.styled(f" {clean(head)}", "bold")
        self._head = Static(title + " · " + texts.with_keys(keys), classes="head")
        self._text = Static()
        self._pane = VerticalScroll(self._text, classes="page", can_focus=False)

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._pane

    def action_line(self, by: int) -> None:
        scroll_pane(self._pane, by)

    def action_scroll_on(self) -> None:
        scroll_pane(self._pane, max(self._pane.size.height - 1, 1))

    def action_page_back(self) -> None:
        scroll_pane(self._pane, min(1 - self._pane.size.height, -1))

    def action_half_page(self, by: int) -> None:
        scroll_pane(self._pane, by * max(self._pane.size.height // 2, 1))

    def action_first_row(self) -> None:
        scroll_pane(self._pane, -self._pane.max_scroll_y)

    def action_last_row(self) -> None:
        scroll_pane(self._pane, self._pane.max_scroll_y)

    def show(self, content: Content) -> None:
        """Show a text."""
        self._text.update(content)


class HelpScreen(Page):
    """All keys that work on a screen, read from its bindings, with changes from the settings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark", "dismiss", "Back", id="help-close"),
        Binding("slash", "find", "Find", id="help-find"),
    ]

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__(
            "Keys and their names for tui.keys", "`/` finds · `q` goes back · `ctrl+p` commands"
        )
        self._rows = _rows(screen)
        self._search = ""

    def on_resize(self) -> None:
        rows = [row for row in self._rows if self._search in fold(" ".join(row))]
        if rows:
            self.show(_grouped(rows, self.size.width - _MARGINS))
        else:
            self.show(Content(f"No key matches {shorten(self._search)}. / finds others."))

    def action_find(self) -> None:
        from papertrack.tui.dialogs import Question, TextDialog

        def find(text: str | None) -> None:
            self._search = fold(text or "")
            self.on_resize()

        question = Question("Find a key", "what the key does", may_be_empty=True)
        self.app.push_screen(TextDialog(question, {}), find)


def _grouped(rows: Sequence[_Row], width: int) -> Content:
    """Return the rows below the names of their groups."""
    lines = dict(zip(rows, help_blocks(rows, width), strict=True))
    groups = [
        (name, [lines[row] for row in rows if row[2] in ids.split()])
        for name, ids in KEY_GROUPS.items()
    ]
    return texts.sections((name, Content("\n").join(group_lines)) for name, group_lines in groups)


def help_blocks(rows: Sequence[_Row], width: int) -> list[Content]:
    """Return a line for each row if they fit; else wrap the description, with the id after it."""
    if not rows:
        return []
    # Columns are as narrow as possible, so that one line fits into 80 columns.
    keys, tips, ids = (max(map(len, column)) for column in zip(*rows, strict=True))
    if keys + tips + ids + 4 <= width:
        return [
            Content.assemble((f"{key:<{keys}}", KEY), f"  {text:<{tips}}  ", (id, MUTED))
            for key, text, id in rows
        ]
    blocks = []
    for key, text, id in rows:
        wrapped = wrap(f"{text} ({id})", max(width - keys - 2, 10), break_on_hyphens=False)
        indent = f"\n{'':<{keys}}  "
        blocks.append(Content.assemble((f"{key:<{keys}}", KEY), "  ", indent.join(wrapped)))
    return blocks


def _rows(screen: Screen[Any]) -> list[_Row]:
    keys: dict[str | None, list[Binding]] = {}
    for active in screen.active_bindings.values():
        if active.enabled:
            keys.setdefault(active.binding.id, []).append(active.binding)
    shown = screen.app.get_key_display
    # In the table's order, because Textual puts changed keys last.
    return [
        (" ".join(map(shown, keys[key.id])), keys[key.id][0].tooltip, key.id)
        for key in ALL_KEYS
        if key.id is not None and key.id in keys
    ]


class TextScreen(Page):
    """A text to look at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "dismiss", "Back", id="text-close")
    ]

    def __init__(self, head: str, text: str) -> None:
        super().__init__(head)
        self.show(Content(clean_lines(text)))
