"""Adding by reference: what an id alone says, and what is known already."""

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.reading import set_decision
from papertrack.errors import UsageError
from tests.actions.conftest import PAGED, Desk


@pytest.mark.parametrize(
    ("reference", "kind", "scheme"),
    [
        ("doi:10.1145/3600006.3613165", "paper", "doi"),
        ("https://openreview.net/forum?id=abcdef12345", "paper", "openreview"),
        ("https://github.com/example/tool", "project", "url"),
        ("https://example.org/paper.pdf", "paper", "url"),
        ("https://example.org/", "resource", "url"),
    ],
)
def test_an_address_tells_what_it_is_the_address_of(
    desk: Desk, reference: str, kind: str, scheme: str
) -> None:
    add_references(desk.store, [reference])
    facts = desk.paper(reference).facts
    assert (facts.kind, facts.identifiers[0].scheme) == (kind, scheme)


def test_a_known_paper_is_reported_and_given_category_and_tags(desk: Desk) -> None:
    before = len(desk.papers())
    added = add_references(desk.store, [PAGED], category=("Memory",), tags=["kv"])
    paper = desk.paper(PAGED)
    assert [paper.outcome for paper in added] == ["known"]
    assert len(desk.papers()) == before
    assert paper.categories == (("Memory",), ("Serving",))
    assert paper.tags == ("kv",)


def test_adding_saves_what_was_discarded_and_the_inbox_does_not(desk: Desk) -> None:
    set_decision(desk.store, [desk.id(PAGED)], "discarded", reason="old")
    (added,) = add_references(desk.store, [PAGED], decision="inbox")
    assert (added.outcome, desk.paper(PAGED).decision) == ("known", "discarded")
    (added,) = add_references(desk.store, [PAGED])
    assert (added.outcome, desk.paper(PAGED).decision) == ("saved", "saved")


def test_one_wrong_reference_adds_nothing_and_names_all_wrong_ones(desk: Desk) -> None:
    before = len(desk.papers())
    with pytest.raises(UsageError, match=r"'nonsense', '2413\.00001'"):
        add_references(desk.store, ["2401.00001", "nonsense", "2413.00001"])
    assert len(desk.papers()) == before
