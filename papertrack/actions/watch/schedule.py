"""When the watch runs by itself, written for systemd, cron, launchd and GitHub Actions. Pure.

The time is a random minute after the feeds are made (00:00 US Eastern) and away from the busy
hours: arXiv asks programs to spread, and to stay away from 20:00, when it announces.
"""

from __future__ import annotations

import hashlib
import json
import plistlib
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path

from papertrack.actions.watch.calendar import EASTERN
from papertrack.text import to_ascii

PACKAGE = "papertrack-cli"
FIRST_MINUTE = 90
"""01:30 Eastern."""
LAST_MINUTE = 6 * 60
"""06:00 Eastern."""
MONDAY = date(2026, 11, 16)
"""Any Monday: where the week begins when a time is converted."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What runs when."""

    library: Path
    command: tuple[str, ...]
    """The program and its arguments, each absolute where it is a path."""
    at: time
    """Monday to Friday, US Eastern."""

    @property
    def name(self) -> str:
        """A name for files and units, one for each library: ``papertrack-watch-x-1a2b3c4d``."""
        slug = re.sub(r"[^a-z0-9]+", "-", to_ascii(self.library.name)).strip("-")[:30] or "library"
        digest = hashlib.sha256(str(self.library).encode()).hexdigest()[:8]
        return f"papertrack-watch-{slug}-{digest}"


def pick_time(chance: Callable[[], float]) -> time:
    """A minute from 01:30 to 06:00; ``chance`` gives a number from 0 to below 1."""
    minute = FIRST_MINUTE + int(chance() * (LAST_MINUTE - FIRST_MINUTE + 1))
    return time(minute // 60, minute % 60)


def systemd_units(schedule: Schedule) -> dict[str, str]:
    """The files of a user unit: a service, and the timer that starts it. See systemd.timer(5)."""
    command = " ".join(map(_systemd_quoted, schedule.command))
    service = f"""\
[Unit]
Description=papertrack: see what arXiv announced
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart={command}
Nice=10
"""
    timer = f"""\
[Unit]
Description=papertrack: the nightly watch

[Timer]
OnCalendar=Mon..Fri *-*-* {schedule.at:%H:%M}:00 {EASTERN.key}
Persistent=true

[Install]
WantedBy=timers.target
"""
    return {f"{schedule.name}.service": service, f"{schedule.name}.timer": timer}


def cron_line(schedule: Schedule, zone: tzinfo) -> str:
    """One line of a crontab, in local time: cron knows no other. See crontab(5)."""
    when, shift = _local(schedule.at, zone)
    days = ",".join(str((day + shift) % 7) for day in range(1, 6))
    # In a crontab a bare % ends the command.
    command = shlex.join(schedule.command).replace("%", r"\%")
    return f"{when.minute} {when.hour} * * {days} {command} {cron_mark(schedule)}"


def cron_mark(schedule: Schedule) -> str:
    """The comment by which the line is found again."""
    return f"# {schedule.name}"


def launchd_agent(schedule: Schedule, zone: tzinfo) -> bytes:
    """A property list for ``~/Library/LaunchAgents``, in local time. See launchd.plist(5)."""
    when, shift = _local(schedule.at, zone)
    return plistlib.dumps(
        {
            "Label": schedule.name,
            "ProgramArguments": list(schedule.command),
            "StartCalendarInterval": [
                {"Weekday": (day + shift) % 7, "Hour": when.hour, "Minute": when.minute}
                for day in range(1, 6)
            ],
            "ProcessType": "Background",
        }
    )


def github_workflow(schedule: Schedule, folder: str, package: str) -> str:
    """A workflow that watches, exports and commits. ``folder`` is the library in the repository.

    ``package`` is what pip installs there: see ``requirement_of``.
    A partial night (exit codes 4 and 5) and a failed export are committed and then shown as a
    failed run. READMEs may lie outside of the library: all of the repository is committed.
    """
    when, shift = _local(schedule.at, UTC)
    days = ",".join(str((day + shift) % 7) for day in range(1, 6))
    return f"""\
name: papertrack watch
on:
  schedule:
    - cron: "{when.minute} {when.hour} * * {days}"
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
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - run: pip install "$PAPERTRACK_PACKAGE"
      - name: Watch, export and commit
        run: |
          code=0
          papertrack watch || code=$?
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


def requirement_of(origin: str | None, version: str) -> str | None:
    """What makes pip install elsewhere the papertrack that is installed here; None if nothing can.

    ``origin`` is the text of ``direct_url.json``, which pip leaves of all but what comes from the
    package index (https://packaging.python.org/en/latest/specifications/direct-url/).
    """
    if origin is None:
        return f"{PACKAGE}=={version}"
    known = json.loads(origin)
    url = str(known.get("url", ""))
    if not url.startswith("https://"):
        return None  # A folder or a file of this machine, or a server that asks for a key.
    repository = known.get("vcs_info")
    if repository is None:
        return f"{PACKAGE} @ {url}"
    return f"{PACKAGE} @ {repository['vcs']}+{url}@{repository['commit_id']}"


def _local(at: time, zone: tzinfo) -> tuple[time, int]:
    """An Eastern time in another zone, and by how many days the weekdays shift there.

    The offsets are those of winter. Where there is no summer time, or where it begins on other
    days than in New York, it is then an hour later there, which the hours chosen allow for.
    """
    local = datetime.combine(MONDAY, at, EASTERN).astimezone(zone)
    return local.time(), (local.date() - MONDAY) // timedelta(days=1)


def _systemd_quoted(word: str) -> str:
    """A word of ExecStart= as systemd reads it back (systemd.service(5), "Command lines")."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
