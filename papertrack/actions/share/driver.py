"""git's driver that merges lists by entries: each clone has to be told of it, and forges run none.

Nothing rests on it: without it git merges lists line by line, and tears more of them.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from papertrack.actions.git import ask_git, need_git
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import find_repository
from papertrack.library.trust import is_trusted

DRIVER = "merge.papertrack.driver"
ATTRIBUTE = "merge=papertrack"
"""What files have in .gitattributes that are merged so."""
_ADVICE = "Look at `git config --list`, and run this again."


def driver_command() -> str:
    """How git runs the papertrack that is running now."""
    # -P: no program is taken from the repository.
    program = f"{shlex.quote(sys.executable)} -P -m papertrack"
    return f"{program} --quiet merge-file %O %A %B --path %P"


def register_driver(library: Library) -> bool:
    """Tell git of the driver in this clone; return whether that was to be done.

    Of a library that is not trusted git is not run. Raises PapertrackError when git fails.
    """
    folder = _repository(library)
    if folder is None or not is_trusted(library) or _registered(folder) == driver_command():
        return False
    need_git(folder, "config", "merge.papertrack.name", "Lists, by entries", advice=_ADVICE)
    need_git(folder, "config", DRIVER, driver_command(), advice=_ADVICE)
    return True


def lacks_driver(library: Library) -> bool:
    """Whether git merges lists line by line here, though they are to be merged by entries."""
    folder = _repository(library)
    return (
        folder is not None
        and has_lists(library)
        and is_trusted(library)
        and _registered(folder) != driver_command()
    )


def is_clone_with_lists(library: Library) -> bool:
    """Whether a fresh clone has lists that git would merge by entries, if it were told how."""
    return _repository(library) is not None and has_lists(library)


def has_lists(library: Library) -> bool:
    """Whether .gitattributes says of any file that it is merged by entries."""
    path = library.root / ".gitattributes"
    return path.is_file() and ATTRIBUTE in read_file(path).decode("utf-8", "replace")


def _repository(library: Library) -> Path | None:
    return find_repository(library.root.resolve())


def _registered(folder: Path) -> str:
    return ask_git(folder, "config", "--local", "--get", DRIVER).text
