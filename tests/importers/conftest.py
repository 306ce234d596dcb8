"""Commands in this process, and a library to import into: as for the tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack

__all__ = ["home", "papertrack"]


@pytest.fixture
def library(papertrack: Command, home: Path) -> Path:
    """A new library in the current folder."""
    papertrack("init")
    return home
