"""Decide whether a backup is due. Every command that wrote asks this, so the code that makes
backups is imported only when one is."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

from papertrack.library import BACKUP_NAME, Library
from papertrack.store.store import backups_of

_AT_ONCE = 8_000_000
"""Databases up to this size are copied while the command waits."""


def back_up_if_due(library: Library, now: datetime) -> None:
    """Make a backup if the newest is older than a day; in a new library, a day after it was made.

    A large library is copied by a separate process that nobody waits for; `papertrack backup`
    reports what failed there. Raises the errors of ``back_up``.
    """
    if not _is_due(library, now.astimezone(UTC)):
        return
    if library.database.stat().st_size <= _AT_ONCE:
        from papertrack.actions.backups import back_up

        back_up(library, now)
        return
    import subprocess

    from papertrack.actions.programs import own_command

    command = own_command("--library", str(library.root), "backup")
    nothing = subprocess.DEVNULL
    subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)


def lacks_backup(library: Library, now: datetime) -> bool:
    """Return whether the library is older than a day and has no backup."""
    return not backups_of(library.database) and _is_due(library, now)


def _is_due(library: Library, now: datetime) -> bool:
    try:
        # Names are times, so every command that writes reads only the folder.
        newest = max(name for name in os.listdir(library.backups) if name[:1].isdigit())  # noqa: PTH208
        return newest < f"{now - timedelta(days=1):{BACKUP_NAME}}"
    except (FileNotFoundError, ValueError):
        return library.settings_path.stat().st_mtime < now.timestamp() - 24 * 60 * 60
    except OSError:  # Making the backup will raise the error.
        return False
