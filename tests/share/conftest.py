"""A desktop that shares the sample library, and a laptop that cloned it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.library.trust import trust
from tests.share.clones import do, git


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _environ(tmp_path, monkeypatch)


def _environ(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    # git starts papertrack as its driver from wherever it is.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(key, "reader")
    for key in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(key, "reader@example.org")


@contextmanager
def with_own_state(folder: Path) -> Iterator[None]:
    """Keep the state of what is made once for all tests in this folder."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        _environ(folder, monkeypatch)
        yield


@pytest.fixture(scope="session")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a hub and both machines' clones, made once by the commands that make them."""
    made = tmp_path_factory.mktemp("clones")
    with with_own_state(made):
        desktop, laptop = made / "desktop", made / "laptop"
        git(made, "init", "-q", "--bare", "-b", "main", "hub.git")
        assert do(desktop, "demo", str(desktop)) == 0
        git(desktop, "init", "-q", "-b", "main")
        git(desktop, "remote", "add", "origin", str(made / "hub.git"))
        assert do(desktop, "share", "on", "--private", "nothing") == 0
        assert do(desktop, "sync", "--git") == 0
        git(made, "clone", "-q", str(made / "hub.git"), "laptop")
        assert do(laptop, "trust", str(laptop)) == 0
        on = ("share", "on", "--private", "nothing", "--document", "README.md")
        assert do(laptop, *on) == 0
        assert do(laptop, "sync") == 0
        for repository in ("hub.git", "desktop", "laptop"):  # Few files, which are copied often.
            git(made / repository, "gc", "-q")
            for sample in (made / repository).rglob("*.sample"):
                sample.unlink()
    return made


@pytest.fixture
def desktop(tmp_path: Path, clones: Path) -> Path:
    """The first machine's clone, beside the hub."""
    shutil.copytree(clones / "hub.git", tmp_path / "hub.git")
    return _copied("desktop", clones, tmp_path)


@pytest.fixture
def laptop(desktop: Path, tmp_path: Path, clones: Path) -> Path:
    return _copied("laptop", clones, tmp_path)


def _copied(name: str, clones: Path, folder: Path) -> Path:
    shutil.copytree(clones / name, folder / name)
    config = folder / name / ".git" / "config"
    config.write_text(config.read_text().replace(str(clones), str(folder)))
    # Trust is in a folder, and a copy is another one.
    trust(Library(folder / name), {})
    return folder / name
