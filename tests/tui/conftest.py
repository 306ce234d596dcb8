"""Libraries for the terminal UI's tests, and ways to press keys and to see what came of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static

from papertrack.library import Library, create_library
from papertrack.library.settings import Settings
from papertrack.records import Author, Decision, Identifier, PaperFacts
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from papertrack.tui import host
from papertrack.tui.app import PapertrackApp
from papertrack.tui.screens import paper
from papertrack.tui.screens.library import LibraryScreen
from papertrack.tui.session import Session
from tests.fresh_store import fresh_store

_PATIENCE_SECONDS = 300
"""Of a test that fails: one that passes waits for states."""
_LOOK_SECONDS = 0.002

START = datetime(2026, 1, 9, 8, 0, tzinfo=UTC)

TITLES = (
    "Ring attention without the ring: overlapped exchange of keys",
    "A roofline model for mixtures of experts",
    "Deterministic roll-outs on heterogeneous accelerators",
    "Speculative decoding with $O(n^2)$ drafts",
    "Compiling sparse attention masks",
    "Checkpointing at a trillion parameters",
)


class Clock:
    """A clock that each look moves on by a second, so that orders by time are certain."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def library(tmp_path: Path, clock: Clock) -> Library:
    made, _ = create_library(tmp_path / "library")
    fresh_store(made.database, now=clock).close()
    return made


@pytest.fixture
def store(library: Library, clock: Clock) -> Iterator[Store]:
    with Store.open(library.database, now=clock) as opened:
        yield opened


@pytest.fixture
def fill(store: Store) -> Callable[..., list[int]]:
    """Adds papers and returns their ids; the first one is the newest announced."""

    def add(
        number: int = len(TITLES), *, decision: Decision = "inbox", start: int = 0, **facts: object
    ) -> list[int]:
        with store.action("fill"):
            return [
                add_paper(store, facts_of(n, **facts), source="test", decision=decision)
                for n in range(start, start + number)
            ]

    return add


def facts_of(n: int, **others: object) -> PaperFacts:
    values: dict[str, object] = {
        "title": TITLES[n % len(TITLES)] + (f" {n}" if n >= len(TITLES) else ""),
        "identifiers": (Identifier("arxiv", f"2601.{4000 - n:05d}"),),
        "authors": (Author("Mei Sato"), Author("Ola Nord")),
        "abstract": f"We present schedule {n}. It hides the exchange behind computation.",
        "submitted": "2026-01-08",
        "announced": f"2026-01-{9 - n // 100:02d}T{23 - n % 24:02d}:00:00+00:00"
        if n < 24
        else f"2025-12-{31 - n // 24:02d}T{23 - n % 24:02d}:00:00+00:00",
        "version": 1,
        "primary_category": "cs.DC",
        "arxiv_categories": ("cs.DC", "cs.LG"),
        **others,
    }
    return PaperFacts(**values)  # type: ignore[arg-type]


class Sitting:
    """An app under test: keys in, the store and the screen out."""

    def __init__(self, app: PapertrackApp, pilot: Pilot[None], store: Store) -> None:
        self.app = app
        self.pilot = pilot
        self.store = store
        self._seen: Screen[object] | None = None
        """The screen that was drawn last while nobody looked."""

    async def press(self, *keys: str) -> None:
        """Press keys, waiting after each; a line is typed without a rest within its words."""
        for n, key in enumerate(keys, 1):
            is_within_words = len(key) == 1 and isinstance(self.app.focused, Input)
            self.type_ahead(key)
            if n == len(keys) or not is_within_words:
                await self.settle()

    def type_ahead(self, key: str) -> None:
        """Press a key, given as its character or its name, without waiting for anything."""
        character = " " if key == "space" else key if len(key) == 1 else None
        name = _character_to_key(key) if len(key) == 1 else key
        self.app.post_message(Key(name, character))

    async def type(self, text: str) -> None:
        for char in text:
            self.type_ahead("space" if char == " " else char)
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size, and wait until the screen has it."""
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def settle(self) -> None:
        """Wait for the writer, for workers, for what they have posted and until it is drawn.

        A screen or dialog that is new is drawn, as a terminal would show it; others are at the
        end, and when a test looks. Raises what goes wrong then, what has stopped the app, and
        TimeoutError when it never comes to rest.
        """
        rests = 0
        async with asyncio.timeout(_PATIENCE_SECONDS):
            # Twice: what ends a rest may have posted what begins another one.
            while rests < 2:
                # A look into every widget's queue is dear: threads are waited for without.
                while self._is_at_work() and self.app._exception is None:
                    await asyncio.sleep(_LOOK_SECONDS)
                await asyncio.sleep(0)
                # An app that has stopped takes no answer from the writer any more.
                if self.app._exception is not None:
                    raise self.app._exception
                if is_at_rest := self._is_idle():
                    self.app.screen._on_timer_update()
                    is_at_rest = self._is_drawn() and not self._is_at_work()
                rests = rests + 1 if is_at_rest else 0
        if self.app.screen is not self._seen:
            self._seen = self.app.screen
            self.text()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a state that comes by itself, while others are at work."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not is_so():
                await asyncio.sleep(_LOOK_SECONDS)

    def _is_drawn(self) -> bool:
        """Whether the screen shows all that its widgets say, and nothing is on its way to one."""
        screen = self.app.screen
        if screen._layout_required or screen._dirty_widgets or screen._callbacks:
            return False
        # Textual holds a new size back for a moment, in case another one follows.
        if self.app._resize_event is not None:
            return False
        return self._is_idle()

    def _is_idle(self) -> bool:
        """Whether the app and all widgets wait for a message, and none is on its way to one.

        To ask them by messages of our own, as the pilot does, would be most of what they do.
        """
        # The registry knows scrollbars, too, which are nobody's children.
        for pump in (self.app, *self.app._registry):
            queue = pump._message_queue
            is_waiting = not queue.qsize() and (queue.ready_event._waiters or not pump._running)
            if not is_waiting or pump._next_callbacks:
                return False
        return True

    def _is_at_work(self) -> bool:
        return self.app.is_busy or not all(w.is_finished for w in self.app.workers)

    @property
    def screen(self) -> LibraryScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, LibraryScreen)
        return screen

    @property
    def cursor_id(self) -> int | None:
        return self.screen.papers.paper_id

    def state(self, paper_id: int) -> tuple[str, int]:
        row = self.store.connection.execute(
            "SELECT decision, passes_done FROM paper_states WHERE paper_id = ?", (paper_id,)
        ).fetchone()
        return row[0], row[1]

    def toasts(self) -> list[str]:
        return [toast.message for toast in self.app._notifications]

    def question(self) -> str:
        """What the window that is open asks."""
        return str(self.app.screen.query_one("#window").query(Static).first().visual)

    def fault(self) -> str:
        """What the window that is open says to be wrong with what was typed."""
        return str(self.app.screen.query_one(".wrong", Static).visual)

    def text(self) -> str:
        """The screen as plain text."""
        return screen_text(self.app)


def screen_text(app: PapertrackApp) -> str:
    # A dialog draws what is behind it only where it finds these, and keeps what it drew without.
    visible_screen_stack.set(app._background_screens)
    app.screen._set_dirty()
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def draw_nothing(
    compositor: Compositor, full: bool = False, screen_stack: list[Screen[object]] | None = None
) -> None:
    """Instead of each step on the way to a screen at rest, for a terminal that is not there."""
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()


_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def parse_rules_once(sheet: Stylesheet, *source: Any, **options: Any) -> list[RuleSet]:
    """Share the rules of all apps, which are the same: each would parse them anew."""
    key = (source, *options.items(), *sheet._variables.items())
    if key not in _PARSED:
        _PARSED[key] = _parse_rules(sheet, *source, **options)
    return _PARSED[key]


Open = Callable[..., AbstractAsyncContextManager[Sitting]]


@pytest.fixture
def open_tui(library: Library, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Open:
    # Toasts stay until the test has looked, however long that takes.
    monkeypatch.setattr(host, "_ERROR_SECONDS", _PATIENCE_SECONDS)
    monkeypatch.setattr(PapertrackApp, "NOTIFICATION_TIMEOUT", _PATIENCE_SECONDS)
    # Related papers are looked for once a reader stays with a paper; the tests always do.
    monkeypatch.setattr(paper, "_RELATED_SECONDS", _LOOK_SECONDS)
    monkeypatch.setattr(Compositor, "render_update", draw_nothing)
    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_rules_once)

    @asynccontextmanager
    async def open_(
        *,
        size: tuple[int, int] = (112, 30),
        settings: Settings | None = None,
        query: str = "",
        environ: dict[str, str] | None = None,
        is_ascii: bool = False,
    ) -> AsyncIterator[Sitting]:
        session = Session(library, clock, environ or {})
        session.known_settings = settings or Settings()
        app = PapertrackApp(session, query=query, is_ascii=is_ascii)
        async with app.run_test(size=size, notifications=True) as pilot:
            sitting = Sitting(app, pilot, store)
            await sitting.settle()
            yield sitting
            if app.is_running and not app._exit:
                sitting.text()

    return open_
