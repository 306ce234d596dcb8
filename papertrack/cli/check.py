"""``papertrack check``: mistakes in files, for people, GitHub, code scanning or programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.lists.check import (
    FINDING_KINDS,
    LEVELS,
    Checker,
    FileReport,
    Level,
    LibraryRule,
    find_base,
    read_baseline,
    write_baseline,
)
from papertrack.actions.lists.git import plan_check
from papertrack.actions.results import shaped
from papertrack.cli.session import (
    FILE_PATH,
    Session,
    choice_option,
    command,
    flag,
    option,
    options,
    package_option,
    refuse_together,
)
from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.paths import find_repository
from papertrack.text import clean, plural, shorten

FORMATS = ("text", "github", "sarif", "json")

if TYPE_CHECKING:
    from papertrack.actions.lists.check_links import DeadLinks


@command(writes=True)
@click.argument("files", metavar="[FILE...]", nargs=-1, type=FILE_PATH)
@option("--base REF", "Only findings that are new since REF, as in a pull request.")
@option("--baseline FILE", "Only findings that are not in FILE.", type=FILE_PATH)
@option("--write-baseline FILE", "Write the findings to FILE, for --baseline.", type=FILE_PATH)
@options("--ignore KIND", "Leave out a kind of finding: several-sections; repeatable.")
@flag("--links", help="Also find dead links (network).")
@choice_option("--fail-on", of=LEVELS, help="Exit with 5 from this severity on.")
@choice_option("--format", "form", of=FORMATS, help="The format of findings; text by default.")
@flag("--install-github", help="Write a workflow that checks pull requests.")
@package_option
def check(session: Session, files: tuple[Path, ...], **options: Any) -> int:
    """Find mistakes in READMEs and .bib files.

    In READMEs: works listed twice, addresses of another work, undefined, unused or repeated link
    definitions, links without address or text, rows with too many or too few cells, missing files,
    dates that contradict the arXiv id, entries without a link. With a library also titles of other
    works, and preprints that have been published. In .bib files: one DOI or arXiv id on two works,
    one work entered twice, malformed entries.

    It checks all registered files, or FILEs, which need no library. Only --links uses
    the network. For pull requests, use --base and --format github. Exits 5 when something is found,
    and 4 when addresses could not be checked.

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
        raise UsageError("--package needs --install-github.")
    refuse_together(**{name: options[name] for name in ("base", "baseline", "write_baseline")})
    results, failures, unanswered = _check_all(session, files, options, ignored)
    if baseline_file := options["write_baseline"]:
        _write_baseline(session, baseline_file, results)
        session.raise_last(failures)
        return 4 if unanswered else 0
    _print_findings(session, options["form"] or "text", results, unanswered)
    session.say(_summary(results), *_unanswered_lines(unanswered))
    session.raise_last(failures)
    return _exit_code(results, fail_on, unanswered)


def _rules(
    session: Session, ignored: Sequence[str], fail_on: Level | None
) -> tuple[list[str], Level]:
    """Return the kinds to leave out and the severity that fails, from options or settings."""
    try:
        settings = session.settings(only="check").check
    except NotFoundError:  # Files can be checked without a library.
        kinds, level = [*ignored], fail_on or "note"
    else:
        kinds, level = [*ignored, *settings.ignore], fail_on or settings.fail_on
    if unknown := [kind for kind in kinds if kind not in FINDING_KINDS]:
        raise UsageError(
            f"There is no kind of finding {unknown[0]!r}. Choose from {', '.join(FINDING_KINDS)}."
        )
    return kinds, level


@contextmanager
def _online(session: Session, is_wanted: bool) -> Iterator[DeadLinks | None]:
    """Yield the function that checks URLs, or None if links are not to be checked."""
    if not is_wanted:
        yield None
        return
    from papertrack.actions.lists.check_links import open_links
    from papertrack.cli.network import Progress
    from papertrack.library.settings_in_force import load_settings

    library = session.library_if_any()
    # Without a library there is no settings file, but the environment may have settings.
    settings = load_settings(library or Library(Path.cwd()), os.environ).arxiv
    with Progress(session, "addresses", "looking at addresses") as progress:
        yield open_links(
            library, settings, clock=session.now, on_wait=progress.wait, on_look=progress.advance
        )


def _check_all(
    session: Session, files: Sequence[Path], options: dict[str, Any], ignored: Sequence[str]
) -> tuple[list[FileReport], list[PapertrackError], Mapping[str, str]]:
    """Check each file; one that cannot be read does not stop the others.

    Returns their reports, the failures, and the URLs that could not be checked.
    """
    folder = files[0].absolute().parent if files else Path.cwd()
    base = find_base(folder, options["base"]) if options["base"] else None
    baseline = read_baseline(options["baseline"]) if options["baseline"] else None
    results, failures = list[FileReport](), list[PapertrackError]()
    with session.store_if_any() as store, _online(session, options["links"]) as links:
        rules = [] if store is None else [LibraryRule(store)]
        of_bib = [rule.of_bibliography for rule in rules]
        checker = Checker(ignored, base, baseline, rules, [links] if links else [], of_bib)
        for path in files:
            try:
                results.append(checker.check_file(path))
            except PapertrackError as error:
                failures.append(error)
    return results, failures, links.unanswered if links else {}


def _write_baseline(session: Session, file: Path, results: Sequence[FileReport]) -> None:
    if not session.dry_run:
        write_baseline(file, [(result.path, result.findings) for result in results])
    count = sum(len(result.findings) for result in results)
    session.present(CheckRecorded(str(file), count))


def _install(
    session: Session, files: Sequence[Path], options: dict[str, Any], ignored: Sequence[str]
) -> int:
    """Write a workflow that checks the files, and return the exit code."""
    from papertrack.actions.watch.schedule import check_package, own_package

    if not files:
        raise UsageError("Name the files that pull requests are checked for: README.md.")
    package = check_package(options["package"] or own_package())
    # Notes are for the curator, so proposals of others do not fail on them.
    plan = plan_check(files, package, options["fail_on"] or "warning", ignored)
    if not session.dry_run:
        plan.carry_out()
    elif not session.as_json:
        click.echo(plan.text, nl=False)
    is_written = not (plan.is_there or session.dry_run)
    return session.present(CheckInstalled(str(plan.path), plan.text, is_written, plan.is_there))


def _exit_code(results: Sequence[FileReport], fail_on: Level, unanswered: Mapping[str, str]) -> int:
    failing = LEVELS[LEVELS.index(fail_on) :]
    if any(finding.level in failing for result in results for finding in result.findings):
        return 5
    return 4 if unanswered else 0


_SHOWN = 20


def _print_findings(
    session: Session, form: str, results: Sequence[FileReport], unanswered: Mapping[str, str]
) -> None:
    """Print the findings to stdout in one of the formats.

    ``unanswered`` are URLs that could not be checked, with the reasons.
    """
    findings = [(result.path, finding) for result in results for finding in result.findings]
    if form == "json" or session.as_json:
        session.print_json(
            Check(
                [str(result.path) for result in results],
                [shaped(ShownFinding, finding, file=str(path)) for path, finding in findings],
                sum(result.known for result in results),
                [NotLookedAt(url, reason) for url, reason in unanswered.items()],
            )
        )
    elif form == "text":
        for path, finding in findings:
            click.echo(clean(f"{path}:{finding.line}: {finding.kind}: {finding.message}"))
    else:
        from papertrack.exporters.findings import to_github, to_sarif

        from_root = [(_from_root(path), finding) for path, finding in findings]
        click.echo((to_github if form == "github" else to_sarif)(from_root), nl=False)


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding of `check` in a line of a file."""

    file: str
    line: int
    kind: str
    level: str
    message: str
    about: str
    """The entry, identifier, definition or URL, which stays the same if the entry moves."""
    other_line: int | None
    """For a finding about two places, the other place."""


@dataclass(frozen=True, slots=True)
class NotLookedAt:
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Check:
    files: list[str]
    findings: list[ShownFinding]
    known: int
    """Findings that are left out, because the base or the baseline file has them."""
    not_looked_at: list[NotLookedAt]
    """URLs that --links could not check; they may work."""


@dataclass(frozen=True, slots=True)
class CheckRecorded:
    """The result of `check --write-baseline`."""

    file: str
    findings: int

    def sentences(self) -> Iterator[str]:
        yield f"{self.file} records {self.findings} findings."


@dataclass(frozen=True, slots=True)
class CheckInstalled:
    """The result of `check --install-github`."""

    file: str
    workflow: str
    is_written: bool
    """False if the file existed already, and in a dry run."""
    is_there: bool

    def sentences(self) -> Iterator[str]:
        yield f"{self.file} is {'there already' if self.is_there else 'written'}."


def _from_root(path: Path) -> PurePath:
    """Return a path relative to the root of its repository, or else to the current folder."""
    absolute = path.absolute()
    resolved = absolute.parent.resolve() / absolute.name
    root = find_repository(resolved.parent) or Path.cwd().resolve()
    return resolved.relative_to(root) if resolved.is_relative_to(root) else resolved


def _summary(results: Sequence[FileReport]) -> str:
    """Return a sentence about the number of findings and files."""
    if not results:
        return "No file was checked."
    count = sum(len(result.findings) for result in results)
    old_count = sum(result.known for result in results)
    entries = plural(sum(result.entries for result in results), "entry", "entries")
    where = f"{entries} of {plural(len(results), 'file')}"
    if old_count:
        new_text = plural(count, "new finding") if count else "Nothing new"
        return f"{new_text} in {where}; {old_count} known already."
    return f"{plural(count, 'finding')} in {where}." if count else f"Nothing is wrong in {where}."


def _unanswered_lines(unanswered: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences about URLs that could not be checked; they may work."""
    if unanswered:
        yield f"{plural(len(unanswered), 'address', 'addresses')} could not be checked:"
    for url, why in sorted(unanswered.items())[:_SHOWN]:
        yield f"  {shorten(url, 120)}: {clean(why)}"
    if len(unanswered) > _SHOWN:
        yield f"  … and {len(unanswered) - _SHOWN} more (--format json has all)."
