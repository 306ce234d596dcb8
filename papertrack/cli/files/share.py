"""``papertrack share``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.files.settling import say_contradictions
from papertrack.cli.output import Columns, print_text
from papertrack.cli.session import Session, changing, json_option, reading
from papertrack.errors import UsageError
from papertrack.library import is_shared
from papertrack.store.share.fold import PRESENT
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.share.switch import Difference


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def share(ctx: click.Context) -> None:
    """Keep one library on several devices, through git.

    Each device writes what it does into a log of its own, journal/DEVICE/YEAR-MONTH.log, and reads
    those of all others before it does anything. Commit the folder, and push and pull it as you
    like: no two devices ever write one file. data/ is made anew from the logs in a fresh clone.

    \b
    Examples:
      papertrack share on
      papertrack share status
      papertrack share check
      papertrack share compact
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(status)


@share.command
@changing
def on(session: Session) -> None:
    """Begin to share this library.

    All that is in it becomes the first lines of this device's log. .gitignore and .gitattributes
    get the lines that they need, and git is told how it merges lists by entries; in a clone of a
    library that is shared that is all it does.

    \b
    Example:
      papertrack share on && git add . && git commit -m "Share the library"
    """
    from papertrack.actions.share.switch import share as share_library

    with session.open_store() as store:
        done = share_library(store, session.library(), os.environ)
    message = f"This library is shared; this device is {done.device}."
    if done.has_driver:
        message += " git merges its lists by entries in this clone from now on."
    if done.lines:
        message = (
            f"This device is {done.device}. Its log begins with {plural(done.lines, 'line')}. "
            "Commit journal/, .gitignore and .gitattributes with your files."
        )
    if done.lines and not done.private:
        message += (
            " Others who can read what you push read takeaways, minutes, notes and discards too; "
            "`papertrack config share.private takeaways,notes` keeps such here."
        )
    session.report(
        message,
        device=done.device,
        lines=done.lines,
        files=list(done.files),
        has_driver=done.has_driver,
    )


@share.command
@reading
def status(session: Session) -> int:
    """List the devices of this library, and what they set differently without knowing of each
    other. Exits 5 when something is to be settled."""
    from papertrack.actions.share.contradictions import read_contradictions
    from papertrack.actions.share.status import read_status

    with session.open_store() as store:
        devices = list(map(asdict, read_status(store, session.library())))
        found = read_contradictions(store)
    if session.as_json:
        session.print_result(devices=devices, contradictions=list(map(asdict, found)))
        return 5 if found else 0
    if not devices:
        session.say("This library is not shared: `papertrack share on` begins to.")
    session.print_records(devices, COLUMNS, flexible=0, right=(1, 2, 3, 4))
    say_contradictions(session, found)
    return 5 if found else 0


def _name(device: Mapping[str, Any]) -> str:
    return f"{device['device']} (this one)" if device["is_this"] else str(device["device"])


COLUMNS: Columns = {
    "device": _name,
    "acts": lambda device: str(device["acts"]),
    "last": lambda device: str(device["last"]),
    "bytes not read": lambda device: str(device["unread"]),
    "unreadable lines": lambda device: str(device["unreadable"]),
}


@share.command
@reading
def check(session: Session) -> int:
    """Build the library anew from all logs, beside, and compare everything. Exits 5 when they
    differ."""
    from papertrack.actions.share.switch import check as check_library

    library = session.library()
    with session.open_store() as store:
        if not is_shared(library):
            raise UsageError("This library is not shared: `papertrack share on` begins to.")
        found = check_library(store, library)
    if session.as_json:
        session.print_result(differences=[asdict(difference) for difference in found])
    else:
        print_text("".join(f"{told}\n" for told in _told(found)))
    session.say(
        "The logs say something else than the library. If one was lost or edited, `git checkout "
        "HEAD -- journal` brings it back; if not, please report it."
        if found
        else "The logs say all that the library does, and nothing else."
    )
    return 5 if found else 0


@share.command
@click.option(
    "--before",
    metavar="MONTH",
    help="Leave this month and later ones as they are: 2026-01. Else the last twelve.",
)
@changing
def compact(session: Session, before: str | None) -> None:
    """Make the log of this device shorter, once it is years long.

    What still counts of its older months is put into one log, and the months are removed: a fresh
    clone has less to read then. Nothing of the library changes, on no device. What is left out is
    in git's history then, and nowhere else: commit journal/ before, as `sync --git` does. In a
    repository it is refused otherwise.

    \b
    Examples:
      papertrack share compact
      papertrack share compact --before 2026-01
    """
    from papertrack.actions.share.compact import compact_logs

    with session.open_store() as store:
        done = compact_logs(store, session.library(), before)
    if done is None:
        session.report("There is nothing to make shorter: no log of this device is older.")
        return
    if done.file is None:
        session.report(
            f"There is nothing to make shorter: {done.kept} of {plural(done.lines, 'line')} in the "
            "older logs of this device still count.",
            **asdict(done),
        )
        return
    session.report(
        f"journal/{done.file} has {done.kept} of {plural(done.lines, 'line')}, and takes the place "
        f"of {plural(len(done.replaced), 'log')}. Commit journal/.",
        **asdict(done),
    )


def _told(differences: Iterable[Difference]) -> Iterator[str]:
    """A line for each thing that is on one side only, and for each cell that is another one."""
    for thing, group in groupby(differences, attrgetter("thing")):
        cells = {one.cell: one for one in group}
        if PRESENT in cells:
            yield f"{thing} is in {'no log' if cells[PRESENT].library else 'the logs alone'}"
            continue
        for cell, one in cells.items():
            yield f"{thing}: {cell} is {one.library!r}, the logs say {one.logs!r}"
