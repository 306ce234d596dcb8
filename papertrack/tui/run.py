"""Opening the terminal UI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from papertrack.library import Library
from papertrack.library.settings import load_settings
from papertrack.tui.app import PapertrackApp, has_unicode
from papertrack.tui.session import Session


def run(
    library: Library, *, now: Callable[[], datetime], environ: Mapping[str, str], query: str = ""
) -> None:
    """Show the library until the reader leaves.

    Raises what opening a library raises: NotFoundError, StoreError, UsageError for settings.
    """
    settings = load_settings(library, environ)
    session = Session(library, settings, now, environ)
    PapertrackApp(session, query=query, is_ascii=not has_unicode(environ)).run()
