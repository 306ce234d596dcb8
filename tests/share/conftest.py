"""A desktop that shares the sample library, and a laptop that cloned it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.share.clones import Captured, do, git


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    # git starts papertrack as its driver from wherever it is.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(key, "reader")
    for key in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(key, "reader@example.org")


@pytest.fixture
def desktop(tmp_path: Path, capfd: Captured) -> Path:
    folder = tmp_path / "desktop"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    assert do(folder, "demo", str(folder)) == 0
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", str(tmp_path / "hub.git"))
    assert do(folder, "share", "on", "--private", "nothing") == 0
    assert do(folder, "sync", "--git") == 0
    capfd.readouterr()
    return folder


@pytest.fixture
def laptop(desktop: Path, tmp_path: Path, capfd: Captured) -> Path:
    folder = tmp_path / "laptop"
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "laptop")
    assert do(folder, "trust", str(folder)) == 0
    on = ("share", "on", "--private", "nothing", "--document", "README.md")
    assert do(folder, *on) == 0
    assert do(folder, "sync") == 0
    capfd.readouterr()
    return folder
