"""A workflow that checks pull requests, for GitHub.

It runs with the least rights, on ``pull_request`` (never ``pull_request_target``), and nothing of a
stranger's is run or put into a script: the pull request is text that is read.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.markdown.check.findings import Level
from papertrack.errors import UsageError
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import find_repository

WORKFLOW = Path(".github/workflows/papertrack-check.yml")
_MARK = re.compile(r"# Written by `papertrack check --install-github` \((?P<digest>[0-9a-f]{16})\)")


@dataclass(frozen=True, slots=True)
class Installation:
    """A workflow to be written."""

    path: Path
    text: str
    is_there: bool
    """Whether the file holds this text already."""

    def carry_out(self) -> None:
        """Write it. Raises PapertrackError when that fails."""
        if not self.is_there:
            write_file(self.path, self.text.encode())


def plan_installation(
    files: Sequence[Path], package: str, fail_on: Level, ignored: Sequence[str]
) -> Installation:
    """Return the workflow that checks these files in their repository.

    ``package`` is what pip installs there. Raises UsageError for files outside of one repository,
    names that no workflow can hold, and where another file has the workflow's name, or the
    workflow was edited by hand.
    """
    root = find_repository(files[0].absolute().parent.resolve())
    if root is None:
        raise UsageError(f"{files[0]} is in no git repository: GitHub cannot check it.")
    names = [_name_in(root, file) for file in files]
    options = [word for kind in ignored for word in ("--ignore", kind)]
    command = ["--format", "github", "--fail-on", fail_on, *options, "--", *names]
    text = _marked(_workflow(shlex.join(command), package))
    path = root / WORKFLOW
    return Installation(path, text, _is_there(path, text))


def _name_in(root: Path, file: Path) -> str:
    resolved = file.absolute().parent.resolve() / file.name
    if not resolved.is_relative_to(root):
        raise UsageError(f"{file} is not in the repository {root}: GitHub cannot check it.")
    name = resolved.relative_to(root).as_posix()
    if not name.isprintable() or "${{" in name:
        raise UsageError(f"{name!r} is no name that a workflow can hold. Rename the file.")
    return name


def _is_there(path: Path, text: str) -> bool:
    """Whether the file holds this text. Raises UsageError when it is somebody else's."""
    if not path.exists():
        return False
    there = read_file(path).decode("utf-8", "replace")
    first, _, rest = there.partition("\n")
    mark = _MARK.match(first)
    if mark is None or mark["digest"] != _digest(rest):
        whose = "was not written by papertrack" if mark is None else "was edited by hand"
        raise UsageError(f"{path} {whose}. Move it away first, or change it by hand.")
    return there == text


def _marked(text: str) -> str:
    mark = f"# Written by `papertrack check --install-github` ({_digest(text)}): run it again"
    return f"{mark} to change it.\n{text}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:16]


def _workflow(options: str, package: str) -> str:
    # The base reaches the shell through the environment: a name is never a part of the script.
    # pip runs outside of the checkout, where no file of a stranger can lead it.
    return f"""\
name: papertrack check
on:
  pull_request: {{}}
permissions:
  contents: read
concurrency:
  group: papertrack-check-${{{{ github.ref }}}}
  cancel-in-progress: true
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    env:
      PAPERTRACK_PACKAGE: {json.dumps(package)}
      BASE: origin/${{{{ github.base_ref }}}}
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - run: pip install "$PAPERTRACK_PACKAGE"
        working-directory: ${{{{ runner.temp }}}}
      - name: Check what is new
        run: |
          papertrack check --base "$BASE" {options}
"""
