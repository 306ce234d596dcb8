"""The small windows that ask for something and go away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.actions import triage
from papertrack.actions.undo import Done
from papertrack.errors import UsageError
from papertrack.store.categories import format_path, ordered_paths, parse_path
from papertrack.store.lookup import get_papers
from papertrack.store.states import tag_counts
from papertrack.store.store import Store
from papertrack.text import clean, fold
from papertrack.tui.texts import PASS_NAMES

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
    """A question that ``y`` answers with yes; all else leaves it without an answer."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer", "Yes", show=False),
        Binding("n,q,enter", "cancel", "No", show=False),
    ]

    def __init__(self, title: str, question: str) -> None:
        super().__init__(title)
        self._question = question

    def contents(self) -> Iterable[Widget]:
        yield Static(Content(clean(self._question)))
        yield Static(Content("y yes · n no"), classes="hint")

    def action_answer(self) -> None:
        self.close(True)


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


@dataclass(frozen=True, slots=True)
class PassDetails:
    """What the reader adds to a pass; with neither, the pass stays as it was recorded."""

    minutes: int | None = None
    takeaway: str | None = None
    next_key: str | None = None
    """The key that closed the dialog and is meant for the screen below."""


class PassDialog(Dialog[PassDetails]):
    """The pass is recorded already. ``t`` and ``m`` open the fields, Enter ends it.

    Any other key closes it and does on the screen below what it always does, so that ``1 s``
    (first pass done, worth a second) needs no thought about the dialog.
    """

    AUTO_FOCUS = ""

    def __init__(self, number: int, citekey: str, minutes: int | None) -> None:
        super().__init__(f"{PASS_NAMES[number - 1]} pass of {citekey}: recorded")
        self._minutes = minutes

    def contents(self) -> Iterable[Widget]:
        minutes = str(self._minutes) if self._minutes else ""
        with Horizontal(classes="field"):
            yield Static("takeaway")
            yield Input(id="takeaway", placeholder="t: what stayed", select_on_focus=False)
        with Horizontal(classes="field"):
            yield Static("minutes")
            yield Input(
                minutes,
                id="minutes",
                placeholder="m: how long",
                restrict=r"[0-9]{0,4}",
                select_on_focus=False,
            )
        yield Static(Content("enter done · any other key goes on"), classes="hint")

    def on_input_submitted(self) -> None:
        self.close(self._details(None))

    async def on_key(self, event: events.Key) -> None:
        if self.focused is not None or event.key in ("escape", "tab"):
            return
        event.stop()
        event.prevent_default()
        match event.key:
            case "t" | "m":
                self.set_focus(self.query_one("#takeaway" if event.key == "t" else "#minutes"))
            case "enter":
                self.close(self._details(None))
            case key:
                self.close(self._details(key))

    def _details(self, next_key: str | None) -> PassDetails:
        minutes = self.query_one("#minutes", Input).value
        takeaway = self.query_one("#takeaway", Input).value.strip()
        is_new = minutes and int(minutes) != self._minutes
        return PassDetails(int(minutes) if is_new else None, takeaway or None, next_key)


@dataclass(frozen=True, slots=True)
class Label:
    """A category, written as a path, or a tag, written ``#tag``; and how it is used."""

    text: str
    papers: int
    is_on: bool
    """Whether all the papers that the dialog is about have it."""


def read_labels(store: Store, paper_ids: Sequence[int]) -> list[Label]:
    """All categories in the reader's order, then all tags."""
    papers = get_papers(store, paper_ids)
    categories = [
        Label(format_path(path), count, all(path in paper.categories for paper in papers))
        for path, count in ordered_paths(store)
    ]
    tags = [
        Label(f"#{tag}", count, all(tag in paper.tags for paper in papers))
        for tag, count in tag_counts(store)
    ]
    return categories + tags


def apply_labels(store: Store, paper_ids: Sequence[int], wanted: dict[str, bool]) -> Done | None:
    """Give and take away the labels that the dialog returned. Raises UsageError for a bad name."""

    def tags(is_on: bool) -> list[str]:
        return [text[1:] for text, on in wanted.items() if on is is_on and text.startswith("#")]

    def paths(is_on: bool) -> list[tuple[str, ...]]:
        return [
            parse_path(text)
            for text, on in wanted.items()
            if on is is_on and not text.startswith("#")
        ]

    return triage.change_labels(
        store,
        paper_ids,
        add_categories=paths(True),
        remove_categories=paths(False),
        add_tags=tags(True),
        remove_tags=tags(False),
    )


class LabelsDialog(Dialog[dict[str, bool]]):
    """Returns the labels to give (True) and to take away (False)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,up", "choose", show=False),
        Binding("space", "switch", show=False),
        Binding("enter", "finish", show=False, priority=True),
    ]

    def __init__(self, labels: Sequence[Label], number: int) -> None:
        super().__init__(
            "Categories and tags" if number == 1 else f"Categories and tags of {number} papers"
        )
        self._labels = list(labels)
        self._wanted: dict[str, bool] = {}

    def contents(self) -> Iterable[Widget]:
        yield Input(
            placeholder="LLM/Serving, or #tag; a new name makes a new one", select_on_focus=False
        )
        yield OptionList()
        yield Static(
            Content("type to narrow · ↓ and space toggle · enter done · esc keeps"), classes="hint"
        )

    def on_mount(self) -> None:
        self._show("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, typed: str) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        wanted = fold(typed)
        matching = [label for label in self._labels if wanted in fold(label.text)]
        for label in matching:
            sign = "x" if self._wanted.get(label.text, label.is_on) else " "
            text = f"[{sign}] {clean(label.text)}" + (f" ({label.papers})" if label.papers else "")
            options.add_option(Option(Content(text), id=label.text))
        name = self._new_name(typed)
        if name is not None and all(label.text != name for label in self._labels):
            options.add_option(Option(Content(f"create {name}"), id=name))
        options.highlighted = 0 if options.option_count else None

    def _new_name(self, typed: str) -> str | None:
        name = clean(typed)
        if name.startswith("#"):
            return name if name[1:].strip() else None
        try:
            return format_path(parse_path(name)) if name else None
        except UsageError:
            return None

    async def on_key(self, event: events.Key) -> None:
        # Typing goes on in the line when the cursor is in the list.
        if event.character is not None and event.is_printable and event.key != "space":
            field = self.query_one(Input)
            self.set_focus(field)
            field.insert_text_at_cursor(event.character)

    def action_choose(self) -> None:
        self.query_one(OptionList).focus()

    def action_switch(self) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is None:
            return
        name = options.get_option_at_index(options.highlighted).id
        at = options.highlighted
        assert name is not None
        if all(label.text != name for label in self._labels):
            self._labels.append(Label(name, 0, False))
        present = next(label.is_on for label in self._labels if label.text == name)
        self._wanted[name] = not self._wanted.get(name, present)
        if self._wanted[name] == present:
            del self._wanted[name]
        self._show(self.query_one(Input).value)
        options.highlighted = at

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.query_one(OptionList).highlighted = event.option_index
        self.action_switch()

    def action_finish(self) -> None:
        """Take what was toggled; a name that was typed and nothing else is toggled first."""
        if not self._wanted and self.query_one(Input).value:
            self.action_switch()
        self.close(self._wanted or None)
