"""The ways to run a command, as the tests of the command line have them."""

from tests.cli.conftest import home, papertrack, process

__all__ = ["home", "papertrack", "process"]
