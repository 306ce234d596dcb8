"""A file or folder that somebody wants to import, as importers look at it: by what is in it.

It is read as nobody notices: not even the time of access changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError, NotFoundError, PapertrackError

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


@dataclass
class Found:
    """What is at a path; each property raises what ``opened`` raises where it cannot be read."""

    path: Path

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """Its first bytes; nothing of a folder."""
        return b"" if self.is_folder else read_head(self.path)

    @cached_property
    def text(self) -> str:
        """Its text; nothing of a folder and what is no text."""
        if self.is_folder or b"\0" in self.head:
            return ""
        try:
            return decode_bib(read_whole(self.path))[0].removeprefix("\ufeff")
        except DocumentError:
            return ""

    @cached_property
    def json(self) -> Any:
        """What it says as JSON; None for all else."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]
