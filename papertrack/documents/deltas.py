"""How one row of texts is got from another that is nearly the same: the lines of a file, say."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile

Delta = list[tuple[int, int, list[str]]]
"""Spans of one row, and what stands there in the other one; the last span first."""


def delta(start: Sequence[str], wanted: Sequence[str]) -> Delta:
    """Return how ``wanted`` is got from ``start``."""
    top = _common(start, wanted)
    bottom = _common(
        start[: top - 1 if top else None : -1], wanted[: top - 1 if top else None : -1]
    )
    ends = len(start) - bottom, len(wanted) - bottom
    # Texts that come again and again, as empty lines do, tell nothing of a place: they are matched
    # only beside others, since to try each with each takes time that grows with their square.
    matcher = SequenceMatcher(None, start[top : ends[0]], wanted[top : ends[1]])
    return [
        (top + first, top + end, list(wanted[top + other : top + other_end]))
        for kind, first, end, other, other_end in reversed(matcher.get_opcodes())
        if kind != "equal"
    ]


def applied(start: Sequence[str], changes: Delta) -> list[str]:
    """Return the row that the changes make of ``start``."""
    result = list(start)
    for first, end, texts in changes:
        result[first:end] = texts
    return result


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many texts both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
