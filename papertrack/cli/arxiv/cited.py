"""``papertrack cited-by-mine``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from papertrack.cli.network import Progress
from papertrack.cli.output import Columns
from papertrack.cli.session import Session, complete_reference, limit_option, reading
from papertrack.errors import SourceUnavailableError
from papertrack.text import few, plural

if TYPE_CHECKING:
    from papertrack.actions.online.published import CitedWork

COLUMNS: Columns = {
    "cited": lambda one: str(len(one["cited_by"])),
    "year": "year",
    "id": lambda one: one["arxiv_id"] or one["doi"],
    "title": "title",
    "by": lambda one: few(one["cited_by"], 2),
}


@click.command
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@click.option(
    "--least",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Only works that so many of your papers cite.",
)
@limit_option("How many works to list.", default=20, show_default=True)
@reading
def cited_by_mine(session: Session, words: tuple[str, ...], least: int, limit: int) -> None:
    """List what your papers cite and you do not have, the most cited first.

    Semantic Scholar is asked for the references of the papers that you saved or read, or of those
    named or found; exit code 4 says that some got no answer.

    \b
    Examples:
      papertrack cited-by-mine
      papertrack cited-by-mine 'category:Serving' --least 2
    """
    from papertrack.actions.online.network import open_door
    from papertrack.actions.online.published import cited_by_mine as find

    settings = session.settings()
    with session.open_store() as store, Progress(session, "papers", "asking") as progress:
        door = open_door(
            *(session.library(), settings.arxiv),
            clock=session.now,
            on_wait=progress.wait,
            services=settings.sources,
        )
        found = find(store, door, asdict(settings.sources), words, least=least)
    session.print_records(list(map(_to_json, found.works[:limit])), COLUMNS, flexible=3, right=(0,))
    if found.unheard:
        why = found.silence.why if found.silence else "no answer"
        told = plural(found.unheard, "paper")
        raise SourceUnavailableError(f"{told} of {found.papers} without an answer: {why}.")
    if not found.works and not session.as_json:
        session.say(f"Nothing that {least} of {plural(found.papers, 'paper')} cite is missing.")


def _to_json(work: CitedWork) -> dict[str, object]:
    facts = work.record.facts
    return {
        "title": facts.title,
        "authors": [one.name for one in facts.authors],
        "year": facts.year,
        "venue": facts.venue,
        "arxiv_id": facts.identifier("arxiv"),
        "doi": facts.identifier("doi"),
        "cited_by": work.cited_by,
    }
