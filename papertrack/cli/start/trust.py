"""``papertrack trust``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.output import print_text
from papertrack.cli.session import Session, changing
from papertrack.errors import NotFoundError
from papertrack.library import Library
from papertrack.library.settings_in_force import powerful_settings, read_settings
from papertrack.library.trust import distrust, has_trusted, is_trusted
from papertrack.library.trust import trust as trust_library
from papertrack.text import clean


@click.command
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--forget", is_flag=True, help="Trust the library no longer.")
@changing
def trust(session: Session, folder: Path | None, forget: bool) -> None:
    """Say that a library is to be trusted, such as one that you cloned.

    A library that was not made on this machine may be a stranger's. Until you trust it, papertrack
    reads and writes in its folder, but uses none of its settings that run programs, send mail or
    name hosts, and writes nothing outside the folder. When one of those settings changes, you are
    asked again.

    \b
    Examples:
      papertrack trust
      papertrack trust ~/papers-of-a-friend
      papertrack trust --forget ~/papers-of-a-friend
    """
    library = session.library() if folder is None else _library_in(folder)
    powerful = powerful_settings(read_settings(library.settings_path))
    # Forgotten is the folder, whatever its settings have become since then.
    was = is_trusted(library) if forget else has_trusted(library, powerful)
    if forget:
        if was and not session.dry_run:
            distrust(library)
        message = f"{library.root} is {_forgotten(library, was=was, dry_run=session.dry_run)}."
    else:
        if powerful and not session.as_json:
            print_text("".join(f"{key} = {clean(str(powerful[key]))}\n" for key in powerful))
        if not was and not session.dry_run:
            trust_library(library, powerful)
        message = f"{library.root} is trusted{' already' if was else ''}{_with(len(powerful))}."
    is_now = was if session.dry_run else is_trusted(library)
    session.report(message, library=str(library.root), is_trusted=is_now, settings=powerful)


def _forgotten(library: Library, *, was: bool, dry_run: bool) -> str:
    """What a library is once it is no longer trusted: the personal one is nobody else's."""
    if not dry_run and is_trusted(library):
        return (
            "your personal library, so its folder stays trusted; its settings that run programs, "
            "send mail or name hosts are not"
        )
    return f"{'no longer' if was else 'not'} trusted"


def _library_in(folder: Path) -> Library:
    if not folder.is_dir():
        # The library above it may be another one.
        raise NotFoundError(f"There is no folder {folder}. Check the name.")
    for parent in (folder.absolute(), *folder.absolute().parents):
        library = Library(parent)
        if library.settings_path.is_file():
            return library
    raise NotFoundError(f"There is no library in {folder} or above it. Name its folder.")


def _with(count: int) -> str:
    return ", with the settings above" if count else ""
