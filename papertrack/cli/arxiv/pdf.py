"""``papertrack pdf``."""

from __future__ import annotations

import click

from papertrack.cli.network import asking
from papertrack.cli.session import Session, changing, reference_argument


@click.command
@reference_argument()
@click.option("--refresh", is_flag=True, help="Fetch it again, for a newer version.")
@changing
def pdf(session: Session, reference: str, refresh: bool) -> None:
    """Fetch the PDF of a paper from arXiv, once, and print its path.

    It is kept in the library, in pdfs/, under the citekey; `papertrack open --pdf` shows it.

    \b
    Examples:
      papertrack pdf 2309.06180
      papertrack pdf kwon2023efficient --refresh
    """
    from papertrack.actions.enrich.references import resolve_reference
    from papertrack.actions.online.pdf import PaperPdf, fetch_pdf, find_pdf, plan_pdf
    from papertrack.store.lookup import get_paper

    with session.open_store() as store:
        paper = get_paper(store, resolve_reference(store, reference))
    folder = session.library().pdfs
    present = None if refresh else find_pdf(paper, folder)
    if present is not None:
        found = PaperPdf(present, 0)
    else:
        # A paper that is not on arXiv is refused here, without any network.
        arxiv_id, path = plan_pdf(paper, folder)
        if session.dry_run:
            session.say_done(f"{arxiv_id} to fetch from arXiv.")
            found = PaperPdf(path, 0)
        else:
            with asking(session, "PDFs") as (door, _):
                found = fetch_pdf(door, paper, folder)
    if session.as_json:
        session.print_result(path=str(found.path), bytes_fetched=found.bytes_fetched)
    else:
        click.echo(found.path)
