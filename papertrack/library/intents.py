"""Intents: records of file changes, kept until the library has committed them.

A file and a database cannot change in one step. Before a file is replaced, its old and new bytes
are written to a file of their own, the intent; after the library has committed, the intent is
removed. An intent that is found later shows what a killed run was doing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import PapertrackError
from papertrack.library import INTENT
from papertrack.library.files import make_folder, read_file, remove_leftovers, replace_whole


class Intent(NamedTuple):
    """One file that is to be replaced."""

    token: str
    """Identifies this intent; the library stores it when it commits."""
    name: str
    """The library's name for the file."""
    path: Path
    old: bytes
    new: bytes
    place: Path
    """The file with the intent."""

    def forget(self) -> None:
        """Remove the intent, since file and library agree again. If it cannot be removed, the next
        run sees it."""
        try:
            self.place.unlink(missing_ok=True)
        except OSError:
            return


def announce(folder: Path, name: str, path: Path, old: bytes, new: bytes) -> Intent:
    """Write an intent into a folder, synced to disk, and return it. Raises OSError."""
    token = os.urandom(8).hex()
    intent = Intent(token, name, path, old, new, folder / f"{token}{INTENT}")
    head = {"name": name, "old": len(old), "new": len(new)}
    make_folder(folder)
    replace_whole(intent.place, json.dumps(head).encode() + b"\n" + old + new)
    return intent


def pending(folder: Path, path_of: Callable[[str], Path]) -> list[Intent]:
    """Return the intents in a folder, oldest first. Those that cannot be read are left out.

    ``path_of`` finds the file for a name: the intents of a stranger's library contain no paths.
    """
    try:
        places = [place for place in folder.iterdir() if place.suffix == INTENT]
    except FileNotFoundError:
        return []
    found = filter(None, (_read(place, path_of) for place in places))
    return sorted(found, key=lambda intent: intent.place.stat().st_mtime_ns)


def unreadable(folder: Path) -> list[Path]:
    """Return files in the intents folder that are not intents: damaged, or somebody else's."""
    try:
        places = [place for place in folder.iterdir() if place.suffix == INTENT]
    except OSError:
        return []
    return sorted(place for place in places if _read(place, Path) is None)


def set_aside(place: Path) -> Path:
    """Rename an unreadable intent so that it is ignored. Raises OSError."""
    return place.rename(place.with_name(f"{place.name}.unreadable"))


def sweep(intent: Intent) -> None:
    """Remove what a killed writer of that file left beside it, and beside the intents."""
    for folder in (intent.path.parent, intent.place.parent):
        remove_leftovers(folder)


def _read(place: Path, path_of: Callable[[str], Path]) -> Intent | None:
    try:
        head, _, rest = read_file(place).partition(b"\n")
        said = json.loads(head)
        old, new = rest[: said["old"]], rest[said["old"] :]
        if len(new) != said["new"]:
            return None
        return Intent(place.stem, said["name"], path_of(said["name"]), old, new, place)
    except (PapertrackError, RecursionError, ValueError, KeyError, TypeError):
        return None
