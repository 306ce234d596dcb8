"""Words that sound quaint stand nowhere in what users and developers read."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "papertrack").rglob("*.py"))
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
    "shall it be",
    "gets hold of",
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


NAMES = re.compile(r"``[^`]*``|\b(?:FROM|INTO) told\b|\btold \(|\bsitting\b(?=\)| FROM)")
"""Names of variables in docstrings, and of a table and a column of the database."""


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Docstrings, messages and comments, by line; what f-strings put in is code."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def is_prose(text: str) -> bool:
    return " " in text.strip()


def test_no_quaint_words_in_the_code() -> None:
    found = [
        (str(path.relative_to(ROOT)), line, at[0])
        for path in MODULES
        for line, text in prose_of(path)
        if is_prose(text)
        for at in PATTERN.finditer(NAMES.sub("", text))
    ]
    assert found == []


def test_a_quaint_word_is_found() -> None:
    assert PATTERN.findall("Nothing is told\nof what\nstayed, reading.in_hand.") == [
        "told",
        "what\nstayed",
    ]
