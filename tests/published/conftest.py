"""A library whose arXiv and services are fake ones on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from papertrack.actions.online.network import open_door
from papertrack.actions.online.published import LookupRun, select
from papertrack.library import Library
from papertrack.library.settings import Arxiv, Sources
from papertrack.sources.transport import Door
from papertrack.store.store import Store
from tests.enrich.conftest import Clock, clock, library, store
from tests.fake_arxiv import FakeArxiv
from tests.published.services import Services

__all__ = ["clock", "library", "store"]


@pytest.fixture
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


@pytest.fixture
def door(library: Library, fake_arxiv: FakeArxiv, services: Services, clock: Clock) -> Door:
    arxiv = Arxiv(**fake_arxiv.urls, interval_seconds=0)
    return open_door(library, arxiv, clock=clock, services=Sources(**services.urls))


@pytest.fixture
def look(store: Store, door: Door) -> Callable[..., list]:
    """Look for papers, and return what came of each, by citekey."""

    def look_(*words: str, keys: dict | None = None, **how: bool) -> dict:
        door.keys = keys or {}
        looking = LookupRun(store, door, **how)
        found = {one.citekey: one for one in looking.look(select(store, words))}
        look_.outages = looking.outages
        return found

    return look_
