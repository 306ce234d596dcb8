"""The application: it owns the session, runs verbs in the background and says what went wrong."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from papertrack.errors import PapertrackError
from papertrack.store.store import Store
from papertrack.text import clean, shorten
from papertrack.tui.answering import Answered, Keys, without_commands
from papertrack.tui.keys import APP_KEYS, check_keymap
from papertrack.tui.session import Session

if TYPE_CHECKING:
    from textual.await_complete import AwaitComplete

    from papertrack.library import Library
    from papertrack.tui.jobs import Job, Progress

T = TypeVar("T")
_POLL_SECONDS = 1.0
_SETTINGS_SECONDS = 0.5
_ERROR_SECONDS = 8
_MAX_WARNINGS = 3
_MAX_TOASTS = 3


def _palette() -> type[Provider]:
    # Imported when the palette is opened: the first paint does not wait for it.
    from papertrack.tui.palette import LibraryCommands

    return LibraryCommands


class PapertrackApp(App[None]):
    """The terminal UI over one library, or over none yet."""

    TITLE = "papertrack"
    CSS_PATH = "papertrack.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*APP_KEYS]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = App.COMMANDS | {
        _palette
    }
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as Textual has it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 - as Textual has it

    class Finished(Message):
        """The writer is through with a job."""

        def __init__(
            self, future: Future[Any], then: Callable[[Any], None], holds_keys: bool
        ) -> None:
            super().__init__()
            self.future = future
            self.then = then
            self.holds_keys = holds_keys

    def __init__(
        self,
        session: Session,
        *,
        query: str = "",
        imported: str | None = None,
        is_ascii: bool = False,
    ) -> None:
        self._is_ascii = is_ascii
        super().__init__()
        self.session = session
        self._query = query
        self._imported = imported
        self.animation_level = "none"
        self._pending = 0
        self.jobs: dict[str, Progress] = {}
        """The jobs that run in the background."""
        self._keys = Keys(self, super().on_event)

    def get_default_screen(self) -> Screen[None]:
        from papertrack.tui.screens.library import LibraryScreen

        return LibraryScreen(self.session, query=self._query)

    def on_mount(self) -> None:
        if self.session.has_settings or self.session.has_own_look():
            self._apply_settings()
        else:
            # Reading and checking them takes as long as half a first paint, and nothing on it
            # depends on them.
            self.set_timer(_SETTINGS_SECONDS, self._read_settings_in_background)
        self.set_interval(_POLL_SECONDS, self.poll)
        self.call_after_refresh(_collect_garbage)
        if self._imported is not None:
            from papertrack.tui.jobs import IMPORT

            self.start_job(IMPORT, self._imported)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await super().on_event(without_commands(event))

    def press_first(self, key: str) -> None:
        """Press a key before those that wait for their turn."""
        self._keys.put_first(events.Key(key, None))

    def hold_keys(self) -> None:
        """Let the keys after this one wait until ``release_keys``."""
        self._keys.hold()

    def release_keys(self) -> None:
        """Let the keys go on that wait since ``hold_keys``."""
        self._keys.release()

    def pop_screen(self) -> AwaitComplete:
        popping = super().pop_screen()
        self._keys.follow_here()
        return popping

    async def on_answered(self, message: Answered) -> None:
        await self._keys.follow(message)

    def _read_settings_in_background(self) -> None:
        def read() -> None:
            self.session.read_settings()
            self.call_from_thread(self._apply_settings)

        self.run_worker(read, thread=True)

    def _apply_settings(self) -> None:
        settings = self.session.settings.tui
        if self.session.fault is not None:
            self.say(self.session.fault, is_error=True)
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        elif settings.theme is not None:
            self.say(
                f"There is no theme {settings.theme}; ctrl+p lists those there are.", is_error=True
            )
        for fault in check_keymap(settings.keys):
            self.say(fault, is_error=True)
        self.set_keymap(settings.keys)
        defaults = self.session.settings.watch.arxiv_categories
        library = self.session.library
        self.perform(lambda store: _warnings(store, library, defaults), self._warn)
        self.poll()

    def _warn(self, warnings: Sequence[str]) -> None:
        for warning in warnings[:_MAX_WARNINGS]:
            self.say(warning, is_error=True)

    def on_unmount(self) -> None:
        for progress in self.jobs.values():
            progress.cancelled.set()
        self.session.close()

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        if self._is_ascii:
            from papertrack.tui.ascii_filter import AsciiFilter

            return [*filters, AsciiFilter()]
        return filters

    def poll(self) -> None:
        """Look whether somebody else has written, and show it."""
        for screen in self.screen_stack:
            poll = getattr(screen, "poll", None)
            if poll is not None:
                poll()

    @property
    def is_busy(self) -> bool:
        """Whether a key waits for its turn, or the writer has something to do."""
        return self._pending > 0 or self._keys.is_answering

    def perform(
        self, job: Callable[[Store], T], then: Callable[[T], None], *, holds_keys: bool = False
    ) -> None:
        """Have the writer do a job; ``then`` gets its result here. An error becomes a toast.

        With ``holds_keys`` the keys after this one wait for ``then``: it moves the cursor, or asks.
        """
        self._pending += 1
        if holds_keys:
            self._keys.hold()
        future = self.session.writer.submit(job)
        future.add_done_callback(
            lambda done: self.post_message(self.Finished(done, then, holds_keys))
        )

    def on_papertrack_app_finished(self, message: Finished) -> None:
        self._pending -= 1
        try:
            result = message.future.result()
        except PapertrackError as error:
            self.say(str(error), is_error=True)
        else:
            message.then(result)
        if message.holds_keys:
            self._keys.release()

    def start_job(self, job: Job, answer: str = "") -> None:
        """Run a job in the background; one of each kind at a time."""
        if job.name in self.jobs:
            self.say(f"{job.label} is running already. X cancels it.")
            return
        from papertrack.tui.jobs import Progress, run_job

        self.jobs[job.name] = progress = Progress()

        def work() -> None:
            try:
                text, is_error = run_job(job, self.session, answer, progress), False
            except PapertrackError as error:
                text, is_error = str(error), True
            self.call_from_thread(self._finish_job, job, text, is_error)

        self.run_worker(work, thread=True, group="jobs")
        self.poll()

    def _finish_job(self, job: Job, text: str, is_error: bool) -> None:
        del self.jobs[job.name]
        self.say(text, is_error=is_error)
        self.poll()

    def action_cancel_jobs(self) -> None:
        if not self.jobs:
            self.say("Nothing is running in the background.")
        for progress in self.jobs.values():
            progress.cancelled.set()

    def say(self, text: str, *, is_error: bool = False) -> None:
        """A toast. Errors stay longer; texts are never markup.

        More than a few would cover what they are about: the oldest that is no error makes room.
        """
        told = [toast for toast in self._notifications if toast.severity == "information"]
        for toast in told[: max(len(told) + 1 - _MAX_TOASTS, 0)]:
            self._unnotify(toast, refresh=False)
        self.notify(
            shorten(text, 400),
            severity="error" if is_error else "information",
            timeout=_ERROR_SECONDS if is_error else None,
            markup=False,
        )

    def open_link(self, url: str | None, what: str) -> None:
        """Start the browser, in the background."""
        if url is None:
            self.say(f"The library knows no {what} link of this paper.")
            return

        def start() -> None:
            from papertrack.tui import outside

            if not outside.open_in_browser(url):
                self.call_from_thread(
                    self.say, f"No browser could be started. The address: {url}", is_error=True
                )

        self.run_worker(start, thread=True, exit_on_error=False)

    def copy(self, text: str, what: str) -> None:
        """Copy by the terminal (OSC 52) and, since not every terminal can, by a program."""
        from papertrack.tui.outside import copy_with_program

        self.copy_to_clipboard(text)
        environ = self.session.environ
        self.run_worker(lambda: copy_with_program(text, environ), thread=True, exit_on_error=False)
        self.say(f"Copied the {what}: {clean(text)[:60]}")

    def action_help(self) -> None:
        from papertrack.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen))


def _collect_garbage() -> None:
    """Look for garbage from now on, not among what the start has made: a key would wait for it."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def has_unicode(environ: Mapping[str, str], encoding: str | None = None) -> bool:
    """Whether the terminal shows more than ASCII, by its encoding and its name."""
    encoding = encoding or getattr(sys.__stdout__, "encoding", None) or "ascii"
    return "utf" in encoding.lower() and environ.get("TERM") not in ("linux", "dumb", "vt100")


def _warnings(store: Store, library: Library, defaults: Sequence[str]) -> list[str]:
    """What the reader should know: of the library's place, where the nightly watch fell silent,
    and what it lost.
    """
    from papertrack.library.surroundings import conflicting_copies, network_disk
    from papertrack.store.watch.topics import list_topics

    disk = network_disk(library.root)
    of_place = [*conflicting_copies(library), *([] if disk is None else [disk])]
    if not list_topics(store):
        return of_place
    from papertrack.actions.watch.calendar import eastern_day
    from papertrack.actions.watch.status import category_statuses, standing_warnings

    statuses = category_statuses(store, defaults, eastern_day(store.now()))
    return [
        *of_place,
        *standing_warnings(store, library, defaults),
        *(one.warning for one in statuses if one.warning is not None),
        # A loss stays for months: at each start it would only annoy, and `watch status` has it.
        *(one.loss for one in statuses if one.loss is not None and one.is_loss_new),
    ]
