"""Diffs of long texts say what difflib says of them, in less time."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from papertrack.text import unified_diff

_LINES = st.lists(st.sampled_from(["a\n", "b\n", "-1\n", "@@ -1 +2 @@\n"]), max_size=12)


@given(_LINES, _LINES, _LINES, _LINES)
def test_a_change_amid_lines_that_stay_has_the_numbers_of_its_lines(
    head: list[str], old: list[str], new: list[str], tail: list[str]
) -> None:
    before, after = [*head, *old, *tail], [*head, *new, *tail]

    diff = unified_diff("".join(before), "".join(after), "a/x", "b/x")

    assert _patched(before, diff.splitlines(keepends=True)) == after


def test_a_long_text_has_the_diff_that_difflib_makes_of_all_of_it() -> None:
    before = [f"{number}\n" for number in range(1000)]
    after = [*before[:400], "x\n", *before[401:600], *before[603:]]

    diff = unified_diff("".join(before), "".join(after), "a/x", "b/x")

    assert diff == "".join(difflib.unified_diff(before, after, "a/x", "b/x"))


def _patched(before: list[str], diff: list[str]) -> list[str]:
    """What a patch program makes of the lines, which must stand where the diff says."""
    after: list[str] = []
    done = 0
    for line in diff[2:]:
        if line.startswith("@@"):
            first, _, count = line.split()[1].removeprefix("-").partition(",")
            start = int(first) - (count != "0")
            after += before[done:start]
            done = start
        elif line[0] == "+":
            after.append(line[1:])
        else:
            assert before[done] == line[1:]
            after += before[done : done + 1] if line[0] == " " else []
            done += 1
    return [*after, *before[done:]]
