"""Reading files of other tools as nobody notices: not even the time of access changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from papertrack.errors import NotFoundError, PapertrackError

_MOST = 512 * 2**20
"""Bytes of a file of text that are read."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to be read. Raises NotFoundError or PapertrackError."""
    try:
        if path.exists() and not path.is_file():
            raise PapertrackError(f"{path} is not a plain file.")
        with open(path, "rb", opener=_unnoticed) as file:
            yield file
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}. Check the name.") from None
    except OSError as error:
        raise PapertrackError(f"{path} could not be read: {error.strerror or error}.") from error


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


def _unnoticed(name: str, flags: int) -> int:
    quiet = getattr(os, "O_NOATIME", 0)
    try:
        return os.open(name, flags | quiet)
    except PermissionError:  # Only the owner may.
        return os.open(name, flags)
