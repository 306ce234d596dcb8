"""pytest fixtures around the fake arXiv; ``tests/conftest.py`` names this module as a plugin."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_arxiv import FakeArxiv, corpus_shelf


@pytest.fixture
def fake_arxiv() -> Iterator[FakeArxiv]:
    """A running fake arXiv, fresh for each test."""
    with FakeArxiv() as fake:
        yield fake


@pytest.fixture
def real_arxiv() -> Iterator[FakeArxiv]:
    """A running fake arXiv with the real records of the corpus; skips where there is none."""
    corpus = os.environ.get("PAPERTRACK_CORPUS")
    if not corpus:
        pytest.skip("PAPERTRACK_CORPUS is not set")
    with FakeArxiv(corpus_shelf(Path(corpus))) as fake:
        yield fake
