"""``papertrack tui``, and ``papertrack`` alone on a terminal."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import click

from papertrack.cli.session import Session, command
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import Library


@command(json=False)
@click.argument("query", nargs=-1)
@click.option("--serve", is_flag=True, help="Serve it to a browser on this machine.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8000,
    show_default=True,
    help="The port for --serve.",
)
@click.option(
    "--expose",
    metavar="ADDRESS",
    help="Serve on another address than this machine's own, not encrypted: whoever gets hold of "
    "what is printed, or listens on the way, can read and change the library.",
)
def tui(
    session: Session, query: tuple[str, ...], serve: bool, port: int, expose: str | None
) -> int:
    """Open the terminal UI, as `papertrack` alone does on a terminal.

    With a QUERY it starts with all papers that match; `?` in it lists the keys.

    \b
    Examples:
      papertrack
      papertrack tui
      papertrack tui author:dao pass:0
      papertrack tui --serve
    """
    # Textual costs more than all other commands together: imported when it is really opened.
    if serve or expose:
        from papertrack.tui import app

        root = session.library().root
        command = [sys.executable, "-m", "papertrack", "--library", str(root), "tui", *query]
        app.serve(command, host=expose or "127.0.0.1", port=port, is_exposed=expose is not None)
        return 0
    # In a browser a pipe stands for the terminal.
    is_served = os.environ.get("TEXTUAL_DRIVER", "").endswith("WebDriver")
    if not is_served and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The terminal UI needs a terminal. In a pipe use `papertrack list` and the others."
        )
    if not is_served and os.environ.get("TERM", "dumb") in ("dumb", ""):
        raise UsageError(
            "The terminal UI needs a terminal that can draw, and this one says that it cannot "
            "(TERM=dumb). `papertrack list is:inbox`, `queue`, `save`, `discard` and `pass` do "
            "the same in words."
        )
    library = _library(session)
    # What a start makes stays; looking for garbage among it is a tenth of the time to the first
    # paint, after which the app has it looked for.
    gc.disable()
    from papertrack.tui import app

    if library is None:
        return app.first_run(Path.cwd(), now=session.now, environ=os.environ)
    return app.run(library, now=session.now, environ=os.environ, query=" ".join(query))


def _library(session: Session) -> Library | None:
    """The library, or None when there is none and none was named."""
    try:
        return session.library()
    except NotFoundError:
        if session.chosen is not None or os.environ.get("PAPERTRACK_LIBRARY"):
            raise
        return None
