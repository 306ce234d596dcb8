"""Actions that need more than one key: add, edit, merge, remove, suggestions, snooze, topics.

Each is one action, and undo takes it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from papertrack.store.store import Store
from papertrack.text import clean, plural, shorten
from papertrack.tui.keys import DEED_KEYS
from papertrack.tui.screens.verb_screen import VerbScreen, about_paper, about_papers

if TYPE_CHECKING:
    from papertrack.actions.online.suggestions import ShownSuggestion
    from papertrack.actions.ranking import Why
    from papertrack.actions.undo import Done
    from papertrack.holdings import Topic
    from papertrack.records import Paper
    from papertrack.store.listing import ListedPaper

_RELATED = 9
_LOGGED = 200
_MAX_LABEL = 300
"""Longer suggestions are shown on a screen of their own."""
_PREVIEW_DAYS = 30
SNOOZES = (("1w", "a week"), ("2w", "two weeks"), ("1m", "a month"), ("3m", "three months"))
"""The times to snooze that one key offers."""
_OTHER_DATE, _UNSNOOZE = "another", "no"
NO_QUERIES = (
    "There are no saved queries yet: `papertrack config tui.queries.survey 'tag:survey pass:0'` "
    "adds one."
)


class DeedScreen(VerbScreen):
    """A screen about papers, with the keys for these actions."""

    BINDINGS: ClassVar[list[BindingType]] = [*DEED_KEYS]

    def reload(self) -> None:
        """Read the list again: papers were added or removed."""
        raise NotImplementedError

    def jump(self, reference: str, on_error: Callable[[str], None] | None = None) -> None:
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

    def _show_reloaded(self, done: Done | None) -> None:
        self.show_done(done)
        self.reload()

    def _label(self, paper_ids: Sequence[int]) -> str:
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

    def action_toggle_pass(self, number: int) -> None:
        from papertrack.tui.passes import toggle_pass

        toggle_pass(self, number)

    # Papers

    def action_add(self) -> None:
        """Add the papers that a line names; titles come when the papers are completed."""
        from papertrack.actions import triage

        def show(done: Done | None) -> None:
            self._show_reloaded(done)
            # It may be in another view; nothing changes for papers that the library has.
            message = "The library has that already; : goes to a paper."
            self.papertrack.say(message if done is None else done.summary)

        self.ask_for(
            "Add papers",
            "arXiv ids, DOIs or addresses, separated by spaces",
            lambda store, text: triage.add(store, text.split()),
            then=show,
        )

    @about_papers
    def action_remove(self, ids: list[int]) -> None:
        from papertrack.actions.organise import remove_papers
        from papertrack.actions.triage import act_on

        back = "Undo brings it back." if len(ids) == 1 else "Undo brings them back."
        self.ask_if(
            "Remove",
            f"Remove {self._label(ids)} from the library? {back}",
            lambda: self._write_and_reload(lambda s: act_on(s, "rm", ids, remove_papers)),
        )

    @about_paper
    def action_edit_field(self, paper: Paper) -> None:
        from papertrack.actions import triage
        from papertrack.actions.edit import EDITED, value_to_edit

        values = {field: value_to_edit(paper, field) for field in EDITED}

        def edit(field: str) -> None:
            self.ask_for(
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
        from papertrack.actions.references import resolve_reference
        from papertrack.actions.triage import merge

        papers = self.papers
        target = papers.paper_id
        others = [p for p in papers.marked | papers.hidden_marks if p != target]
        if target is None:
            return
        if len(others) == 1:
            self.ask_if(
                "Merge",
                f"Merge the marked paper, {self._label(others)}, into {self._label([target])}, the "
                "one under the cursor?",
                lambda: self._write_and_reload(lambda s: merge(s, target, others[0])),
            )
        else:
            self.ask_for(
                "Merge into this paper",
                "the citekey, id or title of the paper to merge",
                lambda store, text: merge(store, target, resolve_reference(store, text)),
                then=self._show_reloaded,
            )

    def action_suggestions(self) -> None:
        from papertrack.actions import triage
        from papertrack.actions.online.suggestions import open_suggestions, value_as_lines

        paper_id, library = self.papers.paper_id, self.session.library
        suggestions = [
            suggestion
            for suggestion in self.session.look(open_suggestions) or ()
            if suggestion.paper_id in (None, paper_id)
        ]
        if not suggestions:
            if paper_id is not None:
                self.papertrack.say("Nothing is suggested for this paper.")
            return

        def answer(chosen: str) -> None:
            verb, number = chosen.split()
            if verb != "read":
                self.write(triage.answer, library, chosen)
                return
            (text,) = (value_as_lines(s.value) for s in suggestions if s.id == int(number))
            self._show_text("What is suggested", text)

        choices = [choice for suggestion in suggestions for choice in _choices_for(suggestion)]
        self._choose("Suggestions", choices, answer)

    @about_paper
    def action_fetch_pdf(self, paper: Paper) -> None:
        from papertrack.tui.jobs import PDF

        self.papertrack.start_job(PDF, paper.citekey)

    # What is known

    @about_paper
    def action_log(self, paper: Paper) -> None:
        """Show what was done with this paper, newest first."""
        from papertrack.store.journal import read_log
        from papertrack.tui.texts import action_line

        log = self.session.look(read_log, paper_id=paper.id, limit=_LOGGED)
        if log is not None:
            head = f"What was done with {paper.citekey}"
            self._show_text(head, "\n".join(map(action_line, log)))

    @about_paper
    def action_related(self, paper: Paper) -> None:
        """Show similar papers, and the words that they share; enter goes to one."""
        from papertrack.store.listing import related_papers
        from papertrack.tui.texts import line, shared_words

        title = paper.facts.title or ""

        def choose(rows: Sequence[ListedPaper]) -> None:
            if not rows:
                self.papertrack.say("No other paper in the library is similar.")
                return
            choices = []
            for row in rows:
                words = ", ".join(shared_words(title, row.title))
                title_line = line(row.title or row.citekey)
                choices.append((row.citekey, f"{title_line} ({words})" if words else title_line))
            self._choose("Related", choices, self.jump)

        # It takes half a second for 100,000 papers, so it runs outside the screen's thread.
        self.papertrack.perform(
            lambda store: related_papers(store, paper.id, limit=_RELATED), choose, holds_keys=True
        )

    @about_paper
    def action_why(self, paper: Paper) -> None:
        """Show why the paper ranks where it does."""
        from papertrack.actions.ranking import explain

        today = self.session.now().date()
        self.papertrack.perform(
            lambda store: explain(store, paper.id, today, may_learn=False),
            lambda why: self._show_text(f"Why: {paper.citekey}", why_text(why)),
            holds_keys=True,
        )

    @about_papers
    def action_wish(self, ids: list[int], direction: str) -> None:
        from papertrack.actions.ranking import wish
        from papertrack.actions.triage import act_on

        self.write(act_on, "ranking", ids, wish, direction)
        self.papertrack.say(f"The next ranking has {direction} like this.")

    def action_forget_word(self) -> None:
        from papertrack.actions import triage

        self.ask_for("Ignore in the ranking", "a word, two words, or an author", triage.forget_word)

    # What there is to do

    def action_due(self) -> None:
        """Show papers that have waited too long, and snoozed ones."""
        from papertrack.store.states import WAITS, count_due

        def ask(counts: Mapping[int, int]) -> None:
            waits = [
                (f"is:due pass:{w.passes}", f"{w.words} ({counts.get(w.passes, 0)})") for w in WAITS
            ]
            more = ("is:due", "all of these"), ("is:snoozed", "snoozed until a date")
            self._choose(
                "Due", [*waits, *more], lambda query: self.filter_by(query, is_of_all=True)
            )

        self.papertrack.perform(count_due, ask, holds_keys=True)

    @about_papers
    def action_snooze(self, ids: list[int]) -> None:
        """Snooze papers until a date."""
        from papertrack.actions import triage

        def snooze(chosen: str) -> None:
            if chosen == _OTHER_DATE:
                self.ask_for(
                    "Snooze until",
                    "10d, 2w, 3m, 1y or a day such as 2026-12-01",
                    lambda store, until: triage.snooze(store, ids, until),
                    then=self.show_done_and_move_on,
                )
            else:
                self.write(triage.snooze, ids, "" if chosen == _UNSNOOZE else chosen)
                self.move_on()

        choices = [(value, f"for {words}") for value, words in SNOOZES]
        choices += [(_OTHER_DATE, "until another date …"), (_UNSNOOZE, "not any more")]
        self._choose("Snooze", choices, snooze)

    def action_queries(self) -> None:
        """Show the user's queries, by name."""
        queries = self.session.settings.tui.queries
        if not queries:
            self.papertrack.say(NO_QUERIES)
            return
        choices = [(name, clean(f"{name}: {query}")) for name, query in queries.items()]
        self._choose("Queries", choices, lambda name: self.filter_by(queries[name], is_of_all=True))

    def action_topics(self) -> None:
        from papertrack.actions import triage
        from papertrack.store.watch.topics import found_counts, list_topics

        topics = self.session.look(list_topics) or []
        counts = self.session.look(found_counts) or {}
        by_name = {topic.name: topic for topic in topics}
        choices = [
            (t.name, f"{t.name} ({counts.get(t.id, (0,))[0]}){', muted' if t.is_paused else ''}")
            for t in topics
        ]

        def choose(name: str) -> None:
            if name:
                self._about_topic(by_name[name])
                return
            self.ask_for(
                "New topic",
                'its name, a colon, and a query: decoding: title:"speculative decoding"',
                triage.make_topic,
            )

        self._choose("Topics", [*choices, ("", "new topic")], choose)

    def _about_topic(self, topic: Topic) -> None:
        from papertrack.actions import triage

        def act(chosen: str) -> None:
            match chosen:
                case "show":
                    self.filter_by(f'topic:"{topic.name}"')
                case "preview":
                    self._preview(topic)
                case "mute":
                    state = "resumed" if topic.is_paused else "muted"
                    is_paused = not topic.is_paused
                    self.write(triage.change_topic, topic.name, state, is_paused=is_paused)
                case _:
                    self.ask_for(
                        f"Query of {topic.name}",
                        "the query for announcements",
                        lambda store, text: triage.change_topic(
                            store, topic.name, text, query=text
                        ),
                        topic.query,
                    )

        mute = "resume it" if topic.is_paused else "pause it"
        choices = [("show", "only its papers"), ("preview", "what it would have found")]
        choices += [("mute", mute), ("edit", f"edit its query: {topic.query}")]
        self._choose(clean(topic.name), choices, act)

    def _preview(self, topic: Topic) -> None:
        from papertrack.actions.watch.topics import Preview, preview_query

        session = self.session
        today, categories = session.now().date(), session.settings.watch.arxiv_categories

        def preview(store: Store) -> Preview:
            return preview_query(
                store,
                topic.query,
                today=today,
                days=_PREVIEW_DAYS,
                default_categories=categories,
                arxiv_categories=topic.arxiv_categories,
                has_cross_lists=topic.has_cross_lists,
                feeds=topic.feeds,
            )

        def show(preview: Preview) -> None:
            hits = [f"{hit.announced}  {hit.title}\n    {hit.reason}" for hit in preview.last_hits]
            head = f"{topic.name}: {preview.verdict}"
            self._show_text(head, "\n".join([preview.query or "", "", *hits]))

        self.papertrack.perform(preview, show, holds_keys=True)


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


def _choices_for(offer: ShownSuggestion) -> Iterator[tuple[str, str]]:
    """Yield the user's choices for a suggestion: a value and a label each."""
    from papertrack.actions.online.suggestions import describe_value
    from papertrack.actions.proposals import ProposedAct

    proposal, instead = describe_value(offer.value), ""
    if not isinstance(offer.value, ProposedAct):
        proposal = f"{offer.field}: {proposal}"
        instead = f", instead of {describe_value(offer.present) or 'nothing'}"
    if len(proposal) > _MAX_LABEL:
        # A list does not scroll within an entry, so its end would be accepted unread.
        label = f"read what {offer.source} suggests: {offer.field} of {len(proposal):,} characters"
        yield f"read {offer.id}", label
    yield f"accept {offer.id}", f"accept {shorten(proposal, _MAX_LABEL)} ({offer.source}){instead}"
    yield f"reject {offer.id}", f"reject {shorten(proposal, _MAX_LABEL)}"
