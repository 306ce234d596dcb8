"""``papertrack tui``, and ``papertrack`` alone on a terminal."""

from __future__ import annotations

import os

import click

from papertrack.cli.session import Session, pass_session


@click.command
@click.argument("query", nargs=-1)
@pass_session
def tui(session: Session, query: tuple[str, ...]) -> None:
    """Open the terminal UI, as `papertrack` alone does on a terminal.

    With a QUERY it starts with all papers that match; `?` in it lists the keys.

    \b
    Examples:
      papertrack
      papertrack tui
      papertrack tui author:dao pass:0
    """
    # Textual costs more than all other commands together: imported when it is really opened.
    from papertrack.tui.run import run

    run(session.library(), now=session.now, environ=os.environ, query=" ".join(query))
