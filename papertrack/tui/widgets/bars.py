"""The two lines around the list: the tabs above it, the state of things below it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from papertrack.tui.views import VIEWS, Counts, View, count_of


class ViewBar(Static):
    """The views as tabs, each with the number of its papers."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, view: View) -> None:
            super().__init__()
            self.view = view

    def __init__(self) -> None:
        super().__init__(id="views")
        self._ends: list[tuple[int, View]] = []

    def show(self, chosen: View, counts: Counts, *, width: int) -> None:
        """Draw the tabs; where they do not fit, only the chosen one has its number."""
        parts = self._parts(chosen, counts, is_short=False)
        if sum(len(text) for text, _ in parts) > width:
            parts = self._parts(chosen, counts, is_short=True)
        self._ends, end = [], 0
        for (text, _), view in zip(parts, VIEWS, strict=True):
            end += len(text)
            self._ends.append((end, view))
        self.update(Content.assemble(*parts), layout=False)

    def _parts(self, chosen: View, counts: Counts, *, is_short: bool) -> list[tuple[str, str]]:
        parts = []
        for view in VIEWS:
            number = f" {count_of(view, counts):,}" if view is chosen or not is_short else ""
            label = view.label[:3] if is_short and view is not chosen else view.label
            style = "bold reverse" if view is chosen else ""
            parts.append((f" {label}{number} ", style))
        return parts

    def on_click(self, event: events.Click) -> None:
        for end, view in self._ends:
            if event.x < end:
                self.post_message(self.Chosen(view))
                return


class StatusLine(Static):
    """What holds just now: filter, marks, papers in hand, timer, jobs."""

    def __init__(self) -> None:
        super().__init__(id="status")

    def show(self, facts: Sequence[str]) -> None:
        was_fault = self.has_class("-fault")
        self.remove_class("-fault")
        text = " " + " · ".join(fact for fact in facts if fact)
        self.update(Content(text), layout=was_fault)

    def show_fault(self, fault: str) -> None:
        """Say what is wrong, in as many lines as it takes, up to three."""
        self.add_class("-fault")
        self.update(Content(f" {fault}"))
