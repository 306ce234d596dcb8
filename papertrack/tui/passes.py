"""The keys 1, 2 and 3: they record a pass at once, and ask for its takeaway.

The same key takes back a pass without details; with minutes or a takeaway, it asks first. Text that
was typed but not accepted is kept as a draft.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.events import Key

from papertrack.actions import triage
from papertrack.actions.triage import Toggled
from papertrack.records import Paper
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.text import plural
from papertrack.tui.dialogs import AskDialog, PassDetails, PassDialog
from papertrack.tui.texts import PASS_NAMES

if TYPE_CHECKING:
    from papertrack.actions.undo import Done
    from papertrack.tui.screens.verb_screen import VerbScreen


def toggle_pass(screen: VerbScreen, number: int) -> None:
    """Record the pass at once, or take it back; for a single paper, a dialog may add details.

    The dialog opens with the key, not when the writer is done, so that the next keys always mean
    the same.
    """
    session, paper_ids = screen.session, screen.target_ids()
    if not paper_ids:
        return
    is_single = len(paper_ids) == 1
    minutes = session.minutes_on(paper_ids[0]) if is_single else None
    # Read before the writer starts; while the library is locked, there is no dialog.
    papers = session.look(get_papers, paper_ids) if is_single else None
    is_new = bool(papers) and all(r.pass_number != number for p in papers or () for r in p.readings)
    if papers and not is_new and (paper_ids[0], number) in session.drafts:
        _ask_details(screen, papers[0], number, None, [])
        return
    recorded: list[Done] = []
    _toggle(screen, paper_ids, number, minutes, recorded)
    if papers and is_new:
        if minutes is not None:
            session.timer = None
            screen.show_timer()
        _ask_details(screen, papers[0], number, minutes, recorded)


def _toggle(
    screen: VerbScreen,
    paper_ids: list[int],
    number: int,
    minutes: int | None,
    recorded: list[Done],
    *,
    spares_details: bool = True,
) -> None:
    """Let the writer take the pass back, or record it and append it to ``recorded``."""
    cursor_id = screen.papers.paper_id

    def toggle(store: Store) -> Toggled:
        toggled = triage.toggle_pass(
            store, paper_ids, number, minutes=minutes, spares_details=spares_details
        )
        screen.session.remember(toggled.done, cursor_id)
        if toggled.done is not None and toggled.is_recorded:
            recorded.append(toggled.done)
        return toggled

    def show(toggled: Toggled) -> None:
        screen.show_done(toggled.done)
        if toggled.detailed:
            question = _question(number, toggled)
            screen.ask(
                AskDialog("Take the pass back", question),
                lambda _: _toggle(screen, paper_ids, number, None, recorded, spares_details=False),
            )

    screen.papertrack.perform(toggle, show)


def _question(number: int, toggled: Toggled) -> str:
    minutes = sum(reading.minutes or 0 for reading in toggled.detailed)
    takeaways = [f"“{reading.takeaway}”" for reading in toggled.detailed if reading.takeaway]
    minutes_text = [plural(minutes, "minute")] if minutes else []
    return (
        f"Take back the {PASS_NAMES[number - 1]} pass with its details: "
        f"{', '.join([*minutes_text, *takeaways])}?"
    )


def _ask_details(
    screen: VerbScreen, paper: Paper, number: int, minutes: int | None, recorded: list[Done]
) -> None:
    """Ask for minutes and takeaway of the pass in ``recorded``, or else of an earlier one."""
    drafts, place = screen.session.drafts, (paper.id, number)
    is_old = any(reading.pass_number == number for reading in paper.readings)

    def complete(details: PassDetails) -> None:
        drafts.pop(place, None)
        if details.is_left:
            drafts[place] = details
            screen.papertrack.say(f"Your text is kept: {number} shows it again.")
        elif details.minutes or details.takeaway:
            screen.papertrack.perform(lambda store: complete_in(store, details), screen.show_done)
        if details.next_key:
            screen.papertrack.typed.put_first(Key(details.next_key, None))

    def complete_in(store: Store, details: PassDetails) -> Done | None:
        added = details.minutes or minutes, details.takeaway
        if is_old:
            completed = triage.add_pass_details(store, paper.id, number, *added)
            return screen.session.remember(completed, paper.id)
        if not recorded:  # The pass could not be recorded, which was reported.
            return None
        completed = triage.complete_pass(store, recorded[0], number, *added)
        return screen.session.replace(recorded[0], completed)

    draft, keep = drafts.get(place, PassDetails()), partial(drafts.__setitem__, place)
    screen.ask(PassDialog(number, paper.citekey, minutes, draft, keep), complete)
