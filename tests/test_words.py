"""Words that sound quaint stand nowhere in what users and developers read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXTS = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
AVOIDED = (
    "taken in",
    "told",
    "heard",
    "kept apart",
    "stands beside",
    "is whole",
    "in hand",
    "sitting",
    "doings",
    "what stayed",
    "that nobody has",
)
"""Names that users have written down (``reading.in_hand``, the key ``in-hand``) are not among them:
only words with spaces between them count."""
PATTERN = re.compile(
    r"\b(?:" + "|".join(word.replace(" ", r"\s+") for word in AVOIDED) + r")\b", re.IGNORECASE
)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_quaint_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [(text.count("\n", 0, at.start()) + 1, at[0]) for at in PATTERN.finditer(text)]
    assert found == []


def test_a_quaint_word_is_found() -> None:
    assert PATTERN.findall("Nothing is told\nof what\nstayed, reading.in_hand.") == [
        "told",
        "what\nstayed",
    ]
