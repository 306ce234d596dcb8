"""How the process of a command ends: with all that was said and whatever waits for it."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import atexit
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
