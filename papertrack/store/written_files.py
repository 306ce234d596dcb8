"""Which files papertrack wrote last as a whole, and what it replaced there."""

from __future__ import annotations

from typing import NamedTuple

from papertrack.store.database import Database


def remember_written(
    db: Database, name: str, data: bytes, intent: str = "", former: bytes | None = None
) -> None:
    """Record that a file has these bytes, with the intent that wrote them. With ``former``, it
    is about to have them, and its former bytes are papertrack's too."""
    values = (name, digest_of(data), intent, None if former is None else digest_of(former))
    db.insert(
        "written_files (name, digest, intent, former)",
        values,
        "(name) DO UPDATE SET (digest, intent, former) = (?2, ?3, ?4)",
    )


def is_remembered(db: Database, name: str, intent: str) -> bool:
    """Return whether the library knows that this intent was carried out."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND intent = ?)"
    return bool(db.select_value(found, (name, intent)))


def is_as_written(db: Database, name: str, data: bytes) -> bool:
    """Return whether a file's bytes are those that papertrack wrote last."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND ? IN (digest, former))"
    return bool(db.select_value(found, (name, digest_of(data))))


class ReplacedFile(NamedTuple):
    """A file by somebody else that an action replaced."""

    name: str
    old: bytes
    new: bytes
    """What papertrack wrote there last."""


def keep_replaced(db: Database, action_id: int, replaced: ReplacedFile) -> None:
    """Store what an action replaces, for undo and redo."""
    db.insert(
        "replaced_files (action_id, name, old, new)",
        (action_id, replaced.name, replaced.old, replaced.new),
        "(action_id) DO UPDATE SET (name, old, new) = (?2, ?3, ?4)",
    )


def is_kept(db: Database, replaced: ReplacedFile) -> bool:
    """Return whether the last action is this replacement: a run killed after it is repeated."""
    found = (
        "SELECT EXISTS (SELECT 1 FROM replaced_files AS kept JOIN actions ON id = action_id "
        "WHERE id = (SELECT max(id) FROM actions) AND state = 'done' "
        "AND (kept.name, kept.old, kept.new) = (?, ?, ?))"
    )
    return bool(db.select_value(found, replaced))


def find_replaced(db: Database, action_id: int) -> ReplacedFile | None:
    """Return what an action replaced; None if it replaced no file by somebody else."""
    query = "SELECT name, old, new FROM replaced_files WHERE action_id = ?"
    row = db.execute(query, (action_id,)).fetchone()
    return ReplacedFile(*row) if row else None


def digest_of(data: bytes) -> str:
    """Return the SHA-256 digest that distinguishes the bytes of files."""
    import hashlib  # Every undo looks for a file, and few find one.

    return hashlib.sha256(data).hexdigest()
