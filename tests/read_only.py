"""A library that cannot be written, also by root, whom no mode of a file stops."""

from pathlib import Path

_WRITE_VERSION = 18
"""The byte of SQLite's header that says which SQLite may write the file (fileformat2, 1.3.3)."""


def make_read_only(database: Path) -> None:
    """Let SQLite read this database and refuse to write it."""
    with database.open("r+b") as file:
        file.seek(_WRITE_VERSION)
        file.write(b"\x03")
