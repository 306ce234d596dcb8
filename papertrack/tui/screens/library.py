"""The library: tabs, the list of papers, the abstract beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Footer, Input

from papertrack.errors import PapertrackError, UsageError
from papertrack.store.listing import read_rows
from papertrack.store.lookup import get_papers
from papertrack.store.states import papers_in_hand
from papertrack.store.stats import count_by_state
from papertrack.store.watching import data_version, when_free
from papertrack.text import clean, shorten
from papertrack.tui import glyphs
from papertrack.tui.keys import LIBRARY_KEYS
from papertrack.tui.pages import RowPages, merge_kept
from papertrack.tui.screens.verb_screen import VerbScreen, ids_and_cursor
from papertrack.tui.selection import Selection
from papertrack.tui.session import Session, Undone
from papertrack.tui.texts.paper import preview
from papertrack.tui.views import VIEWS, Counts, View, words_in
from papertrack.tui.widgets.bars import StatusLine, ViewBar
from papertrack.tui.widgets.filter_box import FilterBox
from papertrack.tui.widgets.paper_list import PaperList
from papertrack.tui.widgets.preview import Preview

if TYPE_CHECKING:
    from papertrack.tui.verbs import Done

_RETRY_SECONDS = 0.2
_BIG = 5_000
"""From so many papers on a list is first shown as it was when it was last read."""


class LibraryScreen(VerbScreen):
    """The first screen. What is decided stays in its place until the view is left."""

    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [*LIBRARY_KEYS]

    def __init__(self, session: Session, *, query: str = "") -> None:
        super().__init__(session)
        view = VIEWS[-1] if query else VIEWS[0]
        self.selection = Selection(view, query, view.order)
        self.papers = PaperList(RowPages(session.store), id="list")
        self._views = ViewBar()
        self._pane = Preview()
        self._filter = FilterBox(session, lambda: self.selection)
        self._status = StatusLine()
        self._kept: set[int] = set()
        self._places: dict[str, int | None] = {}
        self._big: dict[Selection, list[int]] = {}
        self._counts: Counts = {}
        self._in_hand = 0
        self._fault = ""
        """What is wrong with the filter that is being typed."""
        self._seen_version = 0
        self._is_preview_due = False

    def compose(self) -> ComposeResult:
        yield self._views
        with Container(id="body"):
            yield self.papers
            yield self._pane
        yield self._filter
        yield self._status
        yield Footer(compact=True, show_command_palette=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the filter looks for."""
        return words_in(self.selection.typed)

    def on_mount(self) -> None:
        self._seen_version = data_version(self.session.store)
        self._count()
        view = self.selection.view
        if not self.selection.typed and not any(d == "inbox" for d, _ in self._counts):
            view = VIEWS[1] if ("saved", 0) in self._counts else VIEWS[-1]
        self.show_view(view)

    # What is shown

    def show_view(self, view: View) -> None:
        """Show a view from the library as it is now, the cursor where it was left."""
        papers = self.papers
        self._places[self.selection.view.name] = papers.paper_id
        if view is not self.selection.view:
            papers.marked.clear()
            self.selection = Selection(view, self.selection.typed, view.order)
        self._show_anew(self._places.get(view.name))

    def filter_by(self, query: str) -> None:
        """Show what matches a query in the present view."""
        self._filter.put(query)
        self.selection = replace(self.selection, typed=query)
        self._show_anew(self.papers.paper_id)

    def _show_anew(self, cursor_id: int | None) -> None:
        self._fault = ""
        self._kept.clear()
        big = self._big.get(self.selection)
        if big is None:
            self._load(cursor_id)
        else:
            self._show_ids(big, cursor_id)
            self._show_bars()
            self._read_in_background()

    def _load(self, cursor_id: int | None) -> None:
        """Read the list; while another process holds the library, try again soon."""
        store = self.session.store
        try:
            ids = when_free(store, lambda: self.selection.find_ids(store))
        except UsageError as error:
            self._show_fault(str(error))
            return
        if ids is None:
            self.set_timer(_RETRY_SECONDS, lambda: self._load(cursor_id))
            return
        self._remember_big(self.selection, ids)
        self._show_ids(ids, cursor_id)
        self._count()
        self._show_bars()

    def _remember_big(self, selection: Selection, ids: list[int]) -> None:
        if len(ids) >= _BIG:
            self._big[selection] = ids

    def _show_ids(self, ids: Sequence[int], cursor_id: int | None) -> None:
        papers, selection = self.papers, self.selection
        papers.order, papers.is_reversed = selection.order, selection.is_reversed
        papers.dims = "inbox" if selection.view.name == "inbox" else None
        papers.empty_text = self._empty_text()
        cursor = min(papers.cursor, len(ids)) if cursor_id is not None else 0
        if cursor_id is not None and cursor_id in ids:
            cursor = ids.index(cursor_id)
        papers.show(ids, cursor=cursor)

    def _empty_text(self) -> str:
        if self.selection.typed:
            return (
                f"No match for {shorten(self.selection.typed, 60)} in {self.selection.view.label}. "
                "] looks in the next view, Esc clears the filter."
            )
        return self.selection.view.empty

    def _count(self) -> None:
        store = self.session.store
        counts = when_free(store, lambda: count_by_state(store))
        in_hand = when_free(store, lambda: papers_in_hand(store))
        self._counts = self._counts if counts is None else counts
        self._in_hand = self._in_hand if in_hand is None else len(in_hand)

    def _show_bars(self) -> None:
        papers, session, selection = self.papers, self.session, self.selection
        self._views.show(selection.view, self._counts, width=self.size.width)
        found = f"{len(papers.ids):,}"
        if self._fault:
            self._status.show([clean(self._fault)])
            return
        facts = [
            f"filter: {shorten(selection.typed, 40)} · {found} found" if selection.typed else "",
            f"{len(papers.marked)} marked" if papers.marked else "",
            f"by {selection.order}" + (", reversed" if selection.is_reversed else ""),
            f"in hand {self._in_hand}{self._limit()}" if self._in_hand else "",
        ]
        if session.timer is not None:
            minutes = session.minutes_on(session.timer.paper_id)
            facts.append(f"{glyphs.TIMED} {clean(session.timer.citekey)} {minutes} min")
        facts += [f"{name} is running, X cancels" for name in self.papertrack.jobs]
        self._status.show(facts)

    def _limit(self) -> str:
        # Nothing on the first screen is worth the time that reading the settings takes.
        return f"/{self.session.settings.reading.in_hand}" if self.session.has_settings else ""

    def on_paper_list_moved(self) -> None:
        # Held keys move faster than a paper is read: only the place they come to is shown.
        if not self._is_preview_due:
            self._is_preview_due = True
            self.call_after_refresh(self._show_preview)

    def _show_preview(self) -> None:
        self._is_preview_due = False
        pane = self._pane
        paper_id, store = self.papers.paper_id, self.session.store
        if not pane.display:
            return
        content = Content("")
        if paper_id is not None:
            papers = when_free(store, lambda: get_papers(store, [paper_id]))
            if papers is None:
                self.set_timer(_RETRY_SECONDS, self._show_preview)
                return
            # None when somebody has just removed it.
            for paper in papers:
                content = preview(paper, words=self.words, is_tex=self.session.is_tex)
        pane.show(content)

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

    def show_changes(self, done: Done) -> None:
        self._kept |= set(done.paper_ids)
        self.papers.marked -= set(done.paper_ids)
        self.papers.reread()
        self._count()
        self._show_bars()
        self.on_paper_list_moved()

    def show_undone(self, undone: Undone, verb: str) -> None:
        self._kept |= set(undone.done.paper_ids)
        store, selection = self.session.store, self.selection
        ids = when_free(store, lambda: selection.find_ids(store))
        if ids is not None:
            self._take_in(selection, ids)
        if undone.cursor_id is None or not self.papers.go_to(undone.cursor_id):
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
            self._big.clear()
            self._read_in_background()
        self._show_bars()

    def _read_in_background(self) -> None:
        """Read the list apart from the screen's thread: 100,000 ids take their time."""
        selection = self.selection

        def read() -> None:
            try:
                with self.session.open_store() as store:
                    ids = selection.find_ids(store)
            except PapertrackError as error:
                self.app.call_from_thread(self.papertrack.say, str(error), is_error=True)
            else:
                self.app.call_from_thread(self._take_in, selection, ids)

        self.run_worker(read, thread=True, exclusive=True, group="list")

    def _take_in(self, selection: Selection, ids: list[int]) -> None:
        """Show the list as it is now, what was decided in its place, the cursor on its paper."""
        if selection != self.selection:
            return
        self._remember_big(selection, ids)
        papers = self.papers
        store = self.session.store
        rows = when_free(store, lambda: read_rows(store, list(self._kept)))
        if rows is not None:
            self._kept = {row.id for row in rows}
        merged = merge_kept(papers.ids, ids, self._kept)
        if merged != papers.ids:
            self._show_ids(merged, papers.paper_id)
        else:
            papers.reread()
        self._count()
        self._show_bars()

    # Keys

    def action_next_view(self) -> None:
        self._change_view(1)

    def action_previous_view(self) -> None:
        self._change_view(-1)

    def _change_view(self, by: int) -> None:
        self.show_view(VIEWS[(VIEWS.index(self.selection.view) + by) % len(VIEWS)])

    def on_view_bar_chosen(self, message: ViewBar.Chosen) -> None:
        self.show_view(message.view)

    def action_refresh(self) -> None:
        self._big.clear()
        self.show_view(self.selection.view)

    def action_open(self) -> None:
        from papertrack.tui.screens.paper import PaperScreen

        if self.papers.paper_id is not None:
            self.app.push_screen(PaperScreen(self.session, self), lambda _: self.show_timer())

    def on_paper_list_opened(self) -> None:
        self.action_open()

    def action_page(self) -> None:
        if not self._pane.display or not self._pane.page():
            self.papers.step(1)

    def action_next_undecided(self) -> None:
        self._step_undecided(1)

    def action_previous_undecided(self) -> None:
        self._step_undecided(-1)

    def _step_undecided(self, by: int) -> None:
        if not self.papers.step(by, lambda row: row.decision == "inbox"):
            self.papertrack.say("No other paper in this direction is undecided.")

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

    def on_paper_list_head_clicked(self) -> None:
        self.action_sort()

    def action_discard_rest(self) -> None:
        from papertrack.tui.screens.questions import ask_discard_rest

        ask_discard_rest(self)

    def action_sort(self) -> None:
        from papertrack.tui.screens.questions import ask_order

        ask_order(self)

    def action_jump(self) -> None:
        from papertrack.tui.screens.questions import ask_jump

        ask_jump(self)

    def jump(self, reference: str) -> None:
        """Put the cursor on the paper that a text names, in All if this view has it not."""
        from papertrack.actions.references import resolve_reference

        self.papertrack.perform(lambda store: resolve_reference(store, reference), self._go_to)

    def _go_to(self, paper_id: int) -> None:
        if not self.papers.go_to(paper_id):
            self._filter.put("")
            self._places[VIEWS[-1].name] = paper_id
            self.selection = replace(self.selection, typed="")
            self.show_view(VIEWS[-1])

    def sort_by(self, order: str) -> None:
        """Sort the list; the same order again reverses it."""
        is_reversed = order == self.selection.order and not self.selection.is_reversed
        self.selection = replace(self.selection, order=order, is_reversed=is_reversed)
        self._show_anew(self.papers.paper_id)

    def action_statistics(self) -> None:
        from papertrack.tui.screens.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen(self.session))

    def action_back(self) -> None:
        self.app.exit()

    # The filter

    def action_filter(self) -> None:
        self._filter.open()

    def on_filter_box_narrowed(self, message: FilterBox.Narrowed) -> None:
        self.selection = message.selection
        self._fault = ""
        self._kept.clear()
        self._show_ids(message.ids, self.papers.paper_id)
        self._show_bars()

    def on_filter_box_faulty(self, message: FilterBox.Faulty) -> None:
        self._show_fault(message.fault)

    def _show_fault(self, fault: str) -> None:
        self._fault = fault
        self._show_bars()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the filter as it stands, also when its search is not through."""
        try:
            replace(self.selection, typed=event.value).query()
        except UsageError as error:
            self._show_fault(str(error))
            return
        self.filter_by(event.value)
        self._leave_filter()

    def action_clear(self) -> None:
        """Leave the filter, or clear the marks, or the filter: one thing at a time."""
        papers = self.papers
        is_typing = self._filter.has_focus
        if papers.marked and not is_typing:
            papers.marked.clear()
            papers.refresh()
            self._show_bars()
        elif self.selection.typed or is_typing:
            self._leave_filter()
            self.filter_by("")

    def _leave_filter(self) -> None:
        self._filter.close()
        self.papers.focus()
