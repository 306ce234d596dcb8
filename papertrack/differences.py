"""Find and show differences between two sequences of texts, such as the lines of two versions of a
file.

Short sequences are compared by difflib, whose time grows with the square of the differences. Long
ones are first divided at texts that occur once, as each entry of a file has some: the time grows
like that of sorting. Without such texts, more may be reported as different than necessary.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_CONTEXT = 3
"""Lines of context in a diff."""
_FEW = 200
"""The most texts in both sequences that difflib compares."""
_ROUNDS = 16
"""How often a part between two common texts is divided again."""
Texts = Sequence[str]


class Change(NamedTuple):
    """A part of one sequence, and what replaces it in the other; either may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


class _Run(NamedTuple):
    """A run of equal texts, and where it begins in both sequences."""

    start: int
    new_start: int
    length: int


def changes(old: Texts, new: Texts) -> list[Change]:
    """Return the changes that turn the old sequence into the new one, in order."""
    found: list[Change] = []
    at, new_at = 0, 0
    for start, new_start, length in (*sorted(_runs(old, new)), _Run(len(old), len(new), 0)):
        if (start, new_start) != (at, new_at):
            found.append(Change(at, start, new_at, new_start))
        at, new_at = start + length, new_start + length
    return found


def unified_diff(before: str, after: str, old_name: str, new_name: str) -> str:
    """Return the differences of two texts with these names, in the format of ``diff -u``."""
    if before == after:
        return ""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    shown = [f"--- {old_name}\n", f"+++ {new_name}\n"]
    for hunk in _hunks(changes(old, new)):
        shown += _shown(old, new, hunk)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in shown
    )


def _hunks(found: Iterable[Change]) -> list[list[Change]]:
    """Group changes whose lines of context overlap."""
    hunks: list[list[Change]] = []
    for change in found:
        if hunks and change.start - hunks[-1][-1].end <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _shown(old: Texts, new: Texts, hunk: Sequence[Change]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    above, below = min(first.start, _CONTEXT), min(len(old) - last.end, _CONTEXT)
    start, end = first.start - above, last.end + below
    places = _place(start, end), _place(first.new_start - above, last.new_end + below)
    yield f"@@ -{places[0]} +{places[1]} @@\n"
    for change in hunk:
        yield from (f" {line}" for line in old[start : change.start])
        yield from (f"-{line}" for line in old[change.start : change.end])
        yield from (f"+{line}" for line in new[change.new_start : change.new_end])
        start = change.end
    yield from (f" {line}" for line in old[start:end])


def _place(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"


def _runs(old: Texts, new: Texts) -> list[_Run]:
    """Return the equal runs of both sequences, in any order."""
    runs: list[_Run] = []
    gaps, rounds = [Change(0, len(old), 0, len(new))], 0
    while gaps and rounds < _ROUNDS:
        gaps = [part for gap in gaps for part in _divided(old, new, gap, runs)]
        rounds += 1
    return runs


def _divided(old: Texts, new: Texts, gap: Change, runs: list[_Run]) -> list[Change]:
    """Return the parts that are still to be compared; equal texts are added to the ``runs``."""
    start, end, new_start, new_end = gap
    head = _common(old[start:end], new[new_start:new_end])
    start, new_start = start + head, new_start + head
    tail = _common(old[start:end][::-1], new[new_start:new_end][::-1])
    end, new_end = end - tail, new_end - tail
    runs += _Run(start - head, new_start - head, head), _Run(end, new_end, tail)
    if start == end or new_start == new_end:
        return []
    rows = old[start:end], new[new_start:new_end]
    if sum(map(len, rows)) <= _FEW:
        runs += (_Run(start + at, new_start + to, length) for at, to, length in _compared(*rows))
        return []
    same = [_Run(start + at, new_start + to, 1) for at, to in _places(*rows)]
    runs += same
    edges = [_Run(start, new_start, 0), *same, _Run(end, new_end, 0)]
    return [
        Change(one.start + one.length, other.start, one.new_start + one.length, other.new_start)
        for one, other in pairwise(edges if same else ())
    ]


def _common(one: Texts, other: Texts) -> int:
    """Return how many texts at the beginning are equal."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _compared(old: Texts, new: Texts) -> Iterable[tuple[int, int, int]]:
    # Imported here because most that changes is at one place.
    from difflib import SequenceMatcher

    return SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()


def _places(old: Texts, new: Texts) -> list[tuple[int, int]]:
    """Return positions of texts that divide both sequences, in one order: texts that occur once, or
    if there are none, equally often in both."""
    times, new_times = Counter(old), Counter(new)
    alike = {text for text, count in times.items() if new_times[text] == count}
    once = {text for text in alike if times[text] == 1}
    there = dict(_numbered(new, once or alike))
    return _in_order([(at, there[name]) for name, at in _numbered(old, once or alike)])


def _numbered(texts: Texts, wanted: Container[str]) -> Iterator[tuple[tuple[str, int], int]]:
    """Return each wanted text with its number of earlier occurrences, and its position."""
    before: Counter[str] = Counter()
    for at, text in enumerate(texts):
        if text in wanted:
            yield (text, before[text]), at
            before[text] += 1


def _in_order(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest sequence of these pairs in which both numbers rise; the first numbers do
    already."""
    ends: list[int] = []
    """For each length, the least last number of such a sequence in the second row."""
    last: list[int] = []
    """The position of that number."""
    before: list[int] = []
    """For each position, the previous one in its sequence, or -1."""
    for number, (_, to) in enumerate(places):
        length = bisect_left(ends, to)
        before.append(last[length - 1] if length else -1)
        # One of that length gives way, or a longer row begins.
        ends[length : length + 1] = [to]
        last[length : length + 1] = [number]
    found, number = [], last[-1] if last else -1
    while number >= 0:
        found.append(places[number])
        number = before[number]
    return found[::-1]
