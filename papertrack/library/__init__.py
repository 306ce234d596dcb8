"""The library: its folder, how it is found, and the paths of its parts.

Looking for a library creates nothing and is cheap: ``settings`` reads the settings only when they
are needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from papertrack.errors import NotFoundError, PapertrackError

SETTINGS_FILE = "papertrack.toml"
"""The file that makes a folder a library."""
BACKUP_NAME = "%Y-%m-%dT%H%M%SZ"
"""The format of a backup's name, which contains its time."""
PAPERS = "papers"
"""The folder of a shared library's records."""
TABLES = ("categories.toml", "topics.toml", "watch.toml")
"""The files beside it. A folder with the first of them and records belongs to a shared library."""
_MAX_PATH_FILE = 4096
"""The largest of git's files with a path that is read, in bytes."""

FIRST_SETTINGS = """\
# The settings of this papertrack library. Every line is optional: `papertrack config` lists all
# settings with their values, `papertrack config KEY VALUE` changes one and keeps your comments.

# [arxiv]
# contact = "you@example.org"  # arXiv asks programs to say whom to write to

# [reading]
# in_hand = 5  # how many papers you read side by side (`papertrack queue`)
"""


class Library:
    """The paths of a library. ``root`` is absolute, and only ``settings_path`` must exist."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._in_git: Path | None = None

    @property
    def settings_path(self) -> Path:
        return self.root / SETTINGS_FILE

    @property
    def private(self) -> Path:
        """The folder for private data.

        A shared library keeps it in git's own directory, because a pushed tree can contain any
        path.
        """
        # Found once: a command asks a hundred times.
        self._in_git = self._in_git or private_in_git(self.root)
        is_in_git = self._in_git and (self._in_git.is_dir() or has_records(self.root))
        return self._in_git if self._in_git and is_in_git else self.root / "data"

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
        """Paths that papertrack writes itself at any time, where someone may have planted links."""
        private = self.private
        names = ("papertrack.db", "state", "intents", "backups") if private.name == "data" else ()
        return tuple(private / name for name in names)

    def holds_own_files(self) -> bool:
        """Return whether all files that papertrack writes itself are in the library's folder."""
        # Without a link on the way, no path leads out; resolving paths takes longer.
        paths = self.private, *self.own_files
        return not any(map(os.path.islink, paths)) or all(map(self.holds, self.own_files))

    def holds(self, path: Path) -> bool:
        """Return whether a path, after following links, is in the library's or its private folder.

        Files of git in the folder do not count, because their settings can run programs.
        """
        real = Path(os.path.realpath(path))
        places = [self.root, *([self.private] if is_shared(self) else ())]
        return any(
            real.is_relative_to(place) and not is_of_repository(real.relative_to(place))
            for place in map(os.path.realpath, places)
        )

    def keeps(self, path: Path) -> bool:
        """Return whether a path, after following links, is the settings file, private data, or
        hidden in the library's folder: ``.env`` has passwords.

        The spelling of letters does not count, as on some disks.
        """
        real = Path(os.path.realpath(path).casefold())
        inside = str(real).partition(os.path.realpath(self.root).casefold() + os.sep)[2]
        own = map(os.path.realpath, (self.settings_path, self.private))
        is_own = not {*map(str.casefold, own)}.isdisjoint(map(str, (real, *real.parents)))
        return is_own or f"{os.sep}." in os.sep + inside

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
        """The folders with PDFs; a shared library also has one that its users fill."""
        return tuple(dict.fromkeys((self.pdfs, self.root / "pdfs")))

    @property
    def records(self) -> Path:
        """The folder of a shared library's records."""
        return self.root / PAPERS


INTENT = ".intent"
"""The suffix of a file with an intent (see ``library.intents``)."""


def intents_folder(database: Path) -> Path:
    """Return the intents folder of a library with this database."""
    return database.parent / "intents"


def has_pending(folder: Path) -> bool:
    """Return whether a folder may have intents; fast, because every command asks."""
    return any(folder.glob(f"*{INTENT}"))


def find_library(chosen: Path | None, environ: Mapping[str, str], folder: Path) -> Library:
    """Find the library to work on, starting from ``folder``.

    The first of these counts: ``chosen`` (the option ``--library``), ``$PAPERTRACK_LIBRARY``, the
    nearest folder from ``folder`` upwards with a ``papertrack.toml``, the personal library. Raises
    NotFoundError if there is no library, or none in the named folder.
    """
    chosen_folder = _named_folder(chosen, environ, folder)
    if chosen_folder is not None:
        return _library_in(*chosen_folder)
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
    chosen_folder = _named_folder(None, environ, folder)
    return folder if chosen_folder is None else chosen_folder[0]


def _named_folder(
    chosen: Path | None, environ: Mapping[str, str], folder: Path
) -> tuple[Path, str] | None:
    """Return the named folder for the library, and the start of a sentence on who names it."""
    if chosen is not None:
        return folder / chosen, "--library names"
    if value := environ.get("PAPERTRACK_LIBRARY"):
        return folder / Path(value).expanduser(), "PAPERTRACK_LIBRARY names"
    return None


def personal_folder() -> Path:
    """Return the folder of the personal library, in the platform's data directory."""
    # This import takes 19 ms and is needed only outside of libraries.
    from platformdirs import user_data_path

    return user_data_path("papertrack", appauthor=False)


def state_folder() -> Path:
    """Return the folder for state that a user's libraries share.

    It has the time of the last request to arXiv, whose terms count all libraries as one client, and
    the list of trusted libraries.
    """
    from platformdirs import user_state_path

    return user_state_path("papertrack", appauthor=False)


def own_settings_path(environ: Mapping[str, str]) -> Path:
    """Return the path of the user's own settings for all libraries, which may not exist."""
    # On Linux without platformdirs, whose import takes 20 ms.
    if sys.platform.startswith("linux"):
        config = environ.get("XDG_CONFIG_HOME", "").strip()
        folder = Path(config) if config else Path.home() / ".config"
        return folder / "papertrack" / SETTINGS_FILE
    from platformdirs import user_config_path

    return user_config_path("papertrack", appauthor=False) / SETTINGS_FILE


def has_database(library: Library) -> bool:
    """Return whether a library has a database with content."""
    with suppress(OSError):
        return library.database.stat().st_size > 0
    return False


def is_shared(library: Library) -> bool:
    """Return whether the library is shared through git."""
    return library.private.name != "data"


def has_records(root: Path) -> bool:
    """Return whether a folder has the records of a shared library, as a fresh clone does."""
    return (root / TABLES[0]).is_file() and (root / PAPERS).is_dir()


def read_stamps(library: Library) -> dict[str, str]:
    """Map the record files of a shared library to their stamps, also files with invalid names."""
    stamps: dict[str, str] = {}
    folder = library.records
    with suppress(OSError):
        for entry in os.scandir(folder) if not folder.is_symlink() else ():
            if entry.name.endswith(".toml"):
                stamps[f"{PAPERS}/{entry.name}"] = stamp_of(entry.stat(follow_symlinks=False))
    for name in TABLES:
        with suppress(OSError):
            stamps[name] = stamp_of((library.root / name).lstat())
    return stamps


def stamp_of(status: os.stat_result) -> str:
    """Return a text that changes when a file is written or replaced."""
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ino}"


def is_of_repository(path: Path) -> bool:
    """Return whether a path leads into the files of git, Mercurial or Jujutsu.

    This includes spellings that some disks treat as the same.
    """
    from papertrack.text import clean  # Needed only for writing.

    names = {clean(name).casefold() for name in path.parts}
    return not names.isdisjoint((".git", "git~1", ".hg", ".jj"))


def git_folders(folder: Path) -> tuple[Path, Path] | None:
    """Return the working tree that contains a folder, and its git directory; None outside of git.

    A git directory that another user made does not count, because anyone can make one in /tmp.
    """
    for tree in (folder, *folder.parents):
        git_path = tree / ".git"
        if not (git_path.exists() and _is_made_by_owner(git_path, folder)):
            continue
        if git_path.is_dir():
            return tree, git_path
        if git_path.is_file():  # A worktree, or a submodule.
            target = read_path(git_path, "gitdir:")
            return None if target is None else (tree, tree / target)
    return None


def _is_made_by_owner(git_path: Path, folder: Path) -> bool:
    """Return whether a file belongs to this user, or to the owner of the folder."""
    is_windows = not hasattr(os, "geteuid")
    return is_windows or git_path.lstat().st_uid in (os.geteuid(), folder.stat().st_uid)


def read_path(file: Path, key: str = "") -> str | None:
    """Return the path in one of git's files, or None."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            path = opened.read(_MAX_PATH_FILE).decode().removeprefix(key).strip()
    except (OSError, ValueError):
        return None
    return None if "\0" in path else path


def private_in_git(root: Path) -> Path | None:
    """Return where a library that is shared through git keeps private data; None outside of git.

    The folder is below the directory common to all worktrees, by worktree and path.
    """
    root = Path(os.path.realpath(root))
    if (folders := git_folders(root)) is None:
        return None
    tree, git_dir = folders
    common = git_dir / "commondir"
    is_worktree = common.is_file()
    if (common_dir := read_path(common) if is_worktree else "") is None:
        return None
    worktree = git_dir.name if is_worktree else "main"
    place = root.relative_to(tree).as_posix().replace("%", "%25").replace("/", "%2F")
    return Path(os.path.realpath(git_dir / common_dir)) / "papertrack" / worktree / f"at-{place}"


def create_library(root: Path) -> tuple[Library, bool]:
    """Return the library in ``root``, made if necessary, and whether it was made.

    Files that are already in the folder stay unchanged. Raises PapertrackError if the folder cannot
    be written.
    """
    # Only making a library needs this import.
    from papertrack.library.files import create_file, make_folder

    library = Library(root.absolute())
    if library.settings_path.is_file():
        return library, False
    try:
        for folder in (library.database.parent, library.exports, library.notes):
            make_folder(folder)
        # Last, and never replacing a file: it makes the folder a library.
        is_new = create_file(library.settings_path, FIRST_SETTINGS.encode())
    except OSError as error:
        raise PapertrackError(
            f"The library could not be made in {root}: {error.strerror or error}. "
            "Choose a folder that you can write to."
        ) from error
    return library, is_new


def _library_in(root: Path, origin: str) -> Library:
    if not (root / SETTINGS_FILE).is_file():
        raise NotFoundError(
            f"{origin} {root}, which is not a library: it has no {SETTINGS_FILE}. "
            f"Make one there with `papertrack init {root}`, or name another folder."
        )
    return Library(root.absolute())
