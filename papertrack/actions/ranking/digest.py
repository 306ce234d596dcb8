"""The parts of a digest: best first, below the line what is probably not for the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from papertrack.exporters.digest import DigestEntry, DigestTopic
from papertrack.store.watch.ranks import Rank

UNEXPECTED = 2
"""So many of what is below the line are shown above it, whatever the ranking says: else it would
learn for ever from what it showed itself."""
OUTSIDE = "Outside your topics"
LOT = "Unexpected: drawn by lot"
BELOW = "Probably not for you"


@dataclass(frozen=True, slots=True)
class Line:
    """The ranks of the papers, and whether decisions are enough to draw a line by them."""

    ranks: Mapping[int, Rank]
    is_drawn: bool

    def is_below(self, entry: DigestEntry) -> bool:
        """Whether a paper is less like what the reader keeps than like the rest."""
        rank = self.ranks.get(entry.paper.id)
        return self.is_drawn and rank is not None and rank.score <= 0

    def order(self, entry: DigestEntry) -> tuple[float, float, int]:
        """Best first: by rank, then by what the topic says; what has no rank follows."""
        rank = self.ranks.get(entry.paper.id)
        return (-rank.score if rank else float("inf"), -entry.score, entry.paper.id)


def arrange(
    topics: Sequence[DigestTopic], outside: Sequence[DigestEntry], line: Line, day: str
) -> tuple[DigestTopic, ...]:
    """The topics with what is above the line, best first; then what came by rank alone, a few
    drawn by lot from below the line (the same all day), and the rest of that."""
    kept, below = [], []
    for topic in topics:
        entries = sorted(topic.entries, key=line.order)
        above = tuple(one for one in entries if not line.is_below(one))
        kept.append(replace(topic, entries=above))
        below += [
            replace(one, reason=f"{topic.name}: {one.reason}")
            for one in entries
            if line.is_below(one)
        ]
    lots = sorted(_once(below), key=lambda one: _lot(day, one))
    rest = sorted(lots[UNEXPECTED:], key=line.order)
    parts = (
        *kept,
        DigestTopic(OUTSIDE, tuple(sorted(outside, key=line.order)), "outside"),
        DigestTopic(LOT, tuple(lots[:UNEXPECTED]), "unexpected"),
        DigestTopic(BELOW, tuple(rest), "unlikely"),
    )
    return tuple(part for part in parts if part.entries)


def _once(entries: Sequence[DigestEntry]) -> list[DigestEntry]:
    """Each paper with the first of its entries."""
    return list({one.paper.id: one for one in reversed(entries)}.values())


def _lot(day: str, entry: DigestEntry) -> str:
    return sha256(f"{day} {entry.paper.citekey}".encode()).hexdigest()
