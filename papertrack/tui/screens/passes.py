"""The keys 1, 2 and 3: record a pass or take it back, then ask what there is to say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papertrack.actions import triage
from papertrack.store.store import Store
from papertrack.tui.dialogs.passes import PassDetails, PassDialog

if TYPE_CHECKING:
    from papertrack.tui.screens.verb_screen import VerbScreen


def toggle_pass(screen: VerbScreen, number: int) -> None:
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
