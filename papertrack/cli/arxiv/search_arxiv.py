"""``papertrack search-arxiv`` and ``papertrack pdf``."""

from __future__ import annotations

from typing import Any

import click

from papertrack.cli.display import picked, print_candidates
from papertrack.cli.network import asking
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, changing, limit_option, reference_argument
from papertrack.text import plural

DAY = click.DateTime(["%Y-%m-%d"])


@click.command("search-arxiv")
@click.argument("query", nargs=-1, required=True)
@click.option("-c", "--cat", "arxiv_categories", multiple=True, metavar="CAT", help="cs.LG, say.")
@click.option("--since", type=DAY, metavar="DATE", help="Submitted (version 1) on or after it.")
@click.option("--until", type=DAY, metavar="DATE", help="Submitted (version 1) on or before it.")
@limit_option("At most so many, the newest.", 1000, default=20, show_default=True)
@click.option("--add", "numbers", type=int, multiple=True, metavar="NO", help="Add this one.")
@changing
def search_arxiv(
    session: Session, query: tuple[str, ...], numbers: tuple[int, ...], **bounds: Any
) -> None:
    """Search arXiv, newest first, and mark what the library has.

    QUERY is in the query language, as far as arXiv knows such things: words, "phrases", title:,
    author:, abstract:, comment:, venue:, arxiv_category:, submitted:, year:, AND, OR, NOT.

    \b
    Examples:
      papertrack search-arxiv 'title:"speculative decoding" author:leviathan'
      papertrack search-arxiv kv cache --cat cs.LG --since 2026-01-01
      papertrack search-arxiv 'abs:moe year:2026' --limit 50 --add 3 --add 7
    """
    from papertrack.actions.add import add_references
    from papertrack.actions.online.search_arxiv import candidate_to_json
    from papertrack.actions.online.search_arxiv import search_arxiv as search

    days = {name: bounds[name] and bounds[name].date() for name in ("since", "until")}
    with session.open_store() as store:
        with asking(session, "papers") as (door, _):
            candidates = search(store, door, " ".join(query), **bounds | days)
        chosen = [candidate.record for candidate in picked(candidates, numbers)]
        store.citekey_template = session.citekey_template()
        added = add_references(
            store,
            [record.identifier.value for record in chosen],
            records={record.identifier: record for record in chosen},
        )
    if session.as_json:
        print_json(list(map(candidate_to_json, candidates)))
    else:
        print_candidates(candidates)
        session.say(f"{plural(len(candidates), 'paper')} found.")
    for paper in added:
        outcome = "added" if paper.outcome == "new" else "already there"
        session.say_done(f"{paper.citekey}: {outcome}.")


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
    from papertrack.actions.online.pdf import PaperPdf, fetch_pdf, find_pdf, plan_pdf
    from papertrack.actions.references import resolve_reference
    from papertrack.library.trust import refuse_outside
    from papertrack.store.lookup import get_paper

    with session.open_store() as store:
        paper = get_paper(store, resolve_reference(store, reference))
    folder = session.library().pdfs
    present = None if refresh else find_pdf(paper, session.library())
    if present is not None:
        found = PaperPdf(present, 0)
    else:
        # A paper that is not on arXiv is refused here, without any network.
        arxiv_id, path = plan_pdf(paper, folder)
        if session.dry_run:
            session.say_done(f"{arxiv_id} to fetch from arXiv.")
            found = PaperPdf(path, 0)
        else:
            refuse_outside(session.library(), path)
            with asking(session, "PDFs") as (door, _):
                found = fetch_pdf(door, paper, folder)
    if session.as_json:
        session.print_result(path=str(found.path), bytes_fetched=found.bytes_fetched)
    else:
        click.echo(found.path)
