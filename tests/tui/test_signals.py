"""The terminal UI gives the terminal back, however it ends."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from papertrack.library import Library

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")

LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"
ENTERS_ALTERNATE_SCREEN = b"\x1b[?1049h"
SHOWS_CURSOR = b"\x1b[?25h"


def read_until(screen: int, *wanted: bytes, seconds: float = 120) -> bytes:
    """What comes on a terminal, until it has said all that is wanted, or is closed."""
    seen = b""
    end = time.monotonic() + seconds
    while not all(one in seen for one in wanted) and time.monotonic() < end:
        ready, _, _ = select.select([screen], [], [], 1)
        try:
            seen += os.read(screen, 65536) if ready else b""
        except OSError:
            break
    return seen


@contextmanager
def in_a_terminal(
    library: Library, home: Path, *command: str, term: str = "xterm-256color"
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The terminal UI in a pseudo-terminal: the process, and our end of the terminal."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "papertrack", "--library", str(library.root), *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "HOME": str(home), "TERM": term},
        # A group of its own, as a shell gives: one without a parent cannot be suspended.
        process_group=0,
    )
    os.close(theirs)
    try:
        yield running, ours
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def read_until_left(screen: int) -> bytes:
    """What comes on a terminal until it is given back."""
    return read_until(screen, SHOWS_CURSOR, LEAVES_ALTERNATE_SCREEN)


def test_a_signal_to_end_gives_the_terminal_back(library: Library, tmp_path: Path) -> None:
    with in_a_terminal(library, tmp_path) as (running, screen):
        assert ENTERS_ALTERNATE_SCREEN in read_until(screen, ENTERS_ALTERNATE_SCREEN)
        # By then it runs.
        read_until(screen, b"is empty")
        running.send_signal(signal.SIGTERM)
        assert LEAVES_ALTERNATE_SCREEN in read_until_left(screen)
        assert running.wait(60) == 128 + signal.SIGTERM


def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(
    library: Library, tmp_path: Path
) -> None:
    with in_a_terminal(library, tmp_path) as (running, screen):
        read_until(screen, b"is empty")
        os.write(screen, b"\x1a")
        assert LEAVES_ALTERNATE_SCREEN in read_until_left(screen)
        _, status = os.waitpid(running.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        running.send_signal(signal.SIGCONT)
        assert ENTERS_ALTERNATE_SCREEN in read_until(screen, ENTERS_ALTERNATE_SCREEN)
        os.write(screen, b"q")
        assert running.wait(60) == 0


def test_a_terminal_that_goes_away_without_a_word_ends_it(library: Library, tmp_path: Path) -> None:
    with in_a_terminal(library, tmp_path) as (running, screen):
        read_until(screen, b"is empty")
        # It is not the terminal's session that it runs in, as under `nohup` or a dead `ssh`.
        os.dup2(os.open(os.devnull, os.O_RDWR), screen)
        assert running.wait(60) == 129


def test_a_terminal_that_cannot_draw_gets_plain_words(library: Library, tmp_path: Path) -> None:
    with in_a_terminal(library, tmp_path, term="dumb") as (running, screen):
        said = read_until(screen, b"in words.")
        assert b"papertrack list" in said
        assert b"\x1b" not in said
        assert running.wait(60) == 2
