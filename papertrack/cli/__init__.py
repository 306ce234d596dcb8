"""The command line: one front end over the actions.

Each command is a module of its own, imported when it is called; ``app`` holds the list.
"""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Be the process of one command, to its end (the console script ``papertrack``)."""
    sys.exit(run_command())


def run_command() -> int:
    """Run the command that this process was started for, and return its exit code."""
    # While it starts there is nothing to tidy up: Ctrl-C ends it without a word.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from papertrack.cli.app import interrupt, run

    # Who starts it in the background may have Ctrl-C ignored.
    signal.signal(signal.SIGINT, interrupt if before is signal.default_int_handler else before)
    return run(sys.argv[1:])
