"""The first run: no library exists yet, and this screen makes one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.text import clean, shorten
from papertrack.tui.colours import legible_variables
from papertrack.tui.key_queue import without_commands
from papertrack.tui.system import named_file

_WELCOME = (
    "papertrack keeps a curated list of papers: three reading passes, arXiv, and a README and "
    "BibTeX that stay yours.\n\nThere is no library here yet. Where should it be?"
)
_WHAT_TO_IMPORT = (
    "Import a README or a .bib file into it? Enter imports the file named below; clear the line "
    "(ctrl+u) to begin without papers."
)


@dataclass(frozen=True, slots=True)
class FirstChoice:
    """Where to make the library, and what to import into it."""

    folder: Path
    imported: str | None


class FirstRun(App[FirstChoice]):
    """Asks where to make a library. Returns the choice, or None if the user quits."""

    CSS_PATH = "papertrack.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", "Leave")]

    def __init__(self, folder: Path, personal: Path) -> None:
        super().__init__()
        self.animation_level = "none"
        self._folders = (folder, personal)
        self._folder: Path | None = None

    async def on_event(self, event: events.Event) -> None:
        await super().on_event(without_commands(event))

    def get_css_variables(self) -> dict[str, str]:
        return legible_variables(super().get_css_variables())

    def compose(self) -> ComposeResult:
        here, personal = self._folders
        with Vertical(id="welcome"):
            yield Static(Content(_WELCOME), id="question")
            yield OptionList(
                Option(Content(clean(f"In this folder: {here}"))),
                Option(Content(clean(f"As my personal library: {personal}"))),
                Option(Content("Nowhere; quit")),
            )
            placeholder = "README.md, references.bib, or nothing"
            yield Input(_readme_here(), id="import", placeholder=placeholder, select_on_focus=False)
        yield Footer(compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index >= len(self._folders):
            self.exit(None)
            return
        self._folder = self._folders[event.option_index]
        self._ask(_WHAT_TO_IMPORT)
        self.query_one(OptionList).display = False
        box = self.query_one("#import", Input)
        box.add_class("-open")
        box.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        assert self._folder is not None
        name = event.value.strip()
        # Checked before anything is made, so that a mistyped name can be corrected.
        if name and not _is_file(name):
            self._ask(f"There is no file {shorten(name)}.\n\n{_WHAT_TO_IMPORT}")
            return
        self.exit(FirstChoice(self._folder, name or None))

    def _ask(self, question: str) -> None:
        self.query_one("#question", Static).update(Content(question))

    def action_leave(self) -> None:
        self.exit(None)


def _readme_here() -> str:
    """Return the README in the current folder, or its .bib file; empty without one."""
    names = sorted(path.name for path in Path().glob("*") if path.suffix in (".md", ".bib"))
    readmes = [name for name in names if name.lower() == "readme.md"]
    return clean(next(iter(readmes or [name for name in names if name.endswith(".bib")]), ""))


def _is_file(name: str) -> bool:
    try:
        return named_file(name).is_file()
    except OSError:  # Such as a name that is longer than any.
        return False
