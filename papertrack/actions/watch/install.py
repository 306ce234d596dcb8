"""Putting the nightly watch into the machine's scheduler, and taking it out again."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Literal, get_args

from papertrack.actions.github import path_in_repository
from papertrack.actions.watch.schedule import (
    Schedule,
    check_package,
    cron_lines,
    cron_mark,
    github_workflow,
    launchd_agent,
    systemd_units,
)
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, is_shared
from papertrack.library.files import remove_file, write_file
from papertrack.library.paths import find_repository

Scheduler = Literal["systemd", "cron", "launchd", "github"]
SCHEDULERS: tuple[Scheduler, ...] = get_args(Scheduler)
COMMAND_SECONDS = 30
WORKFLOW = Path(".github/workflows/papertrack-watch.yml")

Run = Callable[[Sequence[str], str], str]
"""Runs a program with a text on its stdin and returns its stdout. Raises PapertrackError."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the installation depends on: given by the caller, so that a test can give its own."""

    home: Path
    zone: tzinfo
    user_id: int
    run: Run
    package: str | None = None
    """What pip installs papertrack from on other machines; None when it is from no such place."""


@dataclass(slots=True)
class Change:
    """What an installation, or its removal, does: to be shown first, then done by ``carry_out``."""

    files: dict[Path, bytes] = field(default_factory=dict)
    removed: list[Path] = field(default_factory=list)
    crontab: str | None = None
    """The whole new crontab; None leaves it alone."""
    before: list[tuple[str, ...]] = field(default_factory=list)
    """Commands to run before files are removed."""
    after: list[tuple[str, ...]] = field(default_factory=list)
    """Commands to run after files are written or removed."""

    @property
    def is_empty(self) -> bool:
        return not (self.files or self.removed or self.crontab is not None)


def plan_install(scheduler: Scheduler, schedule: Schedule, machine: Machine) -> Change:
    """What to write so that the watch runs by itself. Raises UsageError where that cannot be."""
    if not str(schedule.library).isprintable():
        raise UsageError("The library's path has a line break or the like: no scheduler takes it.")
    match scheduler:
        case "systemd":
            units = systemd_units(schedule)
            reload = ("systemctl", "--user", "daemon-reload")
            enable = ("systemctl", "--user", "enable", "--now", f"{schedule.name}.timer")
            folder = systemd_folder(machine)
            files = {folder / name: text.encode() for name, text in units.items()}
            return Change(files=files, after=[reload, enable])
        case "cron":
            lines = _other_lines(machine, schedule)
            lines += cron_lines(schedule, machine.zone)
            return Change(crontab="\n".join(lines) + "\n")
        case "launchd":
            path = agent_path(machine, schedule)
            load = ("launchctl", "bootstrap", f"gui/{machine.user_id}", str(path))
            return Change(files={path: launchd_agent(schedule, machine.zone)}, after=[load])
        case "github":
            root = _repository(schedule.library)
            folder_in_it = schedule.library.relative_to(root).as_posix()
            package = check_package(machine.package)
            text = github_workflow(
                schedule, folder_in_it, package, is_shared=is_shared(Library(schedule.library))
            )
            return Change(files={path_in_repository(root, WORKFLOW): text.encode()})


def plan_uninstall(schedule: Schedule, machine: Machine) -> Change:
    """What to take out so that nothing runs by itself any more, wherever it was installed."""
    found = installed(schedule, machine)
    change = Change()
    if "systemd" in found:
        change.removed += [systemd_folder(machine) / name for name in systemd_units(schedule)]
        change.before.append(("systemctl", "--user", "disable", "--now", f"{schedule.name}.timer"))
        change.after.append(("systemctl", "--user", "daemon-reload"))
    if "launchd" in found:
        change.removed.append(agent_path(machine, schedule))
        change.before.append(("launchctl", "bootout", f"gui/{machine.user_id}/{schedule.name}"))
    if "github" in found:
        change.removed.append(path_in_repository(_repository(schedule.library), WORKFLOW))
    if "cron" in found:
        change.crontab = "".join(f"{line}\n" for line in _other_lines(machine, schedule))
    return change


def installed(schedule: Schedule, machine: Machine) -> dict[Scheduler, str]:
    """Where the watch of this library is installed, with when it runs there."""
    agent = agent_path(machine, schedule)
    found: dict[Scheduler, str | None] = {
        "systemd": _timer_time(schedule, machine),
        "cron": _cron_time(schedule, machine),
        "launchd": str(agent) if agent.is_file() else None,
        "github": _workflow_time(schedule),
    }
    return {scheduler: when for scheduler, when in found.items() if when is not None}


def _timer_time(schedule: Schedule, machine: Machine) -> str | None:
    timer = systemd_folder(machine) / f"{schedule.name}.timer"
    if not timer.is_file():
        return None
    when = re.search(r"(?m)^OnCalendar=(.+)$", timer.read_text(encoding="utf-8"))
    return when[1] if when else "?"


def _cron_time(schedule: Schedule, machine: Machine) -> str | None:
    with suppress(PapertrackError):  # A machine without cron has no line in it.
        ours = cron_of(schedule, machine)
        return "; ".join(" ".join(line.split()[:5]) for line in ours) or None
    return None


def cron_of(schedule: Schedule, machine: Machine) -> list[str]:
    """The lines of the crontab that are a library's. Raises PapertrackError without cron."""
    return [line for line in _crontab(machine) if line.endswith(cron_mark(schedule))]


def _workflow_time(schedule: Schedule) -> str | None:
    root = find_repository(schedule.library)
    if root is None or not (root / WORKFLOW).is_file():
        return None
    text = (root / WORKFLOW).read_text(encoding="utf-8")
    folder = schedule.library.relative_to(root).as_posix()
    if f"PAPERTRACK_LIBRARY: {json.dumps(folder)}\n" not in text:
        return None
    times = re.findall(r'cron: "([^"]+)"', text)
    return f"{'; '.join(times)} UTC" if times else "?"


def carry_out(change: Change, machine: Machine) -> None:
    """Do it.

    Raises PapertrackError when a file cannot be written or a command fails. A removal is then
    done all the same, as far as it can be; of an installation nothing stays.
    """
    replaced = {path: path.read_bytes() if path.is_file() else None for path in change.files}
    failures = [*_run_all(change.before, machine)]
    for path in change.removed:
        remove_file(path)
    for path, content in change.files.items():
        write_file(path, content)
    if change.crontab is not None:
        failures += _run_all([("crontab", "-")], machine, change.crontab)
    if not (change.files and failures):
        failures += _run_all(change.after, machine, until_failure=bool(change.files))
    if failures:
        for path, old in replaced.items():
            if old is None:
                remove_file(path)
            else:
                write_file(path, old)
        rest = "The rest was done." if change.removed else "Nothing was changed."
        raise PapertrackError(f"{failures[0]} {rest}")


def _run_all(
    commands: Iterable[tuple[str, ...]],
    machine: Machine,
    stdin: str = "",
    *,
    until_failure: bool = False,
) -> list[PapertrackError]:
    """Run these commands; return what went wrong."""
    failures = []
    for command in commands:
        try:
            machine.run(command, stdin)
        except PapertrackError as error:
            failures.append(error)
            if until_failure:
                break
    return failures


def ends_with_session(scheduler: Scheduler, machine: Machine) -> bool:
    """Whether what was installed runs only while the user is logged in. See loginctl(1).

    A user's timers stop at logout unless the user lingers. Unknown counts as no.
    """
    if scheduler != "systemd":
        return False
    command = ("loginctl", "show-user", str(machine.user_id), "--property=Linger", "--value")
    try:
        return machine.run(command, "").strip() == "no"
    except PapertrackError:
        return False


def run_program(command: Sequence[str], stdin: str) -> str:
    """The stdout of a program. Raises PapertrackError, with what to do by hand, if it fails."""
    try:
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=True,
        )
    except FileNotFoundError:
        raise PapertrackError(
            f"This machine has no `{command[0]}`. Choose another scheduler."
        ) from None
    except subprocess.SubprocessError as error:
        said = str(getattr(error, "stderr", "") or error).strip()[:200]
        raise PapertrackError(
            f"`{' '.join(command)}` failed: {said}. Run it by hand to see why."
        ) from None
    return done.stdout


def systemd_folder(machine: Machine) -> Path:
    """Where a user's units are."""
    return machine.home / ".config" / "systemd" / "user"


def agent_path(machine: Machine, schedule: Schedule) -> Path:
    """Where launchd's agent of a library is."""
    return machine.home / "Library" / "LaunchAgents" / f"{schedule.name}.plist"


def _crontab(machine: Machine) -> list[str]:
    try:
        return machine.run(("crontab", "-l"), "").splitlines()
    except PapertrackError as error:
        # Any other failure must not end in a crontab that has our line alone.
        if "no crontab for" in str(error):
            return []
        raise


def _other_lines(machine: Machine, schedule: Schedule) -> list[str]:
    return [line for line in _crontab(machine) if not line.endswith(cron_mark(schedule))]


def _repository(library: Path) -> Path:
    root = find_repository(library)
    if root is None:
        raise UsageError(
            f"{library} is in no git repository, so that GitHub cannot run its watch. "
            "Run `git init` there and push it, or choose another scheduler."
        )
    return root
