"""``papertrack init``."""

from __future__ import annotations

from pathlib import Path

import click

from papertrack.cli.session import Session, pass_session
from papertrack.library import create_library


@click.command
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option("--personal", is_flag=True, help="Make the personal library, found from everywhere.")
@pass_session
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
    library, made = create_library(folder)
    if not library.database.exists():
        from papertrack.store.store import Store

        Store.create(library.database, now=session.now).close()
        made = True
    if not made:
        session.say(f"{library.root} is a library already. Nothing to do.")
        return
    session.say(
        f"Made a library in {library.root}. Next: `papertrack import README.md`, "
        "or `papertrack add 2309.06180`."
    )
