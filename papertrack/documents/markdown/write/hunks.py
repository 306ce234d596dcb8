"""The lines of a README as units, and edits turned round: what they took out or replaced.

A line is known by the entry that it belongs to, or the label that it defines, or else by its text.
Entries that somebody deleted by hand become such hunks too, without parsing the earlier text: the
cost is that of what changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from papertrack.differences import Change, changes
from papertrack.documents.hunks import Hunk, Unit, apply_hunks, hunk_at
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.syntax import (
    cut_lines,
    find_definitions,
    labels_in,
    normalise_label,
)
from papertrack.documents.markdown.write.definitions import Numbering, is_comment_of
from papertrack.documents.markdown.write.patches import Patch, patched

_DEFINITION = "definition "
_WRITTEN_DEFINITION = re.compile(r"\[([^\]]+)\]: ")
_COUNT = re.compile(r"#[0-9]+\Z")
_NUMBER = re.compile(r"[ \t>]*[0-9]{1,9}[.)]")


@dataclass(frozen=True, slots=True)
class OldText:
    """What an entry was before it was edited, and what else the edits changed."""

    text: str
    hunks: tuple[Hunk, ...] = ()


def units_of(document: Document) -> list[Unit]:
    """Return the lines of the text, their ends included."""
    lines = lines_of(document.text)
    units = [Unit(line.strip(), line) for line in lines]
    for definition in document.definitions:
        units[definition.line] = definition_unit(definition.label, lines[definition.line])
    starts = document.starts
    for entry in document.entries:
        if entry.is_shared:  # Its line is not its own: the line is known by its text.
            continue
        first = end = entry.line - 1
        while end < len(lines) and starts[end] < entry.span[1]:
            end += 1
        units[first:end] = entry_units(entry.key, lines[first:end])
    return units


def definition_unit(label: str, line: str) -> Unit:
    """Return the line that defines a label."""
    return Unit(_DEFINITION + label, line, is_sole=True)


def entry_units(key: str, lines: Sequence[str]) -> list[Unit]:
    """Return the lines of the entry with this key."""
    stem = _COUNT.sub("", key)
    return [Unit(f"{number} {stem}", line) for number, line in enumerate(lines)]


def hunks_of(
    document: Document, units: Sequence[Unit], patches: Sequence[Patch], first: int
) -> tuple[Hunk, ...]:
    """Return the patches of one edit turned round, by the lines that they touch.

    Their orders are by their places, from ``first`` on.
    """
    groups: list[tuple[int, int, list[Patch]]] = []
    whole = [_without_line_end_before(document, patch) for patch in patches]
    for patch in sorted(whole, key=lambda patch: patch.span):
        top, bottom = _touched(document, patch, len(units))
        if groups and top <= groups[-1][1]:
            start, end, together = groups[-1]
            groups[-1] = (start, max(end, bottom), [*together, patch])
        else:
            groups.append((top, bottom, [patch]))
    hunks = []
    for top, bottom, together in groups:
        gone = _names_written(document, units, (top, bottom), together)
        hunk = hunk_at(units, (top, bottom), first + document.line_start(top), gone)
        is_with_end_before = whole != list(patches) and bottom == len(units)
        hunks.append(_ended(hunk, document.style.line_end) if is_with_end_before else hunk)
    return tuple(hunks)


def _without_line_end_before(document: Document, patch: Patch) -> Patch:
    """Of a last line that is cut out with the line end before it, return the line alone."""
    start, end = patch.span
    if not patch.text and start < end and document.text[start] in "\r\n":
        number = document.line_of(start)
        if start != document.starts[number - 1]:
            return replace(patch, span=(document.line_start(number), end))
    return patch


def _touched(document: Document, patch: Patch, count: int) -> tuple[int, int]:
    """Return the numbers of the first line that a patch touches, and of the one behind them."""
    start, end = patch.span
    if start == len(document.text):
        return count, count
    top = document.line_of(start) - 1
    if start == end == document.starts[top]:
        return top, top
    return top, max(document.line_of(end - 1), top + 1)


def _names_written(
    document: Document, units: Sequence[Unit], lines: tuple[int, int], patches: Sequence[Patch]
) -> list[str]:
    """Return the names of the lines that patches make of those with these numbers."""
    top, bottom = lines
    start = document.line_start(top)
    moved = [replace(p, span=(p.span[0] - start, p.span[1] - start)) for p in patches]
    text = patched("".join(unit.text for unit in units[top:bottom]), moved)
    names = []
    for line in lines_of(text.lstrip("\r\n") if top == bottom else text):
        definition = _WRITTEN_DEFINITION.match(line)
        names.append(_DEFINITION + definition[1] if definition else line.strip())
    return names


def _ended(hunk: Hunk, line_end: str) -> Hunk:
    """Return a hunk whose last line, cut out with the line end before it, has its own."""
    last = hunk.units[-1]
    return replace(hunk, units=(*hunk.units[:-1], replace(last, text=last.text + line_end)))


def with_hunks(document: Document, hunks: Sequence[Hunk]) -> tuple[str, tuple[Hunk, ...]]:
    """Return the text with what hunks hold at its old places, and those that have none.

    A file's last line, with or without an end, stays that.
    """
    units, lost = apply_hunks(units_of(document), hunks)
    lines = [unit.text for unit in units]
    for number, line in enumerate(lines[:-1]):
        if not _has_end(line):
            lines[number] = line + document.style.line_end
    text = "".join(lines)
    is_open = bool(document.text) and not _has_end(document.text)
    return (text.removesuffix(document.style.line_end) if is_open else text), lost


def with_old_texts(document: Document, olds: Mapping[int, OldText]) -> str:
    """Return the text with entries, by their indexes, as they were, and what edits changed with
    them. Whether the entries then say what they said is for the caller to see."""
    text = _swapped(document, olds)
    hunks = [hunk for old in olds.values() for hunk in old.hunks]
    if hunks:
        document = document.parse_again(text)
        numbering = Numbering(document)
        text, _ = with_hunks(document, [hunk for hunk in hunks if _may_go(numbering, hunk)])
    return text


def _may_go(numbering: Numbering, hunk: Hunk) -> bool:
    """Whether nothing refers to a definition that goes."""
    labels = [name.removeprefix(_DEFINITION) for name in hunk.gone if name.startswith(_DEFINITION)]
    known = [label for label in map(normalise_label, labels) if label in numbering.by_label]
    return bool(hunk.units) or not any(map(numbering.is_used, known))


def _swapped(document: Document, olds: Mapping[int, OldText]) -> str:
    patches: list[Patch] = []
    end = 0
    for index in sorted(olds, key=lambda index: document.entries[index].span):
        span = document.entries[index].span
        if span[0] >= end:  # One inside another goes with it.
            patches.append(Patch(span, olds[index].text))
            end = span[1]
    return patched(document.text, patches)


def as_it_is_now(hunk: Hunk, key: str, was: str, now: str) -> Hunk:
    """Return the hunk with an entry's lines as they are now; a list's number stays as it was."""
    old, new = _NUMBER.match(was), _NUMBER.match(now)
    if old and new:
        now = old.group() + now[new.end() :]
    first, end = _lines_in(hunk, key, was)
    if first == end:
        return hunk
    text = "".join(unit.text for unit in hunk.units[first:end])
    line_end = text[len(text.rstrip("\r\n")) :]
    again = entry_units(key, lines_of(now.rstrip("\r\n") + line_end))
    return replace(hunk, units=(*hunk.units[:first], *again, *hunk.units[end:]))


def _lines_in(hunk: Hunk, key: str, was: str) -> tuple[int, int]:
    """Return where an entry's lines are in a hunk: those that it was; or, if it was edited when it
    was taken out, those that have its name."""
    count = len(lines_of(was))
    for first in range(len(hunk.units)):
        text = "".join(unit.text for unit in hunk.units[first : first + count])
        if text.rstrip("\r\n") == was.rstrip("\r\n"):
            return first, first + count
    names = [unit.name for unit in entry_units(key, [""] * len(hunk.units))]
    found = [number for number, unit in enumerate(hunk.units) if unit.name in names]
    return (found[0], found[-1] + 1) if found else (0, 0)


def hunk_of_entry(entries: Sequence[tuple[str, str]], position: int) -> Hunk:
    """Return what one of a document's entries was, of which only (key, text) are known; its
    neighbours are the other entries."""
    each = [entry_units(key, lines_of(text)) for key, text in entries]
    top = sum(map(len, each[:position]))
    units = [unit for lines in each for unit in lines]
    return hunk_at(units, (top, top + len(each[position])), order=position)


def _has_end(line: str) -> bool:
    return line.endswith(("\n", "\r"))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, their ends included."""
    if not text:
        return []
    starts = [*cut_lines(text).starts, len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


_EDGES = re.compile(r"\A[ \t>]+|\s+\Z")
"""What may stand around an entry in its lines: it is indented, or quoted."""


class Deleted:
    """What is not in a document any more that was in an earlier version of it, by whole lines.

    ``entries`` are the key and the text of each entry that the earlier text had.
    """

    def __init__(self, was: str, now: Document, entries: Sequence[tuple[str, str]]) -> None:
        lines, present = lines_of(was), units_of(now)
        changed = changes(lines, [unit.text for unit in present])
        self._left = {line for one in changed for line in range(one.start, one.end)}
        """The numbers of the lines that are gone, without those that an entry has claimed."""
        self._units = _with_gone(lines, present, changed)
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
    lines: Sequence[str], present: Sequence[Unit], changed: Sequence[Change]
) -> list[Unit]:
    """Return the lines as units: those that are there are known by what they are now."""
    units = list(present)
    for one in reversed(changed):
        gone = [Unit(line.strip(), line) for line in lines[one.start : one.end]]
        units[one.new_start : one.new_end] = gone
    return units


def _bare(line: str) -> str:
    return _EDGES.sub("", line)


def _runs(lines: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of numbers that follow one another, as spans."""
    for _, run in groupby(enumerate(sorted(lines)), lambda one: one[1] - one[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1] + 1
