"""Whatever machines do at the same time, and however git brings it together, nothing is lost,
doubled, decided in silence or unlike. More of them: PAPERTRACK_HISTORIES=0-1000."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.corpus import WHOLE
from tests.share.conftest import with_own_state
from tests.share.histories import make_machines, play

FIRST, _, LAST = os.environ.get("PAPERTRACK_HISTORIES", "0-20" if WHOLE else "0-2").rpartition("-")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("machines")
    with with_own_state(folder):
        make_machines(folder)
    return folder


@pytest.mark.parametrize("seed", range(int(FIRST or 0), int(LAST)))
def test_all_machines_end_up_with_all_that_was_done(
    tmp_path: Path, seed: int, made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def read() -> str:
        captured = capfd.readouterr()
        return captured.out or captured.err

    assert play(tmp_path, seed, read, made, rounds=2, acts=6) == []
