"""The command line: one front end over the actions.

Each command is a module of its own, imported when it is called; ``app`` holds the list.
"""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run one command and leave with its exit code (the console script ``papertrack``)."""
    # While it starts there is nothing to tidy up: Ctrl-C ends it without a word.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from papertrack.cli.app import run

    signal.signal(signal.SIGINT, before)
    sys.exit(run(sys.argv[1:]))
