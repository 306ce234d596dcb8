"""A screen with a list: what it shows, and how it follows changes of the library."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Collection, Sequence
from itertools import compress
from operator import ne

from textual import work

from papertrack.errors import PapertrackError, UsageError
from papertrack.store.documents import changes_since, read_documents
from papertrack.store.listing import read_rows
from papertrack.store.states import count_by_state, papers_in_hand
from papertrack.store.store import Store, data_version, when_free
from papertrack.store.watch.announcements import last_runs
from papertrack.text import clean, moment_shown, plural
from papertrack.tui.paper_list import PaperList
from papertrack.tui.rows import find_heads
from papertrack.tui.screens.deed_screen import DeedScreen
from papertrack.tui.session import Session
from papertrack.tui.views import VIEWS, Counts, Selection, View, count_of

RETRY_SECONDS = 0.2
READ_AHEAD_SECONDS = 0.3
"""How long the first view is shown before its neighbours are read."""
_DRAWN_SECONDS = 0.05
"""The same for other views, after they are drawn."""
_COUNT_SECONDS = 0.1
"""How long after a change the papers of a large library are counted."""
_MAX_LINEAR = 4
"""Up to this many papers are looked up in a list one by one."""
_BIG_LIST = 5_000
"""A list of this size is first shown as it was last read, even if it has changed."""
_LONG_LIST = 500
"""A list of this size is shown as it was last read if nothing has changed."""


class ListScreen(DeedScreen):
    """A decided paper stays in its place until the view is left or read again."""

    def __init__(self, session: Session, query: str) -> None:
        super().__init__(session, PaperList(session.store))
        view = VIEWS[-1] if query else VIEWS[0]
        self.selection = Selection(view, query, view.order)
        self.fault = ""
        """The error in the filter that is being typed."""
        self.kept_ids: set[int] = set()
        """The papers that stay where they are even if they no longer match."""
        self._places: dict[str, int | None] = {}
        self._long_lists: dict[Selection, tuple[int, list[int]]] = {}
        """Long lists as they were last read, with the number of changes known then."""
        self.changes = 0
        """The number of known changes of the library."""
        self._others_version: int | None = None
        self._is_polling = False
        self.counts: Counts | None = None
        """The number of papers in each state, once counted, which takes long for 100,000 papers."""
        self.in_hand = 0
        self.news = ""
        """When arXiv was last fetched, and changes that wait for an export."""
        self._is_count_due = False
        self._counted: int | None = None
        """The number of changes known when the papers were last counted."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that the filter looks for."""
        if not self.selection.typed:
            return ()
        from papertrack.tui.filtering import words_in

        return words_in(self.selection.typed)

    def show_bars(self) -> None:
        """Draw the lines around the list."""
        raise NotImplementedError

    def show_selection(self, selection: Selection, cursor_id: int | None) -> None:
        """Show another selection, with the cursor on a paper if it has it."""
        raise NotImplementedError

    def recount(self) -> None:
        """Count the papers again if anything has changed, and draw the numbers."""
        # Counting 100,000 papers takes longer than drawing, so it waits for the current key and for
        # further ones.
        if self._is_count_due or self._counted == self.changes:
            return
        self._is_count_due = True
        if sum((self.counts or {}).values()) < _BIG_LIST:
            self.call_after_refresh(self._count)
        else:
            self.set_timer(_COUNT_SECONDS, self._count)

    def _count(self) -> None:
        changes = self.changes
        # The writer's thread counts, after its pending writes.
        self.papertrack.perform(
            lambda store: when_free(store, lambda: count(store)),
            lambda counted: self._take_counts(changes, counted),
        )

    def _take_counts(self, changes: int, counted: tuple[Counts, int, str] | None) -> None:
        self._is_count_due = False
        if counted is not None:
            self._counted = changes
            self.counts, self.in_hand, self.news = counted
            self.show_bars()
        elif self.counts is None:
            self.set_timer(RETRY_SECONDS, self.recount)

    def show_view(self, view: View) -> None:
        """Show a view as the library is now, with the cursor where it was left."""
        papers = self.papers
        self.remember_place()
        if view is not self.selection.view:
            papers.unmark()
            self.selection = Selection(view, self.selection.typed, view.order)
            # Draw this view first; the user may switch views quickly.
            self.set_timer(_DRAWN_SECONDS, self.read_ahead)
        self.show_anew(self._places.get(view.name))

    def remember_place(self) -> None:
        """Remember the cursor's place for when the view is shown again."""
        self._places[self.selection.view.name] = self.papers.paper_id

    def sort_by(self, order: str) -> None:
        """Sort the list; the same order again reverses it."""
        is_reversed = order == self.selection.order and not self.selection.is_reversed
        self.selection = self.selection._replace(order=order, is_reversed=is_reversed)
        self.show_anew(self.papers.paper_id)

    def show_anew(self, cursor_id: int | None) -> None:
        """Show the selection without kept papers, with the cursor on a paper if it has it."""
        self.fault = ""
        self.kept_ids.clear()
        changes, ids = self._long_lists.get(self.selection, (-1, []))
        has_changed = changes != self.changes
        if has_changed and len(ids) < _BIG_LIST:
            self._load(cursor_id)
        else:
            self.show_ids(ids, cursor_id)
            self.show_bars()
            self.recount()
            if has_changed:
                self._read_in_background()

    def _load(self, cursor_id: int | None) -> None:
        """Read the list; while another process holds the library, try again soon."""
        try:
            ids = self.session.look(self.selection.find_ids)
        except UsageError as error:
            self.show_fault(str(error))
            return
        if ids is None:
            self.set_timer(RETRY_SECONDS, lambda: self._load(cursor_id))
            return
        self._remember(self.selection, ids)
        self.show_ids(ids, cursor_id)
        self.show_bars()
        self.recount()

    def _remember(self, selection: Selection, ids: list[int]) -> None:
        if len(ids) >= _LONG_LIST:
            self._long_lists[selection] = (self.changes, ids)
        else:
            self._long_lists.pop(selection, None)

    def show_ids(self, ids: Sequence[int], cursor_id: int | None) -> None:
        """Show these papers, with the cursor on one of them, or near where it was."""
        papers = self.papers
        cursor = min(papers.cursor, len(ids)) if cursor_id is not None else 0
        if cursor_id is not None and cursor_id in ids:
            cursor = ids.index(cursor_id)
        heads = self.session.look(find_heads, ids, self.selection.order) or ()
        papers.border_title = self.selection.view.title
        papers.show(self.selection, ids, cursor=cursor, heads=heads)

    def forget_lists(self) -> None:
        """Forget every list, even large ones, so that they are read again."""
        self._long_lists.clear()
        self._counted = None

    def show_fault(self, fault: str) -> None:
        """Show the error in the filter, until it changes."""
        self.fault = fault
        self.show_bars()

    @work(exclusive=True, group="prefetch")
    async def read_ahead(self) -> None:
        """Read large neighbouring views in advance, outside the screen's thread."""
        if self.counts is None:
            self.set_timer(READ_AHEAD_SECONDS, self.read_ahead)
            return
        index = VIEWS.index(self.selection.view)
        for view in (VIEWS[(index + 1) % len(VIEWS)], VIEWS[index - 1]):
            selection = Selection(view, "", view.order)
            if count_of(view, self.counts) < _BIG_LIST or selection in self._long_lists:
                continue
            try:
                ids = await to_thread(self.session.read_in_thread, selection.find_ids)
            except PapertrackError:
                return  # They are read when needed.
            self._remember(selection, ids)

    def poll(self) -> None:
        """Show what another process, or another screen, has written."""
        if self.papers.is_behind:
            self.papers.reread()
        self.show_bars()
        if not self._is_polling:
            self._is_polling = True
            # On the writer's connection, this number changes only with writes of other processes.
            self.papertrack.perform(
                lambda store: when_free(store, lambda: data_version(store)), self._look_for_changes
            )

    def _look_for_changes(self, version: int | None) -> None:
        self._is_polling = False
        if version is not None and version != self._others_version:
            self._others_version = version
            self.note_changes()
            self._read_in_background()

    def note_changes(self) -> None:
        """Note that long lists, and the numbers of papers, may be out of date."""
        self.changes += 1
        self.recount()

    def is_showing(self, paper_ids: Sequence[int]) -> bool:
        """Return whether all these papers are in the list and in the library."""
        rows = self.session.look(read_rows, paper_ids)
        # Searching for a few ids is faster than making a set of 100,000.
        shown = set(self.papers.ids) if len(paper_ids) > _MAX_LINEAR else self.papers.ids
        return len(rows or ()) == len(paper_ids) and all(p in shown for p in paper_ids)

    @work(exclusive=True, group="list")
    async def _read_in_background(self) -> None:
        """Read the list outside the screen's thread: 100,000 ids take long."""
        selection = self.selection
        try:
            ids = await to_thread(self.session.read_in_thread, selection.find_ids)
        except PapertrackError as error:
            self.papertrack.say(str(error), is_error=True)
        else:
            self.take_in(selection, ids)

    def reload(self) -> None:
        """Read the list at once, leaving kept papers in place."""
        selection = self.selection
        ids = self.session.look(selection.find_ids)
        if ids is None:
            self.set_timer(RETRY_SECONDS, self.reload)
        else:
            self.take_in(selection, ids)

    def take_in(self, selection: Selection, ids: list[int]) -> None:
        """Show the new list with each paper in its place and the cursor on its paper."""
        if selection != self.selection:
            return
        self._remember(selection, ids)
        papers = self.papers
        rows = self.session.look(read_rows, list(self.kept_ids | papers.hidden_marks))
        if rows is not None:
            existing_ids = {row.id for row in rows}
            self.kept_ids &= existing_ids
            papers.unmark(papers.hidden_marks - existing_ids)
        merged = merge_in_place(papers.ids, ids, self.kept_ids)
        if merged != papers.ids:
            self.show_ids(merged, papers.paper_id)
        else:
            papers.reread()
            papers.report_move()
        self.show_bars()
        self.recount()


def count(store: Store) -> tuple[Counts, int, str]:
    """Count the papers by state, the papers being read, and news from outside the library."""
    return count_by_state(store), len(papers_in_hand(store)), _news(store)


def _news(store: Store) -> str:
    """Return when arXiv was last fetched, and the changes that wait for an export."""
    fetch_times = [f"arXiv {moment_shown(run.at)}" for run in last_runs(store)]
    pending = [(d.path, changes_since(store, d.id)) for d in read_documents(store)]
    waiting = [f"{clean(path)}: {plural(n, 'change')} to export" for path, n in pending if n]
    return " · ".join([*fetch_times, *waiting[:1], *(["…"] if waiting[1:] else [])])


def merge_in_place(old: Sequence[int], new: Sequence[int], kept_ids: Collection[int]) -> list[int]:
    """Return the new and kept ids in the order of the old ones.

    A paper that was just decided keeps its place until the user leaves the view, and a new ranking
    moves no paper across the cursor. A new paper goes before the paper that follows it in order.
    """
    # In 100,000 papers, nearly all keep their place.
    shorter = min(len(old), len(new))
    start = next(compress(range(shorter), map(ne, old, new)), shorter)
    differ_at_end = map(ne, reversed(old), reversed(new))
    end = next(compress(range(shorter - start), differ_at_end), shorter - start)
    between = _merge(old[start : len(old) - end], new[start : len(new) - end], kept_ids)
    return [*new[:start], *between, *new[len(new) - end :]]


def _merge(old: Sequence[int], new: Sequence[int], kept_ids: Collection[int]) -> list[int]:
    all_ids = {*new, *kept_ids}
    staying = [paper_id for paper_id in old if paper_id in all_ids]
    staying_ids = set(staying)
    newcomers: list[int] = []
    new_before: dict[int, list[int]] = {}
    for paper_id in new:
        if paper_id not in staying_ids:
            newcomers.append(paper_id)
        elif newcomers:
            new_before[paper_id], newcomers = newcomers, []
    merged: list[int] = []
    for paper_id in staying:
        merged += (*new_before.get(paper_id, ()), paper_id)
    return merged + newcomers
