"""The dialog for a pass that was recorded: what there is to say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from papertrack.tui.dialogs.base import Dialog
from papertrack.tui.texts.paper import PASS_NAMES


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
