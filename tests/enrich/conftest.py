"""A library on disk and a door to the fake arXiv, with a clock that the test turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papertrack.actions.online.enrich import EnrichedBatch, enrich_papers, select_papers
from papertrack.actions.online.network import open_door
from papertrack.library import Library, create_library
from papertrack.library.settings import Arxiv
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_paper, get_paper
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from tests.fake_arxiv import FakeArxiv
from tests.fresh_store import fresh_store
from tests.sources.conftest import Clock
from tests.sources.conftest import clock as clock


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return create_library(tmp_path / "library")[0]


@pytest.fixture
def store(library: Library, clock: Clock) -> Iterator[Store]:
    with fresh_store(library.database, now=clock) as store:
        yield store


@pytest.fixture
def door(library: Library, fake_arxiv: FakeArxiv, clock: Clock) -> Door:
    settings = Arxiv(**fake_arxiv.urls, interval_seconds=0)
    return open_door(library, settings, clock=clock)


@pytest.fixture
def add(store: Store) -> Callable[..., int]:
    """Add a paper with this arXiv id, as a README's row would."""

    def add(arxiv_id: str, *, source: str = "document", **facts: object) -> int:
        facts = {"identifiers": (Identifier("arxiv", arxiv_id),), **facts}
        with store.action("add"):
            return add_paper(store, PaperFacts(**facts), source=source)  # type: ignore[arg-type]

    return add


@pytest.fixture
def enrich(store: Store, door: Door) -> Callable[..., list[EnrichedBatch]]:
    def enrich(*words: str, refresh: bool = False) -> list[EnrichedBatch]:
        to_ask = select_papers(store, words, refresh=refresh).to_ask
        return list(enrich_papers(store, door, to_ask))

    return enrich


@pytest.fixture
def paper(store: Store) -> Callable[[str], Paper]:
    """The paper with this arXiv id."""

    def paper(arxiv_id: str) -> Paper:
        paper_id = find_paper(store, [Identifier("arxiv", arxiv_id)])
        assert paper_id is not None
        return get_paper(store, paper_id)

    return paper
