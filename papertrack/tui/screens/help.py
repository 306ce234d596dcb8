"""All keys that work on a screen, read from its bindings."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from papertrack.tui.keys import ALL_KEYS


class HelpScreen(Screen[None]):
    """A page of keys. What the settings have changed is shown as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark", "close", "Back", id="help-close")
    ]

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__()
        self._lines = help_lines(about)

    def compose(self) -> ComposeResult:
        yield Static(Content(" Keys · q goes back · ctrl+p finds commands"), classes="head")
        with VerticalScroll(classes="page"):
            yield Static(Content("\n".join(self._lines)))

    def action_close(self) -> None:
        self.dismiss(None)


def help_lines(screen: Screen[Any]) -> list[str]:
    """A line for each thing that the keys of a screen do: its keys, what it does, its id."""
    keys: dict[str, list[str]] = {}
    tooltips: dict[str, str] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is not None and active.enabled:
            keys.setdefault(binding.id, []).append(screen.app.get_key_display(binding))
            tooltips[binding.id] = binding.tooltip or binding.description
    if not keys:
        return []
    # In the table's order: Textual puts what the settings have changed behind all others.
    ids = [binding.id for binding in ALL_KEYS if binding.id is not None]
    shown = {id: " ".join(keys[id]) for id in sorted(keys, key=ids.index)}
    # As narrow as they can be: 80 columns hold a line for each.
    key_width, text_width = max(map(len, shown.values())), max(map(len, tooltips.values()))
    return [f"{shown[id]:<{key_width}}  {tooltips[id]:<{text_width}}  {id}" for id in shown]
