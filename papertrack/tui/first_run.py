"""The first run: there is no library yet, and here is how to get one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.text import clean

_WELCOME = (
    "papertrack keeps a curated list of papers: three reading passes, arXiv, and a README and "
    "BibTeX that stay yours.\n\nThere is no library here yet. Where shall it be?"
)


@dataclass(frozen=True, slots=True)
class FirstChoice:
    """Where the library shall be made, and what shall be imported into it."""

    folder: Path
    imported: str | None


class FirstRun(App[FirstChoice]):
    """Returns the choice, or None when the reader leaves. It makes nothing itself."""

    CSS_PATH = "papertrack.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", "Leave")]

    def __init__(self, folder: Path, personal: Path) -> None:
        super().__init__()
        self.animation_level = "none"
        self._folders = (folder, personal)
        self._folder: Path | None = None

    def compose(self) -> ComposeResult:
        here, personal = self._folders
        with Vertical(id="welcome"):
            yield Static(Content(_WELCOME), id="question")
            yield OptionList(
                Option(Content(clean(f"In this folder: {here}"))),
                Option(Content(clean(f"As my personal library: {personal}"))),
                Option(Content("Nowhere; leave")),
            )
            yield Input(id="import", placeholder="README.md, or nothing")
        yield Footer(compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index >= len(self._folders):
            self.exit(None)
            return
        self._folder = self._folders[event.option_index]
        text = "Import a README into it? Type its name, or press Enter to start with no paper."
        self.query_one("#question", Static).update(Content(text))
        self.query_one(OptionList).display = False
        box = self.query_one("#import", Input)
        box.add_class("-open")
        box.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        assert self._folder is not None
        self.exit(FirstChoice(self._folder, event.value.strip() or None))

    def action_leave(self) -> None:
        self.exit(None)
