"""Writing files that belong to somebody: whole or not at all, and never over unseen changes."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from papertrack.errors import ConflictError, NotFoundError, PapertrackError


def read_file(path: Path) -> bytes:
    """The bytes of a file that the user named.

    Raises NotFoundError when it is not there, PapertrackError when it is not a plain file or cannot
    be read.
    """
    try:
        # A device may have no end, and a pipe may never begin.
        if not path.is_file() and not path.is_dir() and path.exists():
            raise PapertrackError(f"{path} is not a plain file. Copy what it holds into one first.")
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}. Check the name.") from None
    except IsADirectoryError:
        raise PapertrackError(f"{path} is a folder. Name a file in it.") from None
    except OSError as error:
        raise PapertrackError(
            f"{path} could not be read: {error.strerror or error}. Check its permissions."
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """Put ``data`` in a file, atomically and synced to disk.

    An existing file keeps its permissions; a symbolic link stays one, and what it names is
    written. Raises PapertrackError when that fails, with the old file unharmed.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.stat().st_mode & 0o222:
            # A rename would get past the write protection that the user has set.
            raise PermissionError(errno.EACCES, "it is read-only")
        replace_whole(target, data)
    except OSError as error:
        outcome = "It was left as it is." if path.exists() else "Nothing was written."
        raise PapertrackError(
            f"{path} could not be written: {error.strerror or error}. {outcome}"
        ) from error


def replace_file(path: Path, seen: bytes, data: bytes) -> None:
    """``write_file`` for a file that others edit too: only while it still holds ``seen``.

    Raises ConflictError when it has changed since then.
    """
    if read_file(path) != seen:
        raise ConflictError(
            f"{path} has changed while papertrack worked on it. Nothing was written; run again."
        )
    write_file(path, data)


def replace_whole(target: Path, data: bytes) -> None:
    """Put ``data`` in a plain file, atomically and synced to disk. Raises OSError."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        else:
            temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _umask() -> int:
    # The mask can only be read by setting it; mkstemp's own mode (0600) would hide new files.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    # Without it a power cut may undo the rename; Windows cannot open folders and needs no sync.
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
