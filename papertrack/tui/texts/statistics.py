"""The statistics of a library as text with bars, readable in 80 columns. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from textual.content import Content

from papertrack.store.stats import PassCount
from papertrack.text import clean, pad, plural, truncate
from papertrack.tui import glyphs

_WEEKS = 12
_BAR = 30
_CATEGORIES = 15


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the statistics screen is made of."""

    states: dict[tuple[str, int], int]
    weeks: Sequence[PassCount]
    backlog: Sequence[tuple[str, int]]
    """Month ("2026-01") in which papers without a pass were added, and how many."""
    days: Sequence[str]
    """Days with a pass, oldest first."""
    categories: Sequence[tuple[str, tuple[int, int, int, int]]]
    """Path, and how many papers have 0, 1, 2 and 3 passes."""
    in_hand: Sequence[str]
    """Titles of the papers being read."""


def statistics_text(numbers: Numbers, today: date) -> Content:
    """All of it, a section below the other."""
    sections = [
        ("Papers", _states(numbers.states)),
        ("Reading now", [truncate(clean(title), 74) for title in numbers.in_hand] or ["none"]),
        ("Streak", [_streak(numbers.days, today)]),
        ("Passes by week", _weeks(numbers.weeks, today)),
        ("Backlog by age", _backlog(numbers.backlog, today)),
        ("By category (unread, first, second, third)", _categories(numbers.categories)),
    ]
    blocks = [
        Content.assemble((title, "bold $text-primary"), "\n", "\n".join(lines))
        for title, lines in sections
    ]
    return Content("\n\n").join(blocks)


def _states(states: dict[tuple[str, int], int]) -> list[str]:
    total = sum(states.values())
    by_decision = {
        decision: sum(n for (d, _), n in states.items() if d == decision)
        for decision in ("inbox", "saved", "discarded")
    }
    by_passes = [sum(n for (_, p), n in states.items() if p == passes) for passes in range(4)]
    return [
        f"{total:,} papers: "
        + ", ".join(f"{number:,} {decision}" for decision, number in by_decision.items()),
        "passes done: "
        + "  ".join(
            f"{glyphs.DONE * n + glyphs.OPEN * (3 - n)} {by_passes[n]:,}" for n in range(4)
        ),
    ]


def _weeks(weeks: Sequence[PassCount], today: date) -> list[str]:
    known = {week.period: week for week in weeks}
    monday = today - timedelta(days=today.weekday())
    shown = [(monday - timedelta(weeks=back)).isoformat() for back in range(_WEEKS - 1, -1, -1)]
    totals = {
        period: (week.first + week.second + week.third if (week := known.get(period)) else 0)
        for period in shown
    }
    most = max(totals.values())
    lines = []
    for period in shown:
        week = known.get(period)
        text = f"{period}  {pad(bar(totals[period], most), _BAR)} {totals[period] or '·':>4}"
        if week and totals[period]:
            text += f"  {week.first}+{week.second}+{week.third}"
            text += f"  {week.minutes} min" if week.minutes else ""
        lines.append(text)
    return lines


def _streak(days: Sequence[str], today: date) -> str:
    """Days in a row with a pass, up to today or yesterday: today is not over yet."""
    known = {date.fromisoformat(day) for day in days}
    day = today if today in known else today - timedelta(days=1)
    length = 0
    while day in known:
        length += 1
        day -= timedelta(days=1)
    return f"{plural(length, 'day')} in a row with a pass; {plural(len(known), 'day')} in all"


def _backlog(backlog: Sequence[tuple[str, int]], today: date) -> list[str]:
    groups = {"under a month": 0, "1 to 3 months": 0, "3 to 12 months": 0, "over a year": 0}
    for month, number in backlog:
        year, month_of_year = int(month[:4]), int(month[5:7])
        age = (today.year - year) * 12 + today.month - month_of_year
        group = 0 if age < 1 else 1 if age < 3 else 2 if age < 12 else 3
        groups[list(groups)[group]] += number
    most = max(groups.values())
    return [f"{name:<15} {pad(bar(n, most), _BAR)} {n:>6,}" for name, n in groups.items()]


def _categories(categories: Sequence[tuple[str, tuple[int, int, int, int]]]) -> list[str]:
    ranked = sorted(categories, key=lambda item: -sum(item[1]))
    lines = [
        f"{pad(truncate(clean(name), 40), 40)} " + " ".join(f"{n:>6,}" for n in counts)
        for name, counts in ranked[:_CATEGORIES]
    ]
    more = len(ranked) - _CATEGORIES
    return [*lines, f"and {more} more"] if more > 0 else lines or ["none"]


def bar(number: int, most: int) -> str:
    """A bar for a number, its length to an eighth of a cell; the biggest has 30 cells."""
    if not most or not number:
        return ""
    eighths = max(1, round(number / most * _BAR * 8))
    rest = eighths % 8
    return glyphs.BAR * (eighths // 8) + (glyphs.PART[rest - 1] if rest else "")
