"""The statistics: a year of passes, the backlog, what becomes of papers, minutes per pass."""

from __future__ import annotations

import re
from asyncio import sleep, to_thread
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content

from papertrack.category_paths import format_path
from papertrack.errors import InUseError
from papertrack.store.categories import paths
from papertrack.store.listing import read_rows
from papertrack.store.states import (
    PassCount,
    backlog_ages,
    count_by_category,
    count_by_state,
    count_by_week,
    minutes_by_pass,
    papers_in_hand,
    passes_by_day,
)
from papertrack.store.store import Store
from papertrack.text import clean, display_width, pad, plural, truncate
from papertrack.tui import glyphs, texts
from papertrack.tui.screens.pages import Page
from papertrack.tui.session import Session

_RETRY_SECONDS = 0.2
_WEEKS = 12
_BAR = 30
_LABEL = 32
"""The cells beside a bar, for its name and number."""
_MAX_BARS = 72
_WEEK_CELLS = 8
"""The extra cells beside the bar of a week."""
_CATEGORIES = 15
_NAME, _NUMBER = 40, 7
"""The cells of a category's name and of each of its numbers, if there is room."""
_YEAR = 53
_DAYS = ("Mo", "", "We", "", "Fr", "", "Su")
_SHADES = "·░▒▓█"
_HEAT = "Days with a pass"
_SQUARE = "■"
_HEATS = dict(zip(_SHADES[1:], ("35%", "55%", "75%", "100%"), strict=True))
_MARGIN = 6
_STAGES = ("saved", "read once", "read twice", "read through", "then discarded")
_DRAWN = f"[{_SHADES[1:]}{glyphs.PART}{glyphs.DONE}]+"
_STYLES = {"Backlog by age": "$text-warning"}
"""Sections about waiting papers."""


class StatisticsScreen(Page):
    """The statistics screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,w", "dismiss", "Back", id="statistics-close")
    ]

    def __init__(self, session: Session) -> None:
        super().__init__("Statistics")
        self._session = session
        self._numbers: Numbers | None = None

    def on_mount(self) -> None:
        """Draw the window before its numbers are counted."""
        self.call_after_refresh(self._count)

    @work
    async def _count(self) -> None:
        """Count outside the screen's thread: for 100,000 papers that takes long."""
        while self._numbers is None:
            try:
                self._numbers = await to_thread(self._session.read_in_thread, read_numbers)
            except InUseError:
                await sleep(_RETRY_SECONDS)
        self.on_resize()

    def on_resize(self) -> None:
        if self._numbers is not None:
            today = self._session.now().date()
            self.show(statistics_text(self._numbers, today, self.size.width - _MARGIN))


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers on the statistics screen."""

    states: dict[tuple[str, int], int]
    weeks: Sequence[PassCount]
    backlog: Sequence[tuple[str, int]]
    """Month ("2026-01") → how many papers without a pass were added in it."""
    days: Mapping[str, int]
    """Days with a pass, oldest first, and the number of passes."""
    minutes: Mapping[int, float]
    """Pass → the median of its minutes."""
    categories: Sequence[tuple[str, tuple[int, int, int, int]]]
    """Category path → how many papers have 0, 1, 2 and 3 passes."""
    in_hand: Sequence[str]
    """Titles of the papers being read."""


def read_numbers(store: Store) -> Numbers:
    """Count the library as it is now."""
    names = paths(store)
    return Numbers(
        states=count_by_state(store),
        weeks=count_by_week(store),
        backlog=backlog_ages(store),
        days=passes_by_day(store),
        minutes=minutes_by_pass(store),
        categories=[
            (
                format_path(names[c.category_id]) if c.category_id in names else "(no category)",
                (c.unread, c.first, c.second, c.third),
            )
            for c in count_by_category(store)
        ],
        in_hand=[row.title or row.citekey for row in read_rows(store, papers_in_hand(store))],
    )


def statistics_text(numbers: Numbers, today: date, width: int = _BAR + _LABEL) -> Content:
    """Return all sections, one below another, as wide as there is room."""
    bars = min(max(width - _LABEL, 8 + _WEEK_CELLS), _MAX_BARS)
    in_hand = [truncate(clean(title), max(width, 20)) for title in numbers.in_hand]
    sections = [
        ("Papers", _states(numbers.states)),
        ("Reading now", in_hand),
        (_HEAT, _year(numbers.days, today, width) if numbers.days else []),
        ("Streak", [_streak(list(numbers.days), today)] if numbers.days else []),
        (
            "Passes by week: first+second+third",
            _weeks(numbers.weeks, today, bars - _WEEK_CELLS) if numbers.days else [],
        ),
        ("What becomes of what you save", _stages(numbers.states, bars)),
        ("Minutes for a pass (median)", _minutes(numbers.minutes, bars)),
        ("Backlog by age", _backlog(numbers.backlog, today, bars)),
        ("By category", _categories(numbers.categories, width)),
    ]
    return texts.sections(
        (name, _heat_map(lines) if name == _HEAT else _coloured(name, lines))
        for name, lines in sections
    )


def _heat_map(lines: Sequence[str]) -> Content:
    """Return the days as squares in shades of one colour, with a legend below."""
    steps = f"   less {' '.join(_SHADES)} more"
    return Content.assemble(
        *(
            (_SQUARE, f"$text-success {_HEATS[char]}")
            if char in _HEATS
            else (char, glyphs.MUTED if char == _SHADES[0] else "")
            for char in "\n".join([*lines, steps] if lines else [])
        )
    )


def _coloured(name: str, lines: Sequence[str]) -> Content:
    """Return a section with its bars in the colour of finished or waiting papers."""
    content, style = texts.lines_of(lines), _STYLES.get(name, "$text-success")
    for drawn in re.finditer(_DRAWN, content.plain):
        content = content.stylize(style, *drawn.span())
    return content


def _states(states: dict[tuple[str, int], int]) -> list[str]:
    by_decision, by_passes = Counter[str](), Counter[int]()
    for (decision, passes), number in states.items():
        by_decision[decision] += number
        by_passes[passes] += number
    decisions = ", ".join(f"{by_decision[name]:,} {name}" for name in glyphs.DECISIONS)
    done = "  ".join(f"{glyphs.passes(n)} {by_passes[n]:,}" for n in range(4))
    return [f"{by_passes.total():,} papers: {decisions}", f"passes done: {done}"]


def _year(days: Mapping[str, int], today: date, width: int) -> list[str]:
    """Return a row for each weekday and a column for each week up to this one, shaded by passes."""
    cell = 2 if width >= 2 * _YEAR + 3 else 1
    first_day = date.fromisoformat(min(days))
    weeks = min(_YEAR, max((width - 3) // cell, 1), max((today - first_day).days // 7 + 2, _WEEKS))
    first = today - timedelta(days=today.weekday(), weeks=weeks - 1)
    largest = max(days.values(), default=0)
    lines = [_months(first, weeks, cell)]
    for weekday, name in enumerate(_DAYS):
        dates = [first + timedelta(weeks=week, days=weekday) for week in range(weeks)]
        numbers = (-1 if d > today else days.get(d.isoformat(), 0) for d in dates)
        shades = "".join(_shade(number, largest).ljust(cell) for number in numbers)
        lines.append(f"{name:<3}{shades}".rstrip())
    return lines


def _months(first: date, weeks: int, cell: int) -> str:
    """Return the names of months above the weeks in which they begin, if there is room."""
    line = ""
    for week in range(weeks):
        monday = first + timedelta(weeks=week)
        if monday.day <= 7 and len(line) <= week * cell and (weeks - week) * cell >= 3:
            line = f"{line:<{week * cell}}{monday:%b} "
    return f"   {line}".rstrip()


def _shade(number: int, most: int) -> str:
    """Return the shade for a number of passes; none for a day to come, which has -1."""
    return " " if number < 0 else _SHADES[-(-number * (len(_SHADES) - 1) // max(most, 1))]


def _weeks(weeks: Sequence[PassCount], today: date, width: int) -> list[str]:
    by_period = {week.period: week for week in weeks}
    monday = today - timedelta(days=today.weekday())
    periods = [(monday - timedelta(weeks=w)).isoformat() for w in range(_WEEKS - 1, -1, -1)]
    recent = [by_period.get(period, PassCount(period, 0, 0, 0, 0)) for period in periods]
    while recent and not sum(recent[0][1:4]):
        del recent[0]  # Weeks before the first pass are left out.
    largest = max((sum(week[1:4]) for week in recent), default=0)
    return [_week(week, largest, width) for week in recent]


def _week(week: PassCount, most: int, width: int) -> str:
    total = sum(week[1:4])
    text = f"{week.period} {total or '·':>4}"
    if not total:
        return text
    minutes = f"  {week.minutes} min" if week.minutes else ""
    return f"{text}  {bar(total, most, width)}  {week.first}+{week.second}+{week.third}{minutes}"


def _streak(days: Sequence[str], today: date) -> str:
    """Return the days in a row with a pass, up to today or, as today is not over, yesterday."""
    dates = {date.fromisoformat(day) for day in days}
    day = today if today in dates else today - timedelta(days=1)
    length = 0
    while day in dates:
        length += 1
        day -= timedelta(days=1)
    in_row = f"{plural(length, 'day')} in a row; " if length else ""
    return f"{in_row}{plural(len(dates), 'day')} with a pass in all"


def _stages(states: Mapping[tuple[str, int], int], width: int) -> list[str]:
    """Return how far the saved papers have come."""
    reached = Counter[str]()
    for (decision, passes), number in states.items():
        if decision == "saved" or passes:
            steps = [*_STAGES[: passes + 1], *_STAGES[4:] * (decision == "discarded")]
            reached.update(dict.fromkeys(steps, number))
    return [_named_bar(n, reached[n], reached["saved"], width) for n in _STAGES if reached[n]]


def _minutes(minutes: Mapping[int, float], width: int) -> list[str]:
    most = max(minutes.values(), default=0)
    return [
        _named_bar(f"{texts.PASS_NAMES[number - 1]} pass", round(middle), round(most), width)
        for number, middle in minutes.items()
    ]


def _backlog(backlog: Sequence[tuple[str, int]], today: date, width: int) -> list[str]:
    groups = {"under a month": 0, "1 to 3 months": 0, "3 to 12 months": 0, "over a year": 0}
    for month, number in backlog:
        year, month_of_year = int(month[:4]), int(month[5:7])
        age = (today.year - year) * 12 + today.month - month_of_year
        groups[list(groups)[bisect((1, 3, 12), age)]] += number
    most = max(groups.values())
    return [_named_bar(name, n, most, width) for name, n in groups.items() if n]


def _categories(
    categories: Sequence[tuple[str, tuple[int, int, int, int]]], width: int
) -> list[str]:
    ranked = sorted(categories, key=lambda item: -sum(item[1]))
    rows = [(clean(name), counts) for name, counts in ranked[:_CATEGORIES]]
    # On a narrow screen the numbers are close together, and names get the rest.
    widest = max((len(f"{n:,}") for _, counts in rows for n in counts), default=0)
    cell = max(_NUMBER if width >= _NAME + 4 * _NUMBER else 4, widest + 1)
    longest = max((display_width(name) for name, _ in rows), default=0)
    room = max(min(longest, _NAME, width - 4 * cell), 8)
    lines = [
        pad(truncate(name, room), room) + "".join(f"{n:>{cell},}" for n in counts)
        for name, counts in rows
    ]
    if not lines:
        return []
    heads = "".join(f"{glyphs.passes(number):>{cell}}" for number in range(4))
    more = len(ranked) - _CATEGORIES
    return [" " * room + heads, *lines, *([f"and {more} more"] if more > 0 else [])]


def _named_bar(name: str, number: int, most: int, width: int) -> str:
    return f"{name:<15} {number:>6,}  {bar(number, most, width)}"


def bar(number: int, most: int, width: int = _BAR) -> str:
    """Return a bar, exact to an eighth of a cell; the largest number fills the width."""
    if not most or not number:
        return ""
    eighths = max(1, round(number / most * width * 8))
    rest = eighths % 8
    return glyphs.BAR * (eighths // 8) + (glyphs.PART[rest - 1] if rest else "")
