"""``papertrack enrich``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from papertrack.cli.network import asking
from papertrack.cli.options import complete_reference, dry_run_option, json_option
from papertrack.cli.output import plural, print_json, say_done
from papertrack.cli.session import Session, pass_session
from papertrack.errors import ConflictError, SourceUnavailableError

if TYPE_CHECKING:
    from papertrack.actions.enrich.paper import EnrichedPaper, News
    from papertrack.actions.enrich.run import Enriched, Selection

SOURCES = {"arxiv-api": "arXiv", "oai": "arXiv's OAI-PMH", "datacite": "DataCite"}


@click.command
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@click.option("--all", "with_discarded", is_flag=True, help="Discarded papers too.")
@click.option("--refresh", is_flag=True, help="Ask again about papers that arXiv answered about.")
@dry_run_option
@json_option
@pass_session
def enrich(
    session: Session,
    words: tuple[str, ...],
    with_discarded: bool,
    refresh: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Complete papers from arXiv: authors, abstract, categories, dates, versions.

    Without words, every paper with an arXiv id that was not asked about yet; words name papers,
    or are a query. What you edited stays as it is, and so do the titles of your README: what arXiv
    says instead is listed by `papertrack suggestions`. Ctrl-C keeps what came; the next run goes
    on. Exit code 4 says that arXiv could not be asked about all of them: run again later.

    \b
    Examples:
      papertrack enrich
      papertrack enrich 2309.06180 kwon2023efficient
      papertrack enrich 'category:Serving' --refresh
    """
    from papertrack.actions.enrich.run import enrich_papers, only_enrichment, select_papers

    if dry_run:
        with session.open_store() as store:
            selection = select_papers(store, words, with_discarded=with_discarded, refresh=refresh)
        _report(session, selection, [], None, dry_run=True, as_json=as_json)
        return
    template = session.settings().citekeys.template
    answers: list[Enriched] = []
    stopped: SourceUnavailableError | None = None
    with (
        session.open_store() as store,
        only_enrichment(session.library(), lambda: session.say(_OTHER)),
    ):
        selection = select_papers(store, words, with_discarded=with_discarded, refresh=refresh)
        try:
            if selection.to_ask:
                with asking(session, "papers") as (door, progress):
                    for answer in enrich_papers(
                        store, door, selection.to_ask, citekey_template=template
                    ):
                        answers.append(answer)
                        progress.advance(answer.done, answer.total)
        except SourceUnavailableError as failure:
            stopped = failure
        except KeyboardInterrupt:
            _report(session, selection, answers, None, dry_run=False, as_json=as_json)
            session.say(_STARTS_AGAIN if refresh else "The next run goes on from here.")
            raise
    _report(session, selection, answers, stopped, dry_run=False, as_json=as_json)
    if stopped is not None:
        raise stopped
    conflicts = [text for answer in answers for paper in answer.papers for text in paper.conflicts]
    if conflicts:
        raise ConflictError(
            f"{plural(len(conflicts), 'identifier')} could not be taken: see above."
        )


_STARTS_AGAIN = "What came is kept; the next run with --refresh asks about all of them again."
_OTHER = "Another papertrack is enriching this library; waiting until it is done."


def _report(
    session: Session,
    selection: Selection,
    answers: Sequence[Enriched],
    stopped: SourceUnavailableError | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    papers = [paper for answer in answers for paper in answer.papers]
    unknown = [citekey for answer in answers for citekey in answer.unknown]
    waiting = len(selection.to_ask) - len(papers) - len(unknown)
    if as_json:
        retry_at = getattr(stopped, "retry_at", None)
        print_json(
            {
                "papers_enriched": len(papers),
                "papers_changed": sum(bool(paper.changed) for paper in papers),
                "papers_unchanged": selection.answered + sum(not paper.changed for paper in papers),
                "papers_without_arxiv_id": selection.without_id,
                "papers_waiting": waiting,
                "papers": [asdict(paper) for paper in papers],
                "unknown": unknown,
                "conflicts": [text for paper in papers for text in paper.conflicts],
                "retry_at": retry_at.isoformat() if retry_at else None,
                "dry_run": dry_run,
            }
        )
        return
    if dry_run:
        say_done(session, _count(selection), dry_run=True)
    elif not selection.to_ask:
        session.say(f"Nothing to do: {_count(selection)}")
    else:
        for line in _lines(papers, unknown):
            session.say(line)


def _count(selection: Selection) -> str:
    """``2 papers to ask arXiv about, 5 answered (--refresh asks again), 1 without an arXiv id.``"""
    if not (selection.to_ask or selection.answered or selection.without_id):
        return "the library has no such paper."
    parts = [f"{plural(len(selection.to_ask), 'paper')} to ask arXiv about"]
    if selection.answered:
        parts.append(f"{selection.answered} answered (--refresh asks again)")
    if selection.without_id:
        parts.append(f"{selection.without_id} without an arXiv id")
    return ", ".join(parts) + "."


def _lines(papers: Sequence[EnrichedPaper], unknown: Sequence[str]) -> list[str]:
    """What a run did, for people: numbers first, then each thing that the reader should know."""
    counts = Counter(SOURCES[paper.source] for paper in papers)
    came = ", ".join(f"{number} by {name}" for name, number in counts.items())
    lines = [f"{plural(len(papers), 'paper')} enriched" + (f": {came}." if came else ".")]
    lines += [f"{paper.citekey}: {_said(news)}." for paper in papers for news in paper.news]
    lines += [text for paper in papers for text in paper.conflicts]
    lines += [f"{citekey}: arXiv knows no such id." for citekey in unknown]
    if offered := sum(paper.suggestions for paper in papers):
        lines.append(f"{plural(offered, 'new suggestion')}: `papertrack suggestions`.")
    return lines


def _said(news: News) -> str:
    match news.kind:
        case "version":
            return f"v{news.new} is out, you read v{news.old}"
        case "title":
            return f'the title is now "{news.new}", it was "{news.old}"'
        case "withdrawn":
            return "withdrawn"
