"""What papertrack wrote last into the files that it replaces whole."""

from __future__ import annotations

import hashlib

from papertrack.store.database import Database


def remember_written(db: Database, name: str, data: bytes, intent: str) -> None:
    """Remember that a file holds these bytes, by what was meant to write them."""
    digest = hashlib.sha256(data).hexdigest()
    columns = "written_files (name, digest, intent)"
    db.insert(columns, (name, digest, intent), "(name) DO UPDATE SET (digest, intent) = (?2, ?3)")


def is_remembered(db: Database, name: str, intent: str) -> bool:
    """Whether the library knows that what was meant to be written into a file was written."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND intent = ?)"
    return bool(db.select_value(found, (name, intent)))


def is_as_written(db: Database, name: str, data: bytes) -> bool:
    """Whether these bytes of a file are those that papertrack wrote last."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND digest = ?)"
    return bool(db.select_value(found, (name, hashlib.sha256(data).hexdigest())))
