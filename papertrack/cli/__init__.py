"""The command line, a front end to the actions.

Each command is in a module of its own, imported when it is called; ``app`` has the list.
"""

from __future__ import annotations

import gc
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run one command as this process and exit (the console script ``papertrack``)."""
    sys.exit(run_command())


def run_command() -> int:
    """Run the command line of this process, and return its exit code."""
    # There is nothing to clean up during start-up, so Ctrl-C simply ends it.
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from papertrack.cli.app import interrupt, run

    # A background job may have been started with Ctrl-C ignored.
    signal.signal(signal.SIGINT, interrupt if handler is signal.default_int_handler else handler)
    gc.set_threshold(100_000, 20, 20)  # A parsed file has no cycles: the default costs a tenth.
    return run(sys.argv[1:])
