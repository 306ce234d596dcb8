"""Network access for commands: open the sources, show waits as progress, and parse dates.

Progress is a live line on a terminal's stderr; in a pipe with -v, it is printed as lines.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager, suppress
from datetime import date
from threading import Timer
from typing import TYPE_CHECKING, Self

from papertrack.cli.session import Session
from papertrack.errors import UsageError

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from papertrack.actions.online.network import Door


class Progress(ContextDecorator):
    """A ``with`` block that shows progress of work on ``noun`` (``"papers"``)."""

    def __init__(
        self, session: Session, noun: str, doing: str = "asking arXiv", *, after: float = 0
    ) -> None:
        """With ``after``, progress is shown only after this many seconds."""
        self._session = session
        self._noun = noun
        self._activity = doing
        self._line: RichProgress | None = None
        self._after = after
        self._timer: Timer | None = None

    def __enter__(self) -> Self:
        if not self._session.quiet and sys.stderr.isatty():
            if not self._after:
                self._show()
            else:
                self._timer = Timer(self._after, self._show)
                self._timer.start()
        return self

    def _show(self) -> None:
        self._line = _live_line()
        self._line.add_task(self._activity, total=None)
        self._line.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._line is not None:
            self._line.stop()
            self._line = None

    def advance(self, done: int, total: int, doing: str | None = None) -> None:
        """Report how many of how many are done, and the current work if it changed."""
        self._activity = doing or self._activity
        if self._line is not None:
            task = self._line.task_ids[0]
            self._line.update(task, completed=done, total=total, description=self._activity)
        elif self._session.verbose:
            activity = f": {doing}" if doing else ""
            self._session.say(f"{done} of {total} {self._noun}{activity}")

    def wait(self, seconds: float, why: str) -> None:
        """Report a wait of this many seconds, and its reason."""
        if self._line is not None:
            text = f"waiting {seconds:.0f} s: {why}"
            self._line.update(self._line.task_ids[0], description=text)
        elif self._session.verbose:
            self._session.say(f"Waiting {seconds:.1f} s: {why}")


def slowly(session: Session, doing: str) -> Progress:
    """Return a ``with`` block, or decorator, that shows the current work if it takes long."""
    return Progress(session, "papers", doing, after=2)


def _live_line() -> RichProgress:
    # rich takes a twentieth of a second to import, so it is only imported for terminals.
    from rich import progress
    from rich.console import Console
    from rich.text import Text

    class Count(progress.ProgressColumn):
        """Shows how many are done, and how quickly; nothing while the total is unknown."""

        def render(self, task: progress.Task) -> Text:
            count = f"{task.completed:.0f} of {task.total:.0f}" if task.total else ""
            return Text(count + (f", {task.speed * 60:.0f}/min" if task.speed else ""))

    return progress.Progress(
        progress.BarColumn(20),
        Count(),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.description}", markup=False),
        console=Console(file=getattr(sys.stderr, "stream", sys.stderr)),  # It moves the cursor.
        transient=True,
    )


@contextmanager
def asking(session: Session, noun: str) -> Iterator[tuple[Door, Progress]]:
    """Open the sources at the settings' addresses, and show progress on ``noun``.

    Raises SourceUnavailableError if the settings forbid network access.
    """
    from papertrack.actions.online.network import open_door

    library, settings = session.library(), session.settings().arxiv
    with Progress(session, noun) as progress:
        yield open_door(library, settings, clock=session.now, on_wait=progress.wait), progress


def open_services(session: Session, on_wait: Callable[[float, str], None] | None = None) -> Door:
    """Open all sources, including those that know publications.

    Raises SourceUnavailableError if the settings forbid network access.
    """
    from papertrack.actions.online.network import open_door

    library, settings = session.library(), session.settings()
    services, clock = settings.sources, session.now
    return open_door(library, settings.arxiv, clock=clock, on_wait=on_wait, services=services)


_DAY = r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?"


def default_categories(session: Session) -> tuple[str, ...]:
    """Return the arXiv categories of topics without their own. Raises UsageError if invalid."""
    from papertrack.actions.watch.topics import check_categories

    try:
        return check_categories(session.settings().watch.arxiv_categories)
    except UsageError as error:
        path = session.library().settings_path
        raise UsageError(f"{path}: watch.arxiv_categories: {error}") from None


def parse_since(text: str, today: date) -> date:
    """Return the first day of ``2026-11-02``, ``2026-11``, ``7d``, ``2w``, ``6m`` or ``1y``.

    Raises UsageError for any other text, and for a day in the future.
    """
    from papertrack.queries.nodes import Comparison, date_interval
    from papertrack.queries.parser import parse_age

    written, age, day = text.strip(), parse_age(text), None
    with suppress(ValueError):
        # More is no day of the calendar.
        if (age and age.number < 10_000) or re.fullmatch(_DAY, written):
            since = Comparison("<=", age) if age else Comparison(">=", written)
            day = date.fromisoformat(date_interval(since, today)[0] or "")
    if day is None:
        raise UsageError(
            f"--since {text!r} is not a day: write it like 2026-11-02, 2026-11, 7d or 2w."
        )
    if day > today:
        raise UsageError(f"--since: {day} is in the future; at arXiv it is still {today}.")
    return day
