"""What the library's screen asks the reader, and what it does with the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papertrack.actions import triage
from papertrack.store.listing import ORDERS
from papertrack.tui.dialogs.base import AskDialog, ChoiceDialog, TextDialog

if TYPE_CHECKING:
    from papertrack.tui.screens.library import LibraryScreen


def ask_discard_rest(screen: LibraryScreen) -> None:
    """Discard all papers of the list that have no decision, once their number is agreed to."""
    ids = list(screen.papers.ids)

    def ask(undecided: list[int]) -> None:
        if not undecided:
            screen.papertrack.say("Nothing here is undecided.")
            return
        number = "1 paper" if len(undecided) == 1 else f"{len(undecided):,} papers"
        screen.app.push_screen(
            AskDialog("Discard the rest", f"Discard {number}, all that are undecided here?"),
            lambda is_yes: discard(undecided) if is_yes else None,
        )

    def discard(undecided: list[int]) -> None:
        screen.write(lambda store: triage.decide(store, undecided, "discarded"))

    # Asked of the writer: what was decided a moment ago is no longer undecided.
    screen.papertrack.perform(lambda store: triage.find_undecided(store, ids), ask, holds_keys=True)


def ask_order(screen: LibraryScreen) -> None:
    """Sort the list by what is chosen."""
    choices = [(order, f"by {order}") for order in ORDERS]
    screen.app.push_screen(
        ChoiceDialog("Sort (the same again reverses)", choices, screen.selection.order),
        lambda order: screen.sort_by(order) if order else None,
    )


def ask_jump(screen: LibraryScreen) -> None:
    """Go to the paper that is named."""
    screen.app.push_screen(
        TextDialog("Go to", "citekey, arXiv id, DOI, address or the start of a title"),
        lambda text: screen.jump(text) if text else None,
    )
