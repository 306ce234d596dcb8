"""Actions that need more than one key: add, edit, merge or remove papers, suggestions, ranks.

Each is one action, and undo takes it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from papertrack.store.store import Store
from papertrack.text import clean, plural, shorten
from papertrack.tui.keys import DEED_KEYS
from papertrack.tui.screens.verb_screen import VerbScreen

if TYPE_CHECKING:
    from papertrack.actions.online.suggestions import ShownSuggestion
    from papertrack.actions.ranking import Why
    from papertrack.actions.undo import Done
    from papertrack.store.listing import ListedPaper

_RELATED = 9
_LOGGED = 200
_LONG = 300
"""Longer suggestions are shown on a screen of their own."""


class DeedScreen(VerbScreen):
    """A screen about papers, with the keys for these actions."""

    BINDINGS: ClassVar[list[BindingType]] = [*DEED_KEYS]

    def reload(self) -> None:
        """Read the list again: papers were added or removed."""
        raise NotImplementedError

    def jump(self, reference: str) -> None:
        """Go to the paper that a text names."""
        raise NotImplementedError

    def filter_by(self, query: str, *, is_of_all: bool = False) -> None:
        """Show what matches a query; in the view All if requested, or if this view has no match."""
        raise NotImplementedError

    def _write_and_reload(self, verb: Callable[[Store], Done | None]) -> None:
        cursor_id = self.papers.paper_id
        self.papertrack.perform(
            lambda store: self.session.remember(verb(store), cursor_id),
            self._show_reloaded,
            holds_keys=True,
        )

    def _ask_for(
        self,
        title: str,
        hint: str,
        verb: Callable[[Store, str], Done | None],
        value: str = "",
        *,
        may_be_empty: bool = False,
        then: Callable[[Done | None], None] | None = None,
    ) -> None:
        from papertrack.tui.dialogs import Question

        self.ask_and_write(Question(title, hint, value, may_be_empty), verb, then)

    def _show_reloaded(self, done: Done | None) -> None:
        self.show_done(done)
        self.reload()

    def _ask_if(self, title: str, question: str, then: Callable[[], None]) -> None:
        from papertrack.tui.dialogs import AskDialog

        self.ask(AskDialog(title, question), lambda _: then())

    def _named(self, paper_ids: Sequence[int]) -> str:
        """Return a paper's title, or the number of papers."""
        from papertrack.store.listing import read_rows
        from papertrack.tui.rows import title_of

        rows = self.session.look(read_rows, paper_ids) if len(paper_ids) == 1 else None
        return f"“{title_of(rows[0])}”" if rows else plural(len(paper_ids), "paper")

    def _choose(
        self, title: str, choices: Sequence[tuple[str, str]], then: Callable[[str], None]
    ) -> None:
        from papertrack.tui.dialogs import ChoiceDialog

        self.ask(ChoiceDialog(title, choices), then)

    def _show_text(self, head: str, text: str) -> None:
        from papertrack.tui.screens.pages import TextScreen

        self.app.push_screen(TextScreen(head, text))

    # Passes

    def action_first_pass(self) -> None:
        self._toggle_pass(1)

    def action_second_pass(self) -> None:
        self._toggle_pass(2)

    def action_third_pass(self) -> None:
        self._toggle_pass(3)

    def _toggle_pass(self, number: int) -> None:
        from papertrack.tui.passes import toggle_pass

        toggle_pass(self, number)

    # Papers

    def action_add(self) -> None:
        """Add the papers that a line names; titles come when the papers are completed."""
        from papertrack.actions import triage

        def show(done: Done | None) -> None:
            self._show_reloaded(done)
            # It may be in no view that is looked at, and what is known already changes nothing.
            known = "The library has that already; : goes to a paper."
            self.papertrack.say(known if done is None else done.summary)

        self._ask_for(
            "Add papers",
            "arXiv ids, DOIs or addresses, separated by spaces",
            lambda store, text: triage.add(store, text.split()),
            then=show,
        )

    def action_remove(self) -> None:
        from papertrack.actions import triage

        ids = self.target_ids()
        if ids:
            back = "Undo brings it back." if len(ids) == 1 else "Undo brings them back."
            self._ask_if(
                "Remove",
                f"Remove {self._named(ids)} from the library? {back}",
                lambda: self._write_and_reload(lambda store: triage.remove(store, ids)),
            )

    def action_edit_field(self) -> None:
        from papertrack.actions import triage
        from papertrack.actions.edit import EDITED, value_to_edit

        paper = self.read_paper()
        if paper is None:
            return
        values = {field: value_to_edit(paper, field) for field in EDITED}

        def edit(field: str) -> None:
            self._ask_for(
                f"{field} of {paper.citekey}",
                "enter accepts · esc cancels",
                lambda store, text: triage.edit(store, paper.id, f"{field}={text}"),
                values[field] or "",
                may_be_empty=True,
            )

        self._choose("Edit", [(f, f"{f}\t{clean(v) or '·'}") for f, v in values.items()], edit)

    def action_merge(self) -> None:
        """Merge two papers: the one under the cursor stays, and gets what it lacks from the
        other."""
        from papertrack.actions import triage

        papers = self.papers
        kept = papers.paper_id
        others = [one for one in papers.marked | papers.marked_aside if one != kept]
        if kept is None:
            return
        if len(others) == 1:
            self._ask_if(
                "Merge",
                f"Merge the marked paper, {self._named(others)}, into {self._named([kept])}, the "
                "one under the cursor?",
                lambda: self._write_and_reload(lambda store: triage.merge(store, kept, others[0])),
            )
        else:
            self._ask_for(
                "Merge into this paper",
                "the citekey, id or title of the paper to merge",
                lambda store, text: triage.merge_named(store, kept, text),
                then=self._show_reloaded,
            )

    def action_suggestions(self) -> None:
        from papertrack.actions import triage
        from papertrack.actions.online.suggestions import open_suggestions, value_in_lines

        paper_id, library = self.papers.paper_id, self.session.library
        found = [
            one
            for one in self.session.look(open_suggestions) or ()
            if one.paper_id in (None, paper_id)
        ]
        if not found:
            if paper_id is not None:
                self.papertrack.say("Nothing is suggested for this paper.")
            return

        def answer(chosen: str) -> None:
            verb, number = chosen.split()
            if verb != "read":
                self.write(triage.answer, library, chosen)
                return
            (text,) = (value_in_lines(one.value) for one in found if one.id == int(number))
            self._show_text("What is suggested · q goes back", text)

        choices = [choice for one in found for choice in _answers_to(one)]
        self._choose("Suggestions", choices, answer)

    def action_fetch_pdf(self) -> None:
        from papertrack.tui.jobs import PDF

        paper = self.read_paper()
        if paper is not None:
            self.papertrack.start_job(PDF, paper.citekey)

    # What is known

    def action_log(self) -> None:
        """Show what was done with this paper, newest first."""
        from papertrack.store.journal import read_log
        from papertrack.tui.texts import deed

        paper = self.read_paper()
        log = paper and self.session.look(read_log, paper_id=paper.id, limit=_LOGGED)
        if paper is not None and log is not None:
            head = f"What was done with {paper.citekey} · q goes back"
            self._show_text(head, "\n".join(map(deed, log)))

    def action_related(self) -> None:
        """Show similar papers, and the words that they share; enter goes to one."""
        from papertrack.store.listing import related_papers
        from papertrack.tui.texts import line, shared_words

        paper = self.read_paper()
        if paper is None:
            return
        title = paper.facts.title or ""

        def choose(found: Sequence[ListedPaper]) -> None:
            if not found:
                self.papertrack.say("No other paper in the library is similar.")
                return
            choices = []
            for row in found:
                words = ", ".join(shared_words(title, row.title))
                named = line(row.title or row.citekey)
                choices.append((row.citekey, f"{named} ({words})" if words else named))
            self._choose("Related", choices, self.jump)

        # In 100,000 papers it takes half a second: apart from the screen's thread.
        self.papertrack.perform(
            lambda store: related_papers(store, paper.id, limit=_RELATED), choose, holds_keys=True
        )

    def action_why(self) -> None:
        """Show why the paper ranks where it does."""
        from papertrack.actions.ranking import explain

        paper = self.read_paper()
        if paper is None:
            return
        today = self.session.now().date()
        self.papertrack.perform(
            lambda store: explain(store, paper.id, today, may_learn=False),
            lambda why: self._show_text(f"Why: {paper.citekey} · q goes back", why_text(why)),
            holds_keys=True,
        )

    def action_more_like_this(self) -> None:
        self._wish("more")

    def action_fewer_like_this(self) -> None:
        self._wish("less")

    def _wish(self, wanted: str) -> None:
        from papertrack.actions import triage

        ids = self.target_ids()
        if ids:
            self.write(triage.wish_for, ids, wanted)
            self.papertrack.say(f"The next ranking has {wanted} like this.")

    def action_forget_word(self) -> None:
        from papertrack.actions import triage

        self._ask_for(
            "Ignore in the ranking", "a word, two words, or an author", triage.forget_word
        )


def why_text(why: Why) -> str:
    """Return lines that explain why a paper ranks where it does."""
    lines = []
    if why.score is None:
        lines.append("There are no decisions yet: the topics give the order.")
    elif why.is_like_kept is None:
        lines.append("The score only gives the order: all your decisions are the same.")
    else:
        lines.append("More like what you keep." if why.is_like_kept else "Less like what you keep.")
    if not why.is_current:
        lines.append("Your last decisions are not included yet: the next watch learns from them.")
    lines += [f"words: {', '.join(why.words)}"] if why.words else []
    lines += [f"authors you kept: {', '.join(why.authors)}"] if why.authors else []
    if why.near is not None:
        near = why.near
        lines.append(
            f"similar to what you read: {near.title} "
            f"({plural(near.passes_done, 'pass', 'passes')}), by {', '.join(near.shared)}"
        )
        lines += [f"  “{near.takeaway}”"] if near.takeaway else []
    return "\n".join([*lines, *(f"{name}: {reason}" for name, reason in why.topics)])


def _answers_to(one: ShownSuggestion) -> Iterator[tuple[str, str]]:
    """The choices that the reader has: a value and a label each."""
    from papertrack.actions.online.suggestions import value_in_words
    from papertrack.actions.proposals import ProposedAct

    what, now = value_in_words(one.value), ""
    if not isinstance(one.value, ProposedAct):
        what = f"{one.field}: {what}"
        now = f", instead of {value_in_words(one.present) or 'nothing'}"
    if len(what) > _LONG:
        # A list does not scroll within an entry: its end would be accepted unseen.
        label = f"read what {one.source} suggests: {one.field} of {len(what):,} characters"
        yield f"read {one.id}", label
    yield f"accept {one.id}", f"accept {shorten(what, _LONG)} ({one.source}){now}"
    yield f"reject {one.id}", f"refuse {shorten(what, _LONG)}"
