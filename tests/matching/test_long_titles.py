"""What no title is may stand in the place of one: megabytes that are compared all the same."""

import pytest

from papertrack.matching.titles import Likeness, Titled, compare_titles, near_pairs
from papertrack.text import title_key
from tests.counting import calls_of

MANY = 400


@pytest.mark.parametrize("words", ["Word Long ", "One: two - ", "a "])
def test_long_titles_are_compared_in_a_time_that_grows_as_they_do(words: str) -> None:
    def calls(count: int) -> int:
        one, other = words * count + "the first end", words * count + "another one"
        return calls_of(lambda: compare_titles(one, other))

    few, twice, again = (calls(count) for count in (MANY, 2 * MANY, 4 * MANY))
    assert again - twice < 2.6 * (twice - few) + MANY


def test_what_is_cut_of_a_long_title_is_still_seen() -> None:
    pieces = [f"piece number {n}" for n in range(MANY)]
    assert compare_titles(": ".join(pieces), ": ".join(pieces[:-1])).likeness is Likeness.CUT
    other = [*pieces[:200], "something", *pieces[201:]]
    assert compare_titles(": ".join(pieces), ": ".join(other)).likeness is not Likeness.SAME


def test_long_titles_are_near_each_other_if_they_begin_alike() -> None:
    titles = ["Word Long " * MANY + end for end in ("one", "another")]
    papers = [Titled(n, title, title_key(title), None) for n, title in enumerate(titles)]
    assert near_pairs(papers) == {(0, 1)}
