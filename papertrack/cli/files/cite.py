"""``papertrack cite``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from papertrack.cli.options import dry_run_option, json_option, reference_argument, words_from_stdin
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, pass_session
from papertrack.errors import UsageError
from papertrack.records import Paper

FORMS = ("latex", "pandoc", "typst", "text", "bibtex")


@click.command
@reference_argument(many=True)
@click.option("--latex", "form", flag_value="latex", help=r"\cite{kwon2023efficient}")
@click.option("--pandoc", "form", flag_value="pandoc", help="[@kwon2023efficient]")
@click.option("--typst", "form", flag_value="typst", help="@kwon2023efficient")
@click.option("--text", "form", flag_value="text", help="The whole reference as a line of text.")
@click.option("--bibtex", "form", flag_value="bibtex", help="The BibTeX entry.")
@click.option("--tex", "is_manuscript", is_flag=True, help="The arguments are manuscripts.")
@click.option("-o", "--output", metavar="FILE", help="With --tex, the .bib file; else stdout.")
@click.option("--biblatex", is_flag=True, help="With --tex, write for biblatex and biber.")
@dry_run_option
@json_option
@pass_session
def cite(
    session: Session,
    references: tuple[str, ...],
    form: str | None,
    is_manuscript: bool,
    output: str | None,
    biblatex: bool,
) -> int:
    """Print what to write to cite papers, or the .bib of what a manuscript cites.

    With --tex the arguments are files: .tex with what it inputs, .aux, .bcf, Markdown or Typst.
    Exactly what they cite is written; what would trouble the reference list is named with its
    line, and makes it exit 5: unknown keys with the nearest one, one work under two keys,
    preprints that were published, entries that biber would warn of, files that are not there.

    \b
    Examples:
      papertrack cite 2309.06180 2401.09670 --latex
      papertrack cite kwon2023efficient --bibtex
      papertrack cite --tex paper.tex -o references.bib
    """
    if is_manuscript:
        from papertrack.cli.files.cite_manuscripts import cite_manuscripts

        return cite_manuscripts(
            session, references, output, dialect="biblatex" if biblatex else "bibtex"
        )
    if output is not None or biblatex:
        raise UsageError("-o and --biblatex go with --tex.")
    _print_citations(session, references, form)
    return 0


def _print_citations(session: Session, references: tuple[str, ...], form: str | None) -> None:
    from papertrack.actions.cite.showing import papers_to_copy
    from papertrack.actions.enrich.references import resolve_reference

    with session.open_store() as store:
        words = words_from_stdin(references)
        ids = list(dict.fromkeys(resolve_reference(store, word) for word in words))
        shown = papers_to_copy(store, ids)
    if shown.problem is not None:
        session.warn(shown.problem)
    if session.as_json:
        print_json([_to_json(session, paper) for paper in shown.papers])
    elif shown.papers:
        click.echo(_cited(session, shown.papers, form))
    else:
        session.say("Nothing to do.")


def _to_json(session: Session, paper: Paper) -> dict[str, str]:
    cited = {form: _cited(session, [paper], form) for form in FORMS}
    return {"citekey": paper.citekey, **cited, "bibtex": f"{cited['bibtex']}\n"}


def _cited(session: Session, papers: Sequence[Paper], form: str | None) -> str:
    """What to write to cite these papers; without a form their keys."""
    from papertrack.exporters import text
    from papertrack.exporters.bibtex import entry_of

    keys = [paper.citekey for paper in papers]
    match form:
        case "latex":
            return text.cite_latex(keys)
        case "pandoc":
            return text.cite_pandoc(keys)
        case "typst":
            return text.cite_typst(keys)
        case "text":
            return "\n".join(map(text.format_reference, papers))
        case "bibtex":
            protect = session.settings().bibtex.protect
            return "\n".join(entry_of(paper, protect=protect) for paper in papers).rstrip("\n")
    return "\n".join(keys)
