"""SECURITY.md promises only what a test holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^\| (?!Promise|-)(.+?) \| (.+) \|$", TEXT, re.MULTILINE)


def test_there_are_promises() -> None:
    assert len(PROMISES) >= 15


@pytest.mark.parametrize(("promise", "tests"), PROMISES, ids=[promise for promise, _ in PROMISES])
def test_every_promise_is_held_by_a_test_that_is_there(promise: str, tests: str) -> None:
    found = re.findall(r"`(tests/[a-z_/]+\.py):(test_\w+)`", tests)
    assert found, promise
    for path, name in found:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE), f"{path}: no {name}"
