"""What papertrack wrote last into the files that it replaces whole."""

from __future__ import annotations

import hashlib

from papertrack.store.database import Database


def remember_written(
    db: Database, name: str, data: bytes, intent: str = "", former: bytes | None = None
) -> None:
    """Remember that a file holds these bytes, by what was meant to write them; or that it is about
    to, and still holds the ``former`` ones, which are papertrack's too."""
    values = (name, _digest(data), intent, None if former is None else _digest(former))
    db.insert(
        "written_files (name, digest, intent, former)",
        values,
        "(name) DO UPDATE SET (digest, intent, former) = (?2, ?3, ?4)",
    )


def is_remembered(db: Database, name: str, intent: str) -> bool:
    """Whether the library knows that what was meant to be written into a file was written."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND intent = ?)"
    return bool(db.select_value(found, (name, intent)))


def is_as_written(db: Database, name: str, data: bytes) -> bool:
    """Whether these bytes of a file are those that papertrack wrote last."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND ? IN (digest, former))"
    return bool(db.select_value(found, (name, _digest(data))))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
