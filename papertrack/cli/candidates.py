"""Papers that arXiv found, as a numbered list from which some are taken."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from papertrack.cli.display import author_shown
from papertrack.cli.output import print_table
from papertrack.errors import UsageError

if TYPE_CHECKING:
    from papertrack.actions.online.search_arxiv import Candidate

HEAD = ("no.", "library", "arXiv", "date", "author", "title")


def print_candidates(candidates: Sequence[Candidate]) -> None:
    """One line each, numbered from 1, with what the library says of those that it has."""
    print_table(
        HEAD,
        [_row(number, candidate) for number, candidate in enumerate(candidates, start=1)],
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


def _row(number: int, candidate: Candidate) -> tuple[str, ...]:
    facts = candidate.record.facts
    return (
        str(number),
        candidate.decision or "",
        candidate.record.identifier.value,
        (facts.submitted or "")[:10],
        author_shown(facts.authors[0].name if facts.authors else None, len(facts.authors)),
        facts.title or "",
    )
