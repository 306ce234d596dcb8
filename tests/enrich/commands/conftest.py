"""Commands as users type them, in a library whose arXiv is the fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack, process
from tests.fake_arxiv import FakeArxiv

__all__ = ["home", "online", "papertrack", "process"]


@pytest.fixture
def online(
    home: Path, papertrack: Command, fake_arxiv: FakeArxiv, monkeypatch: pytest.MonkeyPatch
) -> FakeArxiv:
    """The fake arXiv, which a new library in the current folder takes for the real one."""
    for name, value in fake_arxiv.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE")
    assert papertrack("init").code == 0
    return fake_arxiv
