"""Progress through the inbox, and an estimate of the remaining time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

from papertrack.store.listing import ListedPaper
from papertrack.text import plural
from papertrack.tui.glyphs import DECISIONS

_FIRST_GUESS_SECONDS = 20.0
_GUESSES = 3
"""The first guess counts as this many decisions, until the user's own pace is known."""
_LONGEST_SECONDS = 180.0
"""A longer pause was not spent reading."""


class InboxProgress:
    """The decisions of one session about papers of the inbox."""

    def __init__(self, began: datetime) -> None:
        self.started = began
        self._decided: dict[int, tuple[str, datetime]] = {}

    def record(self, rows: Iterable[ListedPaper], now: datetime) -> None:
        """Record decisions; a paper put back into the inbox is not decided."""
        for row in rows:
            if row.decision == "inbox":
                self._decided.pop(row.id, None)
            elif self._decided.get(row.id, ("",))[0] != row.decision:
                self._decided[row.id] = (row.decision, now)

    def describe(self, waiting: int) -> str:
        """Return the progress in a few words; nothing before the first decision."""
        decided = len(self._decided)
        if not decided:
            return ""
        if not waiting:
            return self.summary()
        minutes = max(1, round(waiting * self._pace() / 60))
        about = plural(minutes, "minute")
        return f"{decided:,} decided, about {about} left"

    def summary(self) -> str:
        """Return a summary of the decisions once the inbox is empty."""
        counts = Counter(decision for decision, _ in self._decided.values())
        parts = ", ".join(f"{counts[name]:,} {name}" for name in DECISIONS if counts[name])
        minutes = max(1, round(sum(self._pauses()) / 60))
        return f"All decided in {plural(minutes, 'minute')}: {parts}"

    def _pauses(self) -> list[float]:
        times = [self.started, *sorted(at for _, at in self._decided.values())]
        return [
            min((later - earlier).total_seconds(), _LONGEST_SECONDS)
            for earlier, later in pairwise(times)
        ]

    def _pace(self) -> float:
        """Return the seconds per decision in this session."""
        guessed = _FIRST_GUESS_SECONDS * _GUESSES
        return (guessed + sum(self._pauses())) / (_GUESSES + len(self._decided))
