"""The dialog for categories and tags: a list that narrows while you type.

Names may have blanks in them, so that space toggles only once an arrow key has gone to the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from papertrack.actions import triage
from papertrack.errors import UsageError
from papertrack.store.categories import format_path, ordered_paths, parse_path
from papertrack.store.lookup import get_papers
from papertrack.store.states import tag_counts
from papertrack.store.store import Store
from papertrack.text import clean, fold
from papertrack.tui.dialogs.base import Dialog


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


def apply_labels(
    store: Store, paper_ids: Sequence[int], wanted: dict[str, bool]
) -> triage.Done | None:
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
        self.close(dict(self._wanted))
