"""``papertrack check``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from papertrack.actions.check.run import FINDING_KINDS, Checked, Finding, check_file
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, reading
from papertrack.errors import PapertrackError, UsageError
from papertrack.library.paths import BIBTEX_SUFFIXES
from papertrack.text import clean, plural


@click.command
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--ignore",
    metavar="KIND",
    multiple=True,
    help="Leave out one kind of finding, such as several-sections; may be repeated.",
)
@reading
def check(session: Session, files: tuple[Path, ...], ignore: tuple[str, ...]) -> int:
    """Look for what is wrong in READMEs, before a commit.

    Works listed twice, two works with one address, undefined, unused and repeated link
    definitions, links without address or text, rows with too many or too few cells, notes that
    are not there, dates that contradict the arXiv id, entries without a link. All registered
    READMEs, or the FILEs named; a FILE needs no library, and nothing needs the network. Exits 5
    when something is found.

    \b
    Examples:
      papertrack check
      papertrack check README.md docs/*.md
      papertrack check README.md --ignore several-sections
    """
    _check_kinds(ignore)
    checked, failures = _check_all(files or session.documents("markdown"))
    found = _findings(checked, ignore)
    if session.as_json:
        findings = [
            {"file": str(path), **asdict(finding), "level": finding.level}
            for path, finding in found
        ]
        print_json({"files": [str(one.path) for one in checked], "findings": findings})
    else:
        for path, finding in found:
            click.echo(clean(f"{path}:{finding.line}: {finding.kind}: {finding.message}"))
        session.say(_summary(checked, len(found)))
    session.raise_last(failures)
    return 5 if found else 0


def _findings(checked: Sequence[Checked], ignore: Sequence[str]) -> list[tuple[Path, Finding]]:
    found = [(one.path, finding) for one in checked for finding in one.findings]
    return [(path, finding) for path, finding in found if finding.kind not in ignore]


def _check_kinds(ignore: Sequence[str]) -> None:
    unknown = [kind for kind in ignore if kind not in FINDING_KINDS]
    if unknown:
        raise UsageError(
            f"There is no kind of finding {unknown[0]!r}. Choose from {', '.join(FINDING_KINDS)}."
        )


def _check_all(files: Sequence[Path]) -> tuple[list[Checked], list[PapertrackError]]:
    """Check each file; one that cannot be read keeps no other one out."""
    if bib := next((path for path in files if path.suffix.lower() in BIBTEX_SUFFIXES), None):
        raise UsageError(
            f"{bib}: `check` is for READMEs. `papertrack import {bib} --dry-run` tells what is odd "
            "in a .bib file, and `papertrack cite --tex` what would trouble a reference list."
        )
    checked: list[Checked] = []
    failures: list[PapertrackError] = []
    for path in files:
        try:
            checked.append(check_file(path))
        except PapertrackError as error:
            failures.append(error)
    return checked, failures


def _summary(checked: Sequence[Checked], count: int) -> str:
    if not checked:
        return "No README was checked."
    entries = plural(sum(one.entries for one in checked), "entry", "entries")
    where = f"{entries} of {plural(len(checked), 'file')}"
    return f"{plural(count, 'finding')} in {where}." if count else f"Nothing is wrong in {where}."
