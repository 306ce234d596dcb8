"""All keys that work on a screen, read from its bindings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from papertrack.tui.keys import ALL_KEYS

_Row = tuple[str, str, str]
"""The keys, what they do, and the id that the settings know it by."""
_MARGINS = 3


class HelpScreen(Screen[None]):
    """A page of keys. What the settings have changed is shown as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark", "close", "Back", id="help-close")
    ]

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__()
        self._rows = _rows(about)

    def compose(self) -> ComposeResult:
        yield Static(Content(" Keys · q goes back · ctrl+p finds commands"), classes="head")
        with VerticalScroll(classes="page"):
            yield Static(id="keys")

    def on_resize(self) -> None:
        lines = help_lines(self._rows, self.size.width - _MARGINS)
        self.query_one("#keys", Static).update(Content("\n".join(lines)))

    def action_close(self) -> None:
        self.dismiss(None)


def help_lines(rows: Sequence[_Row], width: int) -> list[str]:
    """A line for each row where they fit; otherwise what a key does is wrapped, its id behind."""
    if not rows:
        return []
    # As narrow as they can be: 80 columns hold a line for each.
    keys, texts, ids = (max(map(len, column)) for column in zip(*rows, strict=True))
    if keys + texts + ids + 4 <= width:
        return [f"{key:<{keys}}  {text:<{texts}}  {id}" for key, text, id in rows]
    lines = []
    for key, text, id in rows:
        wrapped = wrap(f"{text} ({id})", max(width - keys - 2, 10), break_on_hyphens=False)
        lines += [
            f"{first:<{keys}}  {part}" for first, part in zip_longest([key], wrapped, fillvalue="")
        ]
    return lines


def _rows(screen: Screen[Any]) -> list[_Row]:
    keys: dict[str, list[str]] = {}
    tooltips: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is not None and active.enabled:
            keys.setdefault(binding.id, []).append(screen.app.get_key_display(binding))
            tooltips[binding.id] = binding.tooltip or binding.description
    # In the table's order: Textual puts what the settings have changed behind all others.
    ids = [binding.id for binding in ALL_KEYS if binding.id is not None]
    return [(" ".join(keys[id]), tooltips[id], id) for id in sorted(keys, key=ids.index)]
