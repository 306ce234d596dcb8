"""Which of many papers are compared: those of one work, and few others."""

import pytest

from papertrack.matching.titles import Titled, near_pairs
from papertrack.text import title_key

TITLE = "Sparse Attention for Longer Documents"
CROWD = [f"Sparse {word} of Attention {n}" for n in range(40) for word in ("Models", "Training")]


def titled(*titles: str, author: str | None = None) -> list[Titled]:
    return [Titled(n, title, title_key(title), author) for n, title in enumerate(titles, start=1)]


@pytest.mark.parametrize(
    "other",
    [
        "Spares Attention for Longer Documents",
        "Sparse Attention for Longer Docments",
        "Sparse Atention for Longer Documents",
        "Sparse Attention for Longer Documents: A Study",
        "LongDoc: Sparse Attention for Longer Documents",
        "sparse attention for longer documents.",
    ],
)
def test_a_title_with_a_slip_or_cut_short_is_near_among_many(other: str) -> None:
    assert (1, 82) in near_pairs(titled(TITLE, *CROWD, other))


def test_titles_in_two_scripts_are_near() -> None:
    two = titled("О некоторых задачах оптимизации", *CROWD, "O nekotorykh zadachakh optimizatsii")
    assert (1, 82) in near_pairs(two)


def test_titles_that_begin_and_end_otherwise_are_not_compared() -> None:
    assert near_pairs(titled("Sparse Attention", "Routing Tokens", "Pruned Experts")) == set()


def test_what_is_compared_grows_with_the_papers_not_with_their_pairs() -> None:
    papers = titled(*(f"A Study of Things {n}" for n in range(500)), author="Richard Roe")
    assert len(near_pairs(papers)) <= 500 * 4 * 6
