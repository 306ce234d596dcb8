"""``papertrack published``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from papertrack.cli.network import Progress
from papertrack.cli.session import Session, changing, complete_reference
from papertrack.errors import SourceUnavailableError
from papertrack.text import few, plural, shorten

if TYPE_CHECKING:
    from papertrack.actions.online.fetching import Silence
    from papertrack.actions.online.published import LookedAt, State, Wanted
    from papertrack.store.store import Store


@click.command
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@click.option("--refresh", is_flag=True, help="Ask again, whoever answered lately.")
@click.option("--search", is_flag=True, help="Search by title too, one request for each paper.")
@changing
def published(session: Session, words: tuple[str, ...], refresh: bool, search: bool) -> None:
    """Look whether preprints have been published, and propose where.

    Asked are arXiv's own records, Semantic Scholar and OpenAlex by arXiv ids, and Crossref and the
    ACL Anthology, which confirm; DBLP, OpenReview and Crossref are searched by title where the
    authors say that it appeared. Nothing is written: `papertrack suggestions` lists what was found
    with its evidence, to accept or to reject. Works with a DOI alone are completed. Without words,
    about the papers that you saved or read; each is asked about again after 7 to 90 days. Exit code
    4 says that some services could not be asked: run again later.

    \b
    Examples:
      papertrack published
      papertrack published 2309.06180 --search
      papertrack suggestions --evidence linked --accept-all
    """
    from papertrack.actions.online.enrich import only_enrichment
    from papertrack.actions.online.published import select

    if session.dry_run:
        with session.open_store() as store:
            _report(session, select(store, words), [], ())
        return
    with (
        session.open_store() as store,
        only_enrichment(session.library(), lambda: session.say(_OTHER)),
    ):
        wanted = select(store, words)
        looked, silences = _look(session, store, wanted, refresh=refresh, search=search)
    _report(session, wanted, looked, silences)
    if any(one.state == "could not look" for one in looked):
        raise SourceUnavailableError(_why(silences))


_OTHER = "Another papertrack is enriching this library; waiting until it is done."


def _look(
    session: Session, store: Store, wanted: list[Wanted], *, refresh: bool, search: bool
) -> tuple[list[LookedAt], tuple[Silence, ...]]:
    from papertrack.actions.online.network import open_door
    from papertrack.actions.online.published import Looking

    if not wanted:
        return [], ()
    settings = session.settings()
    looked: list[LookedAt] = []
    store.citekey_template = session.citekey_template()
    with Progress(session, "papers", "asking who published them") as progress:
        door = open_door(
            *(session.library(), settings.arxiv),
            clock=session.now,
            on_wait=progress.wait,
            services=settings.sources,
        )
        keys = asdict(settings.sources)
        looking = Looking(store, door, keys, refresh=refresh, search=search)
        for one in looking.look(wanted):
            looked.append(one)
            progress.advance(len(looked), len(wanted))
    return looked, looking.silences


def look_tonight(session: Session, store: Store) -> None:
    """Look for the publications of saved and read preprints, as far as it is time to, and say what
    was found; a service that is away is left for another night."""
    from papertrack.actions.online.network import open_door
    from papertrack.actions.online.published import Looking, tonight

    settings = session.settings()
    door = open_door(
        *(session.library(), settings.arxiv), clock=session.now, services=settings.sources
    )
    looking = Looking(store, door, asdict(settings.sources))
    waiting = looking.due(tonight(store))[:_A_NIGHT]
    found = [one for one in looking.look(waiting) if one.is_new]
    if found:
        named = few([one.citekey for one in found])
        session.say(
            f"{plural(len(found), 'paper')} published since: {named} (`papertrack suggestions`)."
        )


_A_NIGHT = 500
"""Papers that one night asks about at most."""


def _report(
    session: Session,
    wanted: list[Wanted],
    looked: list[LookedAt],
    silences: Iterable[Silence],
) -> None:
    states = Counter(one.state for one in looked)
    waiting = len(wanted) - len(looked) + states["could not look"]
    if session.as_json:
        session.print_result(
            papers_published=states["published"],
            papers_without=states["nothing found"],
            papers_not_asked=states["not asked"],
            papers_waiting=waiting,
            papers=list(map(_to_json, looked)),
            silent=[one._asdict() for one in silences],
        )
    elif session.dry_run:
        session.say_done(f"{plural(len(wanted), 'paper')} to ask about.")
    elif not looked:
        session.say("Nothing to do: no preprint here waits for its publication.")
    else:
        session.say(*_lines(looked, states))


def _to_json(one: LookedAt) -> dict[str, object]:
    from papertrack.actions.online.suggestions import publication_to_json

    return {
        "paper_id": one.paper_id,
        "citekey": one.citekey,
        "arxiv_id": one.arxiv_id,
        "state": one.state,
        "publication": publication_to_json(one.proposal) if one.proposal else None,
        "is_new": one.is_new,
        "completed": one.completed,
        "doubts": one.doubts,
        "asked": one.asked,
        "silent": one.silent,
    }


def _lines(looked: list[LookedAt], states: Counter[State]) -> list[str]:
    """What was found, for people: the numbers, then each paper of which something is to say."""
    from papertrack.actions.online.suggestions import in_words

    lines = [
        f"{plural(states['published'], 'paper')} published, {states['nothing found']} with nothing "
        f"found, {states['could not look']} that could not be looked for."
    ]
    if states["not asked"]:
        lines.append(f"{plural(states['not asked'], 'paper')} not asked about: nobody could be.")
    for one in looked:
        if one.completed:
            lines.append(f"{one.citekey}: completed {', '.join(one.completed)}.")
        elif one.proposal and one.is_new:
            lines.append(f"{one.citekey}: {in_words(one.proposal)}.")
        elif one.proposal is None:
            lines += [f"{one.citekey}: not taken: {_doubt(one)}"] if one.doubts else []
    if any(one.is_new for one in looked):
        lines.append("Nothing is written yet: `papertrack suggestions` lists what was found.")
    return lines


def _doubt(one: LookedAt) -> str:
    from papertrack.actions.online.suggestions import title_of

    doubt = one.doubts[0]
    named = doubt.doi or doubt.venue or shorten(doubt.title or "a work", 60)
    return f"{named}, of {title_of(doubt.source)}: {'; '.join(doubt.reasons)}."


def _why(silences: Iterable[Silence]) -> str:
    from papertrack.actions.online.suggestions import title_of

    told = "; ".join(f"{title_of(one.source)}: {one.why}" for one in silences)
    return f"Not all could be looked for ({told}). What was found is kept; run again later."
