"""Reading files of other tools as nobody notices: not even the time of access changes."""

from __future__ import annotations

from pathlib import Path

from papertrack.errors import PapertrackError
from papertrack.foreign_database import opened

_MOST = 512 * 2**20
"""Bytes of a file of text that are read."""


def read_head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file. Raises what ``opened`` raises."""
    with opened(path) as file:
        return file.read(size)


def read_whole(path: Path) -> bytes:
    """All of a file. Raises what ``opened`` raises, and PapertrackError for an enormous one."""
    with opened(path) as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise PapertrackError(f"{path} is larger than {_MOST // 2**20} MB, and was not read.")
    return data
