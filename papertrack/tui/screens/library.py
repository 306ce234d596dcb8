"""The library: tabs, the list of papers, the abstract beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Input, Static

from papertrack.errors import UsageError
from papertrack.store.listing import ORDERS, find_ids
from papertrack.store.lookup import get_paper
from papertrack.store.states import papers_in_hand
from papertrack.store.stats import count_by_state
from papertrack.store.store import Store
from papertrack.store.watching import data_version, when_free
from papertrack.text import clean, shorten
from papertrack.tui import verbs
from papertrack.tui.keys import LIBRARY_KEYS
from papertrack.tui.pages import RowPages, merge_kept
from papertrack.tui.screens.verb_screen import VerbScreen, ids_and_cursor
from papertrack.tui.session import Session, Undone
from papertrack.tui.texts.paper import preview
from papertrack.tui.views import VIEWS, Counts, View, query_of, words_in
from papertrack.tui.widgets.bars import StatusLine, ViewBar
from papertrack.tui.widgets.paper_list import PaperList

_RETRY_SECONDS = 0.2


class LibraryScreen(VerbScreen):
    """The first screen. What is decided stays in its place until the view is left."""

    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [*LIBRARY_KEYS]

    def __init__(self, session: Session, *, query: str = "") -> None:
        super().__init__(session)
        self._pages = RowPages(session.store)
        self._view = VIEWS[-1] if query else VIEWS[0]
        self._typed = query
        self._kept: set[int] = set()
        self._places: dict[str, int | None] = {}
        self._counts: Counts = {}
        self._in_hand = 0
        self._seen_version = 0
        self._is_preview_due = False

    def compose(self) -> ComposeResult:
        yield ViewBar()
        with Container(id="body"):
            yield PaperList(self._pages, id="list")
            with VerticalScroll(id="preview", can_focus=False):
                yield Static()
        yield Input(
            self._typed, id="filter", placeholder="words, author:name, tag:x, pass:<2, is:inbox …"
        )
        yield StatusLine()
        yield Footer(compact=True, show_command_palette=False)

    @property
    def papers(self) -> PaperList:
        return self.query_one("#list", PaperList)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the filter looks for."""
        return words_in(self._typed)

    def on_mount(self) -> None:
        self._seen_version = data_version(self.session.store)
        if not self._typed:
            self._count()
            if not any(decision == "inbox" for decision, _ in self._counts):
                self._view = VIEWS[1] if ("saved", 0) in self._counts else VIEWS[-1]
        self.show_view(self._view)

    # What is shown

    def show_view(self, view: View) -> None:
        """Show a view from the library as it is now, the cursor where it was left."""
        papers = self.papers
        self._places[self._view.name] = papers.paper_id
        if view is not self._view:
            papers.order, papers.is_reversed = view.order, False
            papers.marked.clear()
        elif not papers.ids:
            papers.order = view.order
        self._view = view
        papers.dims = "inbox" if view.name == "inbox" else None
        self._kept.clear()
        self._load(self._places.get(view.name))

    def _load(self, cursor_id: int | None) -> None:
        """Read ids and counts; while another process holds the library, try again soon."""
        papers, store = self.papers, self.session.store
        try:
            query = query_of(self._view, self._typed)
        except UsageError as error:
            self._show_fault(error)
            return
        ids = when_free(
            store,
            lambda: find_ids(store, query, order=papers.order, is_reversed=papers.is_reversed),
        )
        if ids is None:
            self.set_timer(_RETRY_SECONDS, lambda: self._load(cursor_id))
            return
        self._show_ids(ids, cursor_id)
        self._count()
        self._show_bars()

    def _show_ids(self, ids: Sequence[int], cursor_id: int | None) -> None:
        papers = self.papers
        papers.empty_text = self._empty_text()
        cursor = papers.cursor
        if cursor_id is not None:
            try:
                cursor = ids.index(cursor_id)
            except ValueError:
                cursor = min(cursor, len(ids))
        elif not papers.ids:
            cursor = 0
        papers.show(ids, cursor=cursor)

    def _empty_text(self) -> str:
        if self._typed:
            return (
                f"No match for {shorten(self._typed, 60)} in {self._view.label}. "
                "] looks in the next view, Esc clears the filter."
            )
        return self._view.empty

    def _count(self) -> None:
        store = self.session.store
        counts = when_free(store, lambda: count_by_state(store))
        in_hand = when_free(store, lambda: papers_in_hand(store))
        self._counts = self._counts if counts is None else counts
        self._in_hand = self._in_hand if in_hand is None else len(in_hand)

    def _show_bars(self) -> None:
        papers, session = self.papers, self.session
        self.query_one(ViewBar).show(self._view, self._counts, width=self.size.width)
        shown = f"{len(papers.ids):,}"
        facts = [
            f"filter: {shorten(self._typed, 40)} · {shown} found" if self._typed else "",
            f"{len(papers.marked)} marked" if papers.marked else "",
            f"by {papers.order}" + (", reversed" if papers.is_reversed else ""),
            f"in hand {self._in_hand}/{session.settings.reading.in_hand}" if self._in_hand else "",
        ]
        if session.timer is not None:
            minutes = session.minutes_on(session.timer.paper_id)
            facts.append(f"◷ {clean(session.timer.citekey)} {minutes} min")
        facts += [f"{name} {state}" for name, state in self.papertrack.jobs.items()]
        self.query_one(StatusLine).show(facts)

    def on_paper_list_moved(self) -> None:
        # Held keys move faster than a paper is read: only the place they come to is shown.
        if not self._is_preview_due:
            self._is_preview_due = True
            self.call_after_refresh(self._show_preview)

    def _show_preview(self) -> None:
        self._is_preview_due = False
        pane = self.query_one("#preview", VerticalScroll)
        paper_id = self.papers.paper_id
        if not pane.display:
            return
        store = self.session.store
        content = Content("")
        if paper_id is not None:
            paper = when_free(store, lambda: get_paper(store, paper_id))
            if paper is None:
                self.set_timer(_RETRY_SECONDS, self._show_preview)
                return
            content = preview(paper, words=self.words, is_tex=self.session.is_tex)
        pane.scroll_home(animate=False)
        pane.query_one(Static).update(content)

    def on_resize(self) -> None:
        self._show_bars()
        self.on_paper_list_moved()

    # What verbs ask of a screen

    def target_ids(self) -> list[int]:
        papers = self.papers
        return ids_and_cursor([i for i in papers.ids if i in papers.marked], papers.paper_id)

    def cursor_id(self) -> int | None:
        return self.papers.paper_id

    def move_on(self) -> None:
        papers = self.papers
        if papers.marked:
            papers.marked.clear()
            papers.refresh()
        else:
            papers.step(1)

    def show_changes(self, done: verbs.Done) -> None:
        self._kept |= set(done.paper_ids)
        self.papers.reread()
        self._count()
        self._show_bars()
        self.on_paper_list_moved()

    def show_undone(self, undone: Undone, verb: str) -> None:
        papers = self.papers
        self._kept |= set(undone.done.paper_ids)
        self._reload()
        if undone.cursor_id is None or not papers.go_to(undone.cursor_id):
            self.papertrack.say(f"{verb}: {undone.done.summary}")
        self.on_paper_list_moved()

    def show_timer(self) -> None:
        self.papers.timed_id = self.session.timer.paper_id if self.session.timer else None
        self.papers.refresh()
        self._show_bars()
        self.on_paper_list_moved()

    # Changes from elsewhere

    def poll(self) -> None:
        """Take in what another process, or another screen, has written."""
        store = self.session.store
        version = when_free(store, lambda: data_version(store))
        if version is not None and version != self._seen_version and not self.papertrack.pending:
            self._seen_version = version
            self.run_worker(self._read_ids, thread=True, exclusive=True, group="poll")
        elif self.session.timer is not None:
            self._show_bars()

    def _read_ids(self) -> None:
        """Apart from the screen's thread: 100,000 ids take their time."""
        state = self._state()
        with self.session.open_store() as store:
            ids = self._find_ids(store)
        if ids is not None:
            self.app.call_from_thread(self._take_in, state, ids)

    def _state(self) -> tuple[View, str, str, bool]:
        return self._view, self._typed, self.papers.order, self.papers.is_reversed

    def _find_ids(self, store: Store) -> list[int] | None:
        try:
            query = query_of(self._view, self._typed)
        except UsageError:
            return None
        return when_free(
            store,
            lambda: find_ids(
                store, query, order=self.papers.order, is_reversed=self.papers.is_reversed
            ),
        )

    def _take_in(self, state: tuple[View, str, str, bool], ids: list[int]) -> None:
        papers = self.papers
        if state != self._state():
            return
        merged = merge_kept(papers.ids, ids, self._kept)
        self._count()
        if merged != papers.ids:
            self._show_ids(merged, papers.paper_id)
        else:
            papers.reread()
        self._show_bars()

    def _reload(self) -> None:
        """Read the view anew with what was decided in its place, the cursor on its paper."""
        ids = self._find_ids(self.session.store)
        if ids is None:
            self.set_timer(_RETRY_SECONDS, self._reload)
        else:
            self._take_in(
                (self._view, self._typed, self.papers.order, self.papers.is_reversed), ids
            )

    # Keys

    def action_next_view(self) -> None:
        self._change_view(1)

    def action_previous_view(self) -> None:
        self._change_view(-1)

    def _change_view(self, by: int) -> None:
        self.show_view(VIEWS[(VIEWS.index(self._view) + by) % len(VIEWS)])

    def on_view_bar_chosen(self, message: ViewBar.Chosen) -> None:
        self.show_view(message.view)

    def action_refresh(self) -> None:
        self.show_view(self._view)

    def action_open(self) -> None:
        from papertrack.tui.screens.paper import PaperScreen

        if self.papers.paper_id is not None:
            self.app.push_screen(PaperScreen(self.session, self), self._came_back)

    def _came_back(self, _: None) -> None:
        self.papers.reread()
        self._count()
        self.show_timer()

    def on_paper_list_opened(self) -> None:
        self.action_open()

    def action_page(self) -> None:
        pane = self.query_one("#preview", VerticalScroll)
        if pane.display and pane.scroll_offset.y < pane.max_scroll_y:
            pane.scroll_page_down(animate=False)
        else:
            self.papers.step(1)

    def action_next_undecided(self) -> None:
        self._step_undecided(1)

    def action_previous_undecided(self) -> None:
        self._step_undecided(-1)

    def _step_undecided(self, by: int) -> None:
        if not self.papers.step(by, lambda row: row.decision == "inbox"):
            self.papertrack.say("No other paper here is undecided.")

    def action_mark(self) -> None:
        papers = self.papers
        if papers.paper_id is not None:
            papers.marked ^= {papers.paper_id}
            papers.refresh()
            papers.step(1)
            self._show_bars()

    def action_mark_all(self) -> None:
        papers = self.papers
        papers.marked = set() if papers.marked else set(papers.ids)
        papers.refresh()
        self._show_bars()

    def action_discard_rest(self) -> None:
        from papertrack.tui.dialogs.base import AskDialog

        ids = list(self.papers.ids)

        def ask(undecided: list[int]) -> None:
            if not undecided:
                self.papertrack.say("Nothing here is undecided.")
                return
            question = f"Discard {len(undecided)} undecided papers of {self._view.label}?"
            self.app.push_screen(
                AskDialog("Discard the rest", question),
                lambda is_yes: self._discard_all(undecided) if is_yes else None,
            )

        self.papertrack.perform(lambda store: verbs.find_undecided(store, ids), ask)

    def _discard_all(self, paper_ids: list[int]) -> None:
        self.write(lambda store: verbs.decide(store, paper_ids, "discarded"))

    def action_sort(self) -> None:
        from papertrack.tui.dialogs.base import ChoiceDialog

        papers = self.papers
        choices = [(order, f"by {order}") for order in ORDERS]

        def sort(order: str | None) -> None:
            if order is not None:
                papers.is_reversed = order == papers.order and not papers.is_reversed
                papers.order = order
                self._load(papers.paper_id)

        self.app.push_screen(
            ChoiceDialog("Sort (the same again reverses)", choices, papers.order), sort
        )

    def on_paper_list_head_clicked(self) -> None:
        self.action_sort()

    def action_jump(self) -> None:
        from papertrack.tui.dialogs.base import TextDialog

        self.app.push_screen(
            TextDialog("Go to", "citekey, arXiv id, DOI, address or the start of a title"),
            lambda text: self.jump(text) if text else None,
        )

    def jump(self, reference: str) -> None:
        """Put the cursor on the paper that a text names, in All if this view has it not."""
        from papertrack.actions.references import resolve_reference

        def go(paper_id: int) -> None:
            if not self.papers.go_to(paper_id):
                self._typed = ""
                self.query_one("#filter", Input).value = ""
                self.show_view(VIEWS[-1])
                self.papers.go_to(paper_id)

        self.papertrack.perform(lambda store: resolve_reference(store, reference), go)

    def action_statistics(self) -> None:
        from papertrack.tui.screens.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen(self.session))

    def action_back(self) -> None:
        self.app.exit()

    # The filter

    def action_filter(self) -> None:
        box = self.query_one("#filter", Input)
        box.add_class("-open")
        box.focus()

    def filter_by(self, query: str) -> None:
        """Show what matches a query in the present view."""
        with self.prevent(Input.Changed):
            self.query_one("#filter", Input).value = query
        self._typed = query
        self._kept.clear()
        self._load(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        typed = event.value
        self.run_worker(lambda: self._narrow(typed), thread=True, exclusive=True, group="filter")

    def _narrow(self, typed: str) -> None:
        """Apart from the screen's thread, so that typing never waits for a search."""
        papers = self.papers
        try:
            query = query_of(self._view, typed, is_typing=True)
        except UsageError as error:
            self.app.call_from_thread(self._show_fault, error)
            return
        with self.session.open_store() as store:
            ids = find_ids(store, query, order=papers.order, is_reversed=papers.is_reversed)
        self.app.call_from_thread(self._show_narrowed, typed, ids)

    def _show_narrowed(self, typed: str, ids: list[int]) -> None:
        box = self.query_one("#filter", Input)
        if box.value != typed:
            return
        box.remove_class("-wrong")
        self._typed = typed
        self._kept.clear()
        self._show_ids(ids, self.papers.paper_id)
        self._show_bars()

    def _show_fault(self, error: UsageError) -> None:
        self.query_one("#filter", Input).add_class("-wrong")
        self.query_one(StatusLine).show([clean(str(error))])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            query_of(self._view, event.value)
        except UsageError as error:
            self._show_fault(error)
            return
        if event.value != self._typed or not event.value:
            self.filter_by(event.value)
        self._leave_filter()

    def action_clear(self) -> None:
        """Leave the filter, or clear the marks, or the filter: one thing at a time."""
        papers = self.papers
        if papers.marked and not self.query_one("#filter", Input).has_focus:
            papers.marked.clear()
            papers.refresh()
            self._show_bars()
        elif self._typed or self.query_one("#filter", Input).has_focus:
            self._leave_filter()
            cursor_id = papers.paper_id
            self.filter_by("")
            if cursor_id is not None:
                papers.go_to(cursor_id)

    def _leave_filter(self) -> None:
        box = self.query_one("#filter", Input)
        box.remove_class("-open", "-wrong")
        self.papers.focus()
