"""The command line, a front end to the actions.

Each command is in a module of its own, imported when it is called; ``app`` has the list.
"""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run one command as this process and exit (the console script ``papertrack``)."""
    sys.exit(run_command())


def run_command() -> int:
    """Run the command line of this process, and return its exit code."""
    # While it starts there is nothing to tidy up: Ctrl-C ends it without a word.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from papertrack.cli.app import interrupt, run

    # Who starts it in the background may have Ctrl-C ignored.
    signal.signal(signal.SIGINT, interrupt if before is signal.default_int_handler else before)
    return run(sys.argv[1:])
