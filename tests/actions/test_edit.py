"""Editing fields by hand: each value is checked, and no source overwrites it afterwards."""

import pytest

from papertrack.actions.edit import FIELDS, parse_assignments
from papertrack.errors import ConflictError, UsageError
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import complete_paper
from papertrack.store.suggestions import read_suggestions
from tests.actions.conftest import CHUNKED, DRAFT, PAGED, Desk


def test_every_kind_of_field_can_be_set(desk: Desk) -> None:
    desk.edit(
        PAGED,
        "title= Paging  for All ",
        "authors=Ada Lovelace; Charles Babbage",
        "submitted=2023/9",
        "year=2024",
        "venue=SOSP",
        "rating=5",
        "kind=post",
        "citekey=ada2024paging",
        "doi=https://doi.org/10.1145/3600006.3613165",
        "code=https://github.com/example/a https://github.com/example/b",
        "note=notes/a.md; notes/b.md",
    )
    paper = desk.paper("ada2024paging")
    facts = paper.facts
    assert facts.title == "Paging for All"
    assert facts.authors == (Author("Ada Lovelace"), Author("Charles Babbage"))
    assert (facts.submitted, facts.year, facts.venue) == ("2023-09", 2024, "SOSP")
    assert (paper.rating, facts.kind) == (5, "post")
    assert facts.identifier("doi") == "10.1145/3600006.3613165"
    assert [link.url for link in facts.links if link.role == "code"] == [
        "https://github.com/example/a",
        "https://github.com/example/b",
    ]
    assert paper.notes == ("notes/a.md", "notes/b.md")
    assert paper.citekey_aliases == ("paged2023memory",)


def test_an_empty_value_takes_the_field_away(desk: Desk) -> None:
    desk.edit(PAGED, "rating=3", "venue=SOSP")
    desk.edit(PAGED, "rating=", "venue=", "code=", "note=", "arxiv=")
    paper = desk.paper("paged2023memory")
    assert (paper.rating, paper.facts.venue, paper.notes) == (None, None, ())
    assert not [link for link in paper.facts.links if link.role == "code"]
    assert paper.facts.identifier("arxiv") is None


def test_what_was_edited_is_kept_and_the_source_s_value_suggested(desk: Desk) -> None:
    desk.edit(PAGED, "title=My Title")
    with desk.store.action("enrich"):
        complete_paper(
            desk.store, desk.id(PAGED), PaperFacts(title="Their Title"), source="arxiv-api"
        )
    assert desk.paper(PAGED).facts.title == "My Title"
    (suggestion,) = read_suggestions(desk.store)
    assert (suggestion.field, suggestion.value) == ("title", "Their Title")


IMPOSSIBLE = [
    "title",
    "titel=x",
    "year=23",
    "year=２０２３",
    "submitted=2023-13",
    "submitted=2024-00",
    "submitted=0000",
    "submitted=2023-02-30",
    "submitted=soon",
    "rating=6",
    "rating=five",
    "kind=book",
    "citekey=a b",
    "citekey=",
    "arxiv=2413.00001",
    "doi=eleven",
    "url=javascript:alert(1)",
    "code=file:///etc/passwd",
]


def test_an_impossible_value_is_refused_before_anything_changes(desk: Desk) -> None:
    for assignment in IMPOSSIBLE:
        with pytest.raises(UsageError):
            desk.edit(PAGED, "venue=SOSP", assignment)
        assert desk.paper(PAGED).facts.venue is None


def test_an_unknown_field_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean title"):
        parse_assignments(["titel=x"])


def test_a_value_may_hold_an_equals_sign() -> None:
    (assignment,) = parse_assignments(["title=E = mc2"])
    assert assignment.value == "E = mc2"


def test_another_paper_s_identifier_or_key_is_refused(desk: Desk) -> None:
    with pytest.raises(ConflictError, match="drafting2022ahead"):
        desk.edit(PAGED, f"arxiv={DRAFT}")
    with pytest.raises(ConflictError, match="taken"):
        desk.edit(PAGED, "citekey=chunked2024PREFILLS")
    assert desk.paper(PAGED).citekey == "paged2023memory"


def test_undo_of_an_edit_returns_the_field_to_its_source(desk: Desk) -> None:
    desk.edit(CHUNKED, "title=Another")
    desk.store.undo()
    with desk.store.action("enrich"):
        complete_paper(desk.store, desk.id(CHUNKED), PaperFacts(title="Theirs"), source="arxiv")
    assert desk.paper(CHUNKED).facts.title == "Theirs"


def test_every_field_takes_an_empty_value_or_says_why_not() -> None:
    for field in FIELDS:
        if field in ("kind", "citekey"):
            with pytest.raises(UsageError):
                parse_assignments([f"{field}="])
        else:
            assert parse_assignments([f"{field}="])[0].value in (None, ())


def test_an_arxiv_id_given_by_hand_replaces_the_old_one(desk: Desk) -> None:
    desk.edit(CHUNKED, "arxiv=2403.10005")
    assert desk.paper("2403.10005").facts.identifiers == (Identifier("arxiv", "2403.10005"),)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("https://gitlab.com/other/Verify", "draft Verify"),
        ("https://github.com/example/new", "draft verify new"),
        ("https://github.com/example/verify", "verify"),
        ("https://a.org/x https://a.org/y", "x y"),
        ("", ""),
    ],
)
def test_one_address_changes_no_more_than_the_link_it_stands_for(
    desk: Desk, given: str, names: str
) -> None:
    desk.edit(DRAFT, f"code={given}")
    links = [link.url for link in desk.paper(DRAFT).facts.links if link.role == "code"]
    assert [url.rpartition("/")[2] for url in links] == names.split()


def test_a_link_added_to_several_leaves_them_in_the_row(desk: Desk) -> None:
    desk.edit(DRAFT, "code=https://github.com/example/new")
    desk.export()
    assert "| [<u>draft</u>][7], [<u>verify</u>][8], [<u>new</u>][9] |" in desk.read()
    desk.edit(DRAFT, "code=https://gitlab.com/other/verify")
    desk.export()
    assert "[8]: https://gitlab.com/other/verify\n" in desk.read()
    assert "[7]: https://github.com/example/draft\n" in desk.read()
