"""The library: the folder with everything, how it is found and where its parts lie.

Looking creates nothing, and looking is cheap: the settings are read by ``settings`` only when
somebody asks for one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import NotFoundError, PapertrackError

SETTINGS_FILE = "papertrack.toml"
"""The file that makes a folder a library."""
BACKUP_NAME = "%Y-%m-%dT%H%M%SZ"
"""A backup's name is its time."""
RECORDS_MARK = "categories.toml"
"""The file by which the folder of a shared library is known, with that of its records."""
_LONGEST_PATH = 4096
"""Bytes of a file of git's that holds one."""

FIRST_SETTINGS = """\
# The settings of this papertrack library. Every line is optional: `papertrack config` lists all
# settings with their values, `papertrack config KEY VALUE` changes one and keeps your comments.

# [arxiv]
# contact = "you@example.org"  # arXiv asks programs to say whom to write to

# [reading]
# in_hand = 5  # how many papers you read side by side (`papertrack queue`)
"""


class Library(NamedTuple):
    """A library's paths. None of them needs to exist but ``settings_path``."""

    root: Path
    """An absolute path."""

    @property
    def settings_path(self) -> Path:
        return self.root / SETTINGS_FILE

    @property
    def private(self) -> Path:
        """What nobody else is to see: in git's own directory once the library is shared, since a
        pushed tree can contain any path beside it."""
        inside = private_in_git(self.root)
        is_inside = inside is not None and (inside.is_dir() or has_records(self.root))
        return inside if inside is not None and is_inside else self.root / "data"

    @property
    def database(self) -> Path:
        return self.private / "papertrack.db"

    @property
    def state_dir(self) -> Path:
        """Locks and time stamps that this library's processes share; disposable."""
        return self.private / "state"

    @property
    def intents(self) -> Path:
        """What is about to be written over files (see ``library.intents``)."""
        return intents_folder(self.database)

    @property
    def backups(self) -> Path:
        """Checked copies of the database, the newest of each day and week."""
        return self.private / "backups"

    @property
    def own_files(self) -> tuple[Path, ...]:
        """What papertrack writes for itself at any time, where a stranger may have put links."""
        return (
            () if is_shared(self) else (self.database, self.state_dir, self.intents, self.backups)
        )

    def holds_own_files(self) -> bool:
        """Whether what papertrack writes for itself is all in the library's folder."""
        # Without a link on the way nothing leads out; paths are followed only where there is one.
        places = self.private, *self.own_files
        return not any(map(os.path.islink, places)) or all(map(self.holds, self.own_files))

    def holds(self, path: Path) -> bool:
        """Whether a path is in the library's folder, or where it keeps what is private, also when
        links are followed. What git keeps in the folder is none of the library's: its settings run
        programs."""
        real = Path(os.path.realpath(path))
        places = [self.root, *([self.private] if is_shared(self) else ())]
        return any(
            real.is_relative_to(place) and not is_of_repository(real.relative_to(place))
            for place in map(os.path.realpath, places)
        )

    @property
    def exports(self) -> Path:
        return self.root / "exports"

    @property
    def notes(self) -> Path:
        return self.root / "notes"

    @property
    def pdfs(self) -> Path:
        """Where PDFs are fetched to."""
        return (self.private if is_shared(self) else self.root) / "pdfs"

    @property
    def pdf_folders(self) -> tuple[Path, ...]:
        """Where PDFs are: there, and in the folder of a shared library that its readers may
        fill."""
        return (self.pdfs, self.root / "pdfs") if is_shared(self) else (self.pdfs,)

    @property
    def records(self) -> Path:
        """The records of a library that is shared."""
        return self.root / "papers"


INTENT = ".intent"
"""The suffix of the file that holds one (see ``library.intents``)."""


def intents_folder(database: Path) -> Path:
    """Where a library with this database keeps its intents."""
    return database.parent / "intents"


def has_pending(folder: Path) -> bool:
    """Whether there may be intents in a folder: as cheap as can be, for every command."""
    try:
        return any(place.suffix == INTENT for place in folder.iterdir())
    except OSError:
        return False


def find_library(chosen: Path | None, environ: Mapping[str, str], folder: Path) -> Library:
    """Find the library to work on, starting from ``folder``.

    The first of these counts: ``chosen`` (the option ``--library``), ``$PAPERTRACK_LIBRARY``, the
    nearest folder from ``folder`` upwards with a ``papertrack.toml``, the personal library.
    Raises NotFoundError when there is no library, or none at the place that was named.
    """
    named = _named_folder(chosen, environ, folder)
    if named is not None:
        return _library_at(*named)
    for parent in (folder, *folder.parents):
        if (parent / SETTINGS_FILE).is_file():
            return Library(parent)
    personal = personal_folder()
    if (personal / SETTINGS_FILE).is_file():
        return Library(personal)
    raise NotFoundError(
        f"There is no library in {folder} or above it. Make one with `papertrack init`, "
        "or name one with --library DIR."
    )


def folder_for_new(environ: Mapping[str, str], folder: Path) -> Path:
    """Where a library is made that nobody names a place for: where it is then found."""
    named = _named_folder(None, environ, folder)
    return folder if named is None else named[0]


def _named_folder(
    chosen: Path | None, environ: Mapping[str, str], folder: Path
) -> tuple[Path, str] | None:
    """Which folder is named as the library's, and by what, as the beginning of a sentence."""
    if chosen is not None:
        return folder / chosen, "--library names"
    if named := environ.get("PAPERTRACK_LIBRARY"):
        return folder / Path(named).expanduser(), "PAPERTRACK_LIBRARY names"
    return None


def personal_folder() -> Path:
    """Where the personal library is, if there is one: in the platform's data directory."""
    # Costs 19 ms and is needed only by those who work outside any library.
    from platformdirs import user_data_path

    return user_data_path("papertrack", appauthor=False)


def state_folder() -> Path:
    """Return the folder for state that a user's libraries share: the pace of requests to arXiv,
    whose terms count all of them as one client, and which libraries are trusted."""
    from platformdirs import user_state_path

    return user_state_path("papertrack", appauthor=False)


def own_settings_path(environ: Mapping[str, str]) -> Path:
    """The reader's own settings, for all libraries; the file need not be there."""
    # The platform's folder without an import of 20 ms, where the rule is as short as XDG's.
    if sys.platform.startswith("linux"):
        config = environ.get("XDG_CONFIG_HOME", "").strip()
        folder = Path(config) if config else Path.home() / ".config"
        return folder / "papertrack" / SETTINGS_FILE
    from platformdirs import user_config_path

    return user_config_path("papertrack", appauthor=False) / SETTINGS_FILE


def has_database(library: Library) -> bool:
    """Whether a library has more than the place of a database."""
    try:
        return library.database.stat().st_size > 0
    except OSError:
        return False


def is_shared(library: Library) -> bool:
    """Whether the library is shared through git."""
    return library.private.name != "data"


def has_records(root: Path) -> bool:
    """Whether the files in a folder are those of a shared library, such as in a fresh clone."""
    return (root / RECORDS_MARK).is_file() and (root / "papers").is_dir()


def is_of_repository(path: Path) -> bool:
    """Whether a path leads into what git, Mercurial or Jujutsu keep beside the files of a tree, in
    any spelling in which a disk may take it for theirs."""
    from papertrack.text import clean  # Asked where something is written.

    names = {clean(name).casefold() for name in path.parts}
    return not names.isdisjoint((".git", "git~1", ".hg", ".jj"))


def git_folders(folder: Path) -> tuple[Path, Path] | None:
    """The working tree that a folder is in and its git directory; None where it is in none, or in
    one whose git directory another user made, as anybody may in /tmp."""
    for tree in (folder, *folder.parents):
        found = tree / ".git"
        if not (found.exists() and _is_by_owner(found, folder)):
            continue
        if found.is_dir():
            return tree, found
        if found.is_file():  # A worktree, or a submodule.
            said = _read_path(found, "gitdir:")
            return None if said is None else (tree, tree / said)
    return None


def _is_by_owner(found: Path, folder: Path) -> bool:
    """Whether a file is of this user, or of the one whose folder it is."""
    if not hasattr(os, "geteuid"):
        return True
    return found.lstat().st_uid in (os.geteuid(), folder.stat().st_uid)


def _read_path(file: Path, key: str = "") -> str | None:
    """The path that a file of git's holds; None where it holds none."""
    try:
        with file.open("rb") as opened:
            said = opened.read(_LONGEST_PATH).decode().removeprefix(key).strip()
    except (OSError, ValueError):
        return None
    return None if "\0" in said else said


def private_in_git(root: Path) -> Path | None:
    """Where a library in this folder keeps what is private, if it is shared through git: below the
    directory that all worktrees have in common, by worktree and path. None outside of git."""
    root = Path(os.path.realpath(root))
    if (found := git_folders(root)) is None:
        return None
    tree, inside = found
    common = inside / "commondir"
    is_worktree = common.is_file()
    if (shared := _read_path(common) if is_worktree else "") is None:
        return None
    worktree = inside.name if is_worktree else "main"
    place = root.relative_to(tree).as_posix().replace("%", "%25").replace("/", "%2F")
    return Path(os.path.realpath(inside / shared)) / "papertrack" / worktree / f"at-{place}"


def create_library(root: Path) -> tuple[Library, bool]:
    """The library in ``root``, made if it was not there, and whether it was made.

    Files that are in the folder already stay as they are. Raises PapertrackError when the folder
    cannot be written.
    """
    # Only who makes one pays for what writing files needs.
    from papertrack.library.files import create_file, make_folder

    library = Library(root.absolute())
    if library.settings_path.is_file():
        return library, False
    try:
        for folder in (library.database.parent, library.exports, library.notes):
            make_folder(folder)
        # Last, and never over another one: with it the folder becomes a library.
        is_new = create_file(library.settings_path, FIRST_SETTINGS.encode())
    except OSError as error:
        raise PapertrackError(
            f"The library could not be made in {root}: {error.strerror or error}. "
            "Choose a folder that you can write to."
        ) from error
    return library, is_new


def _library_at(root: Path, who: str) -> Library:
    if not (root / SETTINGS_FILE).is_file():
        raise NotFoundError(
            f"{who} {root}, which is not a library: it has no {SETTINGS_FILE}. "
            f"Make one there with `papertrack init {root}`, or name another folder."
        )
    return Library(root.absolute())
