"""How one row of texts is got from another that is nearly the same: the lines of a file, say."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.differences import changes

Delta = list[tuple[int, int, list[str]]]
"""Spans of one row, and what stands there in the other one; the last span first."""


def delta(start: Sequence[str], wanted: Sequence[str]) -> Delta:
    """Return how ``wanted`` is got from ``start``."""
    return [
        (change.start, change.end, list(wanted[change.new_start : change.new_end]))
        for change in reversed(changes(start, wanted))
    ]


def applied(start: Sequence[str], steps: Delta) -> list[str]:
    """Return the row that a delta makes of ``start``."""
    result = list(start)
    for first, end, texts in steps:
        result[first:end] = texts
    return result
