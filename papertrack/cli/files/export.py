"""``papertrack export``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from papertrack.cli.files.conflicts import decider, interactive_option, prefer_option
from papertrack.cli.files.export_documents import ExportRun, export_bib_files, export_registered
from papertrack.cli.session import Session, dry_run_option, pass_session
from papertrack.errors import UsageError
from papertrack.exporters.registry import FORMATS, Format, format_of_file

WITHOUT_A_FORMAT = ("md", "bib")
"""What is written when no format is asked for."""

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def format_options(command: Decorated) -> Decorated:
    """An option for each format of the registry."""
    for form in reversed(FORMATS):
        option = click.option(f"--{form.name}", f"as_{form.name}", is_flag=True, help=form.help)
        command = option(command)
    return command


@click.command
@click.argument("words", metavar="[QUERY|FILE...]", nargs=-1)
@format_options
@click.option("-o", "--output", metavar="FILE", help="Where to write one format; - is stdout.")
@click.option("--biblatex", is_flag=True, help="Write --bib for biblatex and biber.")
@click.option(
    "--style",
    type=click.Choice(["misc", "article"]),
    default="misc",
    show_default=True,
    help="The BibTeX type of a preprint.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 5 if anything would change.")
@click.option("--diff", is_flag=True, help="Show what would change, and write nothing.")
@prefer_option
@interactive_option
@dry_run_option
@pass_session
def export(
    session: Session,
    /,
    words: tuple[str, ...],
    output: str | None,
    biblatex: bool,
    style: str,
    check: bool,
    diff: bool,
    prefer: Any,
    interactive: bool,
    **flags: bool,
) -> int:
    """Write READMEs, BibTeX and other formats from the library.

    Without a format the registered READMEs and .bib files and exports/references.bib are brought up
    to date. In a file of yours only what changed in the library changes; all else keeps its bytes.
    --md takes the FILEs to write, the other formats a QUERY that selects; without one references
    hold the saved papers and posts (`is:saved` asks for projects and resources too), fresh tables
    all that is saved, JSON and CSV everything. --bib also takes imported .bib FILEs: a QUERY after
    them names papers to add. Exits 5 on conflicts, and with --check when anything would change.

    \b
    Examples:
      papertrack export
      papertrack export --md --diff
      papertrack export --md -o exports/papers.md
      papertrack export --bib category:Serving -o serving.bib
      papertrack export --bib main.bib tag:thesis --diff
      papertrack export --json -o - | jq length
    """
    named = _named_formats(flags, words, output)
    session = replace(session, dry_run=session.dry_run or check or diff)
    run = ExportRun(session, decider(prefer, interactive), diff)
    wanted = {"dialect": "biblatex" if biblatex else "bibtex", "preprint_style": style}
    for form in named or _formats_unasked():
        if form.name == "md" and output is None:
            export_registered(run, list(map(Path, words)), is_asked=bool(named))
        else:
            _export_format(run, form, words, output, wanted)
    session.raise_last(run.failures)
    return 5 if run.has_conflicts or (check and run.has_changes) else 0


def _formats_unasked() -> list[Format]:
    return [form for form in FORMATS if form.name in WITHOUT_A_FORMAT]


def _named_formats(
    flags: dict[str, bool], words: Sequence[str], output: str | None
) -> list[Format]:
    """The formats asked for, by option or by the suffix of the one file to write."""
    named = [form for form in FORMATS if flags[f"as_{form.name}"]]
    if output is not None and not named and (by_suffix := format_of_file(output)):
        named = [by_suffix]
    if len(named) != 1:
        _refuse_what_takes_one_format(words, output)
    if output is not None and any(map(_is_bib_file, words)):
        raise UsageError("A .bib file is changed in its place: leave out -o, or the file.")
    return named


def _refuse_what_takes_one_format(words: Sequence[str], output: str | None) -> None:
    if output is not None:
        raise UsageError("-o takes one format: add one of --md, --bib, --json, --csv, …")
    if words:
        raise UsageError("A FILE or QUERY takes one format: add one of --md, --bib, …")


def _export_format(
    run: ExportRun, form: Format, words: Sequence[str], output: str | None, wanted: dict[str, str]
) -> None:
    """Write the one file of a format; of BibTeX also the imported files, or those named alone."""
    is_bib = form.name == "bib"
    files = list(filter(_is_bib_file, words)) if is_bib else []
    query = " ".join(word for word in words if word not in files)
    if is_bib and output is None and (files or not query):
        export_bib_files(run, list(map(Path, files)), query)
    if not files:
        from papertrack.cli.files.export_files import export_file

        target = None if output is None else Path(output)
        run.has_changes |= export_file(run.session, form, query, target, wanted, diff=run.diff)


def _is_bib_file(word: str) -> bool:
    return word.lower().endswith(".bib")
