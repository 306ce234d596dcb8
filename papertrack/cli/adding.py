"""The commands ``add`` and ``search``: papers from arXiv, and phrases in your PDFs."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import click

from papertrack.actions.results import shaped
from papertrack.category_paths import format_path, parse_path
from papertrack.cli import output
from papertrack.cli.network import asking
from papertrack.cli.session import (
    Session,
    category_option,
    command,
    complete_tag,
    flag,
    limit_option,
    option,
    options,
    words_from_stdin,
)
from papertrack.errors import NotFoundError, SourceUnavailableError, UsageError
from papertrack.identifiers import identify, url_of
from papertrack.text import few, plural, shorten

if TYPE_CHECKING:
    from papertrack.actions.add import AddedPaper
    from papertrack.actions.online.network import SourceRecord
    from papertrack.actions.online.search_arxiv import Candidate
    from papertrack.records import Decision, Identifier
    from papertrack.store.store import Store

ASK_SECONDS = 8.0
"""The longest wait for arXiv: one request, after the interval since the previous one."""
TITLES_SHOWN = 10
"""How many papers are looked up for title words; more would not help to pick one."""
WORDS = {"new": "added", "saved": "saved (it was in the library)", "known": "already there"}


@dataclass(frozen=True, slots=True)
class FoundFor:
    """The papers that arXiv finds for the words of a title."""

    reference: str
    found: list[ShownCandidate]


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding papers."""

    papers_new: int
    papers_changed: int
    papers_unchanged: int
    papers: list[AddedPaper]
    candidates: list[FoundFor]
    problem: str | None = None
    """Why some papers were not looked up."""

    @classmethod
    def of(cls, papers: list[AddedPaper], problem: str | None) -> Self:
        outcomes = Counter(paper.outcome for paper in papers)
        counts = outcomes["new"], outcomes["saved"], outcomes["known"]
        return cls(*counts, papers, [], problem)

    def sentences(self) -> Iterator[str]:
        yield from (f"{paper.citekey}: {WORDS[paper.outcome]}." for paper in self.papers)
        without_metadata = [
            paper.citekey for paper in self.papers if paper.is_waiting and paper.outcome == "new"
        ]
        if without_metadata and self.problem:
            yield f"{self.problem} Complete {few(without_metadata)} later with `papertrack enrich`."


@command(writes=True)
@click.argument("references", metavar="[REF]...", nargs=-1)
@option("--title TEXT", "Add one paper with this title; look nothing up.")
@option("--authors NAMES", "With --title: 'Ada Lovelace; Alan Turing'.")
@option("--year YEAR", "With --title: the year of publication.")
@flag("-i", "--inbox", help="Put them into the inbox.")
@category_option("-c", "--category", help="Put them into this category: LLM/Serving.")
@options("-t, --tag", "Add this tag.", "tags", shell_complete=complete_tag)
@flag("--offline", help="Do not use the network now; `papertrack enrich` completes them later.")
def add(
    session: Session,
    references: tuple[str, ...],
    inbox: bool,
    category: str | None,
    tags: tuple[str, ...],
    offline: bool,
    **described: str | None,
) -> None:
    """Add papers by arXiv id, DOI, address or title words.

    papertrack waits a few seconds for arXiv. If there is no answer, run `papertrack enrich` later.
    Words are searched for in arXiv's titles: on a terminal you pick a paper, elsewhere the
    candidates are listed. A paper that the library has is not added again. - reads lines from
    stdin. Use --title for a paper that no source knows; REF is then its address, if it has one.

    \b
    Examples:
      papertrack add 2309.06180
      papertrack add https://arxiv.org/abs/2401.09670v2 --category Serving --tag kv-cache
      papertrack add 'attention is all you need'
      papertrack add - --inbox --offline < ids.txt
      papertrack add --title 'Notes on Caching' --authors 'Ada Lovelace; Alan Turing' --year 2026
    """
    from papertrack.actions.add import add_references

    is_asking = not (offline or session.settings().arxiv.offline)
    decision: Decision = "inbox" if inbox else "saved"
    texts = list(words_from_stdin(references))
    fields = [f"{name}={value}" for name, value in described.items() if value is not None]
    if not (texts or fields):
        raise UsageError("Name papers by id, DOI, address or title; or describe one with --title.")
    with session.open_store() as store:
        answer: _ArxivAnswer | None = _ArxivAnswer(texts, {})
        if is_asking and not fields:
            answer = _ask(session, store, texts)
        if answer is None:
            session.say("Nothing added.")
            return
        path, hint = _advise(store, category)
        options: dict[str, Any] = {"decision": decision, "category": path, "tags": tags}
        if fields:
            papers = [_add_described(store, texts, fields, options)]
        else:
            papers = add_references(store, answer.texts, records=answer.records, **options)
            if session.as_json or answer.problem:
                # Imported only if the result is shown, because it imports all sources.
                from papertrack.actions.online.fetching import unanswered_papers

                waiting = unanswered_papers(store, [paper.id for paper in papers])
                papers = [replace(paper, is_waiting=paper.id in waiting) for paper in papers]
    session.present(Added.of(papers, answer.problem))
    if hint and not inbox and any(paper.outcome == "new" for paper in papers):
        session.say(hint)
    if answer.failure is not None:
        raise answer.failure


def _add_described(
    store: Store, texts: Sequence[str], fields: Sequence[str], options: dict[str, Any]
) -> AddedPaper:
    """Add the paper that --title, --authors and --year describe."""
    from papertrack.actions.add import add_described
    from papertrack.actions.edit import parse_assignments

    if len(texts) > 1 or not fields[0].startswith("title="):
        raise UsageError("--authors and --year need --title, which describes one paper.")
    return add_described(store, texts[0] if texts else None, parse_assignments(fields), **options)


def _advise(store: Store, category: str | None) -> tuple[tuple[str, ...] | None, str | None]:
    """Return the named category, with advice if no README has a heading for it."""
    if not category:
        from papertrack.store.documents import feeds_lists

        return None, _NO_CATEGORY if feeds_lists(store) else None
    from papertrack.actions.organise import has_no_heading, headings_within

    path = parse_path(category)
    if not has_no_heading(store, path):
        return path, None
    paths = [format_path(heading) for heading in headings_within(store, path)]
    if paths:
        return path, (
            f"{category} is new. Did you mean {paths[0]}? "
            f"`papertrack move REF --category {shlex.quote(paths[0])}` puts it under that heading."
        )
    return path, (
        f"{category} is new: no README has such a heading yet. Add the heading to one, and "
        "`papertrack export --md` adds the rows."
    )


_NO_CATEGORY = (
    "A paper without a category gets no row in a README. `papertrack move REF... --category "
    "PATH` puts it under a heading. In a list without headings, `papertrack propose FILE REF "
    "--write` adds it."
)


class _ArxivAnswer(NamedTuple):
    """arXiv's answer for the given texts."""

    texts: list[str]
    """The reference by which to add each paper."""
    records: dict[Identifier, SourceRecord]
    problem: str | None = None
    """Why some papers have no record."""
    failure: SourceUnavailableError | None = None
    """Why the titles among the texts were not searched; these are not added."""


def _ask(session: Session, store: Store, texts: list[str]) -> _ArxivAnswer | None:
    """Look these works and titles up at arXiv; return None if nothing is to be added.

    Raises the errors of ``_pick_titles``, and SourceUnavailableError if all texts are titles.
    """
    titles = [text for text in texts if identify(text.strip()) is None]
    for title in titles:
        if re.fullmatch(r"(arxiv:)?\d{4}\.\d{4,5}(v\d+)?", title.strip(), re.IGNORECASE):
            raise UsageError(
                f"{title.strip()} is not an arXiv id: arXiv ids begin with year and month."
            )
    failure = None
    records_of_titles: dict[str, SourceRecord] | None = {}
    try:
        records_of_titles = _pick_titles(session, store, titles)
    except SourceUnavailableError as error:
        if len(titles) == len(texts):
            raise
        # Texts with an identifier are added even if arXiv does not answer.
        texts = [text for text in texts if text not in titles]
        names = few([repr(shorten(title, 80)) for title in titles])
        failure = SourceUnavailableError(f"{names} was not searched: {error}")
    if records_of_titles is None:
        return None
    references = [text for text in texts if text not in records_of_titles]
    fetched, problem = ({}, None) if session.dry_run else _fetch(session, store, references)
    # The paper picked for a title is added by its identifier.
    records = {record.identifier: record for record in records_of_titles.values()}
    id_of_title = {title: record.identifier.value for title, record in records_of_titles.items()}
    return _ArxivAnswer([id_of_title.get(t, t) for t in texts], records | fetched, problem, failure)


def _pick_titles(
    session: Session, store: Store, titles: list[str]
) -> dict[str, SourceRecord] | None:
    """Return the record that the user picked for each title; None if none was picked.

    Raises NotFoundError if the user cannot pick, or there is nothing to pick from, and
    SourceUnavailableError.
    """
    if not titles:
        return {}
    from papertrack.actions.online.search_arxiv import search_title

    with asking(session, "papers") as (door, _):
        candidates_of_title = {t: search_title(store, door, t, limit=TITLES_SHOWN) for t in titles}
    if session.as_json:
        titles_found = [
            FoundFor(t, list(map(shown_candidate, w))) for t, w in candidates_of_title.items()
        ]
        session.print_json(Added(0, 0, 0, [], titles_found))
        return None
    records = {}
    for title, candidates in candidates_of_title.items():
        if not candidates:
            raise NotFoundError(f"arXiv has no paper with the words {title!r} in its title.")
        if not output.can_choose():
            output.print_candidates(candidates)
            raise NotFoundError(
                f"{title!r} matches several papers. Nothing was added; add one of those listed by "
                "its id."
            )
        candidate = output.choose(candidates)
        if candidate is None:
            return None
        records[title] = candidate.record
    return records


def _fetch(
    session: Session, store: Store, texts: list[str]
) -> tuple[dict[Identifier, SourceRecord], str | None]:
    from papertrack.actions.online.fetching import fetch_for_adding

    with asking(session, "papers") as (door, _):
        return fetch_for_adding(store, door, texts, seconds=ASK_SECONDS)


DAY = click.DateTime(["%Y-%m-%d"])


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """A work that arXiv found, and the library's paper for it, if any."""

    arxiv_id: str
    version: int | None
    title: str | None
    authors: list[str]
    submitted: str | None
    updated: str | None
    primary_category: str | None
    arxiv_categories: tuple[str, ...]
    abstract: str | None
    comment: str | None
    journal_ref: str | None
    doi: str | None
    url: str
    citekey: str | None
    decision: str | None


def shown_candidate(candidate: Candidate) -> ShownCandidate:
    """Return a candidate with the names of a paper's JSON."""
    facts = candidate.record.facts
    return shaped(
        ShownCandidate,
        facts,
        arxiv_id=candidate.record.identifier.value,
        authors=[author.name for author in facts.authors],
        doi=facts.identifier("doi"),
        url=url_of(candidate.record.identifier),
        citekey=candidate.citekey,
        decision=candidate.decision,
    )


@command(writes=True)
@click.argument("query", nargs=-1, required=True)
@flag("--arxiv", "in_arxiv", help="Search arXiv, not your PDFs.")
@options("-c, --cat CAT", "Only in this category: cs.LG.", "categories")
@option("--since DATE", "Submitted (version 1) on or after this day.", type=DAY)
@option("--until DATE", "Submitted (version 1) on or before this day.", type=DAY)
@limit_option("At most N pages, or N papers of arXiv.", 1000, default=20, show_default=True)
@options("--add NO", "Add the result with this number.", "numbers", type=int)
def search(
    session: Session,
    query: tuple[str, ...],
    in_arxiv: bool,
    numbers: tuple[int, ...],
    limit: int,
    **bounds: Any,
) -> None:
    """Search your PDFs for a phrase, or arXiv for papers.

    In PDFs, it finds pages that have the words of QUERY side by side. Case and accents do not
    matter, and `accept*` also finds acceptance. Each page is listed with its sentence, and
    `papertrack open REF --page N` opens it. To search titles and abstracts, use `papertrack list
    WORDS`.

    With --arxiv, QUERY can use words, "phrases", title:, author:, abstract:, comment:, venue:,
    arxiv_category:, submitted:, year:, AND, OR and NOT. The newest papers come first; those in your
    library are marked.

    \b
    Examples:
      papertrack search acceptance rate
      papertrack search --arxiv 'title:"speculative decoding" author:leviathan'
      papertrack search --arxiv kv cache --cat cs.LG --since 2026-01-01
      papertrack search --arxiv 'abs:moe year:2026' --limit 50 --add 3 --add 7
    """
    if not in_arxiv:
        from papertrack.cli.pdf import search_pdfs

        if any([numbers, *bounds.values()]):
            raise UsageError("--cat, --since, --until and --add need --arxiv.")
        search_pdfs(session, " ".join(query), limit=limit)
        return
    from papertrack.actions.add import add_references
    from papertrack.actions.online.search_arxiv import search_arxiv

    days = {name: bounds[name] and bounds[name].date() for name in ("since", "until")}
    with session.open_store() as store:
        with asking(session, "papers") as (door, _):
            candidates = search_arxiv(store, door, " ".join(query), limit=limit, **bounds | days)
        chosen = [candidate.record for candidate in output.choose_by_number(candidates, numbers)]
        added = add_references(
            store,
            [record.identifier.value for record in chosen],
            records={record.identifier: record for record in chosen},
        )
    if session.as_json:
        session.print_json(list(map(shown_candidate, candidates)))
    else:
        output.print_candidates(candidates)
        session.say(f"{plural(len(candidates), 'paper')} found.")
    for paper in added:
        outcome = {"new": "added"}.get(paper.outcome, "already there")
        session.say_done(f"{paper.citekey}: {outcome}.")
