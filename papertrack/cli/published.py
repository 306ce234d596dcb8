"""The commands ``published`` and ``audit``: publications of preprints, and checks of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack.actions.online.enrich import lock_enrichment, select_ids
from papertrack.actions.online.fetching import Outage
from papertrack.actions.online.published import (
    LookupRun,
    PublicationCase,
    State,
    find_cited_works,
    select,
)
from papertrack.actions.online.suggestions import Publication, publication_text, title_of
from papertrack.actions.results import shaped
from papertrack.cli.network import Progress, open_services
from papertrack.cli.output import Columns, print_text
from papertrack.cli.session import (
    Session,
    command,
    complete_reference,
    flag,
    limit_option,
    option,
    options,
)
from papertrack.errors import ConflictError, NotFoundError, SourceUnavailableError, UsageError
from papertrack.matching.audit import Difference
from papertrack.matching.publications import Doubt, Record
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.text import few, plural, shorten

if TYPE_CHECKING:
    from papertrack.actions.online.audit import Reference


@command(writes=True)
@click.argument("words", metavar="[QUERY | REF...]", nargs=-1, shell_complete=complete_reference)
@flag("--refresh", help="Ask every service again.")
@flag("--search", help="Also search by title; one request for each paper.")
@flag("--cited", help="List works that your papers cite and you do not have.")
@option(
    "--least",
    "With --cited, only works cited by N of your papers.",
    type=click.IntRange(1),
    default=3,
    show_default=True,
)
@limit_option("With --cited, at most N works.", default=20, show_default=True)
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

    It looks papers up by arXiv id in arXiv, Semantic Scholar and OpenAlex, and confirms matches
    with Crossref and the ACL Anthology. If the authors say that a paper was published, it also
    searches DBLP, OpenReview and Crossref by title. Works that have only a DOI are completed.
    Nothing is written: `papertrack suggestions` lists the results with their evidence. Without
    arguments, it looks up the papers that you saved or read, each again after 7 to 90 days. Exit
    code 4 means that some services did not answer: run it again later.

    --cited asks Semantic Scholar for the references of these papers, and lists the works that you
    do not have, the most cited first.

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
    if session.dry_run:
        with session.open_store() as store:
            _report(session, select(store, words), [], ())
        return
    with session.open_store() as store, lock_enrichment(session.library(), session.say_waiting):
        cases = select(store, words)
        results, outages = _look(session, store, cases, refresh=refresh, search=search)
    _report(session, cases, results, outages)
    if any(result.state == "could not look" for result in results):
        raise SourceUnavailableError(
            f"Some papers could not be looked up ({_why_silent(outages)}). What was found is "
            "kept; run again later."
        )


def _look(
    session: Session, store: Store, cases: list[PublicationCase], *, refresh: bool, search: bool
) -> tuple[list[PublicationCase], tuple[Outage, ...]]:
    if not cases:
        return [], ()
    results: list[PublicationCase] = []
    with Progress(session, "papers", "looking for publications") as progress:
        door = open_services(session, progress.wait)
        run = LookupRun(store, door, refresh=refresh, search=search)
        for result in run.look(cases):
            results.append(result)
            progress.advance(len(results), len(cases))
    return results, run.outages


def look_tonight(session: Session, store: Store) -> None:
    """Look for publications of saved and read preprints that are due, and report them. A source
    that does not answer is left for another night."""
    run = LookupRun(store, open_services(session))
    news = [result for result in run.look(run.due()[:_A_NIGHT]) if result.is_new]
    if news:
        citekeys = few([result.citekey for result in news])
        session.say(
            f"{plural(len(news), 'paper')} published since: {citekeys} (`papertrack suggestions`)."
        )


_A_NIGHT = 500
"""The most papers that one night looks up."""


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    paper_id: int
    citekey: str
    arxiv_id: str | None
    state: str
    publication: Publication | None
    is_new: bool
    completed: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    asked: tuple[str, ...]
    silent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Published:
    papers_published: int
    papers_without: int
    papers_not_asked: int
    papers_waiting: int
    papers: list[PublishedPaper]
    silent: list[Outage]


def _report(
    session: Session,
    cases: list[PublicationCase],
    results: list[PublicationCase],
    outages: Iterable[Outage],
) -> None:
    states = Counter(result.state for result in results)
    if session.as_json:
        report = Published(
            states["published"],
            states["nothing found"],
            states["not asked"],
            len(cases) - len(results) + states["could not look"],
            [shaped(PublishedPaper, r, publication=Publication.of(r.proposal)) for r in results],
            list(outages),
        )
        session.print_json(report)
    elif session.dry_run:
        session.say_done(f"{plural(len(cases), 'paper')} to look up.")
    elif not results:
        session.say("Nothing to do: there is no preprint to look up.")
    else:
        session.say(*_lines(results, states))


def _lines(results: list[PublicationCase], states: Counter[State]) -> Iterator[str]:
    """Yield the result for people: the numbers, then each paper with a result."""
    yield (
        f"{plural(states['published'], 'paper')} published, {states['nothing found']} with nothing "
        f"found, {states['could not look']} that could not be looked up."
    )
    if states["not asked"]:
        yield f"{plural(states['not asked'], 'paper')} not looked up: no service was available."
    yield from (line for result in results for line in _lines_about(result))
    if any(result.is_new for result in results):
        yield "Nothing is written yet: `papertrack suggestions` lists what was found."


def _lines_about(result: PublicationCase) -> Iterator[str]:
    if result.completed:
        yield f"{result.citekey}: completed {', '.join(result.completed)}."
    elif result.proposal and result.is_new:
        yield f"{result.citekey}: {publication_text(result.proposal)}."
    elif result.doubts and not result.proposal:
        doubt = result.doubts[0]
        work = doubt.doi or doubt.venue or shorten(doubt.title or "a work", 60)
        reasons = f"{work}, of {title_of(doubt.source)}: {'; '.join(doubt.reasons)}"
        yield f"{result.citekey}: not accepted: {reasons}."


def _why_silent(outages: Iterable[Outage]) -> str:
    """Return which sources could not be asked, and why."""
    return "; ".join(f"{title_of(outage.source)}: {outage.why}" for outage in outages)


@dataclass(frozen=True, slots=True)
class NearestWork:
    """A source's record of a work: the one that a reference names, or the nearest one."""

    source: str
    title: str | None
    authors: list[str]
    venue: str | None
    year: int | None
    doi: str | None
    arxiv_id: str | None


@dataclass(frozen=True, slots=True)
class ShownWork(NearestWork):
    """A work that papers of the library cite and that the library does not have."""

    cited_by: tuple[str, ...]


def _work(record: Record) -> dict[str, Any]:
    """Return the values of a ``NearestWork``."""
    facts = record.facts
    return {
        "source": record.source,
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "venue": facts.venue,
        "year": facts.year,
        "doi": facts.identifier("doi"),
        "arxiv_id": facts.identifier("arxiv"),
    }


COLUMNS: Columns = {
    "cited": lambda work: str(len(work.cited_by)),
    "year": "year",
    "id": lambda work: work.arxiv_id or work.doi or "",
    "title": "title",
    "by": lambda work: few(work.cited_by, 2),
}


def _list_cited(session: Session, words: tuple[str, ...], least: int, limit: int) -> None:
    with session.open_store() as store, Progress(session, "papers", "asking") as progress:
        door = open_services(session, progress.wait)
        cited = find_cited_works(store, door, words, least=least)
    works = [
        ShownWork(**_work(work.record), cited_by=work.cited_by) for work in cited.works[:limit]
    ]
    session.print_rows(works, COLUMNS, flexible=3, right=(0,))
    if cited.unanswered:
        why = cited.outages[0].why if cited.outages else "no answer"
        papers = plural(cited.unanswered, "paper")
        raise SourceUnavailableError(f"{papers} of {cited.papers} without an answer: {why}.")
    if not cited.works and not session.as_json:
        session.say(
            f"The library has every work that {least} of {plural(cited.papers, 'paper')} cite."
        )


@command(store=True)
@click.argument(
    "words", metavar="[FILE.bib... | QUERY | REF...]", nargs=-1, shell_complete=complete_reference
)
@options(
    "--tex FILE",
    "Only what this manuscript cites.",
    "manuscripts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@flag("--offline", help="Do not use the network; compare with the library.")
def audit(
    session: Session,
    store: Store,
    words: tuple[str, ...],
    manuscripts: tuple[Path, ...],
    offline: bool,
) -> None:
    """Verify that references exist and their fields match.

    It checks entries of a .bib file, papers of the library or citations of a manuscript. Does the
    work exist? Do title, authors, year and identifiers belong to one work? Was it withdrawn or
    retracted? Is the cited arXiv version the newest? It lists the fields that differ, and the
    nearest work. Exit code 5 means that something is wrong. Exit code 4 means that some works could
    not be looked up, which does not count as missing.

    \b
    Examples:
      papertrack audit main.bib
      papertrack audit --tex paper.tex
      papertrack audit main.bib --tex paper.tex --json
    """
    references = _references(session, store, words, manuscripts)
    results, outages = _audit(session, store, references, offline=offline)
    _report_audit(session, results, outages)
    wrong = sum(result.verdict.finding in _WRONG for result in results)
    if wrong:
        raise ConflictError(f"{plural(wrong, 'reference')} to correct: see above.")
    if any(result.verdict.finding == "could not look" for result in results):
        raise SourceUnavailableError(
            f"Some works could not be looked up ({_why_silent(outages) or 'offline'}). Run "
            "again later."
        )


_WRONG = ("differs", "unknown", "withdrawn", "outdated")


def _references(
    session: Session, store: Store, words: tuple[str, ...], manuscripts: tuple[Path, ...]
) -> list[Reference]:
    from papertrack.actions.cite.manuscripts import read_manuscripts
    from papertrack.actions.online.audit import references_in, references_of

    files = [Path(word) for word in words if word.endswith(".bib")]
    if files and len(files) != len(words):
        raise UsageError("Name either .bib files or papers of the library.")
    if files:
        references = [reference for file in files for reference in references_in(file)]
    else:
        papers = get_papers(store, select_ids(store, words))
        if words and not papers:
            raise NotFoundError(
                f"{' '.join(words)} is neither a .bib file nor a paper of the library."
            )
        references = references_of(papers)
    if not manuscripts:
        return references
    texts = read_manuscripts(manuscripts, session.settings(only="manuscripts").manuscripts.commands)
    keys = {citation.citekey for text in texts for citation in text.citations}
    return [reference for reference in references if reference.key in keys]


def _audit(
    session: Session, store: Store, references: list[Reference], *, offline: bool
) -> tuple[list[Reference], tuple[Outage, ...]]:
    from papertrack.actions.online.audit import AuditRun

    results: list[Reference] = []
    with Progress(session, "references", "looking up references") as progress:
        is_asking = not (offline or session.settings().arxiv.offline)
        door = open_services(session, progress.wait) if is_asking else None
        run = AuditRun(door)
        for result in run.audit(store, references):
            results.append(result)
            progress.advance(len(results), len(references))
    return results, run.outages


@dataclass(frozen=True, slots=True)
class AuditedReference:
    key: str
    file: str | None
    line: int | None
    finding: str
    reason: str | None
    fields: tuple[str, ...]
    differences: tuple[Difference, ...]
    nearest: NearestWork | None
    asked: tuple[str, ...]
    silent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    references: int
    counts: dict[str, int]
    findings: list[AuditedReference]
    silent: list[Outage]


def _report_audit(session: Session, results: list[Reference], outages: Iterable[Outage]) -> None:
    counts = Counter(str(result.verdict.finding) for result in results)
    if session.as_json:
        findings = [_shown_audit(result) for result in results if result.verdict.finding != "sound"]
        session.print_json(Audit(len(results), dict(counts), findings, list(outages)))
        return
    print_text("".join(f"{line}\n" for result in results for line in _audit_lines(result)))
    words = ((_IN_WORDS.get(finding, finding), count) for finding, count in counts.most_common())
    summary = ", ".join(f"{count} {finding}" for finding, count in words)
    session.say_done(f"{plural(len(results), 'reference')}: {summary or 'nothing to audit'}.")


def _shown_audit(reference: Reference) -> AuditedReference:
    verdict = reference.verdict
    return shaped(
        AuditedReference,
        reference,
        finding=verdict.finding.value,
        differences=verdict.differences,
        nearest=NearestWork(**_work(verdict.nearest)) if verdict.nearest else None,
    )


_IN_WORDS = {"unknown": "no such work"}
"""How findings are worded for people, where this differs from their name."""


def _audit_lines(result: Reference) -> Iterator[str]:
    """Yield a line about one reference, and below it the fields that differ."""
    finding, nearest = result.verdict.finding.value, result.verdict.nearest
    if finding == "sound":
        return
    place = f"{result.file}:{result.line}: " if result.file else ""
    reason = result.reason or ", ".join(result.fields) * (finding == "differs")
    more = f" ({reason})" if reason else ""
    yield f"{place}{result.key}: {_IN_WORDS.get(finding, finding)}{more}"
    for wrong in result.verdict.differences:
        yield f"  {wrong.field}: {shorten(wrong.said, 80)} → {shorten(wrong.true, 80)}"
    if nearest and nearest.facts.title and finding != "outdated":
        year = f" ({nearest.facts.year})" if nearest.facts.year else ""
        yield f"  nearest: {shorten(nearest.facts.title, 90)}{year}"
