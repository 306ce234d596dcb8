"""Intents: records of file changes, kept until the library has committed them.

A file and a database cannot change in one step. So before a file is replaced, its old and new bytes
are written to another file, the intent, which is removed after the library has committed. An intent
that is found later shows what a killed process was doing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import PapertrackError
from papertrack.library import INTENT
from papertrack.library.files import make_folder, read_file, remove_leftovers, replace_whole


class Intent(NamedTuple):
    """One file that is to be replaced."""

    token: str
    """The id of this intent, which the library stores when it commits."""
    name: str
    """The library's name for the file."""
    path: Path
    old: bytes
    new: bytes
    place: Path
    """The file with the intent."""

    def forget(self) -> None:
        """Remove the intent after file and library agree; if that fails, the next run sees it."""
        with suppress(OSError):
            self.place.unlink(missing_ok=True)


def announce(folder: Path, name: str, path: Path, old: bytes, new: bytes) -> Intent:
    """Write an intent into a folder, synced to disk, and return it. Raises OSError."""
    token = os.urandom(8).hex()
    intent = Intent(token, name, path, old, new, folder / f"{token}{INTENT}")
    head = {"name": name, "old": len(old), "new": len(new)}
    make_folder(folder)
    replace_whole(intent.place, json.dumps(head).encode() + b"\n" + old + new)
    return intent


def pending(folder: Path, path_of: Callable[[str], Path]) -> list[Intent]:
    """Return the intents in a folder, oldest first, without unreadable ones.

    ``path_of`` finds the file for a name: intents of an untrusted library contain no paths.
    """
    intents = filter(None, (_read(place, path_of) for place in folder.glob(f"*{INTENT}")))
    return sorted(intents, key=lambda intent: intent.place.stat().st_mtime_ns)


def unreadable(folder: Path) -> list[Path]:
    """Return files in the intents folder that are damaged or are not intents."""
    return sorted(place for place in folder.glob(f"*{INTENT}") if _read(place, Path) is None)


def set_aside(place: Path) -> Path:
    """Rename an unreadable intent to a free name, by which it is ignored. Raises OSError."""
    return place.rename(place.with_name(f"{place.name}.{os.urandom(4).hex()}.unreadable"))


def sweep(intent: Intent) -> None:
    """Remove temporary files that a killed writer left in the folders of file and intent."""
    for folder in (intent.path.parent, intent.place.parent):
        remove_leftovers(folder)


def _read(place: Path, path_of: Callable[[str], Path]) -> Intent | None:
    try:
        head, _, content = read_file(place).partition(b"\n")
        header = json.loads(head)
        old, new = content[: header["old"]], content[header["old"] :]
        if len(new) != header["new"]:
            return None
        return Intent(place.stem, header["name"], path_of(header["name"]), old, new, place)
    except (PapertrackError, RecursionError, ValueError, KeyError, TypeError):
        return None
