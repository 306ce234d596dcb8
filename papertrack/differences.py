"""Find and show differences between two sequences of texts, such as the lines of two versions.

Short sequences are compared by difflib, whose time grows with the square of the differences. Long
ones are first divided at texts that occur once, as each entry of a file has some; so the time grows
like that of sorting. Without such texts, more may be reported as different than necessary.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_CONTEXT = 3
"""Lines of context in a diff."""
_FEW = 200
"""The most texts in both sequences that difflib compares directly."""
_ROUNDS = 16
"""How often a part between two common texts is divided again."""
Texts = Sequence[Hashable]


class Change(NamedTuple):
    """A part of one sequence, and what replaces it in the other; either may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


class Run(NamedTuple):
    """A run of equal texts, and where it begins in both sequences."""

    start: int
    new_start: int
    length: int


def changes(old: Texts, new: Texts) -> list[Change]:
    """Return the changes that turn the old sequence into the new one, in order."""
    result: list[Change] = []
    at, new_at = 0, 0
    for start, new_start, length in (*equal_runs(old, new), Run(len(old), len(new), 0)):
        if (start, new_start) != (at, new_at):
            result.append(Change(at, start, new_at, new_start))
        at, new_at = start + length, new_start + length
    return result


def unified_diff(before: str, after: str, old_name: str, new_name: str) -> str:
    """Return the differences of two texts with these names, in the format of ``diff -u``."""
    if before == after:
        return ""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = [f"--- {old_name}\n", f"+++ {new_name}\n"]
    for hunk in _hunks(changes(old, new)):
        lines += _hunk_lines(old, new, hunk)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _hunks(all_changes: Iterable[Change]) -> list[list[Change]]:
    """Group changes whose lines of context overlap."""
    hunks: list[list[Change]] = []
    for change in all_changes:
        if hunks and change.start - hunks[-1][-1].end <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk_lines(old: Texts, new: Texts, hunk: Sequence[Change]) -> Iterator[str]:
    first, last = hunk[0], hunk[-1]
    above, below = min(first.start, _CONTEXT), min(len(old) - last.end, _CONTEXT)
    start, end = first.start - above, last.end + below
    places = _line_range(start, end), _line_range(first.new_start - above, last.new_end + below)
    yield f"@@ -{places[0]} +{places[1]} @@\n"
    for change in hunk:
        yield from (f" {line}" for line in old[start : change.start])
        yield from (f"-{line}" for line in old[change.start : change.end])
        yield from (f"+{line}" for line in new[change.new_start : change.new_end])
        start = change.end
    yield from (f" {line}" for line in old[start:end])


def _line_range(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"


def equal_runs(old: Texts, new: Texts) -> list[Run]:
    """Return the equal runs of both sequences, in order."""
    runs: list[Run] = []
    gaps, rounds = [Change(0, len(old), 0, len(new))], 0
    while gaps and rounds < _ROUNDS:
        gaps = [part for gap in gaps for part in _divide(old, new, gap, runs)]
        rounds += 1
    return sorted(runs)


def _divide(old: Texts, new: Texts, gap: Change, runs: list[Run]) -> list[Change]:
    """Return the parts that are still to be compared; equal texts are added to ``runs``."""
    start, end, new_start, new_end = gap
    head = _common_length(old[start:end], new[new_start:new_end])
    start, new_start = start + head, new_start + head
    tail = _common_length(old[start:end][::-1], new[new_start:new_end][::-1])
    end, new_end = end - tail, new_end - tail
    runs += Run(start - head, new_start - head, head), Run(end, new_end, tail)
    if start == end or new_start == new_end:
        return []
    rows = old[start:end], new[new_start:new_end]
    if sum(map(len, rows)) <= _FEW:
        runs += (Run(start + at, new_start + n, length) for at, n, length in _equal_blocks(*rows))
        return []
    equal = [Run(start + at, new_start + n, 1) for at, n in _dividing_positions(*rows)]
    runs += equal
    edges = [Run(start, new_start, 0), *equal, Run(end, new_end, 0)]
    return [
        Change(left.start + left.length, right.start, left.new_start + left.length, right.new_start)
        for left, right in pairwise(edges if equal else ())
    ]


def _common_length(left: Texts, right: Texts) -> int:
    """Return how many texts at the beginning are equal."""
    return sum(1 for _ in takewhile(lambda p: p[0] == p[1], zip(left, right, strict=False)))


def _equal_blocks(old: Texts, new: Texts) -> Iterable[tuple[int, int, int]]:
    # Imported here because most files change in one place only.
    from difflib import SequenceMatcher

    return SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()


def _dividing_positions(old: Texts, new: Texts) -> list[tuple[int, int]]:
    """Return positions of texts that divide both sequences, in one order.

    These are texts that occur once or, if there are none, equally often in both.
    """
    counts, new_counts = Counter(old), Counter(new)
    common = {text for text, count in counts.items() if new_counts[text] == count}
    unique = {text for text in common if counts[text] == 1}
    positions = dict(_occurrences(new, unique or common))
    return _longest_rising([(at, positions[n]) for n, at in _occurrences(old, unique or common)])


def _occurrences(
    texts: Texts, chosen: Container[Hashable]
) -> Iterator[tuple[tuple[Hashable, int], int]]:
    """Yield each chosen text with its number of earlier occurrences, and its position."""
    occurrences: Counter[Hashable] = Counter()
    for position, text in enumerate(texts):
        if text in chosen:
            yield (text, occurrences[text]), position
            occurrences[text] += 1


def _longest_rising(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest sequence of these pairs in which both numbers rise."""
    ends: list[int] = []
    """For each length, the least last number of such a sequence."""
    last_index: list[int] = []
    """The position of that number."""
    previous: list[int] = []
    """For each position, the previous one in its sequence, or -1."""
    for index, (_, new_position) in enumerate(places):
        length = bisect_left(ends, new_position)
        previous.append(last_index[length - 1] if length else -1)
        # Replace the sequence of that length, or begin a longer one.
        ends[length : length + 1] = [new_position]
        last_index[length : length + 1] = [index]
    result, index = [], last_index[-1] if last_index else -1
    while index >= 0:
        result.append(places[index])
        index = previous[index]
    return result[::-1]
