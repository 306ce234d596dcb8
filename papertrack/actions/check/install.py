"""A workflow that checks pull requests, for GitHub.

It runs with the least rights, on ``pull_request`` (never ``pull_request_target``), and nothing of a
stranger's is run or put into a script: the pull request is text that is read.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from papertrack.actions.github import INSTALLING, Installation, name_in_repository, plan_file
from papertrack.documents.markdown.check.findings import Level
from papertrack.errors import UsageError
from papertrack.library.paths import find_repository

WORKFLOW = Path(".github/workflows/papertrack-check.yml")


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
    names = [name_in_repository(root, file) for file in files]
    options = [word for kind in ignored for word in ("--ignore", kind)]
    command = ["--format", "github", "--fail-on", fail_on, *options, "--", *names]
    text = _workflow(shlex.join(command), package)
    return plan_file(root, WORKFLOW, text, "check --install-github")


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
{INSTALLING}      - name: Check what is new
        run: |
          papertrack check --base "$BASE" {options}
"""
