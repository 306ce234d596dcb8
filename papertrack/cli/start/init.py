"""``papertrack init`` and ``papertrack demo``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from papertrack.cli.session import Session, changing
from papertrack.errors import UsageError
from papertrack.library import Library, has_database, state_folder
from papertrack.library.surroundings import network_disk
from papertrack.text import plural


@click.command
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--personal", is_flag=True, help="Make the personal library, found from everywhere.")
@click.option("--shared", is_flag=True, help="Share it through git, as `share on` does.")
@changing
def init(session: Session, folder: Path | None, personal: bool, shared: bool) -> None:
    """Make a library in a folder.

    The folder (this one, unless you name another, here or by --library) gets a papertrack.toml,
    which makes it a library, and folders for the database, exports and notes. Files that are there
    stay as they are.

    \b
    Examples:
      papertrack init
      papertrack init ~/papers
      papertrack init --personal
      papertrack init --shared
    """
    library = Library(_folder_of_new(session, folder, personal=personal).absolute())
    # A killed run may have left it half made: what is missing is made now.
    is_new = not (library.settings_path.is_file() and has_database(library))
    if is_new and not session.dry_run:
        from papertrack.actions.make_library import make_library

        make_library(library.root, now=session.now)
    warning = network_disk(library.root)
    if warning is not None:
        session.say(warning)
    message = f"{library.root} is a library already. Nothing to do."
    if is_new:
        message = (
            f"Made a library in {library.root}. Next: `papertrack import README.md`, "
            "or `papertrack add 2309.06180`."
        ) + _not_noted(library, dry_run=session.dry_run)
    if shared and not session.dry_run:
        _share(session, library)
        message += " It is shared."
    session.report(message, library=str(library.root), is_new=is_new, is_shared=shared)


def _folder_of_new(session: Session, folder: Path | None, *, personal: bool) -> Path:
    """Where the library shall be. Raises UsageError where several places are named."""
    from papertrack.library import folder_for_new, personal_folder

    here, chosen = Path.cwd(), session.chosen
    named = [here / one for one in (folder, chosen) if one is not None]
    if personal:
        named.append(personal_folder())
    if len({one.resolve() for one in named}) > 1:
        raise UsageError(
            f"{' and '.join(map(str, named))} are named as the library's folder. Name one."
        )
    return named[0] if named else folder_for_new(os.environ, here)


def _not_noted(library: Library, *, dry_run: bool) -> str:
    """What there is to tell of a new library where nobody may note that it is the reader's own."""
    from papertrack.library.trust import is_trusted

    if dry_run or is_trusted(library):
        return ""
    return (
        f" It could not be noted that it is yours: make {state_folder()} a folder that you can "
        "write to, then run `papertrack trust`."
    )


def _share(session: Session, library: Library) -> None:
    """Begin to share a library, unless that is done."""
    from papertrack.actions.share.switch import prepare, share

    prepare(library)
    with session._replace(chosen=str(library.root)).open_store() as store:
        share(store, library, os.environ)


@click.command
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@changing
def demo(session: Session, folder: Path) -> None:
    """Make a sample library to play with.

    DIR, which must be new or empty, gets a curated README of ML systems papers with its notes,
    and a library that has imported it.

    \b
    Example:
      papertrack demo ~/papers-demo
    """
    from papertrack.actions.documents import import_file
    from papertrack.actions.make_library import make_library
    from papertrack.library.sample import copied_sample
    from papertrack.store.store import Store

    papers_new = 0
    with copied_sample(folder, dry_run=session.dry_run):
        if not session.dry_run:
            library = make_library(folder, now=session.now)
            with Store.open(library.database, now=session.now) as store:
                papers_new = import_file(store, library, library.root / "README.md").papers_new
    message = f"Made a sample library in {folder}."
    if not session.dry_run:
        message = (
            f"Made a sample library in {folder}: {plural(papers_new, 'paper')} imported from its "
            f"README.md. Try:\n  cd {folder}\n  papertrack list\n"
            "  papertrack pass 2211.17192 3\n  papertrack export --md --diff"
        )
    session.report(message, library=str(folder.absolute()), papers_new=papers_new)
