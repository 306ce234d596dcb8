"""A work is cited by its id or by its whole title."""

import pytest

from papertrack.matching.citations import cited_in
from papertrack.records import Author, Identifier, Paper, PaperFacts


def paper(
    id: int, title: str, authors: tuple[str, ...], year: int, *identifiers: Identifier
) -> Paper:
    facts = PaperFacts(
        title=title, authors=tuple(map(Author, authors)), year=year, identifiers=identifiers
    )
    return Paper(id, f"key{id}", facts, "2024-01-01")


DRAFTS = paper(
    1,
    "Drafting Tokens Ahead of Time",
    ("Ada B. Love", "Søren Müller", "Wei Xu"),
    2023,
    Identifier("arxiv", "2211.10002"),
    Identifier("doi", "10.1145/3600006.3613165"),
)
AHEAD = paper(2, "Ahead of Time", ("Grace Hop",), 2020)
ATTENTION = paper(3, "Attention", ("Jane Roe",), 2001)
NOBODY = paper(4, "On the Unknown Authors of Lists", (), 2019)
QUESTION = paper(5, "Do Lamps Read?", ("Ada B. Love",), 2020)
WORKS = [DRAFTS, AHEAD, ATTENTION, NOBODY, QUESTION]


@pytest.mark.parametrize(
    "text",
    [
        "[3] A. B. Love, S. Müller, W. Xu, “Drafting tokens ahead\nof time,” in ICML, 2023.",
        "[3] Ada B. Love, Søren Müller, and Wei Xu. 2023. Drafting Tokens Ahead of Time. In SOSP.",
        "Love, A. B., Müller, S., & Xu, W. (2023). Drafting tokens ahead of time. Nature, 5, 1-9.",
        "3. Love, A. B. et al. Drafting tokens ahead of time. Nature 521, 436-444 (2023).",
        "3. Love, A.B., Xu, W.: Drafting tokens ahead of time. In: ECCV, pp. 3-9 (2023)",
        "Müller, S., Xu, W.: Drafting tokens ahead of time. ECCV (2023)",
        "3. Love, A. B. et al. Nature 5, 1 (2023). doi:10.1145/\n3600006.3613165.",
        "3. Love, A. B. et al. Preprint at https://arxiv.org/abs/2211.10002v2 (2022).",
    ],
)
def test_a_work_is_cited(text: str) -> None:
    assert cited_in(text, WORKS) == {1}


@pytest.mark.parametrize(
    "text",
    [
        "[3] A. B. Love. Drafting tokens ahead of time for videos. 2023.",
        "[3] A. B. Love. Lamps: Drafting tokens ahead of time. 2023.",
        "[3] A. B. Love. Drafting tokens ahead of time: a survey. 2023.",
        "[3] A. B. Love. Drafting tokens ahead of time? 2023.",
        "[3] A. B. Love. Drafting tokens ahead of time, Part II. 2023.",
        "[3] A. B. Love, “Comment on ‘Drafting tokens ahead of time’,” 2023.",
        "[3] W. Xu and K. Lee. Drafting tokens ahead of time. 2023.",
        "As Love et al. (2023) say in their Drafting tokens ahead of time, it helps.",
        "“Drafting tokens ahead of time”, by Love et al. (2023)",
        "[3] J. Roe. Perception, attention, and memory. 2001.",
        "[3] J. Roe. Attention. 1999.",
        "[3] J. Smith. Attention. 2001.",
        "[3] K. Lee. On the unknown authors of lists. 1950.",
    ],
)
def test_a_work_is_not_cited(text: str) -> None:
    assert cited_in(text, WORKS) == set()


def test_short_titles_and_lists_without_authors_need_a_year() -> None:
    assert cited_in("[3] J. Roe. Attention. Mind 5, 2001.", WORKS) == {3}
    assert cited_in("[3] K. Lee. On the unknown authors of lists. 2019.", WORKS) == {4}
    assert cited_in("[3] A. B. Love. Do lamps read? Light 3, 2020.", WORKS) == {5}


@pytest.mark.parametrize("submitted", ["in press", "²020-01", ""])
def test_a_date_that_is_no_date_tells_no_year(submitted: str) -> None:
    facts = ATTENTION.facts._replace(submitted=submitted)
    assert cited_in("[3] J. Roe. Attention. 2001.", [ATTENTION._replace(facts=facts)]) == {3}
