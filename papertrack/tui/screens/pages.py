"""The pages of text: all keys of a screen, and the statistics of the library."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
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

from papertrack.category_paths import format_path
from papertrack.store import stats
from papertrack.store.categories import paths
from papertrack.store.listing import read_rows
from papertrack.store.states import papers_in_hand
from papertrack.store.store import Store
from papertrack.text import clean, pad, plural, truncate
from papertrack.tui import glyphs, texts
from papertrack.tui.keys import ALL_KEYS
from papertrack.tui.session import Session

_Row = tuple[str, str, str]
"""The keys, what they do, and the id that the settings know it by."""
_MARGINS = 3
_WEEKS = 12
_BAR = 30
_CATEGORIES = 15


class _Page(Screen[None]):
    """A text that scrolls under its head."""

    def __init__(self, head: str) -> None:
        super().__init__()
        self._head = Static(Content(head), classes="head")
        self._text = Static()

    def compose(self) -> ComposeResult:
        yield self._head
        yield VerticalScroll(self._text, classes="page")


class HelpScreen(_Page):
    """All keys that work on a screen, read from its bindings, as the settings have made them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark", "dismiss", "Back", id="help-close")
    ]

    def __init__(self, about: Screen[Any]) -> None:
        super().__init__(" Keys · q goes back · ctrl+p finds commands")
        self._rows = _rows(about)

    def on_resize(self) -> None:
        lines = help_lines(self._rows, self.size.width - _MARGINS)
        self._text.update(Content("\n".join(lines)))


def help_lines(rows: Sequence[_Row], width: int) -> list[str]:
    """A line for each row where they fit; otherwise what a key does is wrapped, its id behind."""
    if not rows:
        return []
    # As narrow as they can be: 80 columns hold a line for each.
    keys, tips, ids = (max(map(len, column)) for column in zip(*rows, strict=True))
    if keys + tips + ids + 4 <= width:
        return [f"{key:<{keys}}  {text:<{tips}}  {id}" for key, text, id in rows]
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


class StatisticsScreen(_Page):
    """Numbers about the reading."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,w", "dismiss", "Back", id="statistics-close")
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(" Statistics · q goes back")
        self._session = session

    def on_mount(self) -> None:
        numbers = self._session.look(read_numbers)
        if numbers is None:
            self.set_timer(0.2, self.on_mount)
        else:
            self._text.update(statistics_text(numbers, self._session.now().date()))


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the statistics screen is made of."""

    states: dict[tuple[str, int], int]
    weeks: Sequence[stats.PassCount]
    backlog: Sequence[tuple[str, int]]
    """Month ("2026-01") in which papers without a pass were added, and how many."""
    days: Sequence[str]
    """Days with a pass, oldest first."""
    categories: Sequence[tuple[str, tuple[int, int, int, int]]]
    """Path, and how many papers have 0, 1, 2 and 3 passes."""
    in_hand: Sequence[str]
    """Titles of the papers being read."""


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
    return texts.sections((name, texts.lines_of(lines)) for name, lines in sections)


def _states(states: dict[tuple[str, int], int]) -> list[str]:
    by_decision, by_passes = Counter[str](), Counter[int]()
    for (decision, passes), number in states.items():
        by_decision[decision] += number
        by_passes[passes] += number
    decisions = ", ".join(f"{by_decision[name]:,} {name}" for name in glyphs.DECISIONS)
    done = "  ".join(f"{glyphs.passes(n)} {by_passes[n]:,}" for n in range(4))
    return [f"{by_passes.total():,} papers: {decisions}", f"passes done: {done}"]


def _weeks(weeks: Sequence[stats.PassCount], today: date) -> list[str]:
    known = {week.period: week for week in weeks}
    monday = today - timedelta(days=today.weekday())
    periods = [(monday - timedelta(weeks=back)).isoformat() for back in range(_WEEKS - 1, -1, -1)]
    shown = [known.get(period, stats.PassCount(period, 0, 0, 0, 0)) for period in periods]
    most = max(sum(week[1:4]) for week in shown)
    lines = []
    for week in shown:
        total = sum(week[1:4])
        text = f"{week.period}  {pad(bar(total, most), _BAR)} {total or '·':>4}"
        if total:
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
        groups[list(groups)[bisect((1, 3, 12), age)]] += number
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
