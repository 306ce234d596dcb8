"""How the process of a command ends: with all that was said and whatever waits for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import atexit, sys, threading
from papertrack.cli import main
"""


def ended(*arguments: str, doing: str = "", **how: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-c", f"{SCRIPT}\n{doing}\nmain()", *arguments],
        **{"capture_output": True, "text": True, "check": False, "timeout": 60, **how},
    )


def test_what_was_to_be_done_at_the_end_is_done(shelf: Path) -> None:
    done = ended("list", doing="atexit.register(print, 'last')")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "last"


def test_another_thread_is_waited_for(shelf: Path) -> None:
    # It goes on when the main thread is at its end.
    doing = "waits = lambda: (threading.main_thread().join(), print('last'))\n"
    done = ended("list", doing=f"{doing}threading.Thread(target=waits).start()")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "last"


@pytest.mark.parametrize(
    ("starter", "last"),
    [
        (["-m", "cProfile", "-s", "time", "-m", "papertrack"], "function calls"),
        (["-m", "trace", "--listfuncs", "--module", "papertrack"], "functions called:"),
        (["-i", "-m", "papertrack"], ">>>"),
    ],
)
def test_what_watches_the_command_tells_what_it_saw(
    shelf: Path, starter: list[str], last: str
) -> None:
    command = [sys.executable, *starter, "list"]
    done = subprocess.run(command, capture_output=True, text=True, input="", timeout=120)
    assert last in done.stdout + done.stderr


def test_whoever_calls_the_command_goes_on_after_it(shelf: Path) -> None:
    calling = """
command = main
def main():
    try:
        command()
    except SystemExit as ended:
        print("ended", ended.code)
"""
    assert ended("list", doing=calling).stdout.splitlines()[-1] == "ended 0"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Only Linux has a disk that is full")
def test_what_could_not_be_said_is_no_success(shelf: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = ended("list", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert "The system refused" in done.stderr


def test_a_reader_that_has_had_enough_is_no_failure(shelf: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = ended("list", capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
