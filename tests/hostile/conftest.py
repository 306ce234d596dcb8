"""Commands and homes as in the tests of the command line."""

from tests.cli.conftest import home, made_shelf, papertrack, process, shelf

__all__ = ["home", "made_shelf", "papertrack", "process", "shelf"]
