"""The workflow by which GitHub runs the watch: its text, and the script that it runs."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Sequence

_PASSWORD = "PAPERTRACK_MAIL_PASSWORD"
_WATCH = "papertrack watch --if-due"
_STEPS = f"""\
code=0
papertrack config --trust "$PAPERTRACK_LIBRARY"
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
papertrack config --trust "$PAPERTRACK_LIBRARY"
{_ON}
git config user.name "papertrack"
git config user.email "papertrack@users.noreply.github.com"
{_WATCH} || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 4 ] && [ "$code" -ne 5 ]; then exit "$code"; fi
papertrack watch --no-look --digest md >>"$GITHUB_STEP_SUMMARY" || code=$?
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
