"""Putting off what is due: ``papertrack snooze``."""

from __future__ import annotations

from typing import Any

import click

from papertrack.actions.reading import USUAL, parse_snooze, snooze_papers
from papertrack.cli.session import Session, changing, reference_argument
from papertrack.cli.several import chosen_papers, query_options
from papertrack.errors import UsageError


@click.command
@reference_argument(many=True, required=False)
@click.option(
    "--until", metavar="WHEN", help=f"10d, 2w, 3m, 1y, or a day: 2026-12-01. Else {USUAL}."
)
@click.option("--back", "is_back", is_flag=True, help="Let them be due whenever they are.")
@query_options
@changing
def snooze(session: Session, until: str | None, is_back: bool, **which: Any) -> None:
    """Put off papers that are due: they are not before a day.

    Due is what you saved a month ago and never read, and what waits two weeks for its second pass
    or four for its third: `papertrack list is:due`. A paper of the inbox is saved by that, and
    `papertrack next` offers none that is snoozed.

    \b
    Examples:
      papertrack snooze 2401.09670
      papertrack snooze 2401.09670 --until 3m
      papertrack snooze --query 'is:due tag:survey' --until 2027-01-01
      papertrack list is:snoozed
      papertrack snooze 2401.09670 --back
    """
    if is_back and until is not None:
        raise UsageError("Give --until or --back, not both.")
    day = None if is_back else parse_snooze(until or USUAL, session.now().date())
    with session.open_store() as store:
        citekeys = snooze_papers(store, chosen_papers(session, store, **which), day)
    how = f"Snoozed until {day}" if day else "No longer snoozed"
    told = f"{how}: {', '.join(citekeys)}." if citekeys else "Nothing to do."
    session.report(told, snoozed_until=day and day.isoformat(), citekeys=citekeys)
