"""``papertrack published``: where preprints appeared, and what your papers cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.network import Progress, open_services
from papertrack.cli.output import Columns
from papertrack.cli.session import Session, command, complete_reference, limit_option
from papertrack.errors import SourceUnavailableError
from papertrack.text import few, plural, shorten

if TYPE_CHECKING:
    from papertrack.actions.online.published.cited import CitedWork
    from papertrack.actions.online.published.hearing import Silence
    from papertrack.actions.online.published.run import LookedAt, State
    from papertrack.actions.online.published.selection import Wanted
    from papertrack.store.store import Store


@command(writes=True)
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@click.option("--refresh", is_flag=True, help="Ask again, whoever answered lately.")
@click.option("--search", is_flag=True, help="Search by title too, one request for each paper.")
@click.option(
    "--cited", is_flag=True, help="List what your papers cite and you do not have instead."
)
@click.option(
    "--least",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="With --cited, only works that so many of your papers cite.",
)
@limit_option("With --cited, how many works to list.", default=20, show_default=True)
def published(
    session: Session,
    words: tuple[str, ...],
    refresh: bool,
    search: bool,
    cited: bool,
    least: int,
    limit: int,
) -> None:
    """Find where your preprints were published.

    Asked are arXiv's own records, Semantic Scholar and OpenAlex by arXiv ids, and Crossref and the
    ACL Anthology, which confirm; DBLP, OpenReview and Crossref are searched by title where the
    authors say that it appeared. Nothing is written: `papertrack suggestions` lists what was found
    with its evidence, to accept or to reject. Works with a DOI alone are completed. Without words,
    about the papers that you saved or read; each is asked about again after 7 to 90 days. Exit code
    4 says that some services could not be asked: run again later.

    --cited asks Semantic Scholar for the references of the papers that you saved or read, or of
    those named or found, and lists the works that you do not have, the most cited first.

    \b
    Examples:
      papertrack published
      papertrack published 2309.06180 --search
      papertrack suggestions --evidence linked --accept-all
      papertrack published --cited 'category:Serving' --least 2
    """
    if cited:
        _list_cited(session, words, least, limit)
        return
    from papertrack.actions.enrich.run import only_enrichment
    from papertrack.actions.online.published.selection import select

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
        raise SourceUnavailableError(
            f"Not all could be looked for ({why_silent(silences)}). What was found is kept; run "
            "again later."
        )


_OTHER = "Another papertrack is enriching this library; waiting until it is done."


def _look(
    session: Session, store: Store, wanted: list[Wanted], *, refresh: bool, search: bool
) -> tuple[list[LookedAt], tuple[Silence, ...]]:
    from papertrack.actions.online.published.run import Looking

    if not wanted:
        return [], ()
    settings = session.settings()
    looked: list[LookedAt] = []
    store.citekey_template = session.citekey_template()
    with Progress(session, "papers", "asking who published them") as progress:
        door = open_services(session, progress.wait)
        keys = settings.sources.model_dump()
        looking = Looking(store, door, keys, refresh=refresh, search=search)
        for one in looking.look(wanted):
            looked.append(one)
            progress.advance(len(looked), len(wanted))
    return looked, looking.silences


def look_tonight(session: Session, store: Store) -> None:
    """Look for the publications of saved and read preprints, as far as it is time to, and say what
    was found; a service that is away is left for another night."""
    from papertrack.actions.online.published.run import Looking
    from papertrack.actions.online.published.selection import tonight

    settings = session.settings()
    door = open_services(session)
    looking = Looking(store, door, settings.sources.model_dump())
    waiting = looking.due(tonight(store))[:_A_NIGHT]
    found = [one for one in looking.look(waiting) if one.is_new]
    if found:
        named = few([one.citekey for one in found])
        session.say(
            f"{plural(len(found), 'paper')} published since: {named} (`papertrack suggestions`)."
        )


_A_NIGHT = 500
"""Papers that one night asks about at most."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication that sources speak for, and how."""

    evidence: str
    venue: str
    year: int | None
    doi: str | None
    type: str | None
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Doubted:
    """What a source says and is not believed, with the reasons."""

    source: str
    title: str | None
    venue: str | None
    doi: str | None
    reasons: list[str]


@dataclass(frozen=True, slots=True)
class Silent:
    """A service that could not be asked."""

    source: str
    why: str
    retry_at: str | None


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    paper_id: int
    citekey: str
    arxiv_id: str | None
    state: str
    publication: Publication | None
    is_new: bool
    completed: list[str]
    doubts: list[Doubted]
    asked: list[str]
    silent: list[str]


@dataclass(frozen=True, slots=True)
class Published:
    papers_published: int
    papers_without: int
    papers_not_asked: int
    papers_waiting: int
    papers: list[PublishedPaper]
    silent: list[Silent]


def _report(
    session: Session,
    wanted: list[Wanted],
    looked: list[LookedAt],
    silences: Iterable[Silence],
) -> None:
    states = Counter(one.state for one in looked)
    waiting = len(wanted) - len(looked) + states["could not look"]
    if session.as_json:
        report = Published(
            states["published"],
            states["nothing found"],
            states["not asked"],
            waiting,
            list(map(_shown, looked)),
            list(map(silent_of, silences)),
        )
        session.print_json(report)
    elif session.dry_run:
        session.say_done(f"{plural(len(wanted), 'paper')} to ask about.")
    elif not looked:
        session.say("Nothing to do: no preprint here waits for its publication.")
    else:
        session.say(*_lines(looked, states))


def _shown(one: LookedAt) -> PublishedPaper:
    from papertrack.actions.online.published.proposals import publication_to_json

    found: Any = publication_to_json(one.proposal) if one.proposal else None
    doubts = [
        Doubted(each.source, each.title, each.venue, each.doi, list(each.reasons))
        for each in one.doubts
    ]
    return PublishedPaper(
        one.paper_id,
        one.citekey,
        one.arxiv_id,
        one.state,
        found and Publication(**found),
        one.is_new,
        list(one.completed),
        doubts,
        list(one.asked),
        list(one.silent),
    )


def silent_of(silence: Silence) -> Silent:
    """A service that could not be asked, as it is printed."""
    return Silent(silence.source, silence.why, silence.retry_at)


def _lines(looked: list[LookedAt], states: Counter[State]) -> list[str]:
    """What was found, for people: the numbers, then each paper of which something is to say."""
    from papertrack.actions.online.published.proposals import in_words

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
    from papertrack.actions.online.published.proposals import title_of

    doubt = one.doubts[0]
    named = doubt.doi or doubt.venue or shorten(doubt.title or "a work", 60)
    return f"{named}, of {title_of(doubt.source)}: {'; '.join(doubt.reasons)}."


def why_silent(silences: Iterable[Silence]) -> str:
    """Who could not be asked, and why."""
    from papertrack.actions.online.published.proposals import title_of

    return "; ".join(f"{title_of(one.source)}: {one.why}" for one in silences)


@dataclass(frozen=True, slots=True)
class ShownWork:
    """A work that papers of the library cite, and that it does not have."""

    title: str | None
    authors: list[str]
    year: int | None
    venue: str | None
    arxiv_id: str | None
    doi: str | None
    cited_by: list[str]


COLUMNS: Columns = {
    "cited": lambda one: str(len(one["cited_by"])),
    "year": "year",
    "id": lambda one: one["arxiv_id"] or one["doi"],
    "title": "title",
    "by": lambda one: few(one["cited_by"], 2),
}


def _list_cited(session: Session, words: tuple[str, ...], least: int, limit: int) -> None:
    from papertrack.actions.online.published.cited import cited_by_mine

    with session.open_store() as store, Progress(session, "papers", "asking") as progress:
        door = open_services(session, progress.wait)
        keys = session.settings().sources.model_dump()
        found = cited_by_mine(store, door, keys, words, least=least)
    works = list(map(_shown_work, found.works[:limit]))
    session.print_rows(works, COLUMNS, flexible=3, right=(0,))
    if found.unheard:
        why = found.silence.why if found.silence else "no answer"
        told = plural(found.unheard, "paper")
        raise SourceUnavailableError(f"{told} of {found.papers} without an answer: {why}.")
    if not found.works and not session.as_json:
        session.say(f"Nothing that {least} of {plural(found.papers, 'paper')} cite is missing.")


def _shown_work(work: CitedWork) -> ShownWork:
    facts = work.record.facts
    return ShownWork(
        facts.title,
        [one.name for one in facts.authors],
        facts.year,
        facts.venue,
        facts.identifier("arxiv"),
        facts.identifier("doi"),
        list(work.cited_by),
    )
