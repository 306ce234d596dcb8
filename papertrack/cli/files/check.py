"""``papertrack check``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.lists.check import (
    FINDING_KINDS,
    LEVELS,
    Checked,
    Checking,
    Level,
)
from papertrack.cli.files.check_output import FORMATS, print_findings, summary, unanswered_lines
from papertrack.cli.session import Session, choice_option, dry_run_option, reading
from papertrack.errors import NotFoundError, PapertrackError, StoreError, UsageError
from papertrack.library import Library

if TYPE_CHECKING:
    from papertrack.actions.lists.check import KnownWorks
    from papertrack.actions.lists.check_links import DeadLinks


@click.command
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--base", metavar="REF", help="Only what is new since REF, as in a pull request.")
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Only what is not recorded in FILE.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Record what is found in FILE, for --baseline.",
)
@click.option(
    "--ignore",
    metavar="KIND",
    multiple=True,
    help="Leave out one kind of finding, such as several-sections; may be repeated.",
)
@click.option("--links", is_flag=True, help="Also look up which addresses are gone (network).")
@choice_option("--fail-on", of=LEVELS, help="How grave a finding must be for exit code 5.")
@choice_option("--format", "form", of=FORMATS, help="How findings are shown; text by default.")
@click.option("--install-github", is_flag=True, help="Write a workflow that checks pull requests.")
@click.option(
    "--package",
    metavar="SOURCE",
    help="What pip installs there; by default what is installed here.",
)
@dry_run_option
@reading
def check(session: Session, files: tuple[Path, ...], **options: Any) -> int:
    """Look for what is wrong in READMEs and .bib files, before a commit.

    Works listed twice, addresses pasted from another work, undefined, unused and repeated link
    definitions, links without address or text, rows with too many or too few cells, files that
    are not there, dates that contradict the arXiv id, entries without a link; and, where there is
    a library, titles of other works and preprints that have been published. In a .bib file one
    DOI or arXiv id of two works, one work entered twice, odd entries. All registered files, or the
    FILEs named; a FILE needs no library, and only --links asks the network. Made for pull requests
    too, with --base and --format github.
    Exits 5 when something is found, and 4 when addresses could not be looked at.

    \b
    Examples:
      papertrack check
      papertrack check README.md docs/*.md main.bib
      papertrack check README.md --base origin/main --format github
      papertrack check README.md --ignore several-sections
      papertrack check README.md --install-github
    """
    ignored, fail_on = _rules(session, options["ignore"], options["fail_on"])
    files = files or tuple(session.documents())
    if options["install_github"]:
        return _install(session, files, options, ignored)
    if options["package"]:
        raise UsageError("--package is for --install-github: here runs the papertrack you have.")
    with _known_works(session) as rules, _online(session, options["links"]) as links:
        online = [links] if links else []
        checking = _checking(files, options, ignored, rules)
        checked, failures = _check_all(files, replace(checking, online=online))
    unanswered = links.unanswered if links else {}
    if record := options["write_baseline"]:
        _write_baseline(session, record, checked)
        session.raise_last(failures)
        return 4 if unanswered else 0
    print_findings("json" if session.as_json else options["form"] or "text", checked, unanswered)
    session.say(summary(checked), *unanswered_lines(unanswered))
    session.raise_last(failures)
    return _exit_code(checked, fail_on, unanswered)


def _rules(
    session: Session, ignored: Sequence[str], fail_on: Level | None
) -> tuple[list[str], Level]:
    """Return the kinds that are left out and the level that fails: as said here, then as set."""
    try:
        settings = session.check_wishes()
    except NotFoundError:  # A file needs no library.
        kinds, level = [*ignored], fail_on or "note"
    else:
        kinds, level = [*ignored, *settings.ignore], fail_on or settings.fail_on
    if unknown := [kind for kind in kinds if kind not in FINDING_KINDS]:
        raise UsageError(
            f"There is no kind of finding {unknown[0]!r}. Choose from {', '.join(FINDING_KINDS)}."
        )
    return kinds, level


@contextmanager
def _known_works(session: Session) -> Iterator[list[KnownWorks]]:
    """Give what the library knows, where there is one: a file needs none."""
    from papertrack.actions.lists.check import KnownWorks

    with ExitStack() as stack:
        rules: list[KnownWorks] = []
        with suppress(NotFoundError, StoreError):
            rules.append(KnownWorks(stack.enter_context(session.open_store())))
        yield rules


@contextmanager
def _online(session: Session, is_wanted: bool) -> Iterator[DeadLinks | None]:
    """Give what looks up addresses, if that is wanted."""
    if not is_wanted:
        yield None
        return
    from papertrack.actions.lists.check_links import open_links
    from papertrack.cli.network import Progress
    from papertrack.library.settings_in_force import load_settings

    try:
        library = session.library()
    except NotFoundError:
        library = None
    # Without a library there is no file of settings, but there may be the environment's.
    settings = load_settings(library or Library(Path.cwd()), os.environ).arxiv
    with Progress(session, "addresses", "looking at addresses") as progress:
        yield open_links(
            library,
            settings,
            clock=session.now,
            on_wait=progress.wait,
            on_look=progress.advance,
        )


def _checking(
    files: Sequence[Path],
    options: dict[str, Any],
    ignored: Sequence[str],
    rules: Sequence[KnownWorks],
) -> Checking:
    """Return how to check. Raises UsageError for options that do not go together."""
    from papertrack.actions.lists.check import find_base, read_baseline

    given = [name for name in ("base", "baseline", "write_baseline") if options[name]]
    if len(given) > 1:
        names = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"{names} do not go together: choose one.")
    folder = files[0].absolute().parent if files else Path.cwd()
    base = find_base(folder, options["base"]) if options["base"] else None
    baseline = read_baseline(options["baseline"]) if options["baseline"] else None
    of_bib = [rule.of_bibliography for rule in rules]
    return Checking(ignored, base, baseline, rules, bibliography=of_bib)


def _check_all(
    files: Sequence[Path], checking: Checking
) -> tuple[list[Checked], list[PapertrackError]]:
    """Check each file; one that cannot be read keeps no other one out."""
    checked: list[Checked] = []
    failures: list[PapertrackError] = []
    for path in files:
        try:
            checked.append(checking.check_file(path))
        except PapertrackError as error:
            failures.append(error)
    return checked, failures


def _write_baseline(session: Session, record: Path, checked: Sequence[Checked]) -> None:
    from papertrack.actions.lists.check import write_baseline

    if not session.dry_run:
        write_baseline(record, [(one.path, one.findings) for one in checked])
    count = sum(len(one.findings) for one in checked)
    session.report(f"{record} records {count} findings.", file=str(record), findings=count)


def _install(
    session: Session, files: Sequence[Path], options: dict[str, Any], ignored: Sequence[str]
) -> int:
    """Write a workflow that checks the files, and return the exit code."""
    from papertrack.actions.lists.github import plan_check
    from papertrack.actions.watch.schedule import check_package
    from papertrack.cli.arxiv.watch_install import own_package

    if not files:
        raise UsageError("Name the files that pull requests are checked for: README.md.")
    package = check_package(options["package"] or own_package())
    # Notes are for the curator: what somebody else proposes need not fail on them.
    plan = plan_check(files, package, options["fail_on"] or "warning", ignored)
    if not session.dry_run:
        plan.carry_out()
    elif not session.as_json:
        click.echo(plan.text, nl=False)
    is_written = not (plan.is_there or session.dry_run)
    done = f"{plan.path} is there already." if plan.is_there else f"{plan.path} is written."
    session.report(done, file=str(plan.path), workflow=plan.text, is_written=is_written)
    return 0


def _exit_code(checked: Sequence[Checked], fail_on: Level, unanswered: Mapping[str, str]) -> int:
    grave = LEVELS[LEVELS.index(fail_on) :]
    if any(finding.level in grave for one in checked for finding in one.findings):
        return 5
    return 4 if unanswered else 0
