"""Whatever machines do at the same time, and however git brings it together, nothing is lost,
doubled, decided in silence or unlike. More of them: PAPERTRACK_HISTORIES=0-1000."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.share.histories import play

FIRST, _, LAST = os.environ.get("PAPERTRACK_HISTORIES", "0-3").rpartition("-")


@pytest.mark.parametrize("seed", range(int(FIRST or 0), int(LAST)))
def test_all_machines_end_up_with_all_that_was_done(
    tmp_path: Path, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    def read() -> str:
        captured = capfd.readouterr()
        return captured.out or captured.err

    assert play(tmp_path, seed, read, rounds=2, acts=6) == []
