"""The command line: one front end over the actions.

Each command is a module of its own, imported when it is called; ``app`` holds the list.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Be the process of one command, to its end (the console script ``papertrack``)."""
    _leave(run_command())


def run_command() -> int:
    """Run the command that this process was started for, and return its exit code."""
    # A command keeps most of what it makes to its end: looking for what it does not was a tenth of
    # a short one's time.
    gc.set_threshold(200_000)
    # While it starts there is nothing to tidy up: Ctrl-C ends it without a word.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from papertrack.cli.deferred import defer_modules

    defer_modules()
    from papertrack.cli.app import interrupt, run

    # Who starts it in the background may have Ctrl-C ignored.
    signal.signal(signal.SIGINT, interrupt if before is signal.default_int_handler else before)
    return run(sys.argv[1:])


def _leave(code: int) -> NoReturn:
    """End the process, at once where nothing else is to be done.

    Files and libraries are closed by now. What is in memory the system takes back in one piece: to
    take it apart first was a twentieth of a short command's time.
    """
    from threading import active_count

    if not atexit._ncallbacks() and active_count() == 1 and not _is_waited_for():
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # Python says so, and gives it a code of its own.
        else:
            os._exit(code)
    gc.freeze()  # All of it goes now, and nothing of it need be looked at.
    sys.exit(code)


def _is_waited_for() -> bool:
    """Whether something in this process goes on after the command: what called it, as a profiler
    does to tell what it saw, or a prompt that the reader asked Python for."""
    callers: FrameType | None = sys._getframe()
    while callers is not None and callers.f_globals.get("__name__") == __name__:
        callers = callers.f_back
    while callers is not None and _only_starts(callers):
        callers = callers.f_back
    return callers is not None or bool(sys.flags.inspect)


def _only_starts(frame: FrameType) -> bool:
    """Whether it is of a script, or of what `python -m` runs a module with."""
    return frame.f_code.co_name == "<module>" or frame.f_globals.get("__name__") == "runpy"
