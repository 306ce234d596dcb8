"""A real terminal (tmux) with a program in it: keys in, what it shows out."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

_LOOKS = 600
_LOOK_SECONDS = 0.05


class Terminal:
    """A session of tmux of its own."""

    def __init__(self, socket: str) -> None:
        self._socket = socket

    def tmux(self, *arguments: str) -> str:
        run = ["tmux", "-L", self._socket, "-f", "/dev/null", *arguments]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout

    def press(self, key: str) -> None:
        """A key: a character, or the name that tmux has for it."""
        self.tmux("send-keys", *(["-l", key] if len(key) == 1 else [key]))

    def text(self) -> str:
        """What the terminal shows."""
        return self.tmux("capture-pane", "-p")

    def wait_for(self, text: str, *, is_there: bool = True) -> str:
        """What it shows once a text is on it, or is no more. Raises AssertionError."""
        return self.wait_until(lambda shown: (text in shown) is is_there, repr(text))

    def wait_until(self, holds: Callable[[str], bool], what: str = "What was awaited") -> str:
        """What it shows once that holds of it. Raises AssertionError."""
        for _ in range(_LOOKS):
            shown = self.text()
            if holds(shown):
                return shown
            time.sleep(_LOOK_SECONDS)
        raise AssertionError(f"{what} is not on the screen:\n{self.text()}")

    def wait_for_end(self) -> None:
        """Wait until the program has ended."""
        has_session = ["tmux", "-L", self._socket, "has-session"]
        for _ in range(_LOOKS):
            if subprocess.run(has_session, capture_output=True).returncode:
                return
            time.sleep(_LOOK_SECONDS)
        raise AssertionError(f"It has not ended:\n{self.text()}")


@contextmanager
def terminal(command: Sequence[str], width: int, height: int) -> Iterator[Terminal]:
    """A program in a terminal of this size; both are gone at the end."""
    socket = f"papertrack-test-{os.getpid()}"
    shown = Terminal(socket)
    size = ("-x", str(width), "-y", str(height))
    shown.tmux("new-session", "-d", *size, shlex.join(command))
    try:
        yield shown
    finally:
        subprocess.run(["tmux", "-L", socket, "kill-server"], capture_output=True)
