"""How findings are shown: to people, to GitHub, to code scanning, to programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path, PurePath

import click

from papertrack.actions.lists.check import Checked, Finding
from papertrack.cli.output import print_json
from papertrack.library.paths import find_repository
from papertrack.text import clean, plural, shorten

_SHOWN = 20
FORMATS = ("text", "github", "sarif", "json")


def print_findings(form: str, checked: Sequence[Checked], unanswered: Mapping[str, str]) -> None:
    """Print what was found on stdout, in one of the formats; ``unanswered`` are addresses that
    could not be looked at, and why."""
    found = [(one.path, finding) for one in checked for finding in one.findings]
    if form == "json":
        _print_json(checked, found, unanswered)
    elif form == "text":
        for path, finding in found:
            click.echo(clean(f"{path}:{finding.line}: {finding.kind}: {finding.message}"))
    else:
        from papertrack.exporters.findings import to_github, to_sarif

        placed = [(_from_root(path), finding) for path, finding in found]
        click.echo((to_github if form == "github" else to_sarif)(placed), nl=False)


def _print_json(
    checked: Sequence[Checked],
    found: Sequence[tuple[Path, Finding]],
    unanswered: Mapping[str, str],
) -> None:
    findings = [
        {"file": str(path), **asdict(finding), "level": finding.level} for path, finding in found
    ]
    files = [str(one.path) for one in checked]
    print_json(
        {
            "files": files,
            "findings": findings,
            "known": sum(one.known for one in checked),
            "not_looked_at": [{"url": url, "reason": why} for url, why in unanswered.items()],
        }
    )


def _from_root(path: Path) -> PurePath:
    """Return a file as seen from the root of its repository, or else from where we are."""
    absolute = path.absolute()
    resolved = absolute.parent.resolve() / absolute.name
    root = find_repository(resolved.parent) or Path.cwd().resolve()
    return resolved.relative_to(root) if resolved.is_relative_to(root) else resolved


def summary(checked: Sequence[Checked]) -> str:
    """Return in a sentence how much was found where."""
    if not checked:
        return "No file was checked."
    count = sum(len(one.findings) for one in checked)
    known = sum(one.known for one in checked)
    entries = plural(sum(one.entries for one in checked), "entry", "entries")
    where = f"{entries} of {plural(len(checked), 'file')}"
    if known:
        found = plural(count, "new finding") if count else "Nothing new"
        return f"{found} in {where}; {known} known before."
    return f"{plural(count, 'finding')} in {where}." if count else f"Nothing is wrong in {where}."


def unanswered_lines(unanswered: Mapping[str, str]) -> Iterator[str]:
    """Yield in sentences which addresses could not be looked at, and why: this says nothing of
    them."""
    if unanswered:
        yield f"{plural(len(unanswered), 'address', 'addresses')} could not be looked at:"
    for url, why in sorted(unanswered.items())[:_SHOWN]:
        yield f"  {shorten(url, 120)}: {clean(why)}"
    if len(unanswered) > _SHOWN:
        yield f"  … and {len(unanswered) - _SHOWN} more (--format json has all)."
