"""Any spelling of a paper's name finds it; a wrong one is told the nearest."""

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.references import resolve_reference, resolve_references
from papertrack.errors import NotFoundError, UsageError
from tests.actions.conftest import PAGED, Desk


def test_the_library_s_own_number_names_the_paper(desk: Desk) -> None:
    paper = desk.paper(PAGED)
    assert resolve_reference(desk.store, str(paper.id)) == paper.id


def test_a_whole_title_goes_before_longer_ones(desk: Desk) -> None:
    add_references(desk.store, ["2401.00001"])
    longer = desk.id("2401.00001")
    edit_fields(desk.store, longer, parse_assignments(["title=Drafting Ahead, Again"]))
    assert desk.paper("drafting ahead").facts.title == "Drafting Ahead"


def test_a_start_of_several_titles_lists_them(desk: Desk) -> None:
    add_references(desk.store, ["2401.00001"])
    desk.edit("2401.00001", "title=Chunked Attention")
    with pytest.raises(UsageError, match=r"'chunked' names several papers: .*chunked2024prefills"):
        resolve_reference(desk.store, "chunked")


def test_the_nearest_is_found_by_its_citekey_or_title(desk: Desk) -> None:
    for mistyped, meant in {
        "drafting2022ahed": "drafting2022ahead",
        "drafitng2022ahead": "drafting2022ahead",
        "rafting2022ahead": "drafting2022ahead",
        "xrafting2022ahead": "drafting2022ahead",
        "raftin22ahead": "drafting2022ahead",
        "Pgaed Memory for Serving": "paged2023memory",
        "the memory for servnig": "paged2023memory",
        "Chunkd Prefils": "chunked2024prefills",
    }.items():
        with pytest.raises(NotFoundError, match=f"The nearest is {meant}"):
            resolve_reference(desk.store, mistyped)


def test_a_key_with_a_typo_is_nearer_than_a_part_of_another(desk: Desk) -> None:
    add_references(desk.store, ["2401.00001", "2401.00002"])
    desk.edit("2401.00001", "citekey=duan2021eventzoom")
    desk.edit("2401.00002", "citekey=yoon")
    with pytest.raises(NotFoundError, match="The nearest is yoon"):
        resolve_reference(desk.store, "yoom")


def test_a_mistyped_citekey_of_a_paper_without_a_title_is_told(desk: Desk) -> None:
    add_references(desk.store, ["2401.00001"])
    with pytest.raises(NotFoundError, match=r"The nearest is arxiv2401\.00001\."):
        resolve_reference(desk.store, "arxiv240100001")


def test_a_name_like_nothing_there_is_told_how_to_list(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="`papertrack list`"):
        resolve_reference(desk.store, "zzzzqqqq")


@pytest.mark.parametrize("unknown", ["2312.99999", "10.1145/9999999", "https://a.example/x"])
def test_a_work_that_is_not_there_is_told_how_to_add_it(desk: Desk, unknown: str) -> None:
    with pytest.raises(NotFoundError, match="`papertrack add "):
        resolve_reference(desk.store, unknown)


def test_punctuation_alone_names_nothing(desk: Desk) -> None:
    for text in ("", "  ", "...", "%_"):
        with pytest.raises((NotFoundError, UsageError)):
            resolve_reference(desk.store, text)


def test_a_paper_named_twice_is_taken_once(desk: Desk) -> None:
    assert resolve_references(desk.store, [PAGED, "paged"]) == [desk.id(PAGED)]
