"""A file or folder that somebody wants to import, as importers look at it: by what is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from papertrack.documents.encoding import decode_bib
from papertrack.errors import DocumentError
from papertrack.importers.database import ForeignDatabase, foreign_database, is_database
from papertrack.importers.files import read_head, read_whole


@dataclass
class Found:
    """What is at a path."""

    path: Path
    database: ForeignDatabase | None = field(default=None, init=False)
    """A copy of it, where it is a database of SQLite's."""

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @property
    def folder(self) -> Path:
        """It, or the folder that it is in."""
        return self.path if self.is_folder else self.path.parent

    @cached_property
    def head(self) -> bytes:
        """Its first bytes; nothing of a folder."""
        return b"" if self.is_folder else read_head(self.path)

    @cached_property
    def text(self) -> str:
        """Its text; nothing of a folder, a database and what is no text."""
        if self.is_folder or b"\0" in self.head:
            return ""
        try:
            return decode_bib(read_whole(self.path))[0].removeprefix("\ufeff")
        except DocumentError:
            return ""

    @cached_property
    def json(self) -> Any:
        """What it says as JSON; None for all else."""
        start = self.text.lstrip()[:1]
        if start not in ("{", "["):
            return None
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


@contextmanager
def looked_at(path: Path) -> Iterator[Found]:
    """What is at a path, with a copy of its database if it is one: gone at the end.

    Raises NotFoundError and PapertrackError where it cannot be read, DocumentError for a database
    that is damaged.
    """
    found = Found(path)
    place = path
    if found.is_folder and (path / "zotero.sqlite").is_file():
        place = path / "zotero.sqlite"
    if place.is_dir() or not is_database(read_head(place, 16)):
        yield found
        return
    with foreign_database(place) as database:
        found.database = database
        yield found
