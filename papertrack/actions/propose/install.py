"""An issue form for GitHub, and the workflow that makes a pull request of what is asked in it.

An issue is a stranger's text. It reaches papertrack on stdin, from the environment, and is never a
part of a script. What reads it may read the repository only; another job, which sees nothing but
the edited file and the summary, writes the branch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from papertrack.actions.github import INSTALLING, Installation, name_in_repository, plan_file
from papertrack.category_paths import format_path
from papertrack.documents.markdown.model import Document
from papertrack.errors import UsageError
from papertrack.library.paths import find_repository

FORM = Path(".github/ISSUE_TEMPLATE/papertrack-propose.yml")
WORKFLOW = Path(".github/workflows/papertrack-propose.yml")
TITLE = "[paper]"
"""What the titles of such issues start with: by it the workflow knows them."""
UNKNOWN = "I do not know"
MAX_OPTIONS = 100
"""How many sections a form offers; of more, one writes the name."""


def plan_installation(file: Path, document: Document, package: str) -> tuple[Installation, ...]:
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
        plan_file(root, FORM, _form(name, sections), command),
        plan_file(root, WORKFLOW, _workflow(name, package), command),
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


def _workflow(name: str, package: str) -> str:
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
