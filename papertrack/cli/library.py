"""Commands for a whole library: ``init``, ``share``, ``backup`` and ``doctor``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.deciding import say_contradictions
from papertrack.cli.output import print_text
from papertrack.cli.session import FILE_PATH, Session, command, flag, option, options
from papertrack.errors import UsageError
from papertrack.library import (
    Library,
    folder_for_new,
    has_database,
    is_shared,
    personal_folder,
    state_folder,
)
from papertrack.library.surroundings import network_disk
from papertrack.library.trust import is_trusted
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.doctor import Finding


@command(writes=True)
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@flag("--personal", help="Make your personal library, found from every folder.")
@flag("--shared", help="Share it through git, as `share on` does.")
@flag("--demo", help="Make a sample library in FOLDER to play with.")
def init(session: Session, folder: Path | None, personal: bool, shared: bool, demo: bool) -> Any:
    """Make a library in a folder.

    FOLDER, or else this one, gets a papertrack.toml and folders for the database, exports and
    notes. Your files in it stay as they are. With --demo, FOLDER must be new or empty: it gets a
    README of ML systems papers, its notes, and a library that has imported it.

    \b
    Examples:
      papertrack init
      papertrack init ~/papers
      papertrack init --personal
      papertrack init --shared
      papertrack init --demo ~/papers-demo
    """
    if demo:
        return _make_demo(session, folder)
    from papertrack.actions.make_library import Made, make_library

    library = Library(_folder_of_new(session, folder, personal=personal).absolute())
    # A killed run may have left it incomplete; what is missing is made now.
    is_new = not (library.settings_path.is_file() and has_database(library))
    if is_new and not session.dry_run:
        make_library(library.root, now=session.now)
    if (warning := network_disk(library.root)) is not None:
        session.say(warning)
    if shared and not session.dry_run:
        from papertrack.actions.share.switch import prepare, share

        prepare(library)
        with session._replace(chosen=str(library.root)).open_store() as store:
            share(store, library, os.environ)
    problem = _trust_problem(library) if is_new and not session.dry_run else ""
    return Made(str(library.root), is_new, shared, problem)


def _folder_of_new(session: Session, folder: Path | None, *, personal: bool) -> Path:
    """Return the folder for a new library. Raises UsageError if several are named."""
    here, chosen = Path.cwd(), session.chosen
    folders = [here / path for path in (folder, chosen) if path is not None]
    if personal:
        folders.append(personal_folder())
    if len({path.resolve() for path in folders}) > 1:
        raise UsageError(
            f"{' and '.join(map(str, folders))} are both named as the library's folder. Name one."
        )
    return folders[0] if folders else folder_for_new(os.environ, here)


def _trust_problem(library: Library) -> str:
    """Return a warning if papertrack cannot record that the new library is the user's own."""
    if is_trusted(library):
        return ""
    return (
        f"papertrack could not record that the library is yours: make {state_folder()} a folder "
        "that you can write to, then run `papertrack config --trust`."
    )


def _make_demo(session: Session, folder: Path | None) -> None:
    if folder is None:
        raise UsageError("Name the folder of the sample library: `papertrack init --demo DIR`.")
    from papertrack.actions.documents import import_file
    from papertrack.actions.make_library import Demo, copied_sample, make_library
    from papertrack.store.store import Store

    papers_new = 0
    with copied_sample(folder, dry_run=session.dry_run):
        if not session.dry_run:
            library = make_library(folder, now=session.now)
            with Store.open(library.database, now=session.now) as store:
                papers_new = import_file(store, library, library.root / "README.md").papers_new
    session.present(Demo(str(folder.absolute()), papers_new, str(folder)))
    if not (session.dry_run or session.as_json):
        session.say(
            f"Try:\n  cd {folder}\n  papertrack list\n  papertrack pass 2211.17192 3\n"
            "  papertrack export --md --diff"
        )


@command(writes=True)
@click.argument("switch", metavar="[on|off]", required=False, type=click.Choice(["on", "off"]))
@option(
    "--private KINDS",
    "What stays on this machine: some of notes, takeaways, minutes, reasons, or nothing.",
)
@options("--document FILE", "A README in a clone to keep up to date; repeatable.", "documents")
def share(
    session: Session, switch: str | None, private: str | None, documents: tuple[str, ...]
) -> Any:
    """Share a library through git, or show what is shared.

    Each paper has a text file in papers/, beside topics.toml, categories.toml and watch.toml. Every
    command writes its changes into them, and reads what others changed. Private data is in git's
    own folder.

    `share on` writes the text files, moves the database, backups and PDFs into git's folder, and
    makes a repository if there is none. In a clone it tells git how to merge the text files. It
    asks once what stays on this machine; until you answer: notes, takeaways, minutes and reasons.
    `share off` brings private data back and removes the text files. `share` alone shows what is
    shared, what stays here and which conflicts are open; if there are any, it exits 5.

    \b
    Examples:
      papertrack share
      papertrack share on
      papertrack share on --private takeaways,notes
      papertrack share on --private nothing
      papertrack share on --document README.md
      papertrack share off
    """
    if switch != "on" and (private is not None or documents):
        raise UsageError("--private and --document need `papertrack share on`.")
    if switch is None:
        return _show_sharing(session)
    library = session.library()
    if switch == "on":
        return _share(session, library, private, documents)
    from papertrack.actions.share.switch import NotShared, unshare

    with session.open_store():
        pass  # Changes of others are imported first.
    if not session.dry_run:
        unshare(library, session.now)
    return NotShared(str(library.root))


def _share(
    session: Session, library: Library, private: str | None, documents: tuple[str, ...]
) -> Any:
    from papertrack.actions.share.switch import Shared, prepare, register_documents
    from papertrack.actions.share.switch import share as share_library
    from papertrack.store.records import private_kinds_of

    if session.dry_run:
        return Shared(0, not is_shared(library), (), False)
    if not is_shared(library):
        with session.open_store():
            pass  # Unfinished changes are undone before anything moves.
        prepare(library)
    with session.open_store() as store:
        kinds = private_kinds_of(private, "--private") if private is not None else _ask_kinds(store)
        if documents:
            register_documents(store, library, documents)
        result = share_library(store, library, os.environ, kinds)
    return result


def _ask_kinds(store: Any) -> frozenset[str] | None:
    """Return the user's answer, or None without a terminal or if it was answered before."""
    from papertrack.store import records

    if records.chosen_private(store)[1]:
        return None
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    words = click.prompt(
        f"What stays on this machine ({', '.join(records.PRIVATE)}, or nothing)?",
        default=",".join(sorted(records.UNANSWERED)),
        err=True,
    )
    return records.private_kinds_of(words, "--private")


def _show_sharing(session: Session) -> int:
    from papertrack.actions.share.switch import read_status

    with session.open_store() as store:
        status = read_status(store, session.library())
    contradictions = status.contradictions
    if session.as_json:
        session.print_json(status)
        return 5 if contradictions else 0
    if not status.is_shared:
        session.say("This library is not shared: `papertrack share on` shares it.")
        return 0
    stays = ", ".join(status.private) or "nothing"
    session.say(
        f"{plural(status.papers, 'paper')} shared. Only on this machine: {stays}.",
        f"Private data is in {status.private_folder}.",
        *status.unreadable,
    )
    say_contradictions(session, contradictions)
    return 5 if contradictions else 0


@command(writes=False, json=False)
def mcp(session: Session) -> None:
    """Let an agent read the library, and propose changes to it.

    Speaks the Model Context Protocol on stdin and stdout: your agent's program starts it. The agent
    can search, read and cite. What it proposes waits in `papertrack suggestions` until you accept
    it; it deletes nothing, marks no pass and writes no file.

    \b
    Example:
      papertrack --library ~/papers mcp
    """
    try:
        from papertrack.mcp.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "mcp_types"):
            raise
        raise UsageError(
            "The package mcp is not installed: `pip install 'papertrack-cli[mcp]'`."
        ) from None
    serve(session.open_store)


@command(writes=True)
@click.argument("file", required=False, type=FILE_PATH)
@flag("--restore", help="Restore the database from a backup.")
@flag("-f", "--force", help="Replace FILE if it is there.")
def backup(session: Session, file: Path | None, restore: bool, force: bool) -> Any:
    """Back up the library's database, or restore it.

    Each copy is checked; a damaged database is not backed up. Without FILE the copy goes to
    data/backups/, which keeps the newest of the last 7 days and 4 weeks. Notes, PDFs and your own
    files are not in it.

    --restore without FILE uses the newest backup that is undamaged. The database that was there is
    kept beside it. READMEs, .bib files and notes stay as they are; the next `papertrack sync` reads
    from them what the backup lacks.

    \b
    Examples:
      papertrack backup
      papertrack backup /media/stick/papers.db
      papertrack backup --restore --dry-run
      papertrack backup --restore data/backups/2026-03-01T093000Z.db
    """
    from papertrack.actions import backups

    library = session.library()
    if restore:
        return backups.restore(library, session.now, file, dry_run=session.dry_run)
    if file is None:
        return backups.back_up(library, session.now(), dry_run=session.dry_run)
    if force and file.exists():
        with session.open_store() as store:
            session.refuse_own_file(store, file)
    return backups.back_up_to(library, file, is_forced=force, dry_run=session.dry_run)


@command(writes=True)
@flag("--repair", help="Repair what is safe to repair.")
@flag("--compact", help="Free unused space in the database.")
def doctor(session: Session, repair: bool, compact: bool) -> int:
    """Check the library for problems and suggest fixes.

    It checks the database, the search index, the files and notes that the library names, the
    backups, the scheduled watch and the remains of killed runs. --repair rebuilds the search index,
    restores lost notes and cleans up after killed runs; everything else is only reported. --compact
    rewrites the database without unused space, unless it is damaged. Exits 5 if anything is wrong.

    \b
    Examples:
      papertrack doctor
      papertrack doctor --repair
      papertrack doctor --compact
    """
    from papertrack.actions import doctor as doctoring
    from papertrack.cli.watch import broken_here

    library = session.library()
    findings = doctoring.examine(library, session.now(), broken_here(session))
    if repair and findings and not session.dry_run:
        findings = doctoring.repair(library, findings, session.now())
    remaining = [finding for finding in findings if not finding.is_repaired]
    compacted = None
    if compact and all(finding.part != "database" for finding in remaining):
        compacted = doctoring.compact_library(library, session.now(), is_trial=session.dry_run)
    if session.as_json:
        session.print_json(doctoring.Health(findings, compacted))
    else:
        _print_findings(session, findings, remaining)
    if compacted:
        after, before = compacted.after / 1_000_000, compacted.before / 1_000_000
        verb = "would take" if session.dry_run else "takes"
        session.say(f"The database {verb} {after:.1f} MB instead of {before:.1f} MB.")
    return 5 if remaining else 0


def _print_findings(session: Session, findings: list[Finding], remaining: list[Finding]) -> None:
    for item in findings:
        print_text(f"{item.part}: {clean(item.message)}{' Repaired.' * item.is_repaired}\n")
    count = plural(len(remaining), "finding") if remaining else "nothing is wrong"
    session.say(f"{session.library().root}: {count}.")
