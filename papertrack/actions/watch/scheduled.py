"""What a scheduler of this machine would start for a library's watch, and whether it is there."""

from __future__ import annotations

import plistlib
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from papertrack.actions.watch.install import (
    Machine,
    Scheduler,
    agent_path,
    cron_of,
    installed,
    systemd_folder,
)
from papertrack.actions.watch.schedule import Schedule


def broken_schedules(schedule: Schedule, machine: Machine) -> Iterator[str]:
    """A sentence for each scheduler that starts a program which is not there any more."""
    for scheduler in installed(schedule, machine):
        program = _program(scheduler, schedule, machine)
        if program is not None and shutil.which(program) is None:
            yield (
                f"The watch is installed in {scheduler}, which starts {program}: that program is "
                "not there. `papertrack watch install` installs it anew."
            )


def _program(scheduler: Scheduler, schedule: Schedule, machine: Machine) -> str | None:
    """The program that is started; None where that cannot be told, as on another machine."""
    try:
        match scheduler:
            case "systemd":
                return _of_systemd(systemd_folder(machine) / f"{schedule.name}.service")
            case "cron":
                line = cron_of(schedule, machine)[0]
                return _first_word(line.split(None, 5)[5].replace(r"\%", "%"))
            case "launchd":
                agent = plistlib.loads(agent_path(machine, schedule).read_bytes())
                return str(agent["ProgramArguments"][0])
            case "github":
                return None
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _of_systemd(unit: Path) -> str | None:
    for line in unit.read_text(encoding="utf-8").splitlines():
        name, _, command = line.partition("=")
        if name == "ExecStart":
            return _first_word(command).replace("%%", "%").replace("$$", "$")
    return None


def _first_word(command: str) -> str:
    return shlex.split(command)[0]
