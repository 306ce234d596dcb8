"""Papers that may be one work are found in linear time, with reasons; the reader's no is kept."""

import pytest

from papertrack.actions.duplicates import Duplicate, call_different, find_duplicates
from papertrack.actions.organise import merge_two_papers
from papertrack.errors import UsageError
from papertrack.records import Author, Identifier, Link, PaperFacts
from papertrack.store.papers import add_paper
from tests.bibtex_actions.conftest import Desk

ROE, DOE, POE = Author("Richard Roe"), Author("Jane Doe"), Author("Edgar Poe")


def add(desk: Desk, *facts: PaperFacts) -> list[Duplicate]:
    with desk.store.action("add"):
        for number, one in enumerate(facts):
            add_paper(desk.store, one, source="test", citekey=f"k{number}")
    return find_duplicates(desk.store)


def paper(title: str, *authors: Author, year: int = 2020, **more: object) -> PaperFacts:
    return PaperFacts(title=title, authors=authors, year=year, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (paper("Routing Tokens", ROE, DOE), paper("ROUTING tokens.", DOE, ROE), "same title"),
        (paper("Routing Many Tokens to Experts", ROE), paper("Routing Many Tokens to Expert", ROE),
         "titles that differ by a slip"),
        (paper("Routing Tokens: How Experts Are Found", ROE, DOE), paper("Routing Tokens", ROE),
         "one title is a shortened form of the other"),
        (paper("MoE-2: Routing Tokens", ROE, DOE), paper("Routing Tokens", ROE),
         "one title is a shortened form of the other"),
        (paper("Routing", ROE, links=(Link("paper", "https://arxiv.org/abs/2401.00001v2"),)),
         paper("Another Title", ROE, identifiers=(Identifier("arxiv", "2401.00001"),)),
         "same arxiv: 2401.00001"),
        (paper("Routing Tokens", ROE, identifiers=(Identifier("doi", "10.1000/a"),)),
         paper("Routing Tokens", ROE, identifiers=(Identifier("doi", "10.1000/b"),)),
         "different DOIs"),
        (paper("Routing Tokens", ROE), paper("Routing Tokens", ROE, year=2021), "1 year apart"),
        (paper("Routing Tokens", ROE), paper("Routing Tokens", ROE, year=2022), "2 years apart"),
    ],
)  # fmt: skip
def test_a_pair_is_found_with_its_reasons(
    empty_desk: Desk, one: PaperFacts, other: PaperFacts, reason: str
) -> None:
    (pair,) = add(empty_desk, one, other)
    assert (pair.citekey, pair.other) == ("k0", "k1")
    assert reason in pair.reasons
    assert pair.score >= 60


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (paper("Routing Tokens", ROE), paper("Routing Tokens", POE)),
        (paper("Roadmap"), paper("Roadmap")),
        (paper("Routing Tokens to Experts", ROE), paper("Pruning Experts by Tokens", ROE)),
        (paper("Routing Tokens II", ROE), paper("Routing Tokens III", ROE)),
        (paper("Routing Tokens", ROE), paper("Reply to: Routing Tokens", ROE)),
        (paper("Routing Tokens", ROE), paper("Erratum: Routing Tokens", ROE)),
        (
            paper("Routing Tokens", ROE, publication=(("volume", "1"),)),
            paper("Routing Tokens", ROE, publication=(("volume", "2"),)),
        ),
        (paper("Routing Tokens", ROE), paper("Routing Tokens: Part II", ROE)),
    ],
    ids=[
        "other authors",
        "a short title alone",
        "one author, two works",
        "parts",
        "reply",
        "erratum",
        "volumes",
        "a part and the whole",
    ],
)
def test_two_works_are_no_pair(empty_desk: Desk, one: PaperFacts, other: PaperFacts) -> None:
    assert add(empty_desk, one, other) == []


def test_what_the_reader_calls_different_is_not_listed_again(empty_desk: Desk) -> None:
    add(empty_desk, paper("Routing Tokens", ROE), paper("Routing Tokens", ROE))
    ids = [one.id for one in empty_desk.papers()]
    with empty_desk.store.trial():
        call_different(empty_desk.store, ids[1], ids[0])
    assert len(find_duplicates(empty_desk.store)) == 1
    call_different(empty_desk.store, ids[1], ids[0])
    assert find_duplicates(empty_desk.store) == []
    empty_desk.store.undo()
    assert len(find_duplicates(empty_desk.store)) == 1
    with pytest.raises(UsageError, match="two different papers"):
        call_different(empty_desk.store, ids[0], ids[0])


def test_merging_a_pair_settles_it_and_keeps_both_keys(empty_desk: Desk) -> None:
    (pair,) = add(empty_desk, paper("Routing Tokens", ROE), paper("Routing Tokens", ROE))
    kept, merged = empty_desk.id(pair.citekey), empty_desk.id(pair.other)
    merge_two_papers(empty_desk.store, kept, merged)
    assert find_duplicates(empty_desk.store) == []
    assert empty_desk.id("k1") == kept


def test_many_papers_of_one_author_are_not_all_compared(
    empty_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from papertrack.actions import duplicates

    compared = 0
    judge = duplicates.judge

    def counted(*pair: object) -> tuple[int, tuple[str, ...]]:
        nonlocal compared
        compared += 1
        return judge(*pair)  # type: ignore[arg-type]

    monkeypatch.setattr(duplicates, "judge", counted)
    add(empty_desk, *(paper(f"Study {n} of {n * n} Things", ROE) for n in range(200)))
    assert 0 < compared <= 200 * 2 * 6


def test_a_paper_whose_address_is_its_identifier_is_no_pair_with_itself(desk: Desk) -> None:
    page = "https://example.org/paper"
    facts = paper(
        "Routing", ROE, identifiers=(Identifier("url", page),), links=(Link("paper", page),)
    )
    assert add(desk, facts) == []
