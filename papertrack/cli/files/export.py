"""``papertrack export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from papertrack.cli.files.conflicts import decider, interactive_option, prefer_option
from papertrack.cli.options import dry_run_option
from papertrack.cli.session import Session, pass_session
from papertrack.errors import PapertrackError, UsageError

FORMATS = ("md", "bib", "json", "csv", "csl", "ris")


@click.command
@click.argument("words", metavar="[QUERY|FILE...]", nargs=-1)
@click.option("--md", "as_md", is_flag=True, help="The registered READMEs; with -o fresh tables.")
@click.option("--bib", "as_bib", is_flag=True, help="BibTeX (exports/references.bib).")
@click.option("--json", "as_json", is_flag=True, help="All that is known (exports/papers.json).")
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet (exports/papers.csv).")
@click.option("--csl", "as_csl", is_flag=True, help="CSL-JSON (exports/references.json).")
@click.option("--ris", "as_ris", is_flag=True, help="RIS (exports/references.ris).")
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
    words: tuple[str, ...],
    as_md: bool,
    as_bib: bool,
    as_json: bool,
    as_csv: bool,
    as_csl: bool,
    as_ris: bool,
    output: str | None,
    biblatex: bool,
    style: str,
    check: bool,
    diff: bool,
    prefer: Any,
    interactive: bool,
    dry_run: bool,
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
    flags = zip(FORMATS, (as_md, as_bib, as_json, as_csv, as_csl, as_ris), strict=True)
    named = [name for name, is_on in flags if is_on]
    if output is not None and len(named) != 1:
        raise UsageError("-o takes one format: add one of --md, --bib, --json, --csv, …")
    if words and len(named) != 1:
        raise UsageError("A FILE or QUERY takes one format: add one of --md, --bib, …")
    if output is not None and any(word.lower().endswith(".bib") for word in words):
        raise UsageError("A .bib file is changed in its place: leave out -o, or the file.")
    is_dry = dry_run or check or diff
    decides = decider(prefer, interactive)
    has_changes = has_conflicts = False
    failures: list[PapertrackError] = []
    for name in named or ("md", "bib"):
        if name == "md" and output is None:
            from papertrack.cli.files.export_documents import export_registered

            exported = export_registered(
                session,
                [Path(word) for word in words],
                decides=decides,
                dry_run=is_dry,
                diff=diff,
                is_asked=as_md,
                failures=failures,
            )
            has_changes |= exported.has_changes
            has_conflicts |= exported.has_conflicts
            continue
        files = [word for word in words if name == "bib" and word.lower().endswith(".bib")]
        query = " ".join(word for word in words if word not in files)
        if name == "bib" and output is None and (files or not query):
            from papertrack.cli.files.export_documents import export_bib_files

            exported = export_bib_files(
                session,
                [Path(file) for file in files],
                query,
                decides=decides,
                dry_run=is_dry,
                diff=diff,
                failures=failures,
            )
            has_changes |= exported.has_changes
            has_conflicts |= exported.has_conflicts
        if not files:
            from papertrack.cli.files.export_files import export_file

            has_changes |= export_file(
                session,
                name,
                query,
                None if output is None else Path(output),
                dialect="biblatex" if biblatex else "bibtex",
                style=style,
                dry_run=is_dry,
                diff=diff,
            )
    session.raise_last(failures)
    return 5 if has_conflicts or (check and has_changes) else 0
