"""Entries that somebody deleted by hand, as hunks: what an export would have kept of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from papertrack.documents.deltas import delta
from papertrack.documents.hunks import Hunk, Unit, hunk_at
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.hunks import units_of
from papertrack.documents.markdown.write.numbering import Numbering


class Deleted:
    """What is not in a document any more that was in an earlier version of it, by whole lines."""

    def __init__(self, was: Document, now: Document) -> None:
        self.was = was
        self._units = units_of(was)
        changes = delta(
            *([_known_by(unit) for unit in one] for one in (self._units, units_of(now)))
        )
        self._left = {line for first, end, _ in changes for line in range(first, end)}
        """The numbers of the lines that are gone, without those that an entry has claimed."""
        self._numbering = Numbering(was)

    def hunks_of(self, entry: Entry) -> tuple[Hunk, ...]:
        """Return what went with an entry of the earlier version: its lines, the blank ones that
        kept it apart, and its definitions; nothing where a part of it still stands."""
        first, end = self._lines_of(entry)
        own = range(first, end)
        if entry.is_shared or not self._left.issuperset(own):
            return ()
        taken = {*own, *(self._blank(first, -1) or self._blank(end - 1, 1))}
        taken |= self._left.intersection(self._definitions(entry))
        self._left -= taken
        return tuple(hunk_at(self._units, span, order=span[0]) for span in _runs(taken))

    def _lines_of(self, entry: Entry) -> tuple[int, int]:
        return entry.line - 1, self.was.line_of(max(entry.span[1] - 1, entry.span[0]))

    def _blank(self, line: int, step: int) -> set[int]:
        """The blank lines beside a line, in one direction, that are gone too."""
        found: set[int] = set()
        while (line := line + step) in self._left and _is_blank(self._units[line]):
            found.add(line)
        return found

    def _definitions(self, entry: Entry) -> Iterable[int]:
        """The lines that define what only the entry refers to, and its title above them."""
        for patch in self._numbering.unneeded(entry, entry.anatomy.links, entry.span):
            yield from range(
                self.was.line_of(patch.span[0]) - 1, self.was.line_of(patch.span[1] - 1)
            )


def _known_by(unit: Unit) -> str:
    """Return what tells a line from others; blank ones are not all the same."""
    return unit.name or unit.text


def _is_blank(unit: Unit) -> bool:
    return not unit.name


def _runs(lines: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Return the runs of numbers that follow one another, as spans."""
    for _, run in groupby(enumerate(sorted(lines)), lambda one: one[1] - one[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1] + 1
