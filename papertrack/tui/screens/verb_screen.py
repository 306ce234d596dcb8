"""Actions with a single key: the same on every screen about papers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, ClassVar, Concatenate, ParamSpec, TypeVar, cast

from textual.app import SuspendNotSupported
from textual.binding import BindingType
from textual.screen import Screen

from papertrack.store.store import Store
from papertrack.text import moment_shown
from papertrack.tui.host import Host
from papertrack.tui.keys import VERB_KEYS
from papertrack.tui.paper_list import PaperList
from papertrack.tui.session import Session, Timer, Undone

if TYPE_CHECKING:
    from papertrack.actions.undo import Done
    from papertrack.records import Decision, Paper
    from papertrack.store.journal import LoggedAction
    from papertrack.tui.dialogs import Dialog, Question

T = TypeVar("T")
P = ParamSpec("P")


_Screen = TypeVar("_Screen", bound="VerbScreen")


def about_paper(
    action: Callable[Concatenate[_Screen, Paper, P], None],
) -> Callable[Concatenate[_Screen, P], None]:
    """Pass the paper that the user looks at to an action; if it cannot be read, say so."""

    @wraps(action)
    def act(screen: _Screen, /, *rest: P.args, **options: P.kwargs) -> None:
        paper = screen.read_paper()
        if paper is not None:
            action(screen, paper, *rest, **options)

    return act


def about_papers(
    action: Callable[Concatenate[_Screen, list[int], P], None],
) -> Callable[Concatenate[_Screen, P], None]:
    """Pass the papers on which the next action works; without any, do nothing."""

    @wraps(action)
    def act(screen: _Screen, /, *rest: P.args, **options: P.kwargs) -> None:
        # The papers in question, even if keys typed ahead have moved the cursor since.
        if paper_ids := screen.target_ids():
            action(screen, paper_ids, *rest, **options)

    return act


class VerbScreen(Screen[None]):
    """A screen about papers, with the keys of single-key actions."""

    BINDINGS: ClassVar[list[BindingType]] = [*VERB_KEYS]

    def __init__(self, session: Session, papers: PaperList) -> None:
        super().__init__()
        self.session = session
        self.papers = papers
        """The list whose cursor is on the paper that the user looks at."""

    @property
    def papertrack(self) -> Host:
        """The application."""
        return cast(Host, self.app)

    def target_ids(self) -> list[int]:
        """Return the papers on which the next action works."""
        return [] if self.papers.paper_id is None else [self.papers.paper_id]

    def move_on(self) -> None:
        """Go to the next paper after a decision."""
        raise NotImplementedError

    def show_changes(self, done: Done) -> None:
        """Draw the papers as they are now."""
        raise NotImplementedError

    def show_undone(self, undone: Undone, verb: str) -> None:
        """Draw what undo or redo changed, with the cursor where it was."""
        raise NotImplementedError

    def show_timer(self) -> None:
        """Draw the timer as it is now."""
        raise NotImplementedError

    def action_page_back(self) -> None:
        """Go back a page in the text."""
        raise NotImplementedError

    def action_half_page(self, by: int) -> None:
        """Go half a page on (1) or back (-1) in the text."""
        raise NotImplementedError

    def ask(self, dialog: Dialog[T], then: Callable[[T], None]) -> None:
        """Show a dialog; ``then`` gets the answer, if there is one."""
        self.app.push_screen(dialog, lambda answer: None if answer is None else then(answer))

    def ask_if(self, title: str, question: str, then: Callable[[], None]) -> None:
        """Ask a question, and go on if the answer is yes."""
        from papertrack.tui.dialogs import AskDialog

        self.ask(AskDialog(title, question), lambda _: then())

    def ask_text(
        self, question: Question, take: Callable[[str, Callable[[str], None]], None]
    ) -> None:
        """Ask for a line of text.

        ``take`` gets it, and a function to call with an error, which asks again with the typed
        text.
        """
        from papertrack.tui.dialogs import TextDialog

        def take_answer(text: str) -> None:
            take(text, lambda why: self.ask_text(question._replace(value=text, fault=why), take))

        self.ask(TextDialog(question, self.session.typed), take_answer)

    def ask_for(
        self,
        title: str,
        hint: str,
        verb: Callable[[Store, str], Done | None],
        value: str = "",
        *,
        may_be_empty: bool = False,
        then: Callable[[Done | None], None] | None = None,
    ) -> None:
        """Ask for a line of text and let the writer run an action with it; undo takes it back."""
        from papertrack.tui.dialogs import Question

        def take(text: str, refuse: Callable[[str], None]) -> None:
            cursor_id = self.papers.paper_id
            self.papertrack.perform(
                lambda store: self.session.remember(verb(store, text), cursor_id),
                then or self.show_done,
                holds_keys=True,
                on_error=refuse,
            )

        self.ask_text(Question(title, hint, value, may_be_empty), take)

    def write(
        self, verb: Callable[Concatenate[Store, P], Done | None], *rest: P.args, **options: P.kwargs
    ) -> None:
        """Let the writer run an action, which undo takes back, and show the result."""
        cursor_id = self.papers.paper_id
        self.papertrack.perform(
            lambda store: self.session.remember(verb(store, *rest, **options), cursor_id),
            self.show_done,
        )

    def show_done(self, done: Done | None) -> None:
        """Draw the papers as they are now, if anything changed."""
        if done is not None:
            self.show_changes(done)
            if not done.paper_ids:
                # The change is not visible on the screen.
                self.papertrack.say(done.summary)

    def show_done_and_move_on(self, done: Done | None) -> None:
        """Draw the papers as they are now, and go to the next."""
        self.show_done(done)
        self.move_on()

    def read_paper(self) -> Paper | None:
        """Return the paper that the user looks at; if it cannot be read, say so and return None."""
        from papertrack.store.lookup import get_papers

        if self.papers.paper_id is None:
            return None
        papers = self.session.look(get_papers, [self.papers.paper_id])
        if not papers:
            self.papertrack.say("Another papertrack is writing just now. Press the key again.")
            return None
        return papers[0]

    # Keys

    @about_papers
    def action_discard_because(self, paper_ids: list[int]) -> None:
        from papertrack.actions import triage
        from papertrack.store.lookup import get_papers

        papers = self.session.look(get_papers, paper_ids) or ()
        reasons = {paper.decision_reason for paper in papers}
        reason = (reasons.pop() if len(reasons) == 1 else None) or ""

        self.ask_for(
            "Discard, because",
            "enter discards · esc keeps",
            # An empty line removes a common reason, but not several different ones.
            lambda store, why: triage.decide(
                store, paper_ids, "discarded", why if reason else why or None
            ),
            reason,
            may_be_empty=True,
            then=self.show_done_and_move_on,
        )

    @about_papers
    def action_decide(self, paper_ids: list[int], decision: Decision) -> None:
        from papertrack.actions import triage

        self.write(triage.decide, paper_ids, decision)
        if decision != "inbox":
            self.move_on()

    def action_undo(self) -> None:
        nothing = "There is nothing to undo."
        self._replay(self.session.undo, "Undone", nothing, self._ask_to_undo)

    def _ask_to_undo(self, action: LoggedAction) -> None:
        """Ask before an undo that goes further back than this session."""
        when = "Take back the link of a note, whose file stays"
        if action.verb != "note":
            when = "Nothing from this session is left to undo. Undo what was done before it"
            when += " or elsewhere"
        question = f"{when}, {moment_shown(action.at)}: {action.description}?"
        undo = partial(self.session.undo_further, action=action)
        self.ask_if("Undo", question, lambda: self._replay(undo, "Undone", ""))

    def action_redo(self) -> None:
        nothing = (
            "There is nothing to redo: any new change ends redo, even one by another papertrack."
        )
        self._replay(self.session.redo, "Redone", nothing)

    def _replay(
        self,
        job: Callable[[Store], Undone | LoggedAction | None],
        verb: str,
        nothing: str,
        otherwise: Callable[[LoggedAction], None] = lambda _: None,
    ) -> None:
        def show(undone: Undone | LoggedAction | None) -> None:
            if undone is None:
                self.papertrack.say(nothing)
            elif isinstance(undone, Undone):
                self.show_undone(undone, verb)
            else:
                otherwise(undone)

        self.papertrack.perform(job, show, holds_keys=True)

    @about_papers
    def action_rate(self, paper_ids: list[int]) -> None:
        from papertrack.actions.reading import set_rating
        from papertrack.actions.triage import act_on
        from papertrack.store.listing import read_rows
        from papertrack.tui.dialogs import RatingDialog

        def rate(chosen: str) -> None:
            self.write(act_on, "rate", paper_ids, set_rating, int(chosen) or None)

        rows = self.session.look(read_rows, paper_ids) or []
        ratings = {row.rating for row in rows}
        self.ask(RatingDialog(ratings.pop() if len(ratings) == 1 else None), rate)

    @about_papers
    def action_labels(self, paper_ids: list[int]) -> None:
        """Ask for the papers' categories and tags and change them in one action."""
        from papertrack.actions import triage
        from papertrack.tui.dialogs import LabelsDialog

        labels = self.session.look(triage.read_labels, paper_ids)
        if labels is None:
            self.papertrack.say("Another papertrack is writing just now. Press t again.")
            return

        self.ask(
            LabelsDialog(labels, len(paper_ids)),
            lambda changes: self.write(triage.change_labels, paper_ids, changes),
        )

    @about_papers
    def action_in_hand(self, paper_ids: list[int]) -> None:
        from papertrack.actions import triage

        session = self.session
        limit = session.settings.reading.in_hand

        def take(is_forced: bool) -> None:
            self.write(triage.toggle_in_hand, paper_ids, limit=limit, is_forced=is_forced)

        def ask(too_many: int) -> None:
            if too_many and not session.has_agreed_to_more:
                question = (
                    f"You would be reading {too_many} papers at a time; your limit is {limit}. "
                    "Add them anyway?"
                )
                self.ask_if("Reading now", question, agree)
            else:
                take(bool(too_many))

        def agree() -> None:
            session.has_agreed_to_more = True
            take(True)

        self.papertrack.perform(
            lambda store: triage.count_too_many(store, paper_ids, limit), ask, holds_keys=True
        )

    @about_paper
    def action_timer(self, paper: Paper) -> None:
        """Start or stop the timer of this paper; the next recorded pass gets its minutes."""
        session = self.session
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

    @about_paper
    def action_note(self, paper: Paper) -> None:
        """Make the note if there is none, open it in the editor, then read it again."""
        from papertrack.actions.notes import NoteFile, index_note, prepare_note
        from papertrack.actions.undo import Done
        from papertrack.tui.system import run_editor

        library, paper_id = self.session.library, paper.id

        def edit(note: NoteFile) -> None:
            try:
                with self.app.suspend():
                    # No error may leave this block, because the terminal would not be restored.
                    fault = run_editor(note.path, self.session.environ)
            except SuspendNotSupported:
                fault = f"An editor cannot be opened here. The note is {note.path}."
            if fault is not None:
                self.papertrack.say(fault, is_error=True)
            # Also after an error, because the editor may have saved the note.
            self.papertrack.perform(
                lambda store: index_note(store, library, note.name),
                lambda _: self.show_changes(Done(0, f"note: {note.name}", (paper_id,))),
            )

        self.papertrack.perform(
            lambda store: prepare_note(store, library, paper_id), edit, holds_keys=True
        )

    @about_paper
    def action_open_link(self, paper: Paper, role: str) -> None:
        from papertrack.tui.system import address

        self.papertrack.open_link(address(paper, role), role)

    @about_paper
    def action_copy_link(self, paper: Paper) -> None:
        from papertrack.tui.system import address

        link = address(paper, "abs")
        if link is None:
            self.papertrack.say(f"{paper.citekey} has no link.")
        else:
            self.papertrack.copy(link, "link")

    def action_copy_bibtex(self) -> None:
        from papertrack.actions.cite.citing import bib_entries

        self._copy_key("BibTeX entry", lambda store, paper: bib_entries(store, [paper]))

    def action_copy_citekey(self) -> None:
        self._copy_key("citekey", lambda store, paper: paper.citekey)

    def _copy_key(self, label: str, text_of: Callable[[Store, Paper], str]) -> None:
        """Copy a text that contains the paper's key, and freeze the key."""
        from papertrack.actions.cite.showing import ShownPapers, papers_to_copy

        paper_id = self.papers.paper_id
        if paper_id is None:
            return

        def find(store: Store) -> tuple[ShownPapers, str]:
            result = papers_to_copy(store, [paper_id])
            return result, text_of(store, result.papers[0])

        def copy(result_and_text: tuple[ShownPapers, str]) -> None:
            result, text = result_and_text
            self.papertrack.copy(text, label)
            if result.problem is not None:
                self.papertrack.say(result.problem, is_error=True)

        self.papertrack.perform(find, copy)
