"""``papertrack search-arxiv``."""

from __future__ import annotations

from typing import Any

import click

from papertrack.cli.display import picked, print_candidates
from papertrack.cli.network import asking
from papertrack.cli.output import print_json
from papertrack.cli.session import Session, changing
from papertrack.text import plural

DAY = click.DateTime(["%Y-%m-%d"])


@click.command("search-arxiv")
@click.argument("query", nargs=-1, required=True)
@click.option("-c", "--cat", "arxiv_categories", multiple=True, metavar="CAT", help="cs.LG, say.")
@click.option("--since", type=DAY, metavar="DATE", help="Submitted (version 1) on or after it.")
@click.option("--until", type=DAY, metavar="DATE", help="Submitted (version 1) on or before it.")
@click.option(
    "-l",
    "--limit",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    help="At most so many, the newest.",
)
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
        added = add_references(
            store,
            [record.identifier.value for record in chosen],
            citekey_template=session.settings().citekeys.template,
            records={record.identifier: record for record in chosen},
            dry_run=session.dry_run,
        )
    if session.as_json:
        print_json([candidate_to_json(candidate) for candidate in candidates])
    else:
        print_candidates(candidates)
        session.say(f"{plural(len(candidates), 'paper')} found.")
    for paper in added:
        outcome = "added" if paper.outcome == "new" else "already there"
        session.say_done(f"{paper.citekey}: {outcome}.")
