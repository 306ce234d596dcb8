"""A paper in words: its state, date, authors and warnings; lists of them, also to choose from."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from papertrack.cli.output import print_table, style
from papertrack.errors import UsageError
from papertrack.records import DECISIONS

if TYPE_CHECKING:
    from papertrack.actions.online.search_arxiv import Candidate
    from papertrack.queries.nodes import Query
    from papertrack.store.listing import ListedPaper

STATE_COLOURS = {"inbox": "yellow", "discarded": "red", "unread": None}
_LIST_HEAD = ("state", "date", "key", "author", "title")
_CANDIDATE_HEAD = ("no.", "library", "arXiv", "date", "author", "title")


def state_word(decision: str, passes_done: int) -> str:
    """``inbox``, ``discarded``, ``unread`` or ``pass 2``: the first that says most."""
    if decision != "saved" and not passes_done:
        return decision
    return f"pass {passes_done}" if passes_done else "unread"


def coloured_state(word: str) -> str:
    """A state word in its colour: green for passes, yellow for what waits."""
    colour = STATE_COLOURS.get(word, "green")
    return style(word, fg=colour) if colour else word


def month_shown(submitted: str | None, arxiv_id: str | None) -> str:
    """``2023-09``: the month of version 1, as a source or the arXiv id says; else empty."""
    if submitted is None and arxiv_id is not None:
        from papertrack.identifiers import arxiv_month

        return arxiv_month(arxiv_id)
    return (submitted or "")[:7]


def author_shown(first: str | None, count: int) -> str:
    """``Kwon et al.``, ``Keshav``: the first author's last name, and whether there are more."""
    if not first:
        return ""
    name = first.rpartition(" ")[2]
    return f"{name} et al." if count > 1 else name


def warnings(
    is_withdrawn: bool | None,
    version: int | None,
    version_read: int | None,
    *,
    has_other_title: bool = False,
    is_brief: bool = False,
) -> Sequence[str]:
    """What the reader should know before trusting what they remember of the paper.

    Brief, it is a word each, for a line that has to show the title too.
    """
    found = []
    if is_withdrawn:
        found.append("withdrawn")
    if version and version_read and version > version_read:
        found.append(
            f"v{version}, read v{version_read}"
            if is_brief
            else f"v{version} is out, you read v{version_read}"
        )
    if has_other_title:
        found.append("retitled" if is_brief else "arXiv has another title")
    return found


def print_papers(papers: Iterable[ListedPaper]) -> int:
    """The papers as a table, one line each, and how many they were."""
    return print_table(_LIST_HEAD, map(_listed_row, papers), flexible=4, colour=coloured_state)


def _listed_row(paper: ListedPaper) -> tuple[str, str, str, str, str]:
    title = paper.title or "(title not known yet)"
    for warning in warnings(
        bool(paper.is_withdrawn),
        paper.version,
        paper.version_read,
        has_other_title=bool(paper.has_other_title),
        is_brief=True,
    ):
        title = f"[{warning}] {title}"
    return (
        state_word(paper.decision, paper.passes_done),
        month_shown(paper.submitted, paper.arxiv_id) or str(paper.year or ""),
        paper.citekey,
        author_shown(paper.first_author, paper.author_count),
        title,
    )


def print_candidates(candidates: Sequence[Candidate]) -> None:
    """One line each, numbered from 1, with what the library says of those that it has."""
    print_table(
        _CANDIDATE_HEAD,
        [_candidate_row(number, candidate) for number, candidate in enumerate(candidates, start=1)],
        flexible=5,
        right=(0,),
    )


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """Let the user pick one on the terminal; None when none is wanted."""
    print_candidates(candidates)
    number: int = click.prompt(
        "Which one (0 for none)", type=click.IntRange(0, len(candidates)), default=1, err=True
    )
    return candidates[number - 1] if number else None


def can_choose() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def picked(candidates: Sequence[Candidate], numbers: Sequence[int]) -> list[Candidate]:
    """Those with these numbers. Raises UsageError for a number that is not in the list."""
    strange = [number for number in numbers if not 1 <= number <= len(candidates)]
    if strange:
        raise UsageError(
            f"There is no number {strange[0]}: {len(candidates)} were found. Nothing was added."
        )
    return [candidates[number - 1] for number in dict.fromkeys(numbers)]


def _candidate_row(number: int, candidate: Candidate) -> tuple[str, ...]:
    facts = candidate.record.facts
    return (
        str(number),
        candidate.decision or "",
        candidate.record.identifier.value,
        (facts.submitted or "")[:10],
        author_shown(facts.authors[0].name if facts.authors else None, len(facts.authors)),
        facts.title or "",
    )


def shown_query(text: str, *, with_discarded: bool = False) -> Query:
    """The query that a list shows: it leaves out what was discarded, unless it asks for that."""
    from papertrack.queries.nodes import EVERYTHING, And, Not, Term, Text

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
    from papertrack.queries.nodes import And, Not, Or, Term, Text

    match query:
        case And(parts) | Or(parts):
            return any(map(_asks_for_decision, parts))
        case Not(part):
            return _asks_for_decision(part)
        case Term("is", Text(word)):
            return word in DECISIONS
        case Term(field, _):
            return field == "decision"
