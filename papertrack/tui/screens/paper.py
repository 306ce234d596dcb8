"""One paper: its abstract and note, and its passes, labels, links and history beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Markdown, Static

from papertrack.errors import PapertrackError
from papertrack.store.listing import ListedPaper
from papertrack.text import clean_lines
from papertrack.tui import glyphs, texts
from papertrack.tui.details import Details, details_text, read_details
from papertrack.tui.keys import PAPER_KEYS, TAUGHT
from papertrack.tui.screens.deed_screen import DeedScreen
from papertrack.tui.screens.list_screen import RETRY_SECONDS, ListScreen
from papertrack.tui.session import Session, Undone
from papertrack.tui.views import Selection, view_of
from papertrack.tui.widgets import KeyLine, scroll_pane

if TYPE_CHECKING:
    from papertrack.actions.undo import Done

_RELATED = 5
_RELATED_SECONDS = 0.25
"""How long a paper is shown before similar papers are searched."""


class PaperScreen(DeedScreen):
    """Shows the paper under the cursor of the library's list, and moves along that list."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*PAPER_KEYS]

    def __init__(self, session: Session, library: ListScreen) -> None:
        super().__init__(session, library.papers)
        self._library = library
        # Kept as attributes, because a search may end after the screen lost its widgets.
        self._head = Static(id="head", classes="head")
        self._text = Static(id="text")
        # Links in notes are not followed, because a note may come from anywhere.
        self._note = Markdown(id="note", open_links=False)
        self._side = Static(id="side")
        self._keys = KeyLine()
        self._text_pane = VerticalScroll(self._text, self._note, id="paper-text", can_focus=False)
        self._side_pane = VerticalScroll(self._side, id="paper-side", can_focus=False)
        self._text_pane.border_title, self._side_pane.border_title = "Abstract and note", "Details"
        self._pending_draws = 0
        """How many draws are pending before the scroll range is known."""
        self._scroll_waiting: Callable[[], None] | None = None
        self._details: Details | None = None
        """The shown paper, as it was last read."""
        self._related: tuple[Sequence[ListedPaper], ...] = ()
        """Similar, cited and citing papers, once they are found."""
        self._changes = library.changes
        """The number of changes known when it was shown."""
        self._return_to: tuple[Selection, int | None] | None = None
        """The list and its paper before the first jump to another paper."""

    def compose(self) -> ComposeResult:
        yield self._head
        yield Container(self._text_pane, self._side_pane, id="paper")
        yield self._keys

    def on_mount(self) -> None:
        self._show_soon()

    def on_unmount(self) -> None:
        if self._scroll_waiting is not None:
            self.papertrack.typed.release()

    def poll(self) -> None:
        """Show what another process has changed, as the list has noticed."""
        if self._changes == self._library.changes:
            return
        if self.papers.ids:
            self._show_soon()
        elif self.is_current:
            self.dismiss(None)

    def _show_soon(self) -> None:
        self._changes = self._library.changes
        self._pending_draws += 1
        self.call_later(self._show)

    async def _show(self) -> None:
        details_list = self.session.look(read_details, self.session.library, self.target_ids())
        if details_list is None:
            self.set_timer(RETRY_SECONDS, self._show_soon)
        for details in details_list or ():
            await self._show_paper(details)
        self.call_after_refresh(self._on_shown)

    def _on_shown(self) -> None:
        self._pending_draws -= 1
        scroll = self._scroll_waiting
        if scroll is not None and not self._pending_draws:
            self._scroll_waiting = None
            scroll()
            self.papertrack.typed.release()

    async def _show_paper(self, details: Details) -> None:
        paper = details.paper
        papers = self.papers
        place = f"{papers.cursor + 1:,} of {len(papers.ids):,}"
        head = f" {self._library.selection.view.label} · {place} · {texts.line(paper.citekey)}"
        minutes = self.session.minutes_on(paper.id)
        head += f" · ◷ {minutes} min" if minutes else ""
        self._head.update(Content(head))
        self._text.update(self._text_of(details))
        self._keys.teach(TAUGHT[view_of(paper).name], "next-paper close help")
        is_new_paper = self._details is None or self._details.paper.id != paper.id
        self._details = details
        if is_new_paper:
            self._related = ()
            self.run_worker(self._find_related(paper.id), exclusive=True, group="related")
        self._show_side(details)
        if self._note.is_attached:
            await self._note.update(clean_lines(details.note or ""))

    def _show_side(self, details: Details) -> None:
        self._side.update(details_text(details, *self._related))

    async def _find_related(self, paper_id: int) -> None:
        """Search outside the screen's thread: with 100,000 papers it takes half a second."""
        from papertrack.actions.pdfs import citations_of
        from papertrack.store.listing import related_papers

        try:
            await asyncio.sleep(_RELATED_SECONDS)
            self._related = await self.session.search(
                lambda store: (
                    related_papers(store, paper_id, limit=_RELATED),
                    *citations_of(store, paper_id),
                )
            )
        except PapertrackError:
            return  # This is an extra, so the paper is shown without it.
        if self._details is not None:
            self._show_side(self._details)

    def _text_of(self, details: Details) -> Content:
        paper, is_tex = details.paper, self.session.is_tex
        content, _ = texts.preview(
            paper, words=self._library.words, reasons=details.reasons, is_tex=is_tex
        )
        extra = [paper.facts.description if paper.facts.abstract else None, paper.facts.comment]
        lines = [texts.line(text, is_tex) for text in extra if text]
        return Content("\n\n").join([content, *(Content.styled(t, glyphs.MUTED) for t in lines)])

    # What verbs ask of a screen

    def move_on(self) -> None:
        self.action_paper(1)

    def show_changes(self, done: Done) -> None:
        self._library.show_changes(done)
        self._show_soon()

    def show_undone(self, undone: Undone, verb: str) -> None:
        self._library.show_undone(undone, verb)
        self._show_soon()

    def show_timer(self) -> None:
        self._show_soon()

    def reload(self) -> None:
        self._library.reload()
        if self.papers.ids:
            self._show_soon()
        else:
            self.dismiss(None)

    def jump(self, reference: str, on_error: Callable[[str], None] | None = None) -> None:
        if self._return_to is None:
            self._return_to = (self._library.selection, self.papers.paper_id)
        self._library.jump(reference, on_error)
        self.papertrack.perform(lambda _: None, lambda _: self._show_soon(), holds_keys=True)

    def filter_by(self, query: str, *, is_of_all: bool = False) -> None:
        self._library.filter_by(query, is_of_all=is_of_all)
        self.dismiss(None)

    # Keys

    def action_paper(self, by: int) -> None:
        if self.papers.step(by):
            for pane in (self._text_pane, self._side_pane):
                pane.scroll_home(animate=False)
            self._show_soon()

    def _when_drawn(self, scroll: Callable[[], None]) -> None:
        """Scroll after pending draws, so that the key scrolls the paper that it was meant for."""
        if not self._pending_draws:
            scroll()
            return
        if self._scroll_waiting is None:
            self.papertrack.typed.hold()
        self._scroll_waiting = scroll

    def action_scroll_on(self) -> None:
        self._when_drawn(self._scroll_on)

    def action_line(self, by: int) -> None:
        self._when_drawn(lambda: self._scroll(by))

    def _scroll_on(self) -> None:
        pane = self._unread_pane()
        if pane is not None:
            scroll_pane(pane, max(pane.size.height - 1, 1))
        else:
            self.action_paper(1)

    def _scroll(self, by: int, *, is_half: bool = False) -> None:
        """Scroll a line, or half a page, on (1) or back (-1)."""
        pane = self._read_pane() if by < 0 else self._unread_pane()
        if pane is not None:
            scroll_pane(pane, by * (max(pane.size.height // 2, 1) if is_half else 1))

    def action_page_back(self) -> None:
        self._when_drawn(lambda: scroll_pane(self._read_pane(), 1 - self._read_pane().size.height))

    def action_half_page(self, by: int) -> None:
        self._when_drawn(lambda: self._scroll(by, is_half=True))

    def _read_pane(self) -> Widget:
        """Return the side pane if it is scrolled, else the text."""
        return self._side_pane if self._side_pane.scroll_offset.y else self._text_pane

    def _unread_pane(self) -> Widget | None:
        """Return the first of text and side pane that has more below, or None."""
        panes = (self._text_pane, self._side_pane)
        return next((pane for pane in panes if pane.scroll_offset.y < pane.max_scroll_y), None)

    def action_close(self) -> None:
        """Go back to the list, to the paper where the first jump started."""
        if self._return_to is not None and self._return_to[0] != self._library.selection:
            self._library.show_selection(*self._return_to)
        self.dismiss(None)
