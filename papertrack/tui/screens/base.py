"""A screen about papers: what its keys and dialogs need of it, whatever it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from papertrack.store.store import Store
from papertrack.store.watch.lock import when_free
from papertrack.tui.host import Host
from papertrack.tui.session import Session, Undone

if TYPE_CHECKING:
    from papertrack.actions import triage
    from papertrack.records import Paper


class PapersScreen(Screen[None]):
    """A screen about one paper, or about those that are marked."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    @property
    def papertrack(self) -> Host:
        return cast("Host", self.app)

    def target_ids(self) -> list[int]:
        """The papers that the next verb is about."""
        raise NotImplementedError

    def cursor_id(self) -> int | None:
        """The paper that the reader looks at."""
        raise NotImplementedError

    def move_on(self) -> None:
        """Go to the next paper after a decision."""
        raise NotImplementedError

    def show_changes(self, done: triage.Done) -> None:
        """Draw the papers as they are now."""
        raise NotImplementedError

    def show_undone(self, undone: Undone, verb: str) -> None:
        """Draw what undo or redo has changed, with the cursor where it was."""
        raise NotImplementedError

    def write(
        self, verb: Callable[[Store], triage.Done | None], then: Callable[[], None] | None = None
    ) -> None:
        """Have a verb done by the writer, remembered for undo, and shown."""
        cursor_id = self.cursor_id()

        def show(done: triage.Done | None) -> None:
            if done is not None:
                self.show_changes(done)
            if then is not None:
                then()

        self.papertrack.perform(lambda store: self.session.remember(verb(store), cursor_id), show)

    def find_paper(self) -> Paper | None:
        """The paper that the reader looks at; None while the library is busy, or if it is gone."""
        from papertrack.store.lookup import get_papers

        paper_id, store = self.cursor_id(), self.session.store
        if paper_id is None:
            return None
        found = when_free(store, lambda: get_papers(store, [paper_id]))
        return found[0] if found else None

    def read_paper(self) -> Paper | None:
        """As ``find_paper``, with a word to the reader when the library is busy."""
        paper = self.find_paper()
        if paper is None and self.cursor_id() is not None:
            self.papertrack.say("Another papertrack is writing just now. Press the key again.")
        return paper

    def show_timer(self) -> None:
        """Draw the timer as it is now."""
        raise NotImplementedError
