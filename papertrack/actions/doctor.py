"""What is wrong in a library, in sentences that say what to do; and what is safe to repair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from papertrack.actions.backups import lacks_backup
from papertrack.actions.recover import recover
from papertrack.documents.encoding import decode_bib, decode_document
from papertrack.errors import PapertrackError, StoreError
from papertrack.library import Library, intents
from papertrack.library.files import leftovers, read_file, remove_leftovers
from papertrack.library.paths import path_of_name
from papertrack.store.documents import read_documents
from papertrack.store.health import (
    find_damage,
    is_search_broken,
    note_paths,
    rebuild_search,
    whole_copy,
)
from papertrack.store.store import Store, backups_of

Part = Literal["database", "search", "document", "note", "backup", "interrupted", "leftover"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    part: Part
    message: str
    is_repaired: bool = False


def examine(library: Library, now: datetime) -> list[Finding]:
    """All that is found wrong in a library; nothing is written. Raises nothing for what is found.

    While the database itself is damaged, what it says of files is not looked at.
    """
    found = [Finding("database", message) for message in find_damage(library.database)]
    if not found:
        with Store.open_copy(library.database, now=lambda: now) as store:
            found += _look_at_what_it_names(store, library)
            store.close()
    return [*found, *_look_at_backups(library, now), *_look_at_what_was_cut_off(library)]


def repair(library: Library, found: list[Finding], now: datetime) -> list[Finding]:
    """Repair what is safe: the search index is made anew, what killed runs left is taken back or
    removed. Returns the same findings, those marked that are repaired. Raises StoreError."""
    for folder in _folders(library):
        remove_leftovers(folder)
    if all(finding.part != "database" for finding in found):
        with Store.open(library.database, now=lambda: now) as store:
            recover(store, library)
            if any(finding.part == "search" for finding in found):
                rebuild_search(store)
    left = {finding.message for finding in examine(library, now)}
    return [replace(one, is_repaired=one.message not in left) for one in found]


def _look_at_what_it_names(store: Store, library: Library) -> Iterator[Finding]:
    if is_search_broken(store):
        yield Finding(
            "search",
            "The search index is not what the papers say. `papertrack doctor --repair` makes it "
            "anew.",
        )
    for document in read_documents(store):
        path = path_of_name(library, document.path)
        decode = decode_bib if document.kind == "bibtex" else decode_document
        try:
            decode(read_file(path))
        except PapertrackError as error:
            yield Finding("document", f"The library feeds {document.path}. {error}")
    for name in note_paths(store):
        if "://" not in name and not path_of_name(library, name).is_file():
            yield Finding(
                "note",
                f"The note {name} is not there. Put it back, or begin it anew with "
                "`papertrack note`.",
            )


def _look_at_backups(library: Library, now: datetime) -> Iterator[Finding]:
    for path in backups_of(library.database):
        try:
            whole_copy(path)
        except StoreError:
            yield Finding(
                "backup",
                f"The backup {path} is damaged, or no library. Remove it: it is of no use.",
            )
    if lacks_backup(library, now):
        yield Finding("backup", "There is no backup of the library. `papertrack backup` makes one.")


def _look_at_what_was_cut_off(library: Library) -> Iterator[Finding]:
    if intents.has_pending(library.intents):
        yield Finding(
            "interrupted",
            f"A run that was cut off has left what it was about to write in {library.intents}. "
            "`papertrack doctor --repair`, or any command that opens the library, takes it back.",
        )
    for folder in _folders(library):
        for path in leftovers(folder):
            yield Finding(
                "leftover",
                f"A killed run has left the unfinished file {path}. `papertrack doctor --repair` "
                "removes it.",
            )


def _folders(library: Library) -> tuple[Path, ...]:
    own = library.database.parent, library.backups, library.intents
    return library.root, *own, library.exports, library.notes
