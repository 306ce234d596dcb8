"""What is kept of two rows of texts leads from the one to the other."""

import difflib
import sys
from collections.abc import Callable
from types import FrameType

from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.deltas import Delta, applied, delta

rows = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=12)


@given(rows, rows)
def test_a_delta_makes_the_wanted_row_of_the_first(start: list[str], wanted: list[str]) -> None:
    assert applied(start, delta(start, wanted)) == wanted


def test_a_delta_holds_nothing_of_what_is_the_same() -> None:
    start = ["one\n", "two\n", "three\n", "four\n", "five\n"]
    wanted = ["one\n", "TWO\n", "three\n", "five\n"]
    assert delta(start, wanted) == [(3, 4, []), (1, 2, ["TWO\n"])]


def test_the_work_of_a_delta_does_not_grow_with_the_square_of_lines_that_come_again() -> None:
    def work(lines: int) -> int:
        start = [text for n in range(lines) for text in (f"line {n}\n", "\n", "---\n", "\n")]
        wanted = ["top\n", *start[:lines], "middle\n", *start[lines:], "bottom\n"]
        start = ["Top\n", *start, "Bottom\n"]
        found, steps = counted_steps(difflib.__file__, lambda: delta(start, wanted))
        assert applied(start, found) == wanted
        assert sum(len(texts) for _, _, texts in found) < 12
        return steps

    assert work(400) < 6 * work(100)


def counted_steps(path: str, run: Callable[[], Delta]) -> tuple[Delta, int]:
    """Return what a function returns, and how many lines of a module were run for it."""
    steps = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal steps
        if frame.f_code.co_filename != path:
            return None
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = run()
    finally:
        sys.settrace(before)
    return found, steps
