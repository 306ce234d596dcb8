"""The command line: one front end over the actions.

Each command is a module of its own, imported when it is called; ``app`` holds the list.
"""

from __future__ import annotations

import gc
import signal
import sys


def main() -> None:
    """Run one command and leave with its exit code (the console script ``papertrack``)."""
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
    code = run(sys.argv[1:])
    gc.freeze()  # All of it goes now, and nothing of it need be looked at.
    sys.exit(code)
