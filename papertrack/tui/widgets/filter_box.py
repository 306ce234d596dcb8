"""The line where a filter is typed; it searches apart from the screen's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from papertrack.errors import PapertrackError
from papertrack.text import clean
from papertrack.tui.session import Session
from papertrack.tui.views import Selection


class FilterBox(Input):
    """Posts what each change of the text narrows the list to, and every fault in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep"),
        Binding("escape", "screen.clear", "Clear"),
    ]

    class Narrowed(Message):
        """The text selects these papers."""

        def __init__(self, selection: Selection, ids: list[int]) -> None:
            super().__init__()
            self.selection = selection
            self.ids = ids

    class Faulty(Message):
        """The text is no query."""

        def __init__(self, fault: str) -> None:
            super().__init__()
            self.fault = fault

    def __init__(self, session: Session, selection: Callable[[], Selection]) -> None:
        super().__init__(
            id="filter",
            placeholder="words, author:name, tag:x, pass:<2, is:saved …",
        )
        self._session = session
        self._selection = selection

    def check_consume_key(self, key: str, character: str | None) -> bool:
        # Textual takes a slash for a key of the screen's, and names that in the footer.
        return key == "slash" or super().check_consume_key(key, character)

    def on_mount(self) -> None:
        self.put(self._selection().typed)

    def open(self) -> None:
        """Show the line and take the keys."""
        self.add_class("-open")
        self.focus()

    def close(self) -> None:
        """Hide the line; its text stays in force."""
        self.remove_class("-open", "-wrong")

    def put(self, typed: str) -> None:
        """Set the text without searching."""
        with self.prevent(Input.Changed):
            self.value = clean(typed)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        selection = replace(self._selection(), typed=event.value)
        self.run_worker(
            lambda: self._search(selection), thread=True, exclusive=True, group="filter"
        )

    def _search(self, selection: Selection) -> None:
        try:
            ids = self._session.read_apart(selection.find_ids)
        except PapertrackError as error:
            self.app.call_from_thread(self._show_fault, selection, str(error))
        else:
            self.app.call_from_thread(self._show, selection, ids)

    def _show(self, selection: Selection, ids: list[int]) -> None:
        # A search that was overtaken by more typing says nothing any more.
        if selection.typed == self.value:
            self.remove_class("-wrong")
            self.post_message(self.Narrowed(selection, ids))

    def _show_fault(self, selection: Selection, fault: str) -> None:
        if selection.typed == self.value:
            self.add_class("-wrong")
            self.post_message(self.Faulty(fault))
