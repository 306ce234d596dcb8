"""``papertrack share``."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import Any

import click

from papertrack.cli.files.settling import say_contradictions
from papertrack.cli.session import Session, changing, json_option, reading
from papertrack.library import Library, is_shared
from papertrack.store.records import PRIVATE, private_kinds_of
from papertrack.text import plural


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def share(ctx: click.Context) -> None:
    """Share a library through git, as text files.

    Each paper has a text file in papers/, beside topics.toml, categories.toml and watch.toml. Every
    command writes what it changes into them, and takes in what others changed. What is private lies
    in git's own folder.

    \b
    Examples:
      papertrack share on
      papertrack share status
      papertrack share off
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(status)


@share.command
@click.option(
    "--private",
    metavar="KINDS",
    help=f"What stays on this machine: some of {', '.join(PRIVATE)}, or nothing.",
)
@click.option(
    "--document",
    "documents",
    metavar="FILE",
    multiple=True,
    help="A list in a clone that is kept in step here; may be repeated.",
)
@changing
def on(session: Session, private: str | None, documents: tuple[str, ...]) -> None:
    """Begin to share this library.

    Writes a record of each paper, and moves database, backups and PDFs into git's own folder; where
    there is no repository it makes one. In a clone it tells git how records are merged. Asks once
    what is to stay on this machine; until that is answered notes, takeaways, minutes and reasons
    do.

    \b
    Examples:
      papertrack share on
      papertrack share on --private takeaways,notes
      papertrack share on --private nothing
      papertrack share on --document README.md
    """
    from papertrack.actions.share.switch import keep_in_step, prepare
    from papertrack.actions.share.switch import share as share_library

    library = session.library()
    if session.dry_run:
        session.report(f"{library.root} would be shared.", papers=0, is_new=not is_shared(library))
        return
    if not is_shared(library):
        with session.open_store():
            pass  # What is half done is taken back before anything moves.
        prepare(library)
    with session.open_store() as store:
        kinds = private_kinds_of(private, "--private") if private is not None else _asked(store)
        if documents:
            keep_in_step(store, library, documents)
        done = share_library(store, library, os.environ, kinds)
    stays = ", ".join(done.private) or "nothing"
    message = f"This library is shared: {plural(done.papers, 'record')}. "
    message += f"On this machine alone: {stays}"
    message += "." if done.is_answered else ", until `papertrack share on --private KINDS`."
    if done.is_new:
        message += " Commit papers/ and the tables beside it, or run `papertrack sync --git`."
    session.report(message, **asdict(done))
    session.say(*done.told)


def _asked(store: Any) -> frozenset[str] | None:
    """What the reader answers; None where nobody is there, or it was answered before."""
    from papertrack.store.records import UNANSWERED, answered_private, is_shared

    if is_shared(store) and answered_private(store) is not None:
        return None
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    words = click.prompt(
        f"What stays on this machine ({', '.join(PRIVATE)}, or nothing)?",
        default=",".join(sorted(UNANSWERED)),
        err=True,
    )
    return private_kinds_of(words, "--private")


@share.command
@changing
def off(session: Session) -> None:
    """End sharing: bring back what is private, and take the records away.

    \b
    Example:
      papertrack share off
    """
    from papertrack.actions.share.switch import unshare

    library = session.library()
    with session.open_store():
        pass  # What others did is taken in first.
    if not session.dry_run:
        unshare(library, session.now)
    session.report("This library is not shared any more.", library=str(library.root))


@share.command
@reading
def status(session: Session) -> int:
    """Show what is shared, what stays here, and what is to be decided. Exits 5 when something is.

    \b
    Example:
      papertrack share status
    """
    from papertrack.actions.share.records import read_contradictions
    from papertrack.actions.share.switch import read_status

    library: Library = session.library()
    with session.open_store() as store:
        found = read_contradictions(store)
        told = read_status(store, library)
    if session.as_json:
        session.print_result(**asdict(told), contradictions=list(map(asdict, found)))
        return 5 if found else 0
    if not told.is_shared:
        session.say("This library is not shared: `papertrack share on` begins to.")
        return 0
    stays = ", ".join(told.private) or "nothing"
    session.say(
        f"{plural(told.papers, 'paper')} shared. On this machine alone: {stays}.",
        f"What is private lies in {told.private_folder}.",
        *told.unreadable,
    )
    say_contradictions(session, found)
    return 5 if found else 0
