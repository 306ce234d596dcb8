"""What a command says while another process writes to the library."""

import sqlite3
import threading
from pathlib import Path

from tests.cli.commands import Command


def test_a_command_says_that_it_waits_and_then_does_its_work(
    papertrack: Command, shelf: Path
) -> None:
    other = sqlite3.connect(
        shelf / "data/papertrack.db", isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(1.5, other.execute, ["ROLLBACK"])
    end.start()
    ran = papertrack("pass", "zero", "1")
    end.join()
    other.close()
    assert ran.code == 0
    assert ran.err.startswith("Another papertrack is writing to this library. Waiting …\n")
    assert papertrack("list", "zero").out.startswith("pass 1")
