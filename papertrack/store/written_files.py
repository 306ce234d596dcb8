"""Which files papertrack wrote last as a whole, and what it replaced there."""

from __future__ import annotations

from typing import NamedTuple

from papertrack.store.database import Database


def remember_written(
    db: Database, name: str, data: bytes, intent: str = "", former: bytes | None = None
) -> None:
    """Remember that a file holds these bytes, by what was meant to write them; or that it is about
    to, and still holds the ``former`` ones, which are papertrack's too."""
    values = (name, digest_of(data), intent, None if former is None else digest_of(former))
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
    return bool(db.select_value(found, (name, digest_of(data))))


class ReplacedFile(NamedTuple):
    """A file by another hand that an action replaced."""

    name: str
    old: bytes
    new: bytes
    """What papertrack wrote there, when it did so last."""


def keep_replaced(db: Database, action_id: int, replaced: ReplacedFile) -> None:
    """Keep what an action replaces, so that undo and redo have it."""
    db.insert(
        "replaced_files (action_id, name, old, new)",
        (action_id, replaced.name, replaced.old, replaced.new),
        "(action_id) DO UPDATE SET (name, old, new) = (?2, ?3, ?4)",
    )


def is_kept(db: Database, replaced: ReplacedFile) -> bool:
    """Whether the last action is just this replacement, as one is that was killed after it said
    what it would do."""
    found = (
        "SELECT EXISTS (SELECT 1 FROM replaced_files AS kept JOIN actions ON id = action_id "
        "WHERE id = (SELECT max(id) FROM actions) AND state = 'done' "
        "AND (kept.name, kept.old, kept.new) = (?, ?, ?))"
    )
    return bool(db.select_value(found, replaced))


def find_replaced(db: Database, action_id: int) -> ReplacedFile | None:
    """What an action replaced; None of one that replaced no file by another hand."""
    query = "SELECT name, old, new FROM replaced_files WHERE action_id = ?"
    row = db.execute(query, (action_id,)).fetchone()
    return ReplacedFile(*row) if row else None


def digest_of(data: bytes) -> str:
    """Return the SHA-256 digest that distinguishes the bytes of files."""
    import hashlib  # Every undo looks for a file, and few find one.

    return hashlib.sha256(data).hexdigest()
