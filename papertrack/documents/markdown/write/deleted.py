"""Entries that somebody deleted by hand, as hunks: what an export would have kept of them.

The earlier text is not parsed: its lines that are still there are what they are now, and those that
are gone are known by what is remembered of each entry. So the cost is that of what changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from papertrack.documents.deltas import delta
from papertrack.documents.hunks import Hunk, Unit, hunk_at
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.syntax import (
    cut_lines,
    find_definitions,
    labels_in,
    normalise_label,
)
from papertrack.documents.markdown.write.hunks import (
    definition_unit,
    entry_units,
    lines_of,
    units_of,
)
from papertrack.documents.markdown.write.numbering import is_comment_of

_EDGES = re.compile(r"\A[ \t>]+|\s+\Z")
"""What may stand around an entry in its lines: it is indented, or quoted."""


class Deleted:
    """What is not in a document any more that was in an earlier version of it, by whole lines.

    ``entries`` are the key and the text of each entry that the earlier text had.
    """

    def __init__(self, was: str, now: Document, entries: Sequence[tuple[str, str]]) -> None:
        lines, present = lines_of(was), units_of(now)
        changes = delta(lines, [unit.text for unit in present])
        self._left = {line for first, end, _ in changes for line in range(first, end)}
        """The numbers of the lines that are gone, without those that an entry has claimed."""
        self._units = _with_gone(lines, present, changes)
        self._defined: dict[str, set[int]] = {}
        """The lines that are gone which define a label."""
        self._starts: dict[str, list[int]] = {}
        """Those that are gone by what stands in them."""
        for number in sorted(self._left):
            self._take(number)
        for key, text in entries:
            if own := self._find(text):
                self._units[own.start : own.stop] = entry_units(key, lines[own.start : own.stop])

    def _take(self, number: int) -> None:
        """Take in a line that is gone."""
        line = self._units[number].text
        for definition in find_definitions(cut_lines(line), ()):
            self._units[number] = definition_unit(definition.label, line)
            self._defined.setdefault(normalise_label(definition.label), set()).add(number)
        self._starts.setdefault(_bare(line), []).append(number)

    def _find(self, text: str) -> range | None:
        """The lines that are gone and hold an entry's text, and nothing else."""
        wanted = list(map(_bare, lines_of(text)))
        for first in self._starts.get(wanted[0], ()) if wanted else ():
            own = range(first, first + len(wanted))
            if self._left.issuperset(own) and wanted == [_bare(self._units[n].text) for n in own]:
                return own
        return None

    def hunks_of(self, text: str, title: str) -> tuple[Hunk, ...]:
        """Return what went with an entry of the earlier version: its lines, the blank ones that
        kept it apart, and its definitions; nothing where a part of it still stands, or shares a
        line with others."""
        own = self._find(text)
        if own is None:
            return ()
        taken = {*own, *(self._blank(own.start, -1) or self._blank(own.stop - 1, 1))}
        # A definition that other entries need too comes back with the first of them.
        defined = self._definitions(text)
        self._left -= taken
        taken |= {*defined, *self._titles(defined, title)}
        return tuple(hunk_at(self._units, span, order=span[0]) for span in _runs(taken))

    def _blank(self, line: int, step: int) -> set[int]:
        """The blank lines beside a line, in one direction, that are gone too."""
        found: set[int] = set()
        while (line := line + step) in self._left and not self._units[line].name:
            found.add(line)
        return found

    def _definitions(self, text: str) -> set[int]:
        """The lines that define what an entry refers to."""
        return set().union(*(self._defined.get(label, ()) for label in labels_in(text)))

    def _titles(self, defined: Iterable[int], title: str) -> Iterator[int]:
        """The lines above definitions that say the title of their entry."""
        for above in (number - 1 for number in defined):
            if above in self._left and is_comment_of(self._units[above].text.rstrip("\r\n"), title):
                yield above


def _with_gone(
    lines: Sequence[str], present: Sequence[Unit], changes: Iterable[tuple[int, int, list[str]]]
) -> list[Unit]:
    """Return the lines as units: those that are there are known by what they are now."""
    units = list(present)
    shift = len(lines) - len(present)
    for first, end, texts in changes:  # The last first: what is above has still to be shifted.
        shift -= end - first - len(texts)
        top = first - shift
        units[top : top + len(texts)] = [Unit(line.strip(), line) for line in lines[first:end]]
    return units


def _bare(line: str) -> str:
    return _EDGES.sub("", line)


def _runs(lines: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of numbers that follow one another, as spans."""
    for _, run in groupby(enumerate(sorted(lines)), lambda one: one[1] - one[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1] + 1
