"""Two ways to run a command: in this process (fast), and as a user does (the real thing)."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from papertrack import foreign_database
from papertrack.cli.app import run
from papertrack.store import store
from tests.cli.commands import Command, Ran
from tests.cli.contract import check_contract


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and folder of our own, so that no test sees the tester's library."""
    for name in [name for name in os.environ if name.startswith("PAPERTRACK_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "share"))
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "true")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-03-01T09:30:00+00:00")
    # Nobody is about to finish writing a damaged database.
    for module in (foreign_database, store):
        monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def papertrack(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command in this process, in the current folder; JSON must be as the contract says."""

    def command(*arguments: str | Path, stdin: str | None = None, **environ: str) -> Ran:
        capsys.readouterr()
        with monkeypatch.context() as patched:
            for name, value in environ.items():
                patched.setenv(name, value)
            if stdin is not None:
                patched.setattr("sys.stdin", TextIOWrapper(BytesIO(stdin.encode())))
            code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        check_contract(arguments, captured.out)
        return Ran(code, captured.out, captured.err)

    return command


@pytest.fixture
def process() -> Command:
    """Run a command as a process of its own, as a shell would."""

    def command(*arguments: str | Path, stdin: str = "", **environ: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "papertrack", *map(str, arguments)],
            input=stdin.encode(),
            capture_output=True,
            env={**os.environ, **environ},
            timeout=600,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return command


@pytest.fixture(scope="session")
def made_shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that wants a library leaves a copy for the others."""
    return tmp_path_factory.mktemp("made")


def furnish(home: Path, made_shelf: Path, make: Callable[[], object]) -> None:
    """Let a function fill the home, or copy what it made for an earlier test."""
    made = made_shelf / f"{make.__module__}.{make.__name__}"
    if made.exists():
        shutil.copytree(made, home, dirs_exist_ok=True)
    else:
        make()
        shutil.copytree(home, made)


@pytest.fixture
def shelf(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """A library in the current folder with three papers, the first of them known in full."""

    def three_papers() -> None:
        papertrack("init")
        papertrack("add", "2309.06180", "2401.09670", "1910.02054", "--category", "Systems/Serving")
        papertrack(
            "edit",
            "2309.06180",
            "title=Efficient Memory Management with PagedAttention",
            "authors=Woosuk Kwon; Zhuohan Li",
            "citekey=kwon2023efficient",
            "code=https://github.com/vllm-project/vllm",
        )
        papertrack("edit", "1910.02054", "title=ZeRO: Memory Optimizations", "citekey=zero")

    furnish(home, made_shelf, three_papers)
    return home


@pytest.fixture
def play(
    papertrack: Command, home: Path, made_shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The sample library as the current folder."""

    def demo() -> None:
        papertrack("demo", "play")

    furnish(home, made_shelf, demo)
    papertrack("trust", "play")
    monkeypatch.chdir(home / "play")
    return home / "play"
