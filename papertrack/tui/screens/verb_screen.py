"""The verbs as keys: the same on every screen that is about papers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from papertrack.store.store import Store
from papertrack.tui.keys import VERB_KEYS
from papertrack.tui.screens.base import PapersScreen
from papertrack.tui.session import Timer, Undone

if TYPE_CHECKING:
    from papertrack.records import Decision, Paper


class VerbScreen(PapersScreen):
    """A screen about papers with the keys of all verbs."""

    BINDINGS: ClassVar[list[BindingType]] = [*VERB_KEYS]

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
        from papertrack.tui.dialogs.passes import toggle_pass

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
