"""The nightly watch in the machine's scheduler: when it runs, and how to install and remove it.

The time is a random minute after the feeds are made (00:00 US Eastern) and away from the busy
hours: arXiv asks programs to spread their requests, and to avoid 20:00, when it announces.
"""

from __future__ import annotations

import hashlib
import json
import os
import plistlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal, get_args

from papertrack import __version__
from papertrack.actions.lists.git import check_name, fill, path_in_repository, plan_file
from papertrack.actions.watch.calendar import EASTERN
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, is_shared
from papertrack.library.files import read_file, remove_file, write_file
from papertrack.library.paths import find_repository
from papertrack.library.trust import FEED_HOSTS
from papertrack.text import group, to_ascii

Scheduler = Literal["systemd", "cron", "launchd", "github"]
SCHEDULERS: tuple[Scheduler, ...] = get_args(Scheduler)
PACKAGE = "papertrack-cli"
FIRST_MINUTE = 90
"""01:30 Eastern."""
LAST_MINUTE = 6 * 60
"""06:00 Eastern."""
RETRY_HOURS = 6
"""How many times it runs again, hourly; ``watch --if-due`` sends no request if all is known."""
MONDAY = date(2026, 11, 16)
"""Any Monday: where the week begins when a time is converted."""
COMMAND_SECONDS = 30
WORKFLOW = Path(".github/workflows/papertrack-watch.yml")
_PASSWORD = "PAPERTRACK_MAIL_PASSWORD"


@dataclass(frozen=True, slots=True)
class Schedule:
    """A schedule of the watch."""

    library: Path
    command: tuple[str, ...]
    """The program and its arguments, each absolute where it is a path."""
    at: time
    """Monday to Friday, US Eastern; then hourly, on the same day."""
    documents: tuple[str, ...] = ()
    """The documents that a workflow updates, in a shared library."""
    has_site: bool = False
    """Whether a workflow publishes the library as a page."""
    feed_hosts: tuple[str, ...] = ()
    """The hosts of feeds that a workflow may contact: those accepted on this machine."""

    @property
    def hours(self) -> range:
        """Return the hours, US Eastern, at whose minute it runs."""
        return range(self.at.hour, min(self.at.hour + RETRY_HOURS, 23) + 1)

    @property
    def name(self) -> str:
        """Return a name for files and units, one for each library:
        ``papertrack-watch-x-1a2b3c4d``."""
        slug = re.sub(r"[^a-z0-9]+", "-", to_ascii(self.library.name)).strip("-")[:30] or "library"
        digest = hashlib.sha256(os.fsencode(self.library)).hexdigest()[:8]
        return f"papertrack-watch-{slug}-{digest}"

    def in_zone(self, zone: tzinfo) -> list[tuple[time, list[int]]]:
        """Return the times of one day in another time zone, with the weekdays that Monday to
        Friday become.

        The offsets are those of winter. In a zone without summer time, or with other dates than
        New York, it then runs an hour later, for which the chosen hours leave room.
        """
        times = []
        for hour in self.hours:
            local = datetime.combine(MONDAY, self.at.replace(hour=hour), EASTERN).astimezone(zone)
            shift = (local.date() - MONDAY).days
            times.append((local.time(), [(day + shift) % 7 for day in range(1, 6)]))
        return times

    def cron_fields(self, zone: tzinfo) -> list[str]:
        """Return when cron runs it: two times if midnight is in between."""
        times = self.in_zone(zone)
        hours = group((",".join(map(str, days)), str(when.hour)) for when, days in times)
        return [f"{times[0][0].minute} {','.join(at)} * * {days}" for days, at in hours.items()]


def pick_time(chance: Callable[[], float]) -> time:
    """Return a minute from 01:30 to 06:00; ``chance`` gives a number from 0 to below 1."""
    minute = FIRST_MINUTE + int(chance() * (LAST_MINUTE - FIRST_MINUTE + 1))
    return time(minute // 60, minute % 60)


def systemd_units(schedule: Schedule) -> dict[str, str]:
    """Return the files of a user unit: a service, and the timer that starts it. See
    systemd.timer(5)."""
    escapes = str.maketrans({"\\": r"\\", '"': r"\"", "%": "%%", "$": "$$"})
    hours = f"{schedule.hours[0]:02}..{schedule.hours[-1]:02}"
    # Each word as systemd reads it back (systemd.service(5), "Command lines").
    command = " ".join(f'"{word.translate(escapes)}"' for word in schedule.command)
    return {
        f"{schedule.name}.service": fill("watch.service", command=command),
        f"{schedule.name}.timer": fill(
            "watch.timer", hours=hours, minute=f"{schedule.at:%M}", zone=EASTERN.key
        ),
    }


def cron_lines(schedule: Schedule, zone: tzinfo) -> list[str]:
    """Return lines of a crontab, in local time, the only one that cron knows. See crontab(5)."""
    # In a crontab a bare % ends the command.
    command = shlex.join(schedule.command).replace("%", r"\%")
    return [f"{fields} {command} # {schedule.name}" for fields in schedule.cron_fields(zone)]


def launchd_agent(schedule: Schedule, zone: tzinfo) -> bytes:
    """Return a property list for ``~/Library/LaunchAgents``, in local time. See
    launchd.plist(5)."""
    return plistlib.dumps(
        {
            "Label": schedule.name,
            "ProgramArguments": list(schedule.command),
            "StartCalendarInterval": [
                {"Weekday": day, "Hour": when.hour, "Minute": when.minute}
                for when, days in schedule.in_zone(zone)
                for day in days
            ],
            "ProcessType": "Background",
        }
    )


def github_workflow(
    schedule: Schedule, folder: str, package: str, *, is_shared: bool = False
) -> str:
    """Return a workflow that watches, exports and commits.

    ``folder`` is the library in the repository; ``package`` is what pip installs there (see
    ``requirement_of``). A partial night (exit codes 4 and 5) and a failed export are committed, and
    then the run fails visibly. The whole repository is committed, because READMEs may lie outside
    of the library. The database of a shared library is not committed: the runner rebuilds it from
    the records.
    """
    has_mail, hosts = "--mail" in schedule.command, schedule.feed_hosts
    times = (f'    - cron: "{fields}"\n' for fields in schedule.cron_fields(UTC))
    return fill(
        "watch_shared.yml" if is_shared else "watch.yml",
        times="".join(times),
        folder=json.dumps(check_name(folder)),
        package=json.dumps(package),
        # The password is nobody's to commit: it is a secret of the repository.
        secret=(f"      {_PASSWORD}: ${{{{ secrets.{_PASSWORD} }}}}\n" if has_mail else "")
        + (f"      {FEED_HOSTS}: {json.dumps(check_name(' '.join(hosts)))}\n" if hosts else ""),
        mail=" --mail" if has_mail else "",
        documents="".join(
            f" --document {shlex.quote(check_name(name))}" for name in schedule.documents
        ),
        # What GitHub Pages asks of a workflow that deploys to it.
        pages="  pages: write\n  id-token: write\n" if schedule.has_site else "",
        environment="    environment: github-pages\n" if schedule.has_site else "",
        site=fill("site.yml") if schedule.has_site else "",
    )


def requirement_of(origin: str | None, version: str) -> str | None:
    """Return the pip requirement that installs the same papertrack elsewhere; None if there is
    none.

    ``origin`` is the text of ``direct_url.json``, which pip writes for everything that is not
    from the package index (https://packaging.python.org/en/latest/specifications/direct-url/).
    """
    if origin is None:
        return f"{PACKAGE}=={version}"
    install = json.loads(origin)
    url = str(install.get("url", ""))
    if not url.startswith("https://"):
        return None  # A folder or a file of this machine, or a server that asks for a key.
    repository = install.get("vcs_info")
    if repository is None:
        return f"{PACKAGE} @ {url}"
    return f"{PACKAGE} @ {repository['vcs']}+{url}@{repository['commit_id']}"


def own_package() -> str | None:
    """Return where pip installed this papertrack from, if another machine can reach that place."""
    try:
        origin = distribution(PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None  # Run from its sources.
    return requirement_of(origin, __version__)


def check_package(package: str | None) -> str:
    """Return what pip can install elsewhere. Raises UsageError if there is nothing."""
    if package is None:
        raise UsageError(
            "papertrack was installed here from a place that GitHub cannot reach. Name "
            "what pip should install: --package git+https://github.com/YOU/papertrack"
        )
    if package.startswith("-"):
        raise UsageError("--package takes what `pip install` takes: a name or an address.")
    return check_name(package)


@dataclass(frozen=True, slots=True)
class Machine:
    """The system on which the watch is installed, so that tests can replace it."""

    home: Path
    zone: tzinfo
    user_id: int
    run: Callable[[Sequence[str], str], str]
    """Runs a program with a text on its stdin and returns its stdout. Raises PapertrackError."""
    package: str | None = None
    """The name or address from which pip installs papertrack elsewhere; None if there is none."""

    @property
    def systemd_folder(self) -> Path:
        """Return the folder of a user's units."""
        return self.home / ".config" / "systemd" / "user"

    def agent(self, schedule: Schedule) -> Path:
        """Return the path of a library's launchd agent."""
        return self.home / "Library" / "LaunchAgents" / f"{schedule.name}.plist"

    def crontab(self, schedule: Schedule) -> tuple[list[str], list[str]]:
        """Return a library's lines in the crontab, and all others. Raises PapertrackError
        without cron."""
        try:
            lines = self.run(("crontab", "-l"), "").splitlines()
        except PapertrackError as error:
            # Any other failure must not end in a crontab that has our line alone.
            if "no crontab for" not in str(error):
                raise
            lines = []
        ours = [line for line in lines if line.endswith(f"# {schedule.name}")]
        return ours, [line for line in lines if line not in ours]


@dataclass(slots=True)
class Change:
    """The steps of an installation or removal, to be shown first, then done by ``carry_out``."""

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
    """Plan how to schedule the watch. Raises UsageError if that is impossible, and for a
    workflow that is somebody else's or was edited by hand."""
    if not str(schedule.library).isprintable():
        raise UsageError(
            "The library's path has a line break or another control character, which schedulers "
            "do not accept."
        )
    match scheduler:
        case "systemd":
            units = systemd_units(schedule).items()
            reload = ("systemctl", "--user", "daemon-reload")
            enable = ("systemctl", "--user", "enable", "--now", f"{schedule.name}.timer")
            files = {machine.systemd_folder / name: text.encode() for name, text in units}
            return Change(files=files, after=[reload, enable])
        case "cron":
            _, others = machine.crontab(schedule)
            lines = [*others, *cron_lines(schedule, machine.zone)]
            return Change(crontab="\n".join(lines) + "\n")
        case "launchd":
            path = machine.agent(schedule)
            load = ("launchctl", "bootstrap", f"gui/{machine.user_id}", str(path))
            return Change(files={path: launchd_agent(schedule, machine.zone)}, after=[load])
        case "github":
            root = find_repository(schedule.library)
            if root is None:
                raise UsageError(
                    f"{schedule.library} is not in a git repository, so GitHub cannot run "
                    "its watch. Run `git init` there and push it, or choose another scheduler."
                )
            text = github_workflow(
                schedule,
                schedule.library.relative_to(root).as_posix(),
                check_package(machine.package),
                is_shared=is_shared(Library(schedule.library)),
            )
            planned = plan_file(root, WORKFLOW, text, "watch install --github")
            return Change(files={planned.path: planned.text.encode()})


def plan_uninstall(schedule: Schedule, machine: Machine) -> Change:
    """Plan how to remove the watch from every scheduler."""
    schedulers = installed(schedule, machine)
    change = Change()
    if "systemd" in schedulers:
        change.removed += [machine.systemd_folder / name for name in systemd_units(schedule)]
        change.before.append(("systemctl", "--user", "disable", "--now", f"{schedule.name}.timer"))
        change.after.append(("systemctl", "--user", "daemon-reload"))
    if "launchd" in schedulers:
        change.removed.append(machine.agent(schedule))
        change.before.append(("launchctl", "bootout", f"gui/{machine.user_id}/{schedule.name}"))
    if "github" in schedulers and (root := find_repository(schedule.library)):
        change.removed.append(path_in_repository(root, WORKFLOW))
    if "cron" in schedulers:
        change.crontab = "".join(f"{line}\n" for line in machine.crontab(schedule)[1])
    return change


def installed(schedule: Schedule, machine: Machine) -> dict[Scheduler, str]:
    """Return where the watch of this library is scheduled, and when it runs there."""
    schedulers: dict[Scheduler, str] = {}
    timer = machine.systemd_folder / f"{schedule.name}.timer"
    if timer.is_file():
        when = re.search(r"(?m)^OnCalendar=(.+)$", timer.read_text(encoding="utf-8"))
        schedulers["systemd"] = when[1] if when else "?"
    with suppress(PapertrackError):  # A machine without cron has no line in it.
        if ours := machine.crontab(schedule)[0]:
            schedulers["cron"] = "; ".join(" ".join(line.split()[:5]) for line in ours)
    if (agent := machine.agent(schedule)).is_file():
        schedulers["launchd"] = str(agent)
    root = find_repository(schedule.library)
    if root is not None and (root / WORKFLOW).is_file():
        text = read_file(root / WORKFLOW).decode("utf-8", "replace")
        folder = schedule.library.relative_to(root).as_posix()
        if f"PAPERTRACK_LIBRARY: {json.dumps(folder)}\n" in text:
            times = re.findall(r'cron: "([^"]+)"', text)
            schedulers["github"] = f"{'; '.join(times)} UTC" if times else "?"
    return schedulers


def carry_out(change: Change, machine: Machine) -> None:
    """Carry out the change.

    Raises PapertrackError when a file cannot be written or a command fails. A removal is still
    done as far as possible; an installation is rolled back.
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
        rest = "The other steps were done." if change.removed else "Nothing was changed."
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
    """Return whether the installed watch runs only while the user is logged in. See loginctl(1).

    A user's timers stop at logout unless lingering is enabled. Unknown counts as no.
    """
    command = ("loginctl", "show-user", str(machine.user_id), "--property=Linger", "--value")
    with suppress(PapertrackError):
        return scheduler == "systemd" and machine.run(command, "").strip() == "no"
    return False


def run_program(command: Sequence[str], stdin: str) -> str:
    """Return the stdout of a program. Raises PapertrackError, with advice, if it fails."""
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
        message = str(getattr(error, "stderr", "") or error).strip()[:200]
        raise PapertrackError(
            f"`{' '.join(command)}` failed: {message}. Run it by hand to see why."
        ) from None
    return done.stdout


def broken_schedules(schedule: Schedule, machine: Machine) -> Iterator[str]:
    """Return a sentence for each scheduler that starts a program that no longer exists."""
    for scheduler in installed(schedule, machine):
        try:
            program = _program(scheduler, schedule, machine)
        except (OSError, ValueError, KeyError, IndexError):
            continue  # Nobody can tell which it is.
        if program is not None and shutil.which(program) is None:
            yield (
                f"The watch is scheduled with {scheduler}, which starts {program}, but "
                "that program does not exist. `papertrack watch install` installs it again."
            )


def _program(scheduler: Scheduler, schedule: Schedule, machine: Machine) -> str | None:
    """Return the program that is started; None if it is on another machine."""
    match scheduler:
        case "systemd":
            unit = machine.systemd_folder / f"{schedule.name}.service"
            command = re.search(r"(?m)^ExecStart=(.*)$", unit.read_text(encoding="utf-8"))
            words = shlex.split(command[1]) if command else []
            return words[0].replace("%%", "%").replace("$$", "$")
        case "cron":
            command_line = machine.crontab(schedule)[0][0].split(None, 5)[5]
            return shlex.split(command_line.replace(r"\%", "%"))[0]
        case "launchd":
            agent = plistlib.loads(machine.agent(schedule).read_bytes())
            return str(agent["ProgramArguments"][0])
        case "github":
            return None
