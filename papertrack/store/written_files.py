"""The files that papertrack wrote as a whole, and the content that it replaced."""

from __future__ import annotations

from typing import NamedTuple

from papertrack.store.database import Database


def remember_written(
    db: Database, name: str, data: bytes, intent: str = "", former: bytes | None = None
) -> None:
    """Record that papertrack wrote these bytes to a file, with the token of the intent.

    ``former`` is the present content if the file is yet to be written; it counts as papertrack's
    too.
    """
    values = (name, digest_of(data), intent, None if former is None else digest_of(former))
    db.insert(
        "written_files (name, digest, intent, former)",
        values,
        "(name) DO UPDATE SET (digest, intent, former) = (?2, ?3, ?4)",
    )


def is_remembered(db: Database, name: str, intent: str) -> bool:
    """Return whether the write of a file with this intent was committed."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND intent = ?)"
    return bool(db.select_value(found, (name, intent)))


def is_as_written(db: Database, name: str, data: bytes) -> bool:
    """Return whether papertrack wrote a file's present content."""
    found = "SELECT EXISTS (SELECT 1 FROM written_files WHERE name = ? AND ? IN (digest, former))"
    return bool(db.select_value(found, (name, digest_of(data))))


class ReplacedFile(NamedTuple):
    """A file written by somebody else, which an action replaced."""

    name: str
    old: bytes
    new: bytes
    """The content that papertrack wrote last."""


def keep_replaced(db: Database, action_id: int, replaced: ReplacedFile) -> None:
    """Store the old and new content of a file that an action replaces, for undo and redo."""
    db.insert(
        "replaced_files (action_id, name, old, new)",
        (action_id, replaced.name, replaced.old, replaced.new),
        "(action_id) DO UPDATE SET (name, old, new) = (?2, ?3, ?4)",
    )


def is_kept(db: Database, replaced: ReplacedFile) -> bool:
    """Return whether the last action is this replacement.

    Then a run was killed after storing it, and has been started again.
    """
    found = (
        "SELECT EXISTS (SELECT 1 FROM replaced_files AS kept JOIN actions ON id = action_id "
        "WHERE id = (SELECT max(id) FROM actions) AND state = 'done' "
        "AND (kept.name, kept.old, kept.new) = (?, ?, ?))"
    )
    return bool(db.select_value(found, replaced))


def find_replaced(db: Database, action_id: int) -> ReplacedFile | None:
    """Return the file that an action replaced; None if it replaced none."""
    query = "SELECT name, old, new FROM replaced_files WHERE action_id = ?"
    row = db.execute(query, (action_id,)).fetchone()
    return ReplacedFile(*row) if row else None


def digest_of(data: bytes) -> str:
    """Return the SHA-256 digest of a file's content."""
    import hashlib  # Imported late: every undo loads this module, and few compute a digest.

    return hashlib.sha256(data).hexdigest()
