"""The command ``papertrack propose``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from papertrack.actions.lists import propose as proposing
from papertrack.actions.lists.propose import Lookup, Outcome, Proposal, ReadDocument, Request, Work
from papertrack.actions.online.network import open_door
from papertrack.cli.network import Progress
from papertrack.cli.output import print_text
from papertrack.cli.session import (
    FILE_PATH,
    Session,
    category_option,
    command,
    flag,
    force_option,
    option,
    options,
    package_option,
    read_stdin,
    refuse_if,
)
from papertrack.differences import unified_diff
from papertrack.errors import UsageError
from papertrack.library import Library
from papertrack.library.files import replace_file, write_file
from papertrack.library.settings_in_force import load_settings
from papertrack.library.trust import refuse_link
from papertrack.store.store import Store
from papertrack.text import plural


@command(writes=True)
@click.argument("file", metavar="FILE", type=FILE_PATH)
@click.argument("references", metavar="[REF...]", nargs=-1)
@category_option("-c", "--category", help="The section of new entries; else the nearest one.")
@options("--remove REF", "Remove the entry of a work.")
@options("--move REF", "Move an entry to the section --to.")
@option("--to CATEGORY", "The section for --move.")
@options("--published REF URL", "Add the link of the published version to an entry.", nargs=2)
@flag("--write", help="Change FILE; without it only the diff is shown.")
@option("-o, --output FILE", "Write the edited text; - is stdout.")
@option("--summary FILE", "Write a summary for a pull request; - is stdout.")
@flag("--offline", help="Do not use the network.")
@flag("--install-github", help="Write an issue form and its workflow.")
@package_option
@force_option
def propose(session: Session, file: Path, references: tuple[str, ...], **options: Any) -> int:
    """Add links to a README in its own style.

    REF is an arXiv id, a DOI or an address. With - it reads the text of an issue, or the answers of
    an issue form, from stdin, and uses the references in it. Each work gets an entry in the style
    of its section, with what the library, arXiv and other sources know. It reports works that are
    listed already, were not found or need a decision. FILE needs no library.

    \b
    Examples:
      papertrack propose README.md 2309.06180 --category Serving
      papertrack propose README.md - --write --summary pr.md < issue.txt
      papertrack propose README.md --published 2309.06180 10.1145/3600006.3613165
      papertrack propose README.md --move 2309.06180 --to Training
      papertrack propose README.md --install-github
    """
    move, output = options["move"], options["output"]
    refuse_if(
        {
            "--move REF and --to CATEGORY need each other.": bool(move) != bool(options["to"]),
            "--write changes FILE, -o writes another one: choose one.": options["write"] and output,
            "The edited text and the summary cannot both go to stdout.": (
                "-" == output == options["summary"]
            ),
            "--package needs --install-github.": (
                options["package"] and not options["install_github"]
            ),
        }
    )
    with session.store_if_any() as store:
        source = proposing.read_list(file, store, session.library_if_any())
        if options["install_github"]:
            return _install(session, file, source, options["package"])
        if not (references or options["remove"] or move or options["published"]):
            raise UsageError("There is nothing to add. Name ids or addresses, or - for stdin.")
        request, unread = _request(references, options["category"])
        facts = _find_facts(session, store, request.works, is_offline=options["offline"])
        changes = proposing.Changes(options["remove"], move, options["to"], options["published"])

        def identifiers(reference: str) -> Sequence[Any]:
            return () if store is None else proposing.identifiers_in_library(store, reference)

        proposal = proposing.propose(source.document, request, facts, changes, identifiers)
        reason = "It is not an arXiv id, DOI or address."
        unknown = (Outcome("not-found", text, reason=reason) for text in unread)
        proposal = replace(proposal, outcomes=(*proposal.outcomes, *unknown))
        _write(session, store, source, proposal, options)
    _show(session, source, proposal, options)
    return 4 if facts.is_unreachable else _exit_code(proposal)


def _exit_code(proposal: Proposal) -> int:
    """Return 3 if something was not found, 5 if the maintainer must decide something."""
    kinds = {outcome.kind for outcome in proposal.outcomes}
    if "not-found" in kinds:
        return 3
    return 5 if kinds & {"undecided", "refused"} else 0


def _request(references: Sequence[str], category: str | None) -> tuple[Request, list[str]]:
    """Return the request, and the words in it that are not references."""
    request, unread = proposing.make_request([text for text in references if text != "-"])
    if "-" in references:
        text = read_stdin().decode("utf-8", "replace")
        issue = proposing.parse_request(text)
        works = {work.identifier: work for work in (*request.works, *issue.works)}
        request = Request(tuple(works.values()), issue.category, issue.notes, issue.omitted)
    return replace(request, category=category or request.category), unread


def _find_facts(
    session: Session, store: Store | None, works: Sequence[Work], *, is_offline: bool
) -> Lookup:
    """Return the facts of the works, from the library or else from sources."""
    facts = proposing.facts_in_library(store, works) if store is not None else {}
    missing = [work for work in works if work.identifier not in facts]
    if not missing:
        return Lookup(facts)
    ids = frozenset(proposing.works_to_ask(missing))
    if is_offline:
        return Lookup(facts, ids, "No request was sent: --offline is set.")
    with TemporaryDirectory() as folder:
        library = session.library_if_any() or Library(Path(folder))
        settings = load_settings(library, os.environ).arxiv
        if settings.offline:
            return Lookup(facts, ids, "No request was sent: the setting arxiv.offline is on.")
        with Progress(session, "papers") as progress:
            door = open_door(library, settings, clock=session.now, on_wait=progress.wait)
            source_facts = proposing.ask_sources(door, missing)
    return replace(source_facts, facts={**source_facts.facts, **facts})


def _write(
    session: Session,
    store: Store | None,
    source: ReadDocument,
    proposal: Proposal,
    options: dict[str, Any],
) -> None:
    """Write the edited text and the summary.

    The list itself is written last, because afterwards the same command would find nothing to do.
    """
    output, summary = _file_of_option(options["output"]), _file_of_option(options["summary"])
    data, is_forced = proposing.encode_list(source, proposal.text), options["force"]
    # Without a library it is unknown who wrote a file.
    _refuse_files(source, None if is_forced or store is not None else output, summary)
    if output:
        _write_file(session, store, output, data, is_forced=is_forced)
    if summary:
        text = proposing.to_markdown(proposal, source.path.name)
        _write_file(session, store, summary, text.encode(), is_forced=is_forced)
    if options["write"] and not session.dry_run:
        replace_file(source.path, source.data, data)


def _refuse_files(source: ReadDocument, output: Path | None, summary: Path | None) -> None:
    """Raise UsageError if the edited text would replace a file, or the summary the list."""
    if output and output.exists():
        raise UsageError(f"{output} exists already; -o only writes new files.")
    if summary and summary.exists() and summary.samefile(source.path):
        raise UsageError(f"{summary} is the list itself.")


def _write_file(
    session: Session, store: Store | None, target: Path, data: bytes, *, is_forced: bool
) -> None:
    """Write a whole file; only a library records who wrote a file."""
    if store is not None:
        session.write_output(store, target, data, is_forced=is_forced)
    elif not session.dry_run:
        refuse_link(target)
        write_file(target, data)


def _file_of_option(name: str | None) -> Path | None:
    """Return the file that an option names, unless it is stdout."""
    return Path(name) if name and name != "-" else None


def _show(
    session: Session, source: ReadDocument, proposal: Proposal, options: dict[str, Any]
) -> None:
    """Print the edited text, the summary or the diff, and report the result of each request."""
    name = str(source.path)
    diff = unified_diff(source.document.text, proposal.text, name, name)
    if session.as_json:
        is_written = options["write"] and not session.dry_run and bool(diff)
        session.print_json(Proposed(name, proposal.outcomes, diff or None, is_written))
        return
    print_text(_on_stdout(source, proposal, diff, options))
    session.say(*map(_sentence, proposal.outcomes))
    if options["write"]:
        session.say_done(f"{name}: {'written' if diff else 'nothing to do'}.")


def _on_stdout(source: ReadDocument, proposal: Proposal, diff: str, options: dict[str, Any]) -> str:
    """Return the edited text, the summary or the diff, whichever goes to stdout."""
    if options["output"] == "-":
        return proposal.text
    if options["summary"] == "-":
        return proposing.to_markdown(proposal, source.path.name)
    return "" if options["write"] or options["output"] else diff


_WORDS = {
    "added": "goes to",
    "removed": "leaves",
    "moved": "moves to",
    "published": "gets the link of its published version in",
    "known": "is already in",
}


def _sentence(outcome: Outcome) -> str:
    work = f"“{outcome.title}”" if outcome.title else outcome.reference
    reason = f" {outcome.reason}" if outcome.reason else ""
    if outcome.kind in _WORDS:
        where = outcome.category or "the list"
        line = f" (line {outcome.line})" if outcome.line else ""
        return f"{work} {_WORDS[outcome.kind]} {where}{line}.{reason}"
    return f"{work} was not done:{reason}"


@dataclass(frozen=True, slots=True)
class Proposed:
    """What `propose` changed, or would change."""

    file: str
    outcomes: tuple[Outcome, ...]
    diff: str | None
    is_written: bool


@dataclass(frozen=True, slots=True)
class ProposalInstalled:
    """The result of `propose --install-github`."""

    files: list[str]
    is_written: bool
    """False if all files existed already, and in a dry run."""
    files_new: int

    def sentences(self) -> Iterator[str]:
        yield (
            f"{plural(self.files_new, 'file')} written: the form and its workflow. In the "
            "repository's settings, under Actions, allow workflows to create pull requests."
        )


def _install(session: Session, file: Path, source: ReadDocument, package: str | None) -> int:
    """Write the form and the workflow, or print them in a dry run; return the exit code."""
    from papertrack.actions.lists.git import plan_proposals
    from papertrack.actions.watch.schedule import check_package, own_package

    plans = plan_proposals(file, source.document, check_package(package or own_package()))
    if not session.dry_run:
        for plan in plans:
            plan.carry_out()
    elif not session.as_json:
        click.echo("\n".join(plan.text for plan in plans), nl=False)
    new = [plan for plan in plans if not plan.is_there]
    is_written = bool(new) and not session.dry_run
    files = [str(plan.path) for plan in plans]
    return session.present(ProposalInstalled(files, is_written, len(new)))
