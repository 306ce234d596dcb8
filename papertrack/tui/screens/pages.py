"""The pages of text: all keys of a screen, and the statistics of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import zip_longest
from textwrap import wrap
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from papertrack.store import stats
from papertrack.store.categories import format_path, paths
from papertrack.store.listing import read_rows
from papertrack.store.states import papers_in_hand
from papertrack.store.stats import PassCount
from papertrack.store.store import Store
from papertrack.text import clean, pad, plural, truncate
from papertrack.tui import glyphs
from papertrack.tui.keys import ALL_KEYS
from papertrack.tui.session import Session

_Row = tuple[str, str, str]
"""The keys, what they do, and the id that the settings know it by."""
_MARGINS = 3


class HelpScreen(Screen[None]):
    """A page of keys. What the settings have changed is shown as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark", "close", "Back", id="help-close")
    ]

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__()
        self._rows = _rows(about)

    def compose(self) -> ComposeResult:
        yield Static(Content(" Keys · q goes back · ctrl+p finds commands"), classes="head")
        with VerticalScroll(classes="page"):
            yield Static(id="keys")

    def on_resize(self) -> None:
        lines = help_lines(self._rows, self.size.width - _MARGINS)
        self.query_one("#keys", Static).update(Content("\n".join(lines)))

    def action_close(self) -> None:
        self.dismiss(None)


def help_lines(rows: Sequence[_Row], width: int) -> list[str]:
    """A line for each row where they fit; otherwise what a key does is wrapped, its id behind."""
    if not rows:
        return []
    # As narrow as they can be: 80 columns hold a line for each.
    keys, texts, ids = (max(map(len, column)) for column in zip(*rows, strict=True))
    if keys + texts + ids + 4 <= width:
        return [f"{key:<{keys}}  {text:<{texts}}  {id}" for key, text, id in rows]
    lines = []
    for key, text, id in rows:
        wrapped = wrap(f"{text} ({id})", max(width - keys - 2, 10), break_on_hyphens=False)
        lines += [
            f"{first:<{keys}}  {part}" for first, part in zip_longest([key], wrapped, fillvalue="")
        ]
    return lines


def _rows(screen: Screen[Any]) -> list[_Row]:
    keys: dict[str | None, list[str]] = {}
    for active in screen.active_bindings.values():
        if active.enabled:
            shown = screen.app.get_key_display(active.binding)
            keys.setdefault(active.binding.id, []).append(shown)
    # In the table's order: Textual puts what the settings have changed behind all others.
    return [
        (" ".join(keys[key.id]), key.tooltip, key.id)
        for key in ALL_KEYS
        if key.id is not None and key.id in keys
    ]


class StatisticsScreen(Screen[None]):
    """Numbers about the reading; scrolls like any page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,w", "close", "Back", id="statistics-close")
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        yield Static(Content(" Statistics · q goes back"), classes="head")
        with VerticalScroll(classes="page"):
            yield Static(id="numbers")

    def on_mount(self) -> None:
        numbers = self._session.look(read_numbers)
        if numbers is None:
            self.set_timer(0.2, self.on_mount)
            return
        text = statistics_text(numbers, self._session.now().date())
        self.query_one("#numbers", Static).update(text)

    def action_close(self) -> None:
        self.dismiss(None)


def read_numbers(store: Store) -> Numbers:
    """Count the library as it is now."""
    names = paths(store)
    return Numbers(
        states=stats.count_by_state(store),
        weeks=stats.count_by_week(store),
        backlog=stats.backlog_ages(store),
        days=stats.days_with_a_pass(store),
        categories=[
            (
                format_path(names[c.category_id]) if c.category_id in names else "(no category)",
                (c.unread, c.first, c.second, c.third),
            )
            for c in stats.count_by_category(store)
        ],
        in_hand=[row.title or row.citekey for row in read_rows(store, papers_in_hand(store))],
    )


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
