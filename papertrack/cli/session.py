"""What one run of the command line knows: its library, its clock, and whom it talks to."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.errors import UsageError
from papertrack.library import Library, find_library
from papertrack.library.clock import current_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from papertrack.errors import PapertrackError
    from papertrack.library.settings import Settings
    from papertrack.store.store import Store


@dataclass(frozen=True, slots=True)
class Session:
    """The options that mean the same for every command."""

    chosen: str | None = None
    """The folder that ``--library`` names."""
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False
    """Print JSON on stdout, for programs."""
    dry_run: bool = False
    """Say what would change, and change nothing."""

    def library(self) -> Library:
        """The library to work on. Raises NotFoundError."""
        chosen = None if self.chosen is None else Path(self.chosen)
        return find_library(chosen, os.environ, Path.cwd())

    def open_store(self) -> Store:
        """The library's store, for a ``with`` block. Raises NotFoundError and StoreError."""
        from papertrack.library.surroundings import conflicting_copies
        from papertrack.store.store import Store

        library = self.library()
        store = Store.open(library.database, now=self.now)
        for warning in conflicting_copies(library):
            self.say(warning)
        return store

    def refuse_own_file(self, store: Store, target: Path) -> None:
        """Raise UsageError when ``target`` is the library itself or a file that it feeds."""
        from papertrack.library.paths import path_of_name
        from papertrack.store.documents import read_documents

        if not target.exists():
            return
        library = self.library()
        for own in (library.database, library.settings_path):
            if own.exists() and own.samefile(target):
                raise UsageError(f"{target} is a part of the library itself. Name another file.")
        for document in read_documents(store):
            path = path_of_name(library, document.path)
            if path.exists() and path.samefile(target):
                raise UsageError(
                    f"{target} is a document that the library feeds; -o would replace all of it. "
                    "Name another file, or let `papertrack export` write what changed."
                )

    def settings(self) -> Settings:
        """The settings in force. Raises UsageError when one is wrong."""
        from papertrack.library.settings import load_settings

        return load_settings(self.library(), os.environ)

    def now(self) -> datetime:
        return current_time(os.environ)

    def say(self, message: str) -> None:
        """Narrate on stderr; stdout is for data."""
        if not self.quiet:
            click.echo(message, err=True)

    def warn(self, message: str) -> None:
        """Say what went wrong, also when quiet; the message may quote strangers."""
        from papertrack.text import clean

        click.echo(f"papertrack: {clean(message)}", err=True)

    def raise_last(self, failures: Sequence[PapertrackError]) -> None:
        """Raise the last of several failures, after a warning of each other; no word is said
        twice."""
        different = list({str(failure): failure for failure in failures}.values())
        for failure in different[:-1]:
            self.warn(str(failure))
        if different:
            raise different[-1]


pass_session = click.make_pass_decorator(Session)


def note_in_session(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Note a flag in the session, under its name: the callback of options that are its fields."""
    # While completing, there is no session.
    if value and isinstance(ctx.obj, Session) and param.name:
        ctx.obj = replace(ctx.obj, **{param.name: True})  # type: ignore[arg-type]
