"""The application over a library, and how to open it: in a terminal, at first run, in a browser."""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
from asyncio import get_running_loop, to_thread
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.screen import Screen

from papertrack.errors import PapertrackError, UsageError
from papertrack.store.store import Store
from papertrack.tui.host import Host
from papertrack.tui.keys import APP_KEYS, check_keymap
from papertrack.tui.session import Session

if TYPE_CHECKING:
    from papertrack.library import Library
    from papertrack.tui.screens.library import LibraryScreen
    from papertrack.tui.serving import OwnerOf

Clock = Callable[[], datetime]

_SIGTERM_CODE = 128 + signal.SIGTERM
"""The exit code that shells give a program that was asked to end (SIGTERM)."""
_SIGHUP_CODE = 129
"""The exit code after the terminal closed: 128 and SIGHUP, which Windows does not have."""
_POLL_SECONDS = 1.0
_SETTINGS_SECONDS = 0.5
_MAX_WARNINGS = 3


def _palette() -> type[Provider]:
    # Imported when the palette is opened: the first paint does not wait for it.
    from papertrack.tui.palette import LibraryCommands

    return LibraryCommands


class PapertrackApp(Host):
    """The terminal UI over one library, or over none yet."""

    TITLE = "papertrack"
    CSS_PATH = "papertrack.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*APP_KEYS]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-widest")]  # noqa: RUF012 - as Textual has it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 - as Textual has it

    def __init__(
        self,
        session: Session,
        *,
        query: str = "",
        imported: str | None = None,
        is_ascii: bool = False,
    ) -> None:
        self._is_ascii = is_ascii
        super().__init__(session)
        self._query = query
        self._imported = imported

    def get_default_screen(self) -> Screen[None]:
        from papertrack.tui.screens.library import LibraryScreen

        return LibraryScreen(self.session, self._open_paper, query=self._query)

    def on_mount(self) -> None:
        if self.session.known_settings or self.session.may_change_look():
            self._apply_settings()
        else:
            # Reading and checking the settings takes half as long as a first paint, which does not
            # need them.
            self.set_timer(_SETTINGS_SECONDS, self._read_settings)
        self.set_interval(_POLL_SECONDS, self.poll)
        self.set_interval(_POLL_SECONDS, self._leave_with_the_terminal)
        # Exit cleanly on a signal. Windows has neither these handlers nor these signals.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            get_running_loop().add_signal_handler(
                signal.SIGTERM, partial(self.exit, return_code=_SIGTERM_CODE)
            )
        if self._imported is not None:
            from papertrack.tui.jobs import IMPORT

            self.start_job(IMPORT, self._imported)

    def _leave_with_the_terminal(self) -> None:
        """Exit when the terminal closed without a signal; else reading from it never ends."""
        if _is_terminal_gone():
            self.exit(return_code=_SIGHUP_CODE)

    @work
    async def _read_settings(self) -> None:
        await to_thread(self.session.read_settings)
        self._apply_settings()

    def _apply_settings(self) -> None:
        settings = self.session.settings.tui
        if self.session.fault is not None:
            self.say(self.session.fault, is_error=True)
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        elif settings.theme is not None:
            self.say(f"There is no theme {settings.theme}; ctrl+p lists the themes.", is_error=True)
        for fault in check_keymap(settings.keys):
            self.say(fault, is_error=True)
        self.set_keymap(settings.keys)
        self._check_surroundings()

    def _check_surroundings(self) -> None:
        """Show warnings about the library's place and the nightly watch."""
        self.perform(lambda store: _warnings(store, self.session), self._warn)
        self.poll()
        self._index_new_pdfs()

    @work(exit_on_error=False)
    async def _index_new_pdfs(self) -> None:
        """Index new PDFs, in the background."""
        from papertrack.actions.pdfs import new_pdfs
        from papertrack.tui.jobs import INDEX

        with suppress(PapertrackError):  # The search in PDFs reports errors.
            if await self.session.search(new_pdfs) and INDEX.name not in self.jobs:
                self.start_job(INDEX)

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
            from papertrack.tui.glyphs import AsciiFilter

            return [*filters, AsciiFilter()]
        return filters

    def action_watch(self) -> None:
        from papertrack.tui.jobs import WATCH

        self.start_job(WATCH)

    def _open_paper(self, beside: LibraryScreen) -> None:
        from papertrack.tui.screens.paper import PaperScreen

        self.push_screen(PaperScreen(self.session, beside), lambda _: beside.show_timer())

    def action_statistics(self) -> None:
        from papertrack.tui.screens.statistics import StatisticsScreen

        self.push_screen(StatisticsScreen(self.session))

    def action_help(self) -> None:
        from papertrack.tui.screens.pages import HelpScreen

        self.push_screen(HelpScreen(self.screen))


def has_unicode(environ: Mapping[str, str], encoding: str | None = None) -> bool:
    """Return whether the terminal shows more than ASCII, by its encoding and its name."""
    encoding = encoding or getattr(sys.__stdout__, "encoding", None) or "ascii"
    return "utf" in encoding.lower() and environ.get("TERM") not in ("linux", "dumb", "vt100")


def _warnings(store: Store, session: Session) -> list[str]:
    """Return warnings: the library's place, a watch that stopped running, lost changes."""
    from papertrack.library.surroundings import conflicting_copies, network_disk
    from papertrack.store.watch.topics import list_topics

    library = session.library
    place_warnings = [*conflicting_copies(library), *filter(None, [network_disk(library.root)])]
    if not list_topics(store):
        return place_warnings
    from papertrack.actions.watch.calendar import eastern_day
    from papertrack.actions.watch.run import category_statuses, standing_warnings

    defaults = session.settings.watch.arxiv_categories
    statuses = category_statuses(store, defaults, eastern_day(store.now()))
    return [
        *place_warnings,
        *standing_warnings(store, library, defaults),
        *filter(None, (status.warning for status in statuses)),
        # A loss stays for months, so only a new one is shown; `watch --status` shows all.
        *filter(None, (status.loss for status in statuses if status.is_loss_new)),
    ]


def run(
    library: Library,
    *,
    now: Clock,
    environ: Mapping[str, str],
    query: str = "",
    imported: str | None = None,
) -> int:
    """Show the library until the user quits; ``imported`` is a README to import at once.

    Returns the exit code: 0, or that of a signal that ended it. Raises the errors of opening a
    library: NotFoundError, StoreError.
    """
    from papertrack.tui.pasting import keep_pastes_whole

    keep_pastes_whole()
    session = Session(library, now, environ)
    app = PapertrackApp(session, query=query, imported=imported, is_ascii=not has_unicode(environ))
    app.run()
    tell = partial(print, file=sys.stderr, flush=True)
    app.end_jobs(tell)
    for sentence in session.unsaved_texts():
        tell(sentence)
    return app.return_code or 0


def first_run(folder: Path, *, now: Clock, environ: Mapping[str, str]) -> int:
    """Offer to make a library in ``folder``, or the personal one; then show it (see ``run``)."""
    from papertrack.actions.make_library import make_library
    from papertrack.library import personal_folder
    from papertrack.tui.first_run import FirstRun

    choice = FirstRun(folder, personal_folder()).run()
    if choice is None:
        return 0
    library = make_library(choice.folder, now=now)
    return run(library, now=now, environ=environ, imported=choice.imported)


def serve(
    command: Sequence[str], *, host: str, port: int, owner_of: OwnerOf, is_exposed: bool = False
) -> None:
    """Serve the output of ``command`` to browsers that have the printed address, until interrupted.

    ``owner_of`` tells the users of this machine apart. Without ``is_exposed``, only on this
    machine. Raises UsageError for another address, and if
    textual-serve is not installed.
    """
    from papertrack.identifiers.addresses import is_loopback

    if not is_loopback(host) and not is_exposed:
        raise UsageError(
            f"{host} is not an address of this machine alone. Anyone who gets the printed "
            "address could read and change the library; add --expose if you want that."
        )
    try:
        from papertrack.tui.serving import GuardedServer
    except ImportError:
        raise UsageError(
            "--serve needs textual-serve: `pip install 'papertrack-cli[serve]'`."
        ) from None
    import shlex

    GuardedServer(shlex.join(command), host=host, port=port, owner_of=owner_of).serve()


def _is_terminal_gone() -> bool:
    """Return whether the UI's input was a terminal that is now closed, or a server that ended."""
    is_served = os.environ.get("TEXTUAL_DRIVER", "").endswith("WebDriver")
    if is_served and hasattr(select, "poll"):
        pipe = select.poll()
        pipe.register(0, select.POLLHUP)
        return any(events & select.POLLHUP for _, events in pipe.poll(0))
    try:
        import termios
    except ImportError:  # Windows has none.
        return False
    try:
        termios.tcgetattr(sys.__stdin__)  # type: ignore[arg-type]  # None is a TypeError.
    except termios.error as error:
        return bool(error.args and error.args[0] == errno.EIO)
    except (OSError, TypeError, ValueError):
        return False
    return False
