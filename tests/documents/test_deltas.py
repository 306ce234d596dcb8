"""What is kept of two rows of texts leads from the one to the other."""

from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.deltas import applied, delta

rows = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=12)


@given(rows, rows)
def test_a_delta_makes_the_wanted_row_of_the_first(start: list[str], wanted: list[str]) -> None:
    assert applied(start, delta(start, wanted)) == wanted


def test_a_delta_holds_nothing_of_what_is_the_same() -> None:
    start = ["one\n", "two\n", "three\n", "four\n", "five\n"]
    wanted = ["one\n", "TWO\n", "three\n", "five\n"]
    assert delta(start, wanted) == [(3, 4, []), (1, 2, ["TWO\n"])]
