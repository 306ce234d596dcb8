"""What is cut off while it starts, and what the next run makes of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.library.trust import is_trusted
from tests.cli.commands import Command

INTERRUPTED = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "papertrack.cli.app":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from papertrack.cli import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signals")
def test_ctrl_c_while_it_starts_ends_without_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""


WITHIN_SQLITE = """
import os, signal, sys
# Whoever runs the tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from papertrack.store import index

def interrupted(text):
    os.kill(os.getpid(), signal.SIGINT)
    return text

index.indexed_form = interrupted
from papertrack.cli import main
sys.argv = ["papertrack", "add", "2309.06180", "--tag", "found"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signals")
def test_ctrl_c_in_what_sqlite_calls_is_told_as_what_it_is(papertrack: Command, home: Path) -> None:
    assert papertrack("init").code == 0
    done = subprocess.run(
        [sys.executable, "-c", WITHIN_SQLITE], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"Interrupted.\n")
    assert papertrack("list", "--json").out == "[]\n"


@pytest.mark.parametrize("left", ["settings", "an empty database", "folders"])
def test_a_library_that_a_killed_init_left_half_made_is_finished(
    papertrack: Command, home: Path, left: str
) -> None:
    papertrack("init")
    database = home / "data" / "papertrack.db"
    database.unlink()
    (home / "share").mkdir(exist_ok=True)
    for state in home.rglob("trusted.json"):
        state.unlink()
    if left == "an empty database":
        database.touch()
    if left == "folders":
        (home / "papertrack.toml").unlink()
    assert "Made a library" in papertrack("init").err
    assert papertrack("list").code == 0
    assert is_trusted(Library(home))
    assert "Nothing to do" in papertrack("init").err


def test_a_library_whose_database_a_killed_init_had_begun_is_trusted(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path, **_: object) -> None:
        path.write_bytes(b"half of it")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("papertrack.store.store.Store.create", killed)
        assert papertrack("init").code == 130
    assert is_trusted(Library(home))


def test_a_demo_that_was_killed_is_finished_and_keeps_what_was_edited(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("papertrack.actions.documents.import_file", killed)
        assert papertrack("demo", "sample").code == 130
    note, other = sorted((home / "sample" / "notes").iterdir())[:2]
    whole = note.read_bytes()
    note.write_bytes(whole[:20])
    other.write_text("mine\n")
    assert "imported" in papertrack("demo", "sample").err
    assert (note.read_bytes(), other.read_text()) == (whole, "mine\n")
    assert "is not empty" in papertrack("demo", "sample").err


def test_settings_that_somebody_else_left_are_not_trusted_by_init(
    papertrack: Command, home: Path
) -> None:
    (home / "papertrack.toml").write_text("pdf_viewer = 'evil'\n", encoding="utf-8")
    papertrack("init")
    assert not is_trusted(Library(home))
