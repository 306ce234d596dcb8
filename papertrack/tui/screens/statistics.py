"""The statistics screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from papertrack.store import stats
from papertrack.store.categories import format_path, paths
from papertrack.store.listing import read_rows
from papertrack.store.states import papers_in_hand
from papertrack.store.store import Store, when_free
from papertrack.tui.session import Session
from papertrack.tui.texts.statistics import Numbers, statistics_text


class StatisticsScreen(Screen[None]):
    """Numbers about the reading; scrolls like any page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,w", "close", "Back", id="statistics-close")
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        yield Static(Content(" Statistics · q goes back"), classes="head")
        with VerticalScroll(classes="page"):
            yield Static(id="numbers")

    def on_mount(self) -> None:
        store = self._session.store
        numbers = when_free(store, lambda: read_numbers(store))
        if numbers is None:
            self.set_timer(0.2, self.on_mount)
            return
        text = statistics_text(numbers, self._session.now().date())
        self.query_one("#numbers", Static).update(text)

    def action_close(self) -> None:
        self.dismiss(None)


def read_numbers(store: Store) -> Numbers:
    """Count the library as it is now."""
    names = paths(store)
    return Numbers(
        states=stats.count_by_state(store),
        weeks=stats.count_by_week(store),
        backlog=stats.backlog_ages(store),
        days=stats.days_with_a_pass(store),
        categories=[
            (
                format_path(names[c.category_id]) if c.category_id in names else "(no category)",
                (c.unread, c.first, c.second, c.third),
            )
            for c in stats.count_by_category(store)
        ],
        in_hand=[row.title or row.citekey for row in read_rows(store, papers_in_hand(store))],
    )
