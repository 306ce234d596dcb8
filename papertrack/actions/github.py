"""Files for GitHub that papertrack writes into a repository, and knows again as its own."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from papertrack.errors import UsageError
from papertrack.library.files import read_file, write_file

INSTALLING = """\
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - run: pip install "$PAPERTRACK_PACKAGE"
        working-directory: ${{ runner.temp }}
"""
"""The steps by which a workflow gets papertrack, beside what it has checked out and not in it."""
_MARK = re.compile(r"# Written by `papertrack (?P<command>[^`]+)` \((?P<digest>[0-9a-f]{16})\)")


@dataclass(frozen=True, slots=True)
class Installation:
    """A file to be written."""

    path: Path
    text: str
    is_there: bool
    """Whether the file holds this text already."""

    def carry_out(self) -> None:
        """Write it. Raises PapertrackError when that fails."""
        if not self.is_there:
            write_file(self.path, self.text.encode())


def path_in_repository(root: Path, name: Path) -> Path:
    """Return where a file of this name stands in a repository. Raises UsageError where a link on
    the way leads out of it: a stranger's may, to have another file written."""
    path = root / name
    if not (real := path.resolve()).is_relative_to(root.resolve()):
        raise UsageError(f"{path} leads out of the repository, to {real}. Nothing was written.")
    return path


def plan_file(root: Path, name: Path, text: str, command: str) -> Installation:
    """Return how a file of a repository is written that a command makes, marked as that.

    Raises UsageError where another file has its name, it was edited by hand, or it would lie
    outside of the repository.
    """
    path = path_in_repository(root, name)
    marked = _marked(text, command)
    return Installation(path, marked, _is_there(path, marked, command))


def name_in_repository(root: Path, file: Path) -> str:
    """Return a file's name in its repository. Raises UsageError for one that is not in it, or
    whose name no workflow can hold."""
    resolved = file.absolute().parent.resolve() / file.name
    if not resolved.is_relative_to(root):
        raise UsageError(f"{file} is not in the repository {root}: GitHub cannot reach it.")
    name = resolved.relative_to(root).as_posix()
    if not name.isprintable() or "${{" in name:
        raise UsageError(f"{name!r} is no name that a workflow can hold. Rename the file.")
    return name


def _is_there(path: Path, text: str, command: str) -> bool:
    """Whether the file holds this text. Raises UsageError when it is somebody else's."""
    if not path.exists():
        return False
    there = read_file(path).decode("utf-8", "replace")
    first, _, rest = there.partition("\n")
    mark = _MARK.match(first)
    if mark is None or mark["command"] != command or mark["digest"] != _digest(rest):
        whose = "was not written by papertrack" if mark is None else "was edited by hand"
        raise UsageError(f"{path} {whose}. Move it away first, or change it by hand.")
    return there == text


def _marked(text: str, command: str) -> str:
    mark = f"# Written by `papertrack {command}` ({_digest(text)}): run it again"
    return f"{mark} to change it.\n{text}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:16]
