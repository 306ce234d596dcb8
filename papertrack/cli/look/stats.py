"""``papertrack stats``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from papertrack.actions.statistics import CategoryReading, Statistics, read_statistics
from papertrack.category_paths import format_path
from papertrack.cli.output import print_json, print_table
from papertrack.cli.session import Session, reading

if TYPE_CHECKING:
    from papertrack.store.stats import PassCount


BAR_WIDTH = 20
MARKS = ("█", "▓", "▒", "░")
"""From the third pass down to none."""
MONTH_KEYS = ("month", "first", "second", "third", "minutes")


@click.command
@reading
def stats(session: Session) -> None:
    """Show how far the reading is, by category and by month.

    \b
    Examples:
      papertrack stats
      papertrack stats --json
    """
    with session.open_store() as store:
        found = read_statistics(store)
    if session.as_json:
        print_json(_json(found))
    else:
        _print(found)


def _print(found: Statistics) -> None:
    unread, first, second, third = found.passes
    click.echo(
        f"{found.papers} papers: {unread} unread, {first} after the first pass, "
        f"{second} after the second, {third} after the third; "
        f"{found.inbox} in the inbox, {found.discarded} discarded."
    )
    most = max((row.papers for row in found.by_category), default=0)
    rows = [_category_row(row, most) for row in found.by_category]
    click.echo()
    categories = ("category", "papers", "unread", "1st", "2nd", "3rd", "")
    print_table(categories, rows, flexible=0, right=(1, 2, 3, 4, 5))
    if found.by_month:
        click.echo()
        months = ("month", "1st", "2nd", "3rd", "minutes")
        print_table(months, map(_month_row, found.by_month), flexible=0, right=(1, 2, 3, 4))


def _category_row(row: CategoryReading, most: int) -> tuple[str, ...]:
    return (
        format_path(row.category) or "(no category)",
        *map(str, (row.papers, row.unread, row.first, row.second, row.third)),
        _bar((row.third, row.second, row.first, row.unread), most),
    )


def _month_row(month: PassCount) -> tuple[str, ...]:
    return (month.period or "undated", *map(str, month[1:4]), str(month.minutes or ""))


def _bar(counts: Sequence[int], most: int) -> str:
    return "".join(
        mark * round(BAR_WIDTH * count / most) for mark, count in zip(MARKS, counts, strict=True)
    )


def _json(found: Statistics) -> dict[str, object]:
    return {
        "papers": found.papers,
        "inbox": found.inbox,
        "discarded": found.discarded,
        "passes": dict(zip(("unread", "first", "second", "third"), found.passes, strict=True)),
        "by_category": list(map(_category_to_json, found.by_category)),
        "by_month": list(map(_month_to_json, found.by_month)),
    }


def _category_to_json(row: CategoryReading) -> dict[str, object]:
    return {**asdict(row), "category": format_path(row.category) or None}


def _month_to_json(month: PassCount) -> dict[str, object]:
    return dict(zip(MONTH_KEYS, (month.period or None, *month[1:]), strict=True))
