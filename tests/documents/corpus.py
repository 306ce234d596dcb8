"""The real collections that ``PAPERTRACK_CORPUS`` names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ["PAPERTRACK_CORPUS"]) if "PAPERTRACK_CORPUS" in os.environ else None
needs_corpus = pytest.mark.skipif(ROOT is None, reason="PAPERTRACK_CORPUS is not set")


def files(*patterns: str) -> list[Path]:
    """Return the files of the collections, sorted; none without them."""
    if ROOT is None:
        return []
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def read(path: Path) -> str:
    """Return a file's text with its line ends as they are."""
    return path.read_bytes().decode("utf-8")
