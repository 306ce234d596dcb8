"""Files for GitHub that papertrack writes into a repository, and knows again as its own."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.category_paths import format_path
from papertrack.documents.markdown.check.findings import Level
from papertrack.documents.markdown.model import Document
from papertrack.errors import UsageError
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import find_repository

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


CHECK_WORKFLOW = Path(".github/workflows/papertrack-check.yml")


def plan_check(
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
    text = _check_workflow(shlex.join(command), package)
    return plan_file(root, CHECK_WORKFLOW, text, "check --install-github")


def _check_workflow(options: str, package: str) -> str:
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


PROPOSE_FORM = Path(".github/ISSUE_TEMPLATE/papertrack-propose.yml")
PROPOSE_WORKFLOW = Path(".github/workflows/papertrack-propose.yml")
TITLE = "[paper]"
"""What the titles of such issues start with: by it the workflow knows them."""
UNKNOWN = "I do not know"
MAX_OPTIONS = 100
"""How many sections a form offers; of more, one writes the name."""


def plan_proposals(file: Path, document: Document, package: str) -> tuple[Installation, ...]:
    """Return the form and the workflow for a list in its repository; ``package`` is what pip
    installs there.

    Raises UsageError for a file outside of a repository, a name that no workflow can hold, and
    where other files have these names, or were edited by hand.
    """
    root = find_repository(file.absolute().parent.resolve())
    if root is None:
        raise UsageError(f"{file} is in no git repository: GitHub cannot reach it.")
    name = name_in_repository(root, file)
    command = "propose --install-github"
    sections = [format_path(path) for path in document.categories]
    return (
        plan_file(root, PROPOSE_FORM, _form(name, sections), command),
        plan_file(root, PROPOSE_WORKFLOW, _propose_workflow(name, package), command),
    )


def _form(name: str, sections: Sequence[str]) -> str:
    """Return the form. JSON texts are YAML texts."""

    def text(words: str) -> str:
        return json.dumps(words, ensure_ascii=False)

    options = list(dict.fromkeys((UNKNOWN, *sections)))
    lines = [f"        - {text(option)}" for option in options]
    kind = "dropdown" if 1 < len(options) <= MAX_OPTIONS else "input"
    listed = "\n".join(["      options:", *lines]) + "\n" if kind == "dropdown" else ""
    return f"""\
name: Propose a paper
description: {text(f"Papers that {name} lacks. A pull request is made of your links.")}
title: "{TITLE} "
body:
  - type: textarea
    id: links
    attributes:
      label: Links
      description: arXiv ids, DOIs or addresses, one on each line.
    validations:
      required: true
  - type: {kind}
    id: category
    attributes:
      label: Category
      description: The section that they belong to.
{listed}  - type: textarea
    id: notes
    attributes:
      label: Notes
      description: Why they belong here, for the maintainer.
"""


def _propose_workflow(name: str, package: str) -> str:
    return f"""\
name: papertrack propose
on:
  issues:
    types: [opened, edited]
permissions: {{}}
concurrency:
  group: papertrack-propose-${{{{ github.event.issue.number }}}}
jobs:
  read:
    if: startsWith(github.event.issue.title, '{TITLE}')
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    env:
      PAPERTRACK_PACKAGE: {json.dumps(package)}
      LIST: {json.dumps(name)}
      ISSUE: ${{{{ github.event.issue.body }}}}
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
{INSTALLING}      - name: Write what the issue asks for
        run: |
          mkdir proposal
          code=0
          printf '%s\\n' "$ISSUE" |
            papertrack propose "$LIST" - -o proposal/list --summary proposal/summary.md || code=$?
          # 3, 4, 5: some works were not found, could not be looked up, or are left to you; the
          # summary says which.
          case "$code" in 0 | 3 | 4 | 5) test -f proposal/summary.md ;; *) exit "$code" ;; esac
      - uses: actions/upload-artifact@v4
        with:
          name: proposal
          path: proposal
  write:
    needs: read
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: write
      issues: write
      pull-requests: write
    env:
      GH_TOKEN: ${{{{ github.token }}}}
      LIST: {json.dumps(name)}
      NUMBER: ${{{{ github.event.issue.number }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/download-artifact@v4
        with:
          name: proposal
          path: ${{{{ runner.temp }}}}/proposal
      - name: Open a pull request
        run: |
          summary="$RUNNER_TEMP/proposal/summary.md"
          cat "$RUNNER_TEMP/proposal/list" > "$LIST"
          if git diff --quiet -- "$LIST"; then
            gh issue comment "$NUMBER" --body-file "$summary"
            exit 0
          fi
          printf '\\nCloses #%s\\n' "$NUMBER" >> "$summary"
          branch="papertrack/issue-$NUMBER"
          git config user.name "github-actions[bot]"
          git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
          git switch --create "$branch"
          git commit --message "Add what issue $NUMBER proposes" -- "$LIST"
          git push --force origin "$branch"
          gh pr create --head "$branch" --title "What issue $NUMBER proposes" \\
            --body-file "$summary" || gh pr edit "$branch" --body-file "$summary"
"""


_PASSWORD = "PAPERTRACK_MAIL_PASSWORD"
_WATCH = "papertrack watch --if-due"
_STEPS = f"""\
code=0
papertrack trust "$PAPERTRACK_LIBRARY"
{_WATCH} || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 4 ] && [ "$code" -ne 5 ]; then exit "$code"; fi
papertrack export || code=$?
git config user.name "papertrack"
git config user.email "papertrack@users.noreply.github.com"
git add --all
git diff --cached --quiet || git commit --message "New papers"
git pull --rebase
git push
exit "$code"
"""
_ON = "papertrack share on"
_SHARED_STEPS = f"""\
code=0
papertrack trust "$PAPERTRACK_LIBRARY"
{_ON}
git config user.name "papertrack"
git config user.email "papertrack@users.noreply.github.com"
{_WATCH} || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 4 ] && [ "$code" -ne 5 ]; then exit "$code"; fi
papertrack digest --format md >>"$GITHUB_STEP_SUMMARY" || code=$?
# Others may push meanwhile: it tries three times. 5: something is left to a curator, not to us.
papertrack sync --git || {{ done=$?; [ "$done" -eq 5 ] || exit "$done"; }}
# GitHub runs no schedule of a repository in which nothing happens for sixty days.
if [ -z "$(git log -1 --since="50 days ago" --format=%h)" ]; then
  git commit --quiet --allow-empty --message "Keep the watch running"
  git push --quiet
fi
exit "$code"
"""


def workflow_of(
    times: Sequence[str],
    folder: str,
    package: str,
    *,
    has_mail: bool,
    is_shared: bool,
    documents: Sequence[str] = (),
) -> str:
    """The workflow that runs at these times of cron, in UTC: see ``install.github_workflow``."""
    schedule = "\n".join(f'    - cron: "{fields}"' for fields in times)
    # The password is nobody's to commit: it is a secret of the repository.
    secret = f"      {_PASSWORD}: ${{{{ secrets.{_PASSWORD} }}}}\n" if has_mail else ""
    steps = _SHARED_STEPS if is_shared else _STEPS
    lists = " ".join(f"--document {shlex.quote(name)}" for name in documents)
    steps = steps.replace(_ON, f"{_ON} {lists}" if lists else _ON)
    script = textwrap.indent(steps.replace(_WATCH, _WATCH + " --mail" * has_mail), " " * 10)
    depth = "\n        with:\n          fetch-depth: 0" * is_shared
    return f"""\
name: papertrack watch
on:
  schedule:
{schedule}
  workflow_dispatch: {{}}
permissions:
  contents: write
concurrency:
  group: papertrack-watch
jobs:
  watch:
    runs-on: ubuntu-latest
    timeout-minutes: 45
    env:
      PAPERTRACK_LIBRARY: {json.dumps(folder)}
      PAPERTRACK_PACKAGE: {json.dumps(package)}
{secret}    steps:
      - uses: actions/checkout@v4{depth}
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - run: pip install "$PAPERTRACK_PACKAGE"
      - name: Watch, export and commit
        run: |
{script}"""
