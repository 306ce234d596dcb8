"""The interface between the application and its screens."""

from __future__ import annotations

from asyncio import get_running_loop, to_thread
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual import events, work
from textual.app import App
from textual.widget import Widget

from papertrack.errors import PapertrackError
from papertrack.store.store import Store
from papertrack.text import clean, shorten
from papertrack.tui.colours import legible_variables
from papertrack.tui.key_queue import KeyHandled, Keys, without_commands
from papertrack.tui.session import Job, Progress, Session, run_job

if TYPE_CHECKING:
    from textual.await_complete import AwaitComplete

T = TypeVar("T")
_ERROR_SECONDS = 8
_MAX_TOASTS = 3
_SLOW_SECONDS = 0.3
"""How long keys wait before a message explains why nothing happens."""
_SLOW = "This takes a moment …"


class Host(App[None]):
    """An application that runs actions and jobs in the background and reports errors."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.animation_level = "none"
        self.pending = 0
        """How many jobs are waiting for the writer."""
        self.jobs: dict[str, Progress] = {}
        """The jobs that run in the background."""
        self.typed = Keys(self, super().on_event)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self.typed.take(event)
        else:
            await super().on_event(without_commands(event))

    def get_css_variables(self) -> dict[str, str]:
        return legible_variables(super().get_css_variables())

    def pop_screen(self) -> AwaitComplete:
        closed = list(self.screen.walk_children(Widget))
        popping = super().pop_screen()
        # Textual keeps the lines that a widget drew until it is drawn again: a megabyte for each
        # paper that was opened.
        self.call_later(lambda: [widget.refresh() for widget in closed])
        self.typed.follow_here()
        return popping

    async def on_key_handled(self, message: KeyHandled) -> None:
        await self.typed.follow(message)

    def poll(self) -> None:
        """Check whether another process has written, and show the changes."""
        for screen in self.screen_stack:
            poll = getattr(screen, "poll", None)
            if poll is not None:
                poll()

    @property
    def is_busy(self) -> bool:
        """Whether a key waits for its turn, or the writer has work."""
        return self.pending > 0 or self.typed.is_handling

    def perform(
        self,
        job: Callable[[Store], T],
        then: Callable[[T], None],
        *,
        holds_keys: bool = False,
        on_error: Callable[[str], None] | None = None,
    ) -> None:
        """Run a job in the writer's thread, and pass its result to ``then`` in this thread.

        An error goes to ``on_error``, or is shown as a toast. With ``holds_keys``, further keys
        wait for ``then``, which moves the cursor or asks a question.
        """
        self.pending += 1
        if holds_keys:
            self.typed.hold()
        future = self.session.writer.submit(job)

        def finish() -> None:
            self.pending -= 1
            if holds_keys:
                self._remove_toast(_SLOW)
            try:
                result = future.result()
            except PapertrackError as error:
                (on_error or partial(self.say, is_error=True))(str(error))
            else:
                then(result)
            if holds_keys:
                self.typed.release()

        if holds_keys:
            self.set_timer(_SLOW_SECONDS, lambda: None if future.done() else self.say(_SLOW))
        future.add_done_callback(lambda _: self.call_later(finish))

    def start_job(self, job: Job, answer: str = "") -> None:
        """Run a job in the background, at most one of each kind."""
        if job.name in self.jobs:
            self.say(f"{job.label} is running already. X cancels it.")
            return
        self.jobs[job.name] = Progress()
        self._run_job(job, answer)
        self.poll()

    @work(group="jobs")
    async def _run_job(self, job: Job, answer: str) -> None:
        progress = self.jobs[job.name]
        try:
            loop = get_running_loop()
            run = partial(run_job, job, self.session, answer, progress)
            self.say(await loop.run_in_executor(self.session.background, run))
        except PapertrackError as error:
            self.say(str(error), is_error=True)
        del self.jobs[job.name]
        self.poll()

    def end_jobs(self, report: Callable[[str], None]) -> None:
        """Wait, after the screen has closed, for background jobs that were asked to stop."""
        if self.jobs:
            report(f"Stopping what runs in the background: {', '.join(self.jobs)} …")
            self.session.background.shutdown()

    def action_cancel_jobs(self) -> None:
        if not self.jobs:
            self.say("Nothing is running in the background.")
        for progress in self.jobs.values():
            progress.cancelled.set()

    def say(self, text: str, *, is_error: bool = False) -> None:
        """Show a toast. Errors stay longer; text is never markup.

        Only a few fit on the screen: the oldest toast without an error makes room.
        """
        toasts = [toast for toast in self._notifications if toast.severity == "information"]
        for toast in toasts[: max(len(toasts) + 1 - _MAX_TOASTS, 0)]:
            self._unnotify(toast, refresh=False)
        self.notify(
            shorten(text, 400),
            severity="error" if is_error else "information",
            timeout=_ERROR_SECONDS if is_error else None,
            markup=False,
        )

    def _remove_toast(self, text: str) -> None:
        """Remove a toast that is no longer true."""
        for toast in list(self._notifications):
            if toast.message == text:
                self._unnotify(toast)

    @work(exit_on_error=False)
    async def open_link(self, url: str | None, role: str) -> None:
        """Open an address in the browser, in the background."""
        from papertrack.tui import system

        if url is None:
            self.say(f"The library knows no {role} link of this paper.")
        elif self.is_web:
            # The browser is on another machine than papertrack.
            self.open_url(url)
        elif not await to_thread(system.open_in_browser, url):
            self.say(f"No browser could be started. The address: {url}", is_error=True)

    def open_pdf(self, path: Path, page: int) -> None:
        """Start the user's PDF viewer at a page."""
        from papertrack.actions.programs import start_viewer

        if self.is_web:
            # The viewer would open on the machine where papertrack runs.
            self.say(f"Page {page} of {path}")
            return
        try:
            start_viewer(path, self.session.settings.pdf_viewer, page)
        except PapertrackError as error:
            self.say(str(error), is_error=True)

    def copy(self, text: str, label: str) -> None:
        """Copy through the terminal (OSC 52) and, for terminals without it, with a program."""
        from papertrack.tui.system import copy_with_program

        self.copy_to_clipboard(text)
        environ = self.session.environ
        self.run_worker(partial(copy_with_program, text, environ), thread=True, exit_on_error=False)
        self.say(f"Copied the {label}: {clean(text)[:60]}")
