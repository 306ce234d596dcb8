"""The command line: one front end over the actions.

Each command is a module of its own, imported when it is called; ``app`` holds the list.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command and leave with its exit code (the console script ``papertrack``)."""
    from papertrack.cli.app import run

    sys.exit(run(sys.argv[1:]))
