"""``papertrack list``: the reading path, kept free of every heavy library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.display import print_papers
from papertrack.cli.output import is_terminal, print_json_lines
from papertrack.cli.session import Session, choice_option, limit_option, reading
from papertrack.queries.nodes import EVERYTHING, And, Not, Or, Query, Term, Text
from papertrack.records import DECISIONS
from papertrack.store import listing
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.store.store import Store


@click.command("list")
@click.argument("query", nargs=-1)
@choice_option(
    "-s", "--sort", "order", of=sorted(listing.ORDERS), default="added", help="What to order by."
)
@click.option("-r", "--reverse", "is_reversed", is_flag=True, help="The other way round.")
@limit_option("At most N papers.", metavar="N")
@click.option("--all", "with_discarded", is_flag=True, help="Discarded papers too.")
@reading
def list_(session: Session, query: tuple[str, ...], with_discarded: bool, **how: Any) -> None:
    """List papers.

    QUERY is in the one query language: words, "phrases", fields, AND, OR, NOT. Papers that were
    discarded are listed when the query asks for decisions, or with --all. In a pipe the columns
    are separated by tabs, and no head is printed.

    \b
    Examples:
      papertrack list
      papertrack list 'category:Serving pass:<2'
      papertrack list 'title:"speculative decoding" year:2024-' --sort submitted
      papertrack list is:inbox --json
    """
    asked = shown_query(" ".join(query), with_discarded=with_discarded)
    with session.open_store() as store:
        if session.as_json:
            from papertrack.exporters.ranks import ranked_to_json, ranks_to_json
            from papertrack.store.lookup import each_paper
            from papertrack.store.watch.ranks import read_ranks, topics_of_ranked

            ranks = ranks_to_json(read_ranks(store).values(), topics_of_ranked(store))
            papers = each_paper(store, listing.find_ids(store, asked, **how))
            shapes = (ranked_to_json(paper, ranks.get(paper.id)) for paper in papers)
            print_json_lines(shapes, long="abstract")
            return
        count = print_papers(listing.each_paper(store, asked, **how))
        hints = [] if count else _hints(store, asked)
    if is_terminal():
        session.say(plural(count, "paper"))
    session.say(*map(clean, hints))


def _hints(store: Store, query: Query) -> list[str]:
    from papertrack.store.search import unknown_names

    if not listing.find_ids(store, limit=1):
        return [
            "There is no paper in the library yet: `papertrack import README.md` takes in a list, "
            "`papertrack add 2309.06180` a paper."
        ]
    return unknown_names(store, query)


def shown_query(text: str, *, with_discarded: bool = False) -> Query:
    """The query that a list shows: it leaves out what was discarded, unless it asks for that."""
    query: Query = EVERYTHING
    if text.strip():
        # A list of all papers needs no language.
        from papertrack.queries.parser import parse_query

        query = parse_query(text)
    if with_discarded or _asks_for_decision(query):
        return query
    parts = query.parts if isinstance(query, And) else (query,)
    kept = Not(Term("is", Text("discarded")))
    return And((*parts, kept)) if parts else kept


def _asks_for_decision(query: Query) -> bool:
    match query:
        case And(parts) | Or(parts):
            return any(map(_asks_for_decision, parts))
        case Not(part):
            return _asks_for_decision(part)
        case Term("is", Text(word)):
            return word in DECISIONS
        case Term(field, _):
            return field == "decision"
