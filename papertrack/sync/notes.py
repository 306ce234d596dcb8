"""Note files that the search looks into."""

from __future__ import annotations

from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import path_of_name
from papertrack.store.index import remember_note
from papertrack.store.store import Store

MAX_INDEXED = 1_000_000
"""Bytes of a note file that the search looks at."""


def index_note(store: Store, library: Library, name: str) -> None:
    """Let the search know what the note says now. A file outside the library is not read."""
    path = path_of_name(library, name)
    if not path.resolve().is_relative_to(library.root.resolve()) or not path.is_file():
        return
    text = read_file(path)[:MAX_INDEXED].decode("utf-8", errors="replace")
    with store.action("note"):
        remember_note(store, name, text)
