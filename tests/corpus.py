"""The real collections that ``PAPERTRACK_CORPUS`` names, and how much of them the suite reads.

A promise over every file is tested with a few of them: others for each test, the same in each run.
Of values that are independent of each other a few pairs are tried. ``make test-whole`` tries all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from itertools import cycle, islice, product
from pathlib import Path

import pytest

ROOT = Path(os.environ["PAPERTRACK_CORPUS"]) if "PAPERTRACK_CORPUS" in os.environ else None
WHOLE = os.environ.get("TESTS_WHOLE", "") == "1"
SMALL = 4 << 10
"""What a file counts for at least: each is a library of its own."""
needs_corpus = pytest.mark.skipif(ROOT is None, reason="PAPERTRACK_CORPUS is not set")


def in_turn(**columns: Sequence[object]) -> pytest.MarkDecorator:
    """Parametrize a test by several names: each value is tried beside one of the others."""
    values = list(columns.values())
    longest = max(map(len, values))
    rows = zip(*(islice(cycle(column), longest) for column in values), strict=True)
    return pytest.mark.parametrize(tuple(columns), list(product(*values) if WHOLE else rows))


def files(*patterns: str) -> list[Path]:
    """Return the files of the collections, sorted; none without them."""
    if ROOT is None:
        return []
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def some(paths: Sequence[Path], test: str, kilobytes: int) -> list[Path]:
    """Return files of about this size together: a draw of this test's own."""
    if WHOLE or not paths:
        return list(paths)
    drawn: list[Path] = []
    left = kilobytes << 10
    for path in sorted(paths, key=lambda path: _lot(test, path)):
        size = max(SMALL, path.stat().st_size)
        if size <= left:
            left -= size
            drawn.append(path)
    return sorted(drawn) or [min(paths, key=lambda path: path.stat().st_size)]


def _lot(test: str, path: Path) -> bytes:
    name = path.relative_to(ROOT) if ROOT and path.is_relative_to(ROOT) else path.name
    return sha256(f"{test} {name}".encode()).digest()


def read(path: Path) -> str:
    """Return a file's text with its line ends as they are."""
    return path.read_bytes().decode("utf-8")
