"""The library: its folder, how it is found, and the paths of its parts.

Looking for a library creates nothing and is cheap: ``settings`` reads the settings only when they
are needed.
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
"""The file by which the folder of a shared library is recognised, together with its records."""
_LONGEST_PATH = 4096
"""The largest git file with a path that is read, in bytes."""

FIRST_SETTINGS = """\
# The settings of this papertrack library. Every line is optional: `papertrack config` lists all
# settings with their values, `papertrack config KEY VALUE` changes one and keeps your comments.

# [arxiv]
# contact = "you@example.org"  # arXiv asks programs to say whom to write to

# [reading]
# in_hand = 5  # how many papers you read side by side (`papertrack queue`)
"""


class Library(NamedTuple):
    """A library's paths. Only ``settings_path`` has to exist."""

    root: Path
    """An absolute path."""

    @property
    def settings_path(self) -> Path:
        return self.root / SETTINGS_FILE

    @property
    def private(self) -> Path:
        """The folder for private data: in git's own directory once the library is shared, since a
        pushed tree can contain any path beside it."""
        inside = private_in_git(self.root)
        is_inside = inside is not None and (inside.is_dir() or has_records(self.root))
        return inside if inside is not None and is_inside else self.root / "data"

    @property
    def database(self) -> Path:
        return self.private / "papertrack.db"

    @property
    def state_dir(self) -> Path:
        """The folder for locks and time stamps that this library's processes share; disposable."""
        return self.private / "state"

    @property
    def intents(self) -> Path:
        """The folder of changes that are about to be written to files (see ``library.intents``)."""
        return intents_folder(self.database)

    @property
    def backups(self) -> Path:
        """The folder of checked database copies: the newest of each day and week."""
        return self.private / "backups"

    @property
    def own_files(self) -> tuple[Path, ...]:
        """Paths that papertrack writes for itself at any time, where a stranger may have put
        links."""
        return (
            () if is_shared(self) else (self.database, self.state_dir, self.intents, self.backups)
        )

    def holds_own_files(self) -> bool:
        """Return whether all files that papertrack writes for itself are in the library's
        folder."""
        # Without a link on the way nothing leads out; paths are followed only where there is one.
        places = self.private, *self.own_files
        return not any(map(os.path.islink, places)) or all(map(self.holds, self.own_files))

    def holds(self, path: Path) -> bool:
        """Return whether a path is in the library's folder or its private folder, also when
        links are followed. git's own files in the folder do not count: their settings can run
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
        """The folder for fetched PDFs."""
        return (self.private if is_shared(self) else self.root) / "pdfs"

    @property
    def pdf_folders(self) -> tuple[Path, ...]:
        """The folders with PDFs: the one above, and in a shared library also one that its readers
        fill."""
        return (self.pdfs, self.root / "pdfs") if is_shared(self) else (self.pdfs,)

    @property
    def records(self) -> Path:
        """The folder of a shared library's records."""
        return self.root / "papers"


INTENT = ".intent"
"""The suffix of a file with an intent (see ``library.intents``)."""


def intents_folder(database: Path) -> Path:
    """Return the intents folder of a library with this database."""
    return database.parent / "intents"


def has_pending(folder: Path) -> bool:
    """Return whether a folder may contain intents; must be cheap, since every command asks."""
    try:
        return any(place.suffix == INTENT for place in folder.iterdir())
    except OSError:
        return False


def find_library(chosen: Path | None, environ: Mapping[str, str], folder: Path) -> Library:
    """Find the library to work on, starting from ``folder``.

    The first of these counts: ``chosen`` (the option ``--library``), ``$PAPERTRACK_LIBRARY``, the
    nearest folder from ``folder`` upwards with a ``papertrack.toml``, the personal library. Raises
    NotFoundError when there is no library, or none at the named place.
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
    """Return the default folder for a new library, where it will also be found."""
    named = _named_folder(None, environ, folder)
    return folder if named is None else named[0]


def _named_folder(
    chosen: Path | None, environ: Mapping[str, str], folder: Path
) -> tuple[Path, str] | None:
    """Return the folder that is named as the library's, and who names it, as the start of a
    sentence."""
    if chosen is not None:
        return folder / chosen, "--library names"
    if named := environ.get("PAPERTRACK_LIBRARY"):
        return folder / Path(named).expanduser(), "PAPERTRACK_LIBRARY names"
    return None


def personal_folder() -> Path:
    """Return the folder of the personal library, in the platform's data directory."""
    # Costs 19 ms and is needed only by those who work outside any library.
    from platformdirs import user_data_path

    return user_data_path("papertrack", appauthor=False)


def state_folder() -> Path:
    """Return the folder for state that a user's libraries share: the pace of requests to arXiv,
    whose terms count all of them as one client, and the list of trusted libraries."""
    from platformdirs import user_state_path

    return user_state_path("papertrack", appauthor=False)


def own_settings_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the reader's own settings, for all libraries; the file need not exist."""
    # The platform's folder without an import of 20 ms, where the rule is as short as XDG's.
    if sys.platform.startswith("linux"):
        config = environ.get("XDG_CONFIG_HOME", "").strip()
        folder = Path(config) if config else Path.home() / ".config"
        return folder / "papertrack" / SETTINGS_FILE
    from platformdirs import user_config_path

    return user_config_path("papertrack", appauthor=False) / SETTINGS_FILE


def has_database(library: Library) -> bool:
    """Return whether a library has a database, not just a place for one."""
    try:
        return library.database.stat().st_size > 0
    except OSError:
        return False


def is_shared(library: Library) -> bool:
    """Whether the library is shared through git."""
    return library.private.name != "data"


def has_records(root: Path) -> bool:
    """Return whether the files in a folder are those of a shared library, for example in a fresh
    clone."""
    return (root / RECORDS_MARK).is_file() and (root / "papers").is_dir()


def is_of_repository(path: Path) -> bool:
    """Return whether a path leads into what git, Mercurial or Jujutsu keep beside a tree, in any
    spelling that a disk may treat as the same."""
    from papertrack.text import clean  # Asked where something is written.

    names = {clean(name).casefold() for name in path.parts}
    return not names.isdisjoint((".git", "git~1", ".hg", ".jj"))


def git_folders(folder: Path) -> tuple[Path, Path] | None:
    """Return the working tree that contains a folder, and its git directory; None outside of git,
    or if another user made the git directory, as anybody may in /tmp."""
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
    """Return whether a file belongs to this user, or to the owner of the folder."""
    if not hasattr(os, "geteuid"):
        return True
    return found.lstat().st_uid in (os.geteuid(), folder.stat().st_uid)


def _read_path(file: Path, key: str = "") -> str | None:
    """Return the path in one of git's files; None if it contains none."""
    try:
        with file.open("rb") as opened:
            said = opened.read(_LONGEST_PATH).decode().removeprefix(key).strip()
    except (OSError, ValueError):
        return None
    return None if "\0" in said else said


def private_in_git(root: Path) -> Path | None:
    """Return where a library in this folder keeps private data if it is shared through git: below
    the directory common to all worktrees, by worktree and path. None outside of git."""
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
    """Return the library in ``root``, made if necessary, and whether it was made.

    Files that are already in the folder stay as they are. Raises PapertrackError when the folder
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
