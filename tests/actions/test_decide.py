"""Decisions and the papers in hand."""

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.reading import (
    mark_pass,
    next_paper,
    set_decision,
    take_papers_in_hand,
)
from papertrack.errors import PapertrackError, StoreError
from papertrack.store.states import papers_in_hand, take_in_hand
from papertrack.store.store import Store
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, Desk


def test_a_discarded_paper_keeps_its_reason_and_leaves_the_hand(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    take_papers_in_hand(desk.store, [paper], limit=5)
    decided = set_decision(desk.store, [paper], "discarded", reason="  superseded ")
    assert (decided.decision, decided.citekeys) == ("discarded", [desk.paper(CHUNKED).citekey])
    assert desk.paper(CHUNKED).decision_reason == "superseded"
    assert papers_in_hand(desk.store) == []


def test_taking_what_is_in_hand_already_needs_no_room(desk: Desk) -> None:
    paper = desk.id(CHUNKED)
    take_papers_in_hand(desk.store, [paper], limit=1)
    take_papers_in_hand(desk.store, [paper], limit=1)
    assert papers_in_hand(desk.store) == [paper]


@pytest.mark.parametrize("ask", ["queue", "next"])
def test_nobody_takes_a_paper_between_the_counting_and_the_taking(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, ask: str
) -> None:
    first, second = desk.id(CHUNKED), desk.id(DRAFT)

    def count_while_another_tries(store: Store) -> list[int]:
        counted = papers_in_hand(store)
        with Store.open(desk.store.path, now=desk.store.now) as other:
            other.connection.execute("PRAGMA busy_timeout = 0")
            with pytest.raises(StoreError, match="in use"), other.action("queue"):
                take_in_hand(other, second)
        return counted

    monkeypatch.setattr("papertrack.store.states.papers_in_hand", count_while_another_tries)
    if ask == "queue":
        take_papers_in_hand(desk.store, [first], limit=1)
    else:
        next_paper(desk.store, limit=1)
    assert papers_in_hand(desk.store) == [first]


def test_a_paper_read_through_is_not_taken_in_hand(desk: Desk) -> None:
    assert desk.paper(PAGED).passes_done == 3
    with pytest.raises(PapertrackError, match="paged2023memory has had all three passes"):
        take_papers_in_hand(desk.store, [desk.id(CHUNKED), desk.id(PAGED)], limit=5, is_forced=True)
    assert papers_in_hand(desk.store) == []


def test_a_third_mark_in_the_readme_lays_the_paper_aside(desk: Desk) -> None:
    take_papers_in_hand(desk.store, [desk.id(DRAFT)], limit=5)
    desk.replace("| ✅ ✅ |\n\n## Empty", "| ✅ ✅ ✅ |\n\n## Empty")
    desk.import_readme()
    assert desk.paper(DRAFT).passes_done == 3
    assert papers_in_hand(desk.store) == []


def test_taking_a_paper_in_hand_saves_it(desk: Desk) -> None:
    add_references(desk.store, ["2401.00001"], decision="inbox")
    take_papers_in_hand(desk.store, [desk.id("2401.00001")], limit=5)
    assert desk.paper("2401.00001").decision == "saved"


def test_next_deepens_what_is_in_hand_when_there_is_no_room(desk: Desk) -> None:
    take_papers_in_hand(desk.store, [desk.id(DRAFT), desk.id(ORCA)], limit=2)
    chosen = next_paper(desk.store, limit=2)
    assert chosen is not None
    assert (chosen.paper.id, chosen.pass_number) == (desk.id(ORCA), 2)


def test_next_of_a_library_read_through_is_nothing(desk: Desk) -> None:
    for name in (CHUNKED, DRAFT, ORCA, PAGED):
        mark_pass(desk.store, [desk.id(name)], 3)
    assert next_paper(desk.store, limit=5) is None


def test_a_paper_that_is_discarded_again_keeps_its_reason_unless_another_is_given(
    desk: Desk,
) -> None:
    paper = desk.id(CHUNKED)
    for reason, kept in (("weak", "weak"), (None, "weak"), ("known", "known"), ("", None)):
        set_decision(desk.store, [paper], "discarded", reason=reason)
        assert desk.paper(CHUNKED).decision_reason == kept
    set_decision(desk.store, [paper], "discarded", reason="weak")
    set_decision(desk.store, [paper], "inbox")
    assert desk.paper(CHUNKED).decision_reason is None
