"""A citekey that was copied stands in a manuscript by now: it does not change any more."""

from collections.abc import Callable

import pytest

from papertrack.actions.online.enrich import enrich_paper
from papertrack.library import Library
from papertrack.records import Author
from papertrack.sources.source import SourceRecord
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from tests.read_only import make_read_only

from .conftest import Open, facts_of

Fill = Callable[..., list[int]]


def learn_authors(store: Store, paper_id: int) -> None:
    (identifier,) = get_paper(store, paper_id).facts.identifiers
    record = SourceRecord(identifier, facts_of(0, authors=(Author("Mei Sato"),)), "arxiv-api")
    with store.action("enrich"):
        enrich_paper(store, paper_id, record)


def test_a_key_that_nobody_copied_changes_when_the_authors_become_known(
    fill: Fill, store: Store
) -> None:
    (paper_id,) = fill(1, authors=())
    before = get_paper(store, paper_id).citekey
    learn_authors(store, paper_id)
    assert get_paper(store, paper_id).citekey == "sato2026ring" != before


@pytest.mark.parametrize("key", ["b", "Y"])
async def test_a_copied_key_stays_when_the_authors_become_known(
    open_tui: Open, fill: Fill, store: Store, key: str
) -> None:
    (paper_id,) = fill(1, authors=())
    before = get_paper(store, paper_id).citekey
    async with open_tui() as tui:
        await tui.press(key)
        assert before in tui.app.clipboard
    learn_authors(store, paper_id)
    assert get_paper(store, paper_id).citekey == before


async def test_copying_is_nothing_that_undo_takes_back(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    first, second = fill(2, authors=())
    before = get_paper(store, second).citekey
    async with open_tui() as tui:
        await tui.press("s", "b", "u")
        assert tui.state(first) == ("inbox", 0)
        assert tui.cursor_id == first
    learn_authors(store, second)
    assert get_paper(store, second).citekey == before


async def test_in_a_library_that_cannot_be_written_a_key_is_copied_and_said_to_be_open(
    open_tui: Open, fill: Fill, store: Store, library: Library
) -> None:
    (paper_id,) = fill(1, authors=())
    make_read_only(library.database)
    async with open_tui() as tui:
        await tui.press("b")
        assert tui.app.clipboard == get_paper(store, paper_id).citekey
        assert any("cannot be written" in toast and "not frozen" in toast for toast in tui.toasts())
