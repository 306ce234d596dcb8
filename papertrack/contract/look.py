"""What the commands print that look at a library, and undo."""

from __future__ import annotations

from typing import Literal

from papertrack.contract.shapes import Count, DryRun, Shape, Text


class MonthCount(Shape):
    month: Text | None
    first: Count
    second: Count
    third: Count
    minutes: Count


class PassCounts(Shape):
    unread: Count
    first: Count
    second: Count
    third: Count


class InCategory(Shape):
    category: Text | None
    papers: Count


class CategoryCount(PassCounts, InCategory):
    pass


class Stats(Shape):
    papers: Count
    inbox: Count
    discarded: Count
    passes: PassCounts
    by_category: list[CategoryCount]
    by_month: list[MonthCount]


class LoggedAction(Shape):
    """One line of the log; its ``id`` is what ``undo`` takes."""

    id: int
    verb: Text
    summary: str
    at: Text
    state: Literal["done", "undone", "superseded"]
    can_undo: bool


class Replay(DryRun):
    """What ``undo`` or ``redo`` did; null when there was nothing."""

    action: LoggedAction | None
