"""When the nightly watch runs, in the words of each scheduler.

The time is a random minute after the feeds are made (00:00 US Eastern) and away from the busy
hours: arXiv asks programs to spread, and to stay away from 20:00, when it announces. Pure: what
becomes of the words is for ``install``.
"""

from __future__ import annotations

import hashlib
import json
import os
import plistlib
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path

from papertrack.actions.watch.calendar import EASTERN
from papertrack.actions.watch.workflow import workflow_of
from papertrack.errors import UsageError
from papertrack.text import to_ascii

PACKAGE = "papertrack-cli"
FIRST_MINUTE = 90
"""01:30 Eastern."""
LAST_MINUTE = 6 * 60
"""06:00 Eastern."""
RETRY_HOURS = 6
"""How many times it runs again, hour by hour: ``watch --if-due`` asks nobody once all is known."""
MONDAY = date(2026, 11, 16)
"""Any Monday: where the week begins when a time is converted."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What runs when."""

    library: Path
    command: tuple[str, ...]
    """The program and its arguments, each absolute where it is a path."""
    at: time
    """Monday to Friday, US Eastern; then hourly, on the same day."""
    documents: tuple[str, ...] = ()
    """The lists that a workflow keeps in step, in a library that is shared."""

    @property
    def hours(self) -> range:
        """The hours, US Eastern, at whose minute it runs."""
        return range(self.at.hour, min(self.at.hour + RETRY_HOURS, 23) + 1)

    @property
    def name(self) -> str:
        """A name for files and units, one for each library: ``papertrack-watch-x-1a2b3c4d``."""
        slug = re.sub(r"[^a-z0-9]+", "-", to_ascii(self.library.name)).strip("-")[:30] or "library"
        digest = hashlib.sha256(os.fsencode(self.library)).hexdigest()[:8]
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
    hours = f"{schedule.hours[0]:02}..{schedule.hours[-1]:02}"
    timer = f"""\
[Unit]
Description=papertrack: the nightly watch

[Timer]
OnCalendar=Mon..Fri *-*-* {hours}:{schedule.at:%M}:00 {EASTERN.key}
Persistent=true

[Install]
WantedBy=timers.target
"""
    return {f"{schedule.name}.service": service, f"{schedule.name}.timer": timer}


def cron_lines(schedule: Schedule, zone: tzinfo) -> list[str]:
    """Lines of a crontab, in local time: cron knows no other. See crontab(5)."""
    # In a crontab a bare % ends the command.
    command = shlex.join(schedule.command).replace("%", r"\%")
    times = _cron_fields(schedule, zone)
    return [f"{fields} {command} {cron_mark(schedule)}" for fields in times]


def _cron_fields(schedule: Schedule, zone: tzinfo) -> list[str]:
    """When it runs: two times where midnight comes in between."""
    hours: dict[tuple[int, ...], list[int]] = {}
    for when, days in _local(schedule, zone):
        hours.setdefault(tuple(days), []).append(when.hour)
    minute = _local(schedule, zone)[0][0].minute
    return [
        f"{minute} {','.join(map(str, these))} * * {','.join(map(str, days))}"
        for days, these in hours.items()
    ]


def cron_mark(schedule: Schedule) -> str:
    """The comment by which the lines are found again."""
    return f"# {schedule.name}"


def launchd_agent(schedule: Schedule, zone: tzinfo) -> bytes:
    """A property list for ``~/Library/LaunchAgents``, in local time. See launchd.plist(5)."""
    return plistlib.dumps(
        {
            "Label": schedule.name,
            "ProgramArguments": list(schedule.command),
            "StartCalendarInterval": [
                {"Weekday": day, "Hour": when.hour, "Minute": when.minute}
                for when, days in _local(schedule, zone)
                for day in days
            ],
            "ProcessType": "Background",
        }
    )


def github_workflow(
    schedule: Schedule, folder: str, package: str, *, is_shared: bool = False
) -> str:
    """A workflow that watches, exports and commits. ``folder`` is the library in the repository.

    ``package`` is what pip installs there: see ``requirement_of``.
    A partial night (exit codes 4 and 5) and a failed export are committed and then shown as a
    failed run. READMEs may lie outside of the library: all of the repository is committed. Of a
    library that is shared no database is: the runner makes one from the logs, and adds to its own.
    """
    return workflow_of(
        list(_cron_fields(schedule, UTC)),
        folder,
        package,
        has_mail="--mail" in schedule.command,
        is_shared=is_shared,
        documents=schedule.documents,
    )


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


def check_package(package: str | None) -> str:
    """What pip installs elsewhere, if it can. Raises UsageError where it cannot."""
    if package is None:
        raise UsageError(
            "The papertrack of this machine is from a place that GitHub cannot see, like a folder. "
            "Say where pip finds it: --package git+https://github.com/YOU/papertrack"
        )
    if not package.isprintable() or package.startswith("-") or "${{" in package:
        raise UsageError("--package takes what `pip install` takes: a name or an address.")
    return package


def _local(schedule: Schedule, zone: tzinfo) -> list[tuple[time, list[int]]]:
    """The times of one day in another zone, each with which weekdays Monday to Friday are there.

    The offsets are those of winter. Where there is no summer time, or where it begins on other
    days than in New York, it is then an hour later there, which the hours chosen allow for.
    """
    found = []
    for hour in schedule.hours:
        at = schedule.at.replace(hour=hour)
        local = datetime.combine(MONDAY, at, EASTERN).astimezone(zone)
        shift = (local.date() - MONDAY).days
        found.append((local.time(), [(day + shift) % 7 for day in range(1, 6)]))
    return found


def _systemd_quoted(word: str) -> str:
    """A word of ExecStart= as systemd reads it back (systemd.service(5), "Command lines")."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
