"""``papertrack init``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.session import Session, changing
from papertrack.library import Library
from papertrack.library.surroundings import network_disk


@click.command
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option("--personal", is_flag=True, help="Make the personal library, found from everywhere.")
@changing
def init(session: Session, folder: Path, personal: bool) -> None:
    """Make a library in a folder.

    The folder (this one, unless you name another) gets a papertrack.toml, which makes it a
    library, and folders for the database, exports and notes. Files that are there stay as they
    are.

    \b
    Examples:
      papertrack init
      papertrack init ~/papers
      papertrack init --personal
    """
    if personal:
        from papertrack.library import personal_folder

        folder = personal_folder()
    library = Library(folder.absolute())
    is_new = not (library.settings_path.is_file() and library.database.exists())
    if is_new and not session.dry_run:
        from papertrack.actions.make_library import make_library

        make_library(folder, now=session.now)
    warning = network_disk(library.root)
    if warning is not None:
        session.say(warning)
    message = f"{library.root} is a library already. Nothing to do."
    if is_new:
        message = (
            f"Made a library in {library.root}. Next: `papertrack import README.md`, "
            "or `papertrack add 2309.06180`."
        )
    session.report(message, {"library": str(library.root), "is_new": is_new})
