"""What the fake arXiv announces in the tests of watch: made-up works, day by day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from tests.fake_arxiv import Announced, Calendar, Work

CATEGORIES = ("cs.LG", "cs.CL")
Truth = set[tuple[str, str, int]]
"""(arXiv id, ``first`` or ``replace``, version)."""


def make_work(
    arxiv_id: str,
    title: str,
    categories: tuple[str, ...],
    *,
    abstract: str = "Nothing that anybody looks for.",
    authors: tuple[str, ...] = ("Ada Abara",),
    versions: int = 1,
    comment: str | None = None,
) -> Work:
    return Work(
        arxiv_id,
        title,
        tuple((name, None) for name in authors),
        abstract,
        categories,
        ("2026-11-10T10:00:00Z",) * versions,
        comment=comment,
    )


def announce(calendar: Calendar, day: date, announced: Iterable[Announced]) -> Truth:
    """Put works into the lists of all their categories; return what watch should see."""
    lists: dict[str, list[Announced]] = {}
    truth: Truth = set()
    for item in announced:
        for category in item.work.categories:
            if category not in CATEGORIES:
                continue
            is_primary = category == item.work.categories[0]
            if item.kind == "new":
                kind = "new" if is_primary else "cross"
            elif item.kind == "replace":
                kind = "replace" if is_primary else "replace-cross"
            else:
                kind = item.kind
            lists.setdefault(category, []).append(Announced(item.work, kind, item.version))
            group = "first" if kind in ("new", "cross") else "replace"
            truth.add((item.work.arxiv_id, group, item.version if group == "replace" else 1))
    for category in CATEGORIES:
        calendar.script[day, category] = lists.get(category, [])
    return truth


def ordinary_day(day: date) -> list[Announced]:
    """A weekday: papers of both categories, one of which is in both, a cross-list, replacements.

    One title in each list is about speculative decoding.
    """
    start = f"{day:%y%m}.{day.day * 100:05}"

    def number(n: int) -> str:
        return f"{start[:5]}{int(start[5:]) + n:05}"

    old = f"2610.{day.day:05}"
    return [
        Announced(make_work(number(1), f"Speculative decoding on day {day.day}", ("cs.LG",))),
        Announced(make_work(number(2), f"Graphs that forget, part {day.day}", ("cs.LG",))),
        Announced(make_work(number(3), f"Parsing {day.day} treebanks", ("cs.CL",))),
        Announced(make_work(number(4), f"Drafting for {day.day} languages", ("cs.CL", "cs.LG"))),
        Announced(
            make_work(number(5), f"Kernel {day.day} revisited", ("stat.ML", "cs.LG")), "cross"
        ),
        Announced(make_work(old, f"An old one, {day.day}", ("cs.LG",), versions=3), "replace", 2),
        Announced(make_work(f"2609.{day.day:05}", "Older", ("cs.CL",), versions=3), "replace", 3),
    ]


def days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=n) for n in range(count)]
