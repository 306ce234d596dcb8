"""Opening the terminal UI: on a library, on the first run, or in a browser."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from papertrack.errors import UsageError
from papertrack.library import Library, personal_folder
from papertrack.tui.app import PapertrackApp, has_unicode
from papertrack.tui.session import Session

Clock = Callable[[], datetime]


def run(
    library: Library,
    *,
    now: Clock,
    environ: Mapping[str, str],
    query: str = "",
    imported: str | None = None,
) -> None:
    """Show the library until the reader leaves; ``imported`` is a README to import at once.

    Raises what opening a library raises: NotFoundError, StoreError.
    """
    session = Session(library, now, environ)
    app = PapertrackApp(session, query=query, imported=imported, is_ascii=not has_unicode(environ))
    app.run()


def first_run(folder: Path, *, now: Clock, environ: Mapping[str, str]) -> None:
    """Offer to make a library in ``folder``, or the personal one; then show it."""
    from papertrack.actions.make_library import make_library
    from papertrack.tui.first_run import FirstRun

    choice = FirstRun(folder, personal_folder()).run()
    if choice is None:
        return
    library = make_library(choice.folder, now=now)
    run(library, now=now, environ=environ, imported=choice.imported)


def serve(command: Sequence[str], *, host: str, port: int, is_exposed: bool = False) -> None:
    """Serve what ``command`` shows to browsers, until interrupted.

    Without ``is_exposed`` only to this machine: there is no password. Raises UsageError for
    another address, and when textual-serve is not installed.
    """
    from papertrack.identifiers.addresses import is_loopback

    if not is_loopback(host) and not is_exposed:
        raise UsageError(
            f"{host} is not this machine. Whoever reaches it could read and change the library, "
            "without a password; --expose says that you want that."
        )
    try:
        from textual_serve.server import Server
    except ImportError:
        raise UsageError(
            "--serve needs textual-serve: `pip install 'papertrack-cli[serve]'`."
        ) from None
    Server(shlex.join(command), host=host, port=port, title="papertrack").serve()
