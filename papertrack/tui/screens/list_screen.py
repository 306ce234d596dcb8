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
"""The same for other views, which are drawn by then."""
_COUNT_SECONDS = 0.1
"""How long after a change the papers of a large library are counted."""
_FEW = 4
"""Up to this many papers are searched in a list one by one."""
_BIG = 5_000
"""From this size on, a list is first shown as it was when it was last read."""
_LONG = 500
"""From this size on, this holds as long as nothing has changed."""


class ListScreen(DeedScreen):
    """A decided paper stays in its place until the view is left or read again."""

    def __init__(self, session: Session, query: str) -> None:
        super().__init__(session, PaperList(session.store))
        view = VIEWS[-1] if query else VIEWS[0]
        self.selection = Selection(view, query, view.order)
        self.fault = ""
        """The error in the filter that is being typed."""
        self.kept: set[int] = set()
        """The papers that stay where they are even if they no longer match."""
        self._places: dict[str, int | None] = {}
        self._long: dict[Selection, tuple[int, list[int]]] = {}
        """Long lists as they were last read, with the number of changes known then."""
        self.changes = 0
        """The number of known changes of the library."""
        self._others_version: int | None = None
        self._is_polling = False
        self.counts: Counts | None = None
        """The number of papers in each state, once counted: for 100,000 that takes longer than
        drawing some."""
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
        """Draw what is around the list."""
        raise NotImplementedError

    def show_selection(self, selection: Selection, cursor_id: int | None) -> None:
        """Show an earlier or another selection, with the cursor on a paper if it is in it."""
        raise NotImplementedError

    def recount(self) -> None:
        """Count the papers again if anything has changed, and draw the numbers."""
        # Counting 100,000 papers takes longer than drawing a key, which goes first; and so does the
        # next key, where many follow each other.
        if self._is_count_due or self._counted == self.changes:
            return
        self._is_count_due = True
        if sum((self.counts or {}).values()) < _BIG:
            self.call_after_refresh(self._count)
        else:
            self.set_timer(_COUNT_SECONDS, self._count)

    def _count(self) -> None:
        changes = self.changes
        # By the writer's thread, after what it has still to write.
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
            # Whoever goes from view to view is soon at the next, but has this one drawn first.
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
        """Show the selection with nothing kept, with the cursor on a paper if it is in it."""
        self.fault = ""
        self.kept.clear()
        changes, ids = self._long.get(self.selection, (-1, []))
        has_changed = changes != self.changes
        if has_changed and len(ids) < _BIG:
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
        if len(ids) >= _LONG:
            self._long[selection] = (self.changes, ids)
        else:
            self._long.pop(selection, None)

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
        self._long.clear()
        self._counted = None

    def show_fault(self, fault: str) -> None:
        """Show the error in the filter, until it changes."""
        self.fault = fault
        self.show_bars()

    @work(exclusive=True, group="prefetch")
    async def read_ahead(self) -> None:
        """Read ahead what the next key may need, outside the screen's thread: the neighbouring
        views, if they are large."""
        if self.counts is None:
            self.set_timer(READ_AHEAD_SECONDS, self.read_ahead)
            return
        at = VIEWS.index(self.selection.view)
        for view in (VIEWS[(at + 1) % len(VIEWS)], VIEWS[at - 1]):
            selection = Selection(view, "", view.order)
            if count_of(view, self.counts) < _BIG or selection in self._long:
                continue
            try:
                ids = await to_thread(self.session.read_apart, selection.find_ids)
            except PapertrackError:
                return  # They are read when they are asked for.
            self._remember(selection, ids)

    def poll(self) -> None:
        """Show what another process, or another screen, has written."""
        if self.papers.is_behind:
            self.papers.reread()
        self.show_bars()
        if not self._is_polling:
            self._is_polling = True
            # On the writer's connection the number tells the writes of others from our own.
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
        # One of 100,000 is looked for faster than all of them are made a set.
        shown = set(self.papers.ids) if len(paper_ids) > _FEW else self.papers.ids
        return len(rows or ()) == len(paper_ids) and all(one in shown for one in paper_ids)

    @work(exclusive=True, group="list")
    async def _read_in_background(self) -> None:
        """Read the list outside the screen's thread: 100,000 ids take long."""
        selection = self.selection
        try:
            ids = await to_thread(self.session.read_apart, selection.find_ids)
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
        """Show the new content of the list, each paper where it was, with the cursor on its
        paper."""
        if selection != self.selection:
            return
        self._remember(selection, ids)
        papers = self.papers
        rows = self.session.look(read_rows, list(self.kept | papers.marked_aside))
        if rows is not None:
            there = {row.id for row in rows}
            self.kept &= there
            papers.unmark(papers.marked_aside - there)
        merged = merge_in_place(papers.ids, ids, self.kept)
        if merged != papers.ids:
            self.show_ids(merged, papers.paper_id)
        else:
            papers.reread()
            papers.say_moved()
        self.show_bars()
        self.recount()


def count(store: Store) -> tuple[Counts, int, str]:
    """Count the papers by state, the papers being read, and news from outside the library."""
    return count_by_state(store), len(papers_in_hand(store)), _news(store)


def _news(store: Store) -> str:
    """Return when arXiv was last fetched, and how far documents are behind the library."""
    looked = [f"arXiv {moment_shown(run.at)}" for run in last_runs(store)]
    behind = [(one.path, changes_since(store, one.id)) for one in read_documents(store)]
    waiting = [f"{clean(path)}: {plural(n, 'change')} to export" for path, n in behind if n]
    return " · ".join([*looked, *waiting[:1], *(["…"] if waiting[1:] else [])])


def merge_in_place(shown: Sequence[int], found: Sequence[int], kept: Collection[int]) -> list[int]:
    """Return the ids ``found`` in the order in which they are ``shown``, with the ``kept`` ones
    among those.

    A paper that was just decided keeps its place until the reader looks away, and a new ranking
    moves no paper across the cursor. A new paper goes before the paper that follows it in order.
    """
    # Of 100,000 nearly all stand where they stood.
    fewer = min(len(shown), len(found))
    start = next(compress(range(fewer), map(ne, shown, found)), fewer)
    differ_at_end = map(ne, reversed(shown), reversed(found))
    end = next(compress(range(fewer - start), differ_at_end), fewer - start)
    between = _merge(shown[start : len(shown) - end], found[start : len(found) - end], kept)
    return [*found[:start], *between, *found[len(found) - end :]]


def _merge(shown: Sequence[int], found: Sequence[int], kept: Collection[int]) -> list[int]:
    wanted = {*found, *kept}
    staying = [paper_id for paper_id in shown if paper_id in wanted]
    there = set(staying)
    newcomers: list[int] = []
    before: dict[int, list[int]] = {}
    for paper_id in found:
        if paper_id not in there:
            newcomers.append(paper_id)
        elif newcomers:
            before[paper_id], newcomers = newcomers, []
    merged: list[int] = []
    for paper_id in staying:
        merged += (*before.get(paper_id, ()), paper_id)
    return merged + newcomers
