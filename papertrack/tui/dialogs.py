"""Small windows that ask for something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.actions.triage import Label
from papertrack.category_paths import format_path, parse_path
from papertrack.errors import UsageError
from papertrack.text import clean, display_width, fold, pad
from papertrack.tui.texts import PASS_NAMES, with_keys

T = TypeVar("T")
_WIDTH = 60
"""The width of a window in cells; windows with longer texts may be wider by half."""


class Dialog(ModalScreen[T], Generic[T]):
    """A window over the screen, with these widgets; Esc closes it and changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Cancel", show=False)]

    def __init__(self, title: str, *widgets: Widget, hint: str = "") -> None:
        super().__init__()
        hints = [Static(with_keys(clean(hint)), classes="hint")] if hint else []
        self._window = Vertical(*widgets, *hints, id="window")
        self._window.border_title = Content(clean(title))

    def compose(self) -> ComposeResult:
        yield self._window


class AskDialog(Dialog[bool]):
    """A question; ``y`` means yes, and any other key leaves it unanswered."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes", show=False),
        Binding("n,q,enter", "dismiss", "No", show=False),
    ]

    def __init__(self, title: str, question: str) -> None:
        super().__init__(title, Static(Content(clean(question))), hint="`y` yes · `n` no")


class ChoiceDialog(Dialog[str]):
    """A list from which to choose one value; ``chosen`` is selected at first.

    A tab in the labels ends a column.
    """

    def __init__(
        self, title: str, choices: Sequence[tuple[str, str]], chosen: str | None = None
    ) -> None:
        values = [value for value, _ in choices]
        labels = _in_columns([label for _, label in choices])
        options = OptionList(
            *(Option(Content(label), id=value) for value, label in zip(values, labels, strict=True))
        )
        options.highlighted = values.index(chosen) if chosen in values else 0
        super().__init__(title, options)
        self._window.set_class(any(display_width(label) > _WIDTH for label in labels), "-long")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


def _in_columns(labels: Sequence[str]) -> list[str]:
    parts = [[clean(part) for part in label.split("\t", 1)] for label in labels]
    width = max((display_width(first) for first, *more in parts if more), default=0)
    return [f"{pad(first, width)}  {more[0]}" if more else first for first, *more in parts]


class RatingDialog(ChoiceDialog):
    """Five stars to none; a digit takes them at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(n), f"dismiss('{n}')", show=False) for n in range(6)
    ]

    def __init__(self, rating: int | None) -> None:
        choices = [(str(n), f"{n}\t{'★' * n}") for n in range(5, 0, -1)] + [("0", "0\tno rating")]
        title = f"Rating, now {'★' * rating}" if rating else "Rating"
        super().__init__(title, choices, str(rating or 0))


class Question(NamedTuple):
    """A question that a line of text answers."""

    title: str
    hint: str
    value: str = ""
    """The text in the line at first."""
    may_be_empty: bool = False
    """Whether the line may be empty."""
    fault: str = ""
    """Why the previous answer was refused."""


class TextDialog(Dialog[str]):
    """A dialog for one line of text; Enter accepts it.

    ``typed`` remembers, by title, the last text, accepted or not; the up arrow brings it back.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "bring_back", show=False),
        Binding("escape", "leave", show=False),
    ]

    def __init__(self, question: Question, typed: dict[str, str]) -> None:
        self._question, self._typed = question, typed
        self._line = Input(clean(question.value), select_on_focus=False)
        fault = [Static(Content(clean(question.fault)), classes="wrong")] if question.fault else []
        hint = question.hint
        if typed.get(question.title, question.value) != question.value:
            hint += " · `↑` what you typed before"
        super().__init__(question.title, self._line, *fault, hint=hint)
        self._window.add_class("-long")

    def on_input_submitted(self) -> None:
        self._remember()
        text = self._line.value.strip()
        self.dismiss(text if text or self._question.may_be_empty else None)

    def action_leave(self) -> None:
        self._remember()
        self.dismiss(None)

    def action_bring_back(self) -> None:
        self._line.value = self._typed.get(self._question.title, self._line.value)
        self._line.action_end()

    def _remember(self) -> None:
        typed = self._line.value
        if typed.strip() and typed != self._question.value:
            self._typed[self._question.title] = typed


@dataclass(frozen=True, slots=True)
class PassDetails:
    """Details that the user adds to a pass; without any, the pass stays as it was recorded."""

    minutes: int | None = None
    takeaway: str | None = None
    next_key: str | None = None
    """The key that closed the dialog and is meant for the screen below."""
    is_left: bool = False
    """Whether the user left the dialog without accepting the details."""


class PassDialog(Dialog[PassDetails]):
    """Asks for details of a pass that is already recorded; ``t`` and ``m`` open the fields.

    Any key but Enter also has its usual effect on the screen below. So ``1 s`` (first pass done,
    worth a second) works without thinking of the dialog.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Keep", show=False)]

    def __init__(
        self,
        number: int,
        citekey: str,
        minutes: int | None,
        draft: PassDetails = PassDetails(),
        keep: Callable[[PassDetails], None] = lambda _: None,
    ) -> None:
        """``keep`` is called with the text as it is typed, because the program may end any time."""
        self._known_minutes, self._keep = minutes, keep
        takeaway, start_minutes = draft.takeaway or "", draft.minutes or minutes
        self._takeaway = Input(takeaway, placeholder="in a sentence", select_on_focus=False)
        self._minutes = Input(
            str(start_minutes) if start_minutes else "",
            placeholder="how long it took",
            restrict=r"[0-9]{0,4}",
            select_on_focus=False,
        )
        super().__init__(
            f"{PASS_NAMES[number - 1]} pass of {citekey}: recorded",
            Horizontal(Static("t takeaway"), self._takeaway, classes="field"),
            Horizontal(Static("m minutes"), self._minutes, classes="field"),
            hint="`enter` saves · `esc` keeps it for later · other keys as usual",
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go from the takeaway to the minutes, or finish if these are known."""
        if event.input is self._takeaway and not self._minutes.value:
            self.set_focus(self._minutes)
        else:
            self._close(None)

    def on_input_changed(self) -> None:
        self._keep(PassDetails(*self._typed()))

    def action_leave(self) -> None:
        """Close it; the typed text is not added to the pass yet, but is kept."""
        minutes, takeaway = self._typed()
        self.dismiss(PassDetails(minutes, takeaway, is_left=bool(minutes or takeaway)))

    async def on_key(self, event: events.Key) -> None:
        if self.focused is not None or event.key in ("escape", "tab"):
            return
        event.stop()
        event.prevent_default()
        match event.key:
            case "t" | "m":
                self.set_focus(self._takeaway if event.key == "t" else self._minutes)
            case key:
                self._close(None if key == "enter" else key)

    def _close(self, next_key: str | None) -> None:
        self.dismiss(PassDetails(*self._typed(), next_key))

    def _typed(self) -> tuple[int | None, str | None]:
        text = self._minutes.value
        minutes = int(text) if text and int(text) != self._known_minutes else None
        return minutes, self._takeaway.value.strip() or None


_SIGNS = {True: "x", False: " ", None: "-"}
"""Signs for labels that all papers have, none, or some."""


def _with_hash(typed: str) -> str:
    """Return the typed text with the sign of tags here; in commands it is ``+tag``."""
    return "#" + typed[1:] if typed.startswith("+") else typed


def _name_of(typed: str) -> str | None:
    """Return the label in a text, or None. Raises UsageError for an invalid name."""
    name = _with_hash(clean(typed))
    if name.startswith("#"):
        return name if name[1:].strip() else None
    return format_path(parse_path(name)) if name else None


class LabelsDialog(Dialog[dict[str, bool]]):
    """A list of categories and tags that narrows while you type.

    It returns those to add (True) and to remove (False). Names may contain spaces, so space toggles
    a label only after an arrow key has moved the focus to the list.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,up", "choose", show=False),
        Binding("space", "switch", show=False),
        Binding("enter", "finish", show=False, priority=True),
    ]

    def __init__(self, labels: Sequence[Label], number: int) -> None:
        placeholder = "LLM/Serving, #tag or +tag"
        self._field = Input(placeholder=placeholder, select_on_focus=False)
        self._options = OptionList()
        super().__init__(
            "Categories and tags" if number == 1 else f"Categories and tags of {number} papers",
            self._field,
            self._options,
            hint="`enter` chooses · `↓` and `space` choose several · `esc` cancels",
        )
        self._labels = {label.text: label for label in labels}
        self._changes: dict[str, bool] = {}

    def on_mount(self) -> None:
        self._show("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, typed: str) -> None:
        options, search = self._options, fold(_with_hash(typed))
        options.clear_options()
        for text, label in self._labels.items():
            if search in fold(text):
                sign = _SIGNS[self._changes.get(text, label.is_on)]
                papers = f" ({label.papers})" if label.papers else ""
                options.add_option(Option(Content(f"[{sign}] {clean(text)}{papers}"), id=text))
        try:
            name = _name_of(typed)
        except UsageError as error:
            options.add_option(Option(Content(clean(str(error))), disabled=True))
            return
        if name is not None and name not in self._labels:
            options.add_option(Option(Content(f"new: {name}"), id=name))
        option_ids = [option.id for option in options.options]
        is_listed = name in self._labels and name in option_ids
        options.highlighted = option_ids.index(name) if is_listed else 0 if option_ids else None

    async def on_key(self, event: events.Key) -> None:
        # Typing continues in the line when the cursor is in the list.
        if event.character is not None and event.is_printable and event.key != "space":
            self.set_focus(self._field)
            self._field.insert_text_at_cursor(event.character)

    def action_choose(self) -> None:
        self._options.focus()

    def action_switch(self) -> None:
        index = self._options.highlighted
        if index is None:
            return
        name = self._options.get_option_at_index(index).id
        assert name is not None
        label = self._labels.setdefault(name, Label(name, 0, False))
        # A label of some papers is first given to all, then removed from all, then left unchanged.
        change = (
            None if self._changes.get(name) is False else not self._changes.get(name, label.is_on)
        )
        self._changes.pop(name, None)
        if change is not None and change != label.is_on:
            self._changes[name] = change
        self._show(self._field.value)
        self._options.highlighted = index

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._options.highlighted = event.option_index
        self.action_switch()

    def action_finish(self) -> None:
        """Accept the changes; without any, or for one new name, the row under the cursor.

        An invalid name stays in the line for correction.
        """
        options, typed = self._options, self._field.value
        names = [option.id for option in options.options]
        if names == [None]:
            return
        is_new = len(names) == 1 and names[0] not in self._labels
        if typed and (is_new or not self._changes):
            self.action_switch()
        self.dismiss(self._changes or None)
