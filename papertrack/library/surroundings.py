"""What surrounds a library: the time, a second version made by a sync program, a network disk."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from papertrack.errors import UsageError
from papertrack.library import Library
from papertrack.text import clean


def current_time(environ: Mapping[str, str]) -> datetime:
    """Return the current time with the local offset; ``PAPERTRACK_NOW`` (ISO 8601) overrides it. A
    command reads it once, at its start, and passes it on.

    Raises UsageError when that variable is not a time.
    """
    fixed = environ.get("PAPERTRACK_NOW")
    if not fixed:
        return datetime.now().astimezone().replace(microsecond=0)
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError:
        raise UsageError(
            f"PAPERTRACK_NOW is {fixed!r}, which is not an ISO 8601 time. "
            "Write it like 2026-03-01T09:30:00+00:00, or unset it."
        ) from None
    return moment if moment.tzinfo else moment.astimezone()


_NETWORK_DISKS = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "afs", "ncpfs")
_ESCAPED = r"\\([0-7]{3})"
r"""A character of a folder name in octal, such as a space as ``\040`` (proc(5))."""


def conflicting_copies(library: Library) -> list[str]:
    """Return a warning for each conflicting copy of the library that a sync program has made.

    Dropbox, Nextcloud and Syncthing make one if two machines have written, with "conflict" in the
    file's name.
    """
    database = library.database
    beside = database.parent.glob(f"{database.stem}*{database.suffix}")
    copies = [path for path in beside if "conflict" in path.name.lower()]
    return [
        f"{clean(path.name)}, beside the library, is a second version of it: a sync program "
        "found that both had changed. What was done on the other machine may be only in that "
        "file. To look at it: `papertrack init other`, move the file to "
        f"other/data/{database.name}, and `papertrack --library other log`."
        for path in sorted(copies)
    ]


def network_disk(folder: Path, mounts: str | None = None) -> str | None:
    """Return a warning if a folder is on a network disk, where SQLite's locks may not work.

    ``mounts`` is the text of Linux's /proc/mounts (proc(5)), which is read by default. On other
    systems the result is None. The rule: https://sqlite.org/faq.html#q5.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
    kinds = {}
    for line in mounts.splitlines():
        _, place, kind, *_ = [*line.split(" "), "", ""]
        kinds[Path(re.sub(_ESCAPED, lambda match: chr(int(match[1], 8)), place))] = kind
    kind = next((kinds[parent] for parent in (folder, *folder.parents) if parent in kinds), "")
    if kind not in _NETWORK_DISKS:
        return None
    return (
        f"{folder} is on a network disk ({kind}), where two programs that write at once may "
        "damage a library. Use it from one machine at a time, or keep it on a local disk."
    )


def lock_holder(database: Path, locks: str | None = None) -> str | None:
    """Return the program that holds a lock on a database, with its process id, or None.

    ``locks`` is the text of Linux's /proc/locks (proc(5)), which is read by default. On other
    systems the result is None.
    """
    try:
        if locks is None:
            locks = Path("/proc/locks").read_text(encoding="ascii", errors="replace")
        number = database.stat().st_ino
    except OSError:
        return None
    for line in locks.splitlines():
        # 1: POSIX  ADVISORY  WRITE 4711 08:01:1234 1073741825 1073741825
        _, _, _, kind, process, place, *_ = [*line.replace("->", "").split(), *[""] * 6]
        is_here = place.rpartition(":")[2] == str(number)
        if is_here and kind == "WRITE" and process != str(os.getpid()):
            return f"{_program(process)} (process {process})"
    return None


def _program(process: str) -> str:
    try:
        command = Path(f"/proc/{process}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return "another program"
    names = [Path(word).name for word in command if word and not word.startswith("-")]
    return clean(" ".join(names[:3]))[:60] or "another program"
