"""``papertrack cite --tex``: the .bib of what manuscripts cite, and what troubles it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from papertrack.cli.output import plural, print_result, say_done
from papertrack.cli.session import Session
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.actions.cite.citing import CitedPapers
    from papertrack.exporters.bibtex import Dialect


def cite_manuscripts(
    session: Session, names: Sequence[str], output: str | None, *, dialect: Dialect
) -> int:
    """Write what the manuscripts cite to ``output`` or stdout; 5 when something is wrong."""
    from papertrack.actions.cite.citing import cited_papers
    from papertrack.actions.cite.files import read_manuscripts
    from papertrack.queries import parse_query
    from papertrack.store.listing import find_ids

    manuscripts = read_manuscripts([Path(name) for name in names])
    with session.open_store() as store:
        cited = cited_papers(
            store, manuscripts, everything=find_ids(store, parse_query("is:saved"), order="id")
        )
        if output not in (None, "-"):
            from papertrack.cli.files.export_files import refuse_document

            refuse_document(store, session.library(), Path(output))
    text = cited.to_bibtex(
        dialect=dialect, preprint_style="misc", protect=session.settings().bibtex.protect
    )
    _say_findings(cited)
    if cited.problem is not None:
        session.warn(cited.problem)
    if session.as_json:
        print_result(session, _json(cited, output))
    if output not in (None, "-"):
        _write(session, Path(output), text, cited)
    elif not session.as_json:
        click.echo(text.encode("utf-8"), nl=False)
    return 5 if cited.findings else 0


def _say_findings(cited: CitedPapers) -> None:
    for finding in cited.findings:
        about = " ".join(filter(None, (finding.citekey, finding.message)))
        click.echo(clean(f"{finding.file}:{finding.line}: {about}."), err=True)


def _write(session: Session, target: Path, text: str, cited: CitedPapers) -> None:
    from papertrack.library.files import read_file, write_file

    count = plural(len(cited.papers), "paper")
    if target.exists() and read_file(target) == text.encode("utf-8"):
        session.say(f"{target}: {count}, nothing to do.")
        return
    if not session.dry_run:
        write_file(target, text.encode("utf-8"))
    say_done(session, f"{target}: wrote {count}.")


def _json(cited: CitedPapers, output: str | None) -> dict[str, object]:
    return {
        "papers": len(cited.papers),
        "citekeys": [paper.citekey for paper in cited.papers],
        "citations": cited.citations,
        "findings": [asdict(finding) for finding in cited.findings],
        "file": output,
    }
