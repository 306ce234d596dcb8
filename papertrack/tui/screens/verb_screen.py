"""The verbs as keys: the same on every screen that is about papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.binding import BindingType
from textual.screen import Screen

from papertrack.store.store import Store
from papertrack.store.watch.lock import when_free
from papertrack.tui.keys import VERB_KEYS
from papertrack.tui.session import Session, Timer, Undone

if TYPE_CHECKING:
    from papertrack.actions import triage
    from papertrack.records import Decision, Paper
    from papertrack.tui.app import PapertrackApp

T = TypeVar("T")


class VerbScreen(Screen[None]):
    """A screen about one paper, or about those that are marked."""

    BINDINGS: ClassVar[list[BindingType]] = [*VERB_KEYS]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    @property
    def papertrack(self) -> PapertrackApp:
        return cast("PapertrackApp", self.app)

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

    def action_save(self) -> None:
        self._decide("saved")

    def action_discard(self) -> None:
        self._decide("discarded")

    def action_inbox(self) -> None:
        self._decide("inbox", moves_on=False)

    def action_discard_because(self) -> None:
        from papertrack.actions import triage
        from papertrack.tui.dialogs.base import TextDialog

        # Those that the question was about, wherever keys typed ahead have gone meanwhile.
        paper_ids = self.target_ids()
        if not paper_ids:
            return

        def discard(reason: str | None) -> None:
            if reason is not None:
                self.write(
                    lambda store: triage.decide(store, paper_ids, "discarded", reason or None)
                )
                self.move_on()

        self.app.push_screen(TextDialog("Discard, because", "enter discards · esc keeps"), discard)

    def _decide(self, decision: Decision, *, moves_on: bool = True) -> None:
        from papertrack.actions import triage

        paper_ids = self.target_ids()
        if paper_ids:
            self.write(lambda store: triage.decide(store, paper_ids, decision))
            if moves_on:
                self.move_on()

    def action_first_pass(self) -> None:
        self._toggle_pass(1)

    def action_second_pass(self) -> None:
        self._toggle_pass(2)

    def action_third_pass(self) -> None:
        self._toggle_pass(3)

    def _toggle_pass(self, number: int) -> None:
        from papertrack.tui.screens.passes import toggle_pass

        toggle_pass(self, number)

    def action_undo(self) -> None:
        self._replay(self.session.undo, "Undone", "There is nothing to undo.")

    def action_redo(self) -> None:
        nothing = "There is nothing to redo: any change ends it, also another papertrack's."
        self._replay(self.session.redo, "Redone", nothing)

    def _replay(self, job: Callable[[Store], Undone | None], verb: str, nothing: str) -> None:
        def show(undone: Undone | None) -> None:
            if undone is None:
                self.papertrack.say(nothing)
            else:
                self.show_undone(undone, verb)

        self.papertrack.perform(job, show, holds_keys=True)

    def action_rate(self) -> None:
        from papertrack.actions import triage
        from papertrack.tui.dialogs.base import ChoiceDialog

        paper_ids = self.target_ids()
        if not paper_ids:
            return

        def rate(chosen: str | None) -> None:
            if chosen is not None:
                self.write(lambda store: triage.rate(store, paper_ids, int(chosen) or None))

        choices = [(str(n), "★" * n) for n in range(5, 0, -1)] + [("0", "no rating")]
        self.app.push_screen(ChoiceDialog("Rating", choices), rate)

    def action_labels(self) -> None:
        from papertrack.tui.dialogs.labels import ask_labels

        paper_ids = self.target_ids()
        if paper_ids:
            ask_labels(self, paper_ids)

    def action_in_hand(self) -> None:
        from papertrack.actions import triage
        from papertrack.tui.dialogs.base import AskDialog

        paper_ids, session = self.target_ids(), self.session
        limit = session.settings.reading.in_hand
        if not paper_ids:
            return

        def take(is_forced: bool | None) -> None:
            if is_forced is None:
                return
            self.write(
                lambda store: triage.toggle_in_hand(
                    store, paper_ids, limit=limit, is_forced=is_forced
                )
            )

        def ask(is_too_many: bool) -> None:
            if not is_too_many or session.has_agreed_to_more:
                take(is_too_many)
                return
            question = f"You are reading {limit} papers already. Read another beside them?"
            self.app.push_screen(AskDialog("Reading now", question), agree)

        def agree(is_yes: bool | None) -> None:
            if is_yes:
                session.has_agreed_to_more = True
                take(True)

        self.papertrack.perform(
            lambda store: triage.is_one_too_many(store, paper_ids, limit), ask, holds_keys=True
        )

    def action_timer(self) -> None:
        """Start the timer of this paper, or stop it; a pass recorded meanwhile takes it."""
        paper, session = self.read_paper(), self.session
        if paper is None:
            return
        minutes = session.minutes_on(paper.id)
        if minutes is not None:
            session.timer = None
            self.papertrack.say(f"Timer stopped after {minutes} min. 1, 2 or 3 records a pass.")
        else:
            session.timer = Timer(paper.id, paper.citekey, session.now())
        self.show_timer()

    def show_timer(self) -> None:
        """Draw the timer as it is now."""
        raise NotImplementedError

    def action_tex(self) -> None:
        self.session.is_tex = not self.session.is_tex
        self.show_timer()

    def action_note(self) -> None:
        from papertrack.tui.screens.notes import edit_note

        paper = self.read_paper()
        if paper is not None:
            edit_note(self, paper)

    def action_open_abs(self) -> None:
        self._open("abs")

    def action_open_pdf(self) -> None:
        self._open("pdf")

    def action_open_html(self) -> None:
        self._open("html")

    def action_open_code(self) -> None:
        self._open("code")

    def _open(self, what: str) -> None:
        from papertrack.tui import outside

        paper = self.read_paper()
        if paper is not None:
            self.papertrack.open_link(outside.address(paper, what), what)

    def action_copy_link(self) -> None:
        from papertrack.tui.outside import address

        paper = self.read_paper()
        if paper is None:
            return
        link = address(paper, "abs")
        if link is None:
            self.papertrack.say(f"{paper.citekey} has no link.")
        else:
            self.papertrack.copy(link, "link")

    def action_copy_bibtex(self) -> None:
        from papertrack.tui.outside import bibtex_text

        self._copy_key("BibTeX entry", bibtex_text)

    def action_copy_citekey(self) -> None:
        self._copy_key("citekey", lambda paper: paper.citekey)

    def _copy_key(self, what: str, text_of: Callable[[Paper], str]) -> None:
        """Copy a text with the paper's key in it, which is frozen at that."""
        from papertrack.actions.cite.showing import ShownPapers, papers_to_copy

        paper_id = self.cursor_id()
        if paper_id is None:
            return

        def copy(shown: ShownPapers) -> None:
            for paper in shown.papers:
                self.papertrack.copy(text_of(paper), what)
            if shown.problem is not None:
                self.papertrack.say(shown.problem, is_error=True)

        self.papertrack.perform(lambda store: papers_to_copy(store, [paper_id]), copy)


def ids_and_cursor(marked: Sequence[int], cursor_id: int | None) -> list[int]:
    """The marked papers, or the one under the cursor."""
    return list(marked) or ([] if cursor_id is None else [cursor_id])
