"""The keys 1, 2 and 3: record a pass or take it back, then ask what there is to say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from papertrack.actions import triage
from papertrack.store.store import Store
from papertrack.tui.dialogs.base import Dialog
from papertrack.tui.screens.base import PapersScreen
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


def toggle_pass(screen: PapersScreen, number: int) -> None:
    """Record the pass at once; for one paper, a dialog may then add to it.

    The dialog opens with the key and not when the writer is through, so that the keys after it
    always mean the same.
    """
    session, paper_ids, cursor_id = screen.session, screen.target_ids(), screen.cursor_id()
    if not paper_ids:
        return
    is_one = len(paper_ids) == 1
    minutes = session.minutes_on(paper_ids[0]) if is_one else None
    # Read before the writer starts; busy libraries get the pass without the dialog.
    paper = screen.find_paper() if is_one else None
    recorded: list[triage.Done] = []

    def toggle(store: Store) -> triage.Done | None:
        done, is_recorded = triage.toggle_pass(store, paper_ids, number, minutes=minutes)
        if done is not None and is_recorded:
            recorded.append(done)
        return session.remember(done, cursor_id)

    def show(done: triage.Done | None) -> None:
        if done is not None:
            screen.show_changes(done)

    def complete(details: PassDetails | None) -> None:
        if details is None:
            return
        if details.minutes or details.takeaway:
            screen.papertrack.perform(lambda store: complete_in(store, details), show)
        if details.next_key:
            screen.papertrack.press_first(details.next_key)

    def complete_in(store: Store, details: PassDetails) -> triage.Done | None:
        if not recorded:  # It could not be recorded, and that was said.
            return None
        completed = triage.complete_pass(
            store,
            recorded[0],
            number,
            minutes=details.minutes or minutes,
            takeaway=details.takeaway,
        )
        return session.replace(recorded[0], completed)

    screen.papertrack.perform(toggle, show)
    if paper is not None and all(r.pass_number != number for r in paper.readings):
        if minutes is not None:
            session.timer = None
            screen.show_timer()
        screen.app.push_screen(PassDialog(number, paper.citekey, minutes), complete)
