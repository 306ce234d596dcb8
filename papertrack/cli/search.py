"""Searching arXiv, and fetching its PDFs: ``search`` and ``pdf get``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.display import picked, print_candidates
from papertrack.cli.network import asking
from papertrack.cli.session import Session, command, limit_option
from papertrack.errors import UsageError
from papertrack.identifiers import url_of
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.actions.online.search_arxiv import Candidate
    from papertrack.store.store import Store

DAY = click.DateTime(["%Y-%m-%d"])


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """A work that arXiv found, and what the library has of it."""

    arxiv_id: str
    version: int | None
    title: str | None
    authors: list[str]
    submitted: str | None
    updated: str | None
    primary_category: str | None
    arxiv_categories: list[str]
    abstract: str | None
    comment: str | None
    journal_ref: str | None
    doi: str | None
    url: str
    citekey: str | None
    decision: str | None


def shown_candidate(candidate: Candidate) -> ShownCandidate:
    """A candidate by the names that a paper's JSON has."""
    identifier, facts = candidate.record.identifier, candidate.record.facts
    return ShownCandidate(
        identifier.value,
        facts.version,
        facts.title,
        [author.name for author in facts.authors],
        facts.submitted,
        facts.updated,
        facts.primary_category,
        list(facts.arxiv_categories),
        facts.abstract,
        facts.comment,
        facts.journal_ref,
        facts.identifier("doi"),
        url_of(identifier),
        candidate.citekey,
        candidate.decision,
    )


@command(writes=True)
@click.argument("query", nargs=-1, required=True)
@click.option("--arxiv", "in_arxiv", is_flag=True, help="Search arXiv.")
@click.option("-c", "--cat", "arxiv_categories", multiple=True, metavar="CAT", help="cs.LG, say.")
@click.option("--since", type=DAY, metavar="DATE", help="Submitted (version 1) on or after it.")
@click.option("--until", type=DAY, metavar="DATE", help="Submitted (version 1) on or before it.")
@limit_option("At most so many, the newest.", 1000, default=20, show_default=True)
@click.option("--add", "numbers", type=int, multiple=True, metavar="NO", help="Add this one.")
def search(
    session: Session,
    query: tuple[str, ...],
    in_arxiv: bool,
    numbers: tuple[int, ...],
    **bounds: Any,
) -> None:
    """Search arXiv, newest first, and mark what the library has.

    QUERY is in the query language, as far as arXiv knows such things: words, "phrases", title:,
    author:, abstract:, comment:, venue:, arxiv_category:, submitted:, year:, AND, OR, NOT. What is
    in the library is found by `papertrack list WORDS`.

    \b
    Examples:
      papertrack search --arxiv 'title:"speculative decoding" author:leviathan'
      papertrack search --arxiv kv cache --cat cs.LG --since 2026-01-01
      papertrack search --arxiv 'abs:moe year:2026' --limit 50 --add 3 --add 7
    """
    if not in_arxiv:
        raise UsageError(
            "Say where to search: --arxiv. In the library, try `papertrack list WORDS`."
        )
    from papertrack.actions.add import add_references
    from papertrack.actions.online.search_arxiv import search_arxiv

    days = {name: bounds[name] and bounds[name].date() for name in ("since", "until")}
    with session.open_store() as store:
        with asking(session, "papers") as (door, _):
            candidates = search_arxiv(store, door, " ".join(query), **bounds | days)
        chosen = [candidate.record for candidate in picked(candidates, numbers)]
        store.citekey_template = session.citekey_template()
        added = add_references(
            store,
            [record.identifier.value for record in chosen],
            records={record.identifier: record for record in chosen},
        )
    if session.as_json:
        session.print_json(list(map(shown_candidate, candidates)))
    else:
        print_candidates(candidates)
        session.say(f"{plural(len(candidates), 'paper')} found.")
    for paper in added:
        outcome = "added" if paper.outcome == "new" else "already there"
        session.say_done(f"{paper.citekey}: {outcome}.")


@command(cls=click.Group, json=False)
def pdf(session: Session) -> None:
    """Fetch PDFs from arXiv.

    \b
    Examples:
      papertrack pdf get 2309.06180
    """


@dataclass(frozen=True, slots=True)
class Pdf:
    path: Path
    bytes_fetched: int
    """0 when it was there already."""


@command(papers="one", writes=True, within=pdf)
@click.option("--refresh", is_flag=True, help="Fetch it again, for a newer version.")
def get(session: Session, store: Store, paper_id: int, refresh: bool) -> None:
    """Fetch the PDF of a paper from arXiv, once, and print its path.

    It is kept in the library, in pdfs/, under the citekey; `papertrack open --pdf` shows it.

    \b
    Examples:
      papertrack pdf get 2309.06180
      papertrack pdf get kwon2023efficient --refresh
    """
    from papertrack.actions.online.pdf import fetch_pdf, find_pdf, plan_pdf
    from papertrack.library.trust import refuse_outside
    from papertrack.store.lookup import get_paper

    paper = get_paper(store, paper_id)
    library = session.library()
    present = None if refresh else find_pdf(paper, library)
    if present is not None:
        found = Pdf(present, 0)
    else:
        # A paper that is not on arXiv is refused here, without any network.
        arxiv_id, path = plan_pdf(paper, library.pdfs)
        if session.dry_run:
            session.say_done(f"{arxiv_id} to fetch from arXiv.")
            found = Pdf(path, 0)
        else:
            refuse_outside(library, path)
            with asking(session, "PDFs") as (door, _):
                fetched = fetch_pdf(door, paper, library.pdfs)
            found = Pdf(fetched.path, fetched.bytes_fetched)
    if session.as_json:
        session.print_json(found)
    else:
        click.echo(found.path)
