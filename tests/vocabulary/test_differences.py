"""What is said to differ leads from one row to the other; long ones are compared in less time than
difflib takes for them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack import differences
from papertrack.differences import changes, unified_diff
from tests.counting import calls_of

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


@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.sampled_from("abcdef")))
def test_changes_lead_from_one_row_to_the_other(old: list[str], new: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        assert _changed(old, new) == new
        patch.setattr(differences, "_FEW", 0)  # All as long ones are.
        assert _changed(old, new) == new


def _rekeyed(count: int) -> tuple[list[str], list[str]]:
    """Entries of three lines, of which the first one changes in each."""
    old = [text for n in range(count) for text in (f"@misc{{k{n},", f"  title={n},", "}")]
    return old, [f"@misc{{new{line}," if line.startswith("@") else line for line in old]


def _replaced(count: int) -> tuple[list[str], list[str]]:
    return [f"{n}" for n in range(count)], [f"new {n}" for n in range(count)]


def _of_few_lines(count: int) -> tuple[list[str], list[str]]:
    random = Random(7)
    return random.choices("abcdefgh", k=2 * count), random.choices("abcdefgh", k=2 * count)


def _of_pairs(count: int) -> tuple[list[str], list[str]]:
    """Each line twice, and every third one changed."""
    old = [f"{n // 2}" for n in range(2 * count)]
    return old, [f"new {line}" if n % 3 == 0 else line for n, line in enumerate(old)]


def _turned_round(count: int) -> tuple[list[str], list[str]]:
    old = [f"{n}" for n in range(count)]
    return old, old[::-1]


@pytest.mark.parametrize("made", [_rekeyed, _replaced, _of_few_lines, _of_pairs, _turned_round])
def test_the_work_is_that_of_looking_at_each_line_some_times(
    made: Callable[[int], tuple[list[str], list[str]]],
) -> None:
    old, new = made(1600)
    assert _changed(old, new) == new
    assert calls_of(lambda: changes(old, new)) < 60 * len(old)


def test_of_a_long_row_no_more_is_said_to_differ_than_does() -> None:
    old, new = _rekeyed(1000)
    assert sum(change.end - change.start for change in changes(old, new)) == 1000
    old, new = _of_pairs(1000)
    assert sum(change.end - change.start for change in changes(old, new)) < 1.1 * 2000 / 3


def _changed(old: Sequence[str], new: Sequence[str]) -> list[str]:
    made, done = list[str](), 0
    for change in changes(old, new):
        made += [*old[done : change.start], *new[change.new_start : change.new_end]]
        done = change.end
    return [*made, *old[done:]]


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
