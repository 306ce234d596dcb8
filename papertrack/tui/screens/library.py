"""The library screen: tabs, the list of papers, the abstract beside it."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, OptionList

from papertrack.errors import PapertrackError, UsageError
from papertrack.store.listing import read_rows
from papertrack.text import clean, few, plural
from papertrack.tui import glyphs
from papertrack.tui.keys import LIBRARY_KEYS, TAUGHT
from papertrack.tui.screens.list_screen import READ_AHEAD_SECONDS, RETRY_SECONDS, ListScreen
from papertrack.tui.session import Session, Undone
from papertrack.tui.views import VIEWS, Selection, count_of, filter_fact, first_view
from papertrack.tui.widgets import FilterBox, HitsPane, KeyLine, StatusLine, TextPane, ViewBar

if TYPE_CHECKING:
    from papertrack.actions.pdfs import PdfPassage
    from papertrack.actions.undo import Done
    from papertrack.store.store import Store

_MAX_HITS = 50
"""The most pages of a PDF that are shown for a phrase."""
_TYPING_SECONDS = 0.03
"""The pause in typing after which the filter searches."""


class LibraryScreen(ListScreen):
    """The first screen, for triage and for finding papers."""

    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [*LIBRARY_KEYS]

    def __init__(
        self, session: Session, open_paper: Callable[[LibraryScreen], None], *, query: str = ""
    ) -> None:
        super().__init__(session, query)
        self._open_paper = open_paper
        self._views = ViewBar(self.show_view)
        self._pane = TextPane("preview", "Abstract")
        self._details = TextPane("details", "Details")
        self._hits = HitsPane()
        self._body = Container(self.papers, self._pane, self._hits, self._details, id="body")
        self._filter = FilterBox()
        self._status = StatusLine()
        self._keys = KeyLine()

    def compose(self) -> ComposeResult:
        yield self._views
        yield self._body
        yield self._filter
        yield self._status
        yield self._keys

    def on_mount(self) -> None:
        self._filter.put(self.selection.typed)
        self._show_first_view()
        # The abstract needs more modules than the list, so it follows the first paint.
        self.call_after_refresh(self._follow_cursor)
        self.set_timer(READ_AHEAD_SECONDS, self.read_ahead)

    def _show_first_view(self) -> None:
        """Show the first view that has something to do, as soon as the library can be read."""
        view = self.selection.view if self.selection.typed else self.session.look(first_view)
        if view is None:
            self.set_timer(RETRY_SECONDS, self._show_first_view)
        else:
            self.show_view(view)

    # What is shown

    def filter_by(self, query: str, *, is_of_all: bool = False) -> None:
        self._narrow_to(query)
        if is_of_all or not (self.papers.ids or self.fault):
            self.show_view(VIEWS[-1])

    def _narrow_to(self, query: str) -> None:
        """Show what matches a query in the current view."""
        self.show_selection(self.selection._replace(typed=query), self.papers.paper_id)

    def show_bars(self) -> None:
        papers, session, selection = self.papers, self.session, self.selection
        self._views.show(selection.view, self.counts, width=self.size.width)
        key_ids = TAUGHT[selection.view.name if papers.ids else "nothing"]
        self._keys.teach(f"clear {key_ids}" if selection.typed else key_ids)
        if self.fault:
            self._status.show(clean(self.fault), is_fault=True)
            return
        timer = session.timer
        minutes = session.minutes_on(timer.paper_id) if timer else None
        # The first screen shows nothing that is worth the time of reading the settings.
        limit = session.known_settings.reading.in_hand if session.known_settings else None
        waiting = count_of(VIEWS[0], self.counts or {})
        progress = session.progress.describe(waiting) if selection.view is VIEWS[0] else ""
        process = session.process_with_lock()
        waiting_keys = plural(self.papertrack.pending, "key")
        lock_text = f"{process} is using the library; {waiting_keys} waiting" if process else ""
        hidden_count = len(papers.hidden_marks)
        marked = f"{len(papers.marked)} marked" if papers.marked else ""
        hidden = f"{hidden_count} marked but hidden" if hidden_count else ""
        papers.show_progress(progress, " · ".join(filter(None, (lock_text, marked, hidden))))
        order = f"by {selection.order}" + (", reversed" if selection.is_reversed else "")
        place = f"{papers.cursor + 1:,} of {len(papers.ids):,}" if papers.ids else ""
        self._status.show(
            lock_text,
            place,
            progress,
            filter_fact(selection, len(papers.ids)),
            marked,
            hidden,
            order if papers.ids else "",
            f"reading {self.in_hand}{f'/{limit}' if limit else ''}" if self.in_hand else "",
            f"{glyphs.TIMED} {clean(timer.citekey)} {minutes} min" if timer else "",
            self.news,
            *(f"{n}: {clean(p.state) or '…'} (X cancels)" for n, p in self.papertrack.jobs.items()),
        )

    def _follow_cursor(self) -> None:
        def show_moved() -> None:
            self.show_bars()
            self._show_preview()

        self.papers.on_moved = show_moved
        self._show_preview()

    def _show_preview(self) -> None:
        from papertrack.actions.ranking import shown_reasons
        from papertrack.store.lookup import get_papers
        from papertrack.tui.filtering import phrases_in
        from papertrack.tui.texts import preview, reading

        pane, ids = self._pane, super().target_ids()
        phrases = phrases_in(self.selection.typed)
        self._body.set_class(bool(phrases) and not self.is_reading, "-hits")
        if phrases:
            self._find_hits(ids, phrases)
        if not pane.display:
            return
        papers = self.session.look(
            lambda store: [(p, shown_reasons(store, p.id)) for p in get_papers(store, ids)]
        )
        if papers is None:
            self.set_timer(RETRY_SECONDS, self._show_preview)
            return
        words, is_tex = self.words, self.session.is_tex
        make_parts = reading if self.is_reading else preview
        # The result is empty if someone has just removed the paper.
        for paper, reasons in papers:
            parts = make_parts(paper, words=words, reasons=reasons, is_tex=is_tex)
            pane.show(paper.id, *parts)
        if not papers:
            pane.show(None, Content(""), Content(""))
        if self._details.display:
            self._show_details(ids)

    @work(exclusive=True, group="hits")
    async def _find_hits(self, ids: list[int], phrases: Sequence[str]) -> None:
        """Show where phrases are in a paper's PDF, read outside the screen's thread."""
        from papertrack.actions.pdfs import find_passages

        def find(store: Store) -> list[PdfPassage]:
            results = [
                find_passages(store, phrase, limit=_MAX_HITS, paper_ids=ids) for phrase in phrases
            ]
            return [passage for result in results for passage in result.passages]

        try:
            self._hits.show(await self.session.search(find))
        except PapertrackError:
            self._hits.show(())  # The filter shows the error.

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        passage = self._hits.passages[event.option_index]
        self.papertrack.open_pdf(Path(passage.path), passage.page)

    def _show_details(self, ids: Sequence[int]) -> None:
        """Show what else is known about the paper, if there is room for a third pane."""
        from papertrack.tui.details import details_text, read_details

        details_list = self.session.look(read_details, self.session.library, ids)
        for details in details_list or ():
            self._details.show(details.paper.id, details_text(details), Content(""))
        if not details_list:
            self._details.show(None, Content(""), Content(""))

    def on_resize(self) -> None:
        self.show_bars()
        if self.papers.on_moved is not None:
            self._show_preview()

    # What verbs ask of a screen

    def target_ids(self) -> list[int]:
        marked = self.papers.marked
        marked_ids = [i for i in self.papers.ids if i in marked] if marked else []
        return marked_ids or super().target_ids()

    def move_on(self) -> None:
        papers = self.papers
        if papers.marked:
            papers.mark(())
        else:
            papers.step(1)

    def show_changes(self, done: Done) -> None:
        self.kept_ids |= set(done.paper_ids)
        self._record_progress(done)
        self.papers.unmark(done.paper_ids)
        self.papers.reread(set(done.paper_ids))
        self.note_changes()
        self.show_bars()
        self._show_preview()

    def _record_progress(self, done: Done) -> None:
        rows = self.session.look(read_rows, done.paper_ids)
        self.session.progress.record(rows or (), self.session.now())

    def show_undone(self, undone: Undone, verb: str) -> None:
        self.kept_ids |= set(undone.done.paper_ids)
        if self.is_showing(undone.done.paper_ids):
            self.show_changes(undone.done)
        else:
            self._record_progress(undone.done)
            self.note_changes()
            self.reload()
        if undone.cursor_id is not None:
            self.papers.go_to(undone.cursor_id)
        self.papertrack.say(f"{verb}: {undone.done.summary}.")
        self._show_preview()

    def show_timer(self) -> None:
        self.papers.timed_id = self.session.timer.paper_id if self.session.timer else None
        self.papers.refresh()
        self.show_bars()
        self._show_preview()

    # Keys

    def action_view(self, by: int) -> None:
        self.show_view(VIEWS[(VIEWS.index(self.selection.view) + by) % len(VIEWS)])

    def action_refresh(self) -> None:
        self.forget_lists()
        self.show_view(self.selection.view)

    async def action_fetch(self) -> None:
        """Read the list again, and look for new announcements if there is a topic."""
        from papertrack.store.watch.topics import list_topics

        self.action_refresh()
        if self.session.look(list_topics):
            await self.run_action("app.watch")
        else:
            self.papertrack.say(
                "The list is up to date. There are no topics to look for on arXiv; T makes one."
            )

    def action_open(self) -> None:
        if self._body.has_class("-hits") and self._hits.passages:
            self._hits.focus()
        elif self.papers.paper_id is not None:
            self._open_paper(self)

    @property
    def is_reading(self) -> bool:
        """Return whether the abstract takes the place of the list."""
        return self._pane.has_class("-reading")

    def show_ids(self, ids: Sequence[int], cursor_id: int | None) -> None:
        super().show_ids(ids, cursor_id)
        if self.is_reading and not ids:
            self.action_read()

    def action_read(self) -> None:
        """Show the abstract in place of the list, or beside it again."""
        if not (self.papers.ids or self.is_reading):
            return
        # Set on these widgets, because on the screen it would style all widgets again.
        for widget in (self._views, self.papers, self._pane, self._status, self._keys):
            widget.toggle_class("-reading")
        self._pane.go_home()
        self._show_preview()
        # Keys wait for the new layout, because they depend on how much of the abstract is visible.
        self.papertrack.typed.hold()
        self.call_after_refresh(self.papertrack.typed.release)

    def action_page(self) -> None:
        """Show more of the abstract: all of it if it does not fit beside the list."""
        pane = self._pane
        if not self.is_reading and not (pane.display and pane.is_read):
            self.action_read()
        elif not pane.page():
            self.papers.step(1)

    def action_page_back(self) -> None:
        if not self._pane.page_back():
            self.papers.step(-1)

    def action_half_page(self, by: int) -> None:
        self._pane.half_page(by)

    def action_undecided(self, by: int) -> None:
        from papertrack.actions import triage

        undecided = self.session.look(triage.find_undecided, self.papers.ids)
        if undecided is None or not self.papers.step(by, set(undecided)):
            self.papertrack.say("No other paper in this direction is undecided.")

    def action_mark(self) -> None:
        papers = self.papers
        if papers.paper_id is not None:
            papers.mark(papers.marked ^ {papers.paper_id})
            papers.step(1)
            self.show_bars()

    def action_mark_all(self) -> None:
        papers = self.papers
        papers.mark(() if papers.marked else papers.ids)
        self.show_bars()

    def action_discard_rest(self) -> None:
        """Discard all papers of the list that have no decision, after asking."""
        from papertrack.actions import triage

        ids = list(self.papers.ids)

        def ask(undecided: list[int]) -> None:
            if not undecided:
                self.papertrack.say("Nothing here is undecided.")
                return
            number = "1 paper" if len(undecided) == 1 else f"{len(undecided):,} papers"
            question = f"Discard {number}, all that are undecided here?"
            self.ask_if(
                "Discard the rest",
                question,
                lambda: self.write(triage.decide, undecided, "discarded"),
            )

        # The writer is asked, because it knows the latest decisions.
        self.papertrack.perform(
            lambda store: triage.find_undecided(store, ids), ask, holds_keys=True
        )

    def action_sort(self) -> None:
        from papertrack.store.listing import ORDERS
        from papertrack.tui.dialogs import ChoiceDialog

        choices = [(order, f"by {order}") for order in ORDERS]
        title = "Sort (the same again reverses)"
        self.ask(ChoiceDialog(title, choices, self.selection.order), self.sort_by)

    def action_jump(self) -> None:
        from papertrack.tui.dialogs import Question

        hint = "citekey, arXiv id, DOI, address or the start of a title"
        self.ask_text(Question("Go to", hint), self.jump)

    def jump(self, reference: str, on_error: Callable[[str], None] | None = None) -> None:
        """Go to the paper that a text names, in the view All if this view lacks it."""
        from papertrack.actions.references import resolve_reference

        self.papertrack.perform(
            lambda store: resolve_reference(store, reference),
            self._go_to,
            holds_keys=True,
            on_error=on_error,
        )

    def _go_to(self, paper_id: int) -> None:
        if not self.papers.go_to(paper_id):
            self.remember_place()
            self.show_selection(Selection(VIEWS[-1], "", VIEWS[-1].order), paper_id)

    def show_selection(self, selection: Selection, cursor_id: int | None) -> None:
        self._filter.put(selection.typed)
        self.selection = selection
        self.show_anew(cursor_id)

    async def action_statistics(self) -> None:
        await self.run_action("app.statistics")

    def action_back(self) -> None:
        if self.is_reading:
            self.action_read()
        else:
            self.app.exit()

    # The filter

    def action_filter(self) -> None:
        if self.is_reading:
            self.action_read()
        self._filter.open()

    @work(exclusive=True, group="filter")
    async def on_input_changed(self, event: Input.Changed) -> None:
        """Search for the typed text outside the screen's thread, once it is drawn."""
        # Draw the next key before searching.
        await sleep(_TYPING_SECONDS)
        selection, fault = self.selection._replace(typed=event.value), ""
        try:
            ids = await self.session.search(selection.find_ids)
        except PapertrackError as error:
            ids, fault = [], str(error)
        if event.value != self._filter.value:
            return  # A newer search has replaced this one.
        self._filter.set_class(bool(fault), "-wrong")
        if fault:
            self.show_fault(fault)
            return
        self.selection, self.fault = selection, ""
        self.kept_ids.clear()
        self.show_ids(ids, self.papers.paper_id)
        self.show_bars()

    def action_complete(self) -> None:
        """Complete the last word of the filter; list the candidates if there are several."""
        from papertrack.tui.filtering import FILTERS, complete

        readers = dict(FILTERS)

        def names_of(field: str) -> list[str]:
            read = readers.get(field)
            return [name for name, _ in (self.session.look(read) or ())] if read else []

        typed = self._filter.value
        self._filter.value, fitting = complete(typed, names_of)
        self._filter.action_end()
        if len(fitting) != 1 and self._filter.value == typed:
            self.papertrack.say(few(fitting, 12) if fitting else "Nothing completes that.")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the filter as it is, even if its search is not finished."""
        try:
            self.selection._replace(typed=event.value).query()
        except UsageError as error:
            self.show_fault(str(error))
            return
        self._narrow_to(event.value)
        self._leave_filter()

    def action_clear(self) -> None:
        """Do one thing: leave the filter, clear the marks, leave the abstract, clear the filter."""
        papers = self.papers
        is_typing = self._filter.has_focus
        if self._hits.has_focus:
            papers.focus()
        elif papers.marked and not is_typing:
            papers.unmark()
            self.show_bars()
        elif self.is_reading and not is_typing:
            self.action_read()
        elif self.selection.typed or is_typing:
            self._leave_filter()
            self._narrow_to("")

    def _leave_filter(self) -> None:
        self._filter.close()
        self.papers.focus()
