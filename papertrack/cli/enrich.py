"""``papertrack enrich`` and ``papertrack suggestions``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import click

from papertrack.actions.online import suggestions as answering
from papertrack.actions.proposals import AGENT
from papertrack.actions.references import resolve_reference
from papertrack.cli.network import asking
from papertrack.cli.output import Columns, is_terminal
from papertrack.cli.session import (
    Session,
    choice_option,
    command,
    complete_reference,
    flag,
    options,
    reference_argument,
)
from papertrack.errors import ConflictError, SourceUnavailableError, UsageError
from papertrack.text import plural, truncate

if TYPE_CHECKING:
    from papertrack.actions.online.enrich import EnrichedPaper, Selection, Unknown
    from papertrack.store.store import Store


@command(writes=True)
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@flag("--all", "with_discarded", help="Include discarded papers.")
@flag("--refresh", help="Ask again about papers that are complete.")
def enrich(session: Session, words: tuple[str, ...], with_discarded: bool, refresh: bool) -> None:
    """Complete papers: authors, abstract, categories, dates, versions.

    Looks up arXiv ids at arXiv, and DOIs of Zenodo, OSF and Dagstuhl at DataCite. Without REF or
    QUERY it takes all papers that were not looked up before. Your edits and the titles of your
    README stay; where a source differs, `papertrack suggestions` lists it.
    Ctrl-C keeps what was fetched, and the next run continues. Exit code 4 means that some papers
    could not be looked up: run it again later.

    \b
    Examples:
      papertrack enrich
      papertrack enrich 2309.06180 kwon2023efficient
      papertrack enrich 'category:Serving' --refresh
    """
    from papertrack.actions.online.enrich import lock_enrichment, select_papers

    lock = lock_enrichment(session.library(), session.say_waiting)
    with session.open_store() as store, nullcontext() if session.dry_run else lock:
        run = _Run(select_papers(store, words, with_discarded=with_discarded, refresh=refresh))
        try:
            _ask(session, store, run)
        except KeyboardInterrupt:
            _report(session, run)
            session.say(_STARTS_AGAIN if refresh else "The next run continues from here.")
            raise
    _report(session, run)
    if run.stopped is not None:
        raise run.stopped
    if conflicts := run.conflicts:
        raise ConflictError(
            f"{plural(len(conflicts), 'identifier')} could not be accepted: see above."
        )


_STARTS_AGAIN = "What was fetched is kept. The next run with --refresh looks up all of them again."


@dataclass(slots=True)
class _Run:
    """One run: its papers, and its results so far."""

    selection: Selection
    papers: list[EnrichedPaper] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    stopped: SourceUnavailableError | None = None
    """Why some papers got no answer."""

    @property
    def conflicts(self) -> list[str]:
        return [text for paper in self.papers for text in paper.conflicts]


def _ask(session: Session, store: Store, run: _Run) -> None:
    """Look up the papers of the run, until a source fails."""
    from papertrack.actions.online.enrich import enrich_papers

    to_ask = run.selection.to_ask
    if session.dry_run or not to_ask:
        return
    try:
        with asking(session, "papers") as (door, progress):
            for answer in enrich_papers(store, door, to_ask):
                run.papers += answer.papers
                run.unknown += answer.unknown
                progress.advance(answer.done, len(to_ask))
    except SourceUnavailableError as failure:
        run.stopped = failure


@dataclass(frozen=True, slots=True)
class EnrichReport:
    """The result of a run."""

    papers_enriched: int
    papers_changed: int
    papers_unchanged: int
    papers_without_arxiv_id: int
    papers_waiting: int
    papers: list[EnrichedPaper]
    unknown: list[str]
    """Citation keys of papers whose ids no source knows."""
    conflicts: list[str]
    retry_at: datetime | None


def _report(session: Session, run: _Run) -> None:
    selection = run.selection
    if session.as_json:
        papers, unknown = run.papers, run.unknown
        unchanged = sum(not paper.changed for paper in papers)
        report = EnrichReport(
            papers_enriched=len(papers),
            papers_changed=len(papers) - unchanged,
            papers_unchanged=selection.answered + unchanged,
            papers_without_arxiv_id=selection.without_source,
            papers_waiting=len(selection.to_ask) - len(papers) - len(unknown),
            papers=papers,
            unknown=[paper.citekey for paper in unknown],
            conflicts=run.conflicts,
            retry_at=getattr(run.stopped, "retry_at", None),
        )
        session.print_json(report)
    elif session.dry_run:
        session.say_done(_count(selection))
    elif not selection.to_ask:
        session.say(f"Nothing to do: {_count(selection)}")
    else:
        session.say(*_lines(run))


def _count(selection: Selection) -> str:
    """Return ``2 papers to look up, 5 looked up before (--refresh repeats it)``."""
    if not (selection.to_ask or selection.answered or selection.without_source):
        return "the library has no such paper."
    parts = [f"{plural(len(selection.to_ask), 'paper')} to look up"]
    if selection.answered:
        parts.append(f"{selection.answered} looked up before (--refresh repeats it)")
    if selection.without_source:
        parts.append(f"{selection.without_source} without an id to look up")
    return ", ".join(parts) + "."


def _lines(run: _Run) -> Iterator[str]:
    """Yield the result of a run: numbers first, then everything that the user should know."""
    from papertrack.actions.online.fetching import title_of, who_knows

    papers = run.papers
    counts = Counter(title_of(paper.source) for paper in papers)
    by_source = ", ".join(f"{number} by {name}" for name, number in counts.items())
    yield f"{plural(len(papers), 'paper')} enriched" + (f": {by_source}." if by_source else ".")
    for paper in papers:
        for news in paper.news:
            sentences = {
                "version": f"v{news.new} is out, you read v{news.old}",
                "title": f'the title is now "{news.new}", it was "{news.old}"',
                "withdrawn": "withdrawn",
            }
            yield f"{paper.citekey}: {sentences[news.kind]}."
    yield from run.conflicts
    for unknown in run.unknown:
        yield f"{unknown.citekey}: {who_knows([unknown.identifier])} knows no such id."
    if count := sum(paper.suggestions for paper in papers):
        yield f"{plural(count, 'new suggestion')}: `papertrack suggestions`."


COLUMNS: Columns = {
    "no.": "id",
    "key": "paper",
    "field": "field",
    # On a terminal, the suggestion needs the space more; a pipe gets both in full.
    "now": lambda row: truncate(row.present or "", 40 if is_terminal() else sys.maxsize),
    "suggested": "suggested",
    "agent": lambda row: row.source.partition(AGENT)[2],
}


@command(writes=True, store=True)
@reference_argument(required=False)
@options("--accept NO", "Accept it.", "accepted", type=int)
@options("--reject NO", "Reject it for good.", "rejected", type=int)
@flag("--accept-all", help="Accept all that are listed.")
@flag("--reject-all", help="Reject all that are listed.")
@choice_option(
    "--evidence",
    of=("linked", "doi", "title", "abstract", "comment"),
    help="Only publications with this evidence: see `papertrack published`.",
)
def suggestions(
    session: Session,
    store: Store,
    reference: str | None,
    accepted: tuple[int, ...],
    rejected: tuple[int, ...],
    accept_all: bool,
    reject_all: bool,
    evidence: str | None,
) -> None:
    """Review suggested metadata changes.

    They come from sources that differ from your library, from abstracts, and from agents. What you
    accept counts as yours: no source overwrites it. You can undo accepting and rejecting.

    \b
    Examples:
      papertrack suggestions
      papertrack suggestions kwon2023efficient --accept-all
      papertrack suggestions --accept 3 --accept 5 --reject 4
      papertrack suggestions --evidence linked --accept-all
    """
    if accept_all + reject_all + bool(accepted or rejected) > 1:
        raise UsageError("Name the suggestions, or give one decision for all.")
    paper_id = resolve_reference(store, reference) if reference else None
    open_ones = answering.open_suggestions(store, paper_id, evidence=evidence)
    if accept_all or reject_all:
        numbers = tuple(suggestion.id for suggestion in open_ones)
        accepted, rejected = (numbers, ()) if accept_all else ((), numbers)
    elif not (accepted or rejected):
        rows = list(map(_shown, open_ones))
        session.print_rows(rows, COLUMNS, flexible=4, right=(0,), empty="No suggestions.")
        return
    _answer(session, store, accepted, rejected)


def _answer(session: Session, store: Store, accept: Sequence[int], reject: Sequence[int]) -> None:
    answers = answering.answer_suggestions(store, session.library(), accept=accept, reject=reject)
    result = SuggestionsDecided(
        list(map(_shown, answers.accepted)),
        list(map(_shown, answers.rejected)),
        answers.conflicts,
        answers.summary,
    )
    session.present(result)
    if answers.conflicts:
        raise ConflictError(" ".join(answers.conflicts))


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """A suggestion in words."""

    id: int
    paper: str
    field: str
    present: str | None
    suggested: str
    source: str
    evidence: str | None
    publication: answering.Publication | None
    """For a suggested publication: where the work appeared, field by field."""


@dataclass(frozen=True, slots=True)
class SuggestionsDecided:
    accepted: list[ShownSuggestion]
    rejected: list[ShownSuggestion]
    conflicts: tuple[str, ...]
    summary: str

    def sentences(self) -> Iterator[str]:
        yield f"{self.summary}."


def _shown(suggestion: answering.ShownSuggestion) -> ShownSuggestion:
    role = getattr(suggestion.value, "role", None)
    publication = answering.Publication.of(suggestion.publication)
    return ShownSuggestion(
        suggestion.id,
        suggestion.citekey,
        f"{role} link" if role else suggestion.field,
        answering.describe_value(suggestion.present) or None,
        answering.describe_value(suggestion.value),
        suggestion.source,
        publication.evidence if publication else None,
        publication,
    )
