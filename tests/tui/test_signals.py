"""The terminal UI gives the terminal back, however it ends."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from papertrack.library import Library

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")

LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"
ENTERS_ALTERNATE_SCREEN = b"\x1b[?1049h"
SHOWS_CURSOR = b"\x1b[?25h"


def read_until(screen: int, wanted: bytes, seconds: float = 120) -> bytes:
    """What comes on a terminal, until it says what is wanted or is closed."""
    seen = b""
    end = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        ready, _, _ = select.select([screen], [], [], 1)
        try:
            seen += os.read(screen, 65536) if ready else b""
        except OSError:
            break
    return seen


@pytest.mark.parametrize("sign", [signal.SIGTERM])
def test_a_signal_to_end_gives_the_terminal_back(
    library: Library, tmp_path: Path, sign: signal.Signals
) -> None:
    ours, theirs = pty.openpty()
    environ = {**os.environ, "HOME": str(tmp_path), "TERM": "xterm-256color"}
    running = subprocess.Popen(
        [sys.executable, "-m", "papertrack", "--library", str(library.root), "tui"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ,
    )
    os.close(theirs)
    try:
        assert ENTERS_ALTERNATE_SCREEN in read_until(ours, ENTERS_ALTERNATE_SCREEN)
        # By then it runs.
        read_until(ours, b"is empty")
        running.send_signal(sign)
        left = read_until(ours, SHOWS_CURSOR)
        left += read_until(ours, LEAVES_ALTERNATE_SCREEN) if SHOWS_CURSOR in left else b""
        assert LEAVES_ALTERNATE_SCREEN in left
        assert running.wait(60) == 128 + sign
    finally:
        running.kill()
        os.close(ours)
