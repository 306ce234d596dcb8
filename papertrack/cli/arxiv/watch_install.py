"""``papertrack watch install`` and ``uninstall``."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path

import click

from papertrack.actions.watch import schedule as installing
from papertrack.actions.watch.schedule import (
    PACKAGE,
    Change,
    Machine,
    Schedule,
    Scheduler,
    broken_schedules,
    pick_time,
    requirement_of,
)
from papertrack.cli.session import Session, dry_run_option, pass_session
from papertrack.errors import UsageError
from papertrack.text import clean


@click.command
@click.option("--systemd", is_flag=True, help="A user timer (Linux).")
@click.option("--cron", is_flag=True, help="A line of your crontab.")
@click.option("--launchd", is_flag=True, help="An agent (macOS).")
@click.option("--github", is_flag=True, help="A workflow that commits.")
@click.option(
    "--package",
    metavar="SOURCE",
    help="What pip installs in the workflow; by default what is installed here.",
)
@click.option(
    "--document",
    "documents",
    metavar="FILE",
    multiple=True,
    help="A list that the workflow of a shared library keeps in step; may be repeated.",
)
@click.option("--at", metavar="HH:MM", help="US Eastern; by default a random minute of the night.")
@click.option("--mail", is_flag=True, help="Also send the digest when there is anything new.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask after showing it.")
@dry_run_option
@pass_session
def install(
    session: Session,
    /,
    package: str | None,
    documents: tuple[str, ...],
    at: str | None,
    mail: bool,
    yes: bool,
    **flags: bool,
) -> None:
    """Let the watch run by itself, Monday to Friday, a few hours after arXiv's announcement.

    A night that brought not all lists is tried again hourly, up to six times.
    Shows what it would write, and asks. Without a scheduler, the one this machine has.

    \b
    Examples:
      papertrack watch install
      papertrack watch install --github --package git+https://github.com/YOU/papertrack
    """
    named = [scheduler for scheduler in installing.SCHEDULERS if flags[scheduler]]
    chosen = _chosen(named, package)
    when = _time(at) if at else pick_time(random.random)
    machine = _machine(package or own_package())
    if documents and chosen != "github":
        raise UsageError("--document is for --github: other schedulers know the documents here.")
    schedule = replace(_schedule(session, when, mail=mail), documents=documents)
    change = installing.plan_install(chosen, schedule, machine)
    others = [name for name in installed_places(session) if name != chosen]
    is_done = _carry_out(session, change, machine, yes)
    if others:
        session.say(
            f"It also runs by {', '.join(others)}: `papertrack watch uninstall` takes it out of "
            "every scheduler."
        )
    if is_done and installing.ends_with_session(chosen, machine):
        session.say(
            "It runs only while you are logged in. To let it run every night: "
            "`loginctl enable-linger`."
        )


def _chosen(named: Sequence[Scheduler], package: str | None) -> Scheduler:
    """The scheduler to install in. Raises UsageError for options that do not go together."""
    if len(named) > 1:
        raise UsageError(f"Choose one of {', '.join(f'--{name}' for name in named)}.")
    chosen = named[0] if named else _default_scheduler()
    if package is not None and chosen != "github":
        raise UsageError("--package is for --github: here runs the papertrack that is installed.")
    return chosen


@click.command
@click.option("-y", "--yes", is_flag=True, help="Do not ask after showing it.")
@dry_run_option
@pass_session
def uninstall(session: Session, yes: bool) -> None:
    """Take the watch of this library out of every scheduler again."""
    machine = _machine()
    change = installing.plan_uninstall(_schedule(session, time(3)), machine)
    if change.is_empty:
        session.say("The watch of this library does not run by itself: nothing to do.")
        return
    _carry_out(session, change, machine, yes)


def installed_places(session: Session) -> dict[str, str]:
    """Where the watch of this library runs by itself, and when."""
    found = installing.installed(_schedule(session, time(3)), _machine())
    return {str(scheduler): when for scheduler, when in found.items()}


def broken_here(session: Session) -> list[str]:
    """What is wrong with the schedulers of this machine that run the library's watch."""
    return list(broken_schedules(_schedule(session, time(3)), _machine()))


def _carry_out(session: Session, change: Change, machine: Machine, yes: bool) -> bool:
    """Show the change, ask, do it; return whether it was done."""
    for step in _steps(change):
        click.echo(step)
    if session.dry_run:
        session.say("Dry run, nothing changed.")
        return False
    if not yes and not (sys.stdin.isatty() and click.confirm("Do it?", err=True)):
        session.say("Nothing was changed. Add --yes to do it.")
        return False
    installing.carry_out(change, machine)
    session.say("Done.")
    return True


def _steps(change: Change) -> Iterator[str]:
    yield from map(_running, change.before)
    yield from map("Remove: {}".format, change.removed)
    for path, content in change.files.items():
        yield f"Write: {path}\n{content.decode()}"
    if change.crontab is not None:
        yield f"Make this your crontab:\n{change.crontab}"
    yield from map(_running, change.after)


def _running(command: Sequence[str]) -> str:
    return f"Run: {' '.join(command)}"


def _schedule(session: Session, at: time, *, mail: bool = False) -> Schedule:
    root = session.library().root
    program = shutil.which("papertrack")
    start = [program] if program else [sys.executable, "-m", "papertrack"]
    options = ["--if-due", *(["--mail"] if mail else [])]
    command = [*start, "--quiet", "--library", str(root), "watch", *options]
    return Schedule(root, tuple(command), at)


def _machine(package: str | None = None) -> Machine:
    from papertrack.library.clock import current_time

    # The machine's own zone, also where PAPERTRACK_NOW sets another time.
    zone = current_time({}).tzinfo
    assert zone is not None
    user_id = os.getuid() if hasattr(os, "getuid") else 0
    return Machine(Path.home(), zone, user_id, installing.run_program, package)


def own_package() -> str | None:
    """Where pip has this papertrack from, if another machine can have it from there too."""
    from importlib.metadata import PackageNotFoundError, distribution

    from papertrack import __version__

    try:
        origin = distribution(PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None  # Run from its sources.
    return requirement_of(origin, __version__)


def _default_scheduler() -> Scheduler:
    if sys.platform == "darwin":
        return "launchd"
    return "systemd" if shutil.which("systemctl") else "cron"


def _time(text: str) -> time:
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise UsageError(f"--at {clean(text)!r} is not a time: write it like 03:17.") from None
