"""pytest fixtures around the fake arXiv; ``tests/conftest.py`` names this module as a plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fake_arxiv import FakeArxiv


@pytest.fixture
def fake_arxiv() -> Iterator[FakeArxiv]:
    """A running fake arXiv, fresh for each test."""
    with FakeArxiv() as fake:
        yield fake
