"""``papertrack cite``."""

from __future__ import annotations

import click

from papertrack.cli.options import json_option, reference_argument, words_from_stdin
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, pass_session


@click.command
@reference_argument(many=True)
@click.option("--latex", "form", flag_value="latex", help=r"\cite{kwon2023efficient}")
@click.option("--pandoc", "form", flag_value="pandoc", help="[@kwon2023efficient]")
@click.option("--typst", "form", flag_value="typst", help="@kwon2023efficient")
@click.option("--text", "form", flag_value="text", help="The whole reference as a line of text.")
@click.option("--bibtex", "form", flag_value="bibtex", help="The BibTeX entry.")
@json_option
@pass_session
def cite(session: Session, references: tuple[str, ...], form: str | None, as_json: bool) -> None:
    """Print what to write to cite papers: their citekeys, or a citation.

    \b
    Examples:
      papertrack cite 2309.06180
      papertrack cite 2309.06180 2401.09670 --latex
      papertrack cite kwon2023efficient --bibtex
    """
    from papertrack.actions.references import resolve_reference
    from papertrack.exporters.bibtex import entry_of
    from papertrack.exporters.text import cite_latex, cite_pandoc, cite_typst, format_reference
    from papertrack.store.lookup import get_papers
    from papertrack.store.papers import give_citekeys

    with session.open_store() as store:
        ids = [resolve_reference(store, word) for word in words_from_stdin(references)]
        give_citekeys(store, ids)
        papers = get_papers(store, ids)
    keys = [paper.citekey for paper in papers]
    protect = session.settings().bibtex.protect if as_json or form == "bibtex" else ()
    if as_json:
        print_json(
            [
                {
                    "citekey": paper.citekey,
                    "latex": cite_latex([paper.citekey]),
                    "pandoc": cite_pandoc([paper.citekey]),
                    "typst": cite_typst([paper.citekey]),
                    "text": format_reference(paper),
                    "bibtex": entry_of(paper, protect=protect),
                }
                for paper in papers
            ]
        )
    elif form == "latex":
        click.echo(cite_latex(keys))
    elif form == "pandoc":
        click.echo(cite_pandoc(keys))
    elif form == "typst":
        click.echo(cite_typst(keys))
    elif form == "text":
        click.echo("\n".join(map(format_reference, papers)))
    elif form == "bibtex":
        click.echo("\n".join(entry_of(paper, protect=protect) for paper in papers), nl=False)
    else:
        click.echo("\n".join(keys))
