"""The dialogs that ask one thing: yes or no, one of several, a line of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.text import clean

T = TypeVar("T")


class Dialog(ModalScreen[T], Generic[T]):
    """A window over the screen; Esc closes it and changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = clean(title)

    def compose(self) -> ComposeResult:
        with Vertical(id="window") as window:
            window.border_title = Content(self._title)
            yield from self.contents()

    def contents(self) -> Iterable[Widget]:
        """The widgets in the window."""
        raise NotImplementedError

    def close(self, result: T | None) -> None:
        """Close with a result."""
        self.dismiss(result)

    def action_cancel(self) -> None:
        self.close(None)


class AskDialog(Dialog[bool]):
    """A question that ``y`` answers with yes and every other key with no."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,q,enter", "answer(False)", "No", show=False),
    ]

    def __init__(self, title: str, question: str) -> None:
        super().__init__(title)
        self._question = question

    def contents(self) -> Iterable[Widget]:
        yield Static(Content(clean(self._question)))
        yield Static(Content("y yes · n no"), classes="hint")

    def action_answer(self, is_yes: bool) -> None:
        self.close(is_yes)


class ChoiceDialog(Dialog[str]):
    """A list to choose one value from; ``chosen`` is where it starts."""

    def __init__(
        self, title: str, choices: Sequence[tuple[str, str]], chosen: str | None = None
    ) -> None:
        super().__init__(title)
        self._choices = choices
        self._chosen = chosen

    def contents(self) -> Iterable[Widget]:
        options = OptionList(
            *(Option(Content(clean(label)), id=value) for value, label in self._choices)
        )
        values = [value for value, _ in self._choices]
        options.highlighted = values.index(self._chosen) if self._chosen in values else 0
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.close(event.option.id)


class TextDialog(Dialog[str]):
    """One line of text; Enter takes it."""

    def __init__(self, title: str, hint: str, *, text: str = "") -> None:
        super().__init__(title)
        self._hint = hint
        self._text = text

    def contents(self) -> Iterable[Widget]:
        yield Input(self._text)
        yield Static(Content(clean(self._hint)), classes="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.close(event.value.strip())
