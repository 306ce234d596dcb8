"""Write users' files: completely or not at all, and never over unread changes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

from papertrack.errors import ConflictError, NotFoundError, PapertrackError

MAX_BYTES = 512 * 2**20
"""The largest file that is read whole; in an archive, a sparse file takes no space."""
_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_LEFTOVER = ".papertrack-"
"""Part of a temporary file's name, before the id of the process that writes it."""


class NotAllowed(PapertrackError):
    """The user may not write this file, or the disk is read-only."""


class NotConfirmed(PapertrackError):
    """A file was replaced, but it is not known whether it survives a power cut."""


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that the user named.

    Raises NotFoundError if it does not exist, PapertrackError if it is not a plain file, is too
    large or cannot be read.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            # A device may have no end.
            if not stat.S_ISREG(status.st_mode):
                raise PapertrackError(
                    f"{path} is not a plain file. Copy its content into a plain file first."
                )
            if status.st_size > MAX_BYTES:
                raise PapertrackError(
                    f"{path} is larger than {MAX_BYTES // 2**20} MB, so it was not read."
                )
            return file.read()
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}. Check the name.") from None
    except IsADirectoryError:
        raise PapertrackError(f"{path} is a folder. Name a file in it.") from None
    except OSError as error:
        raise PapertrackError(
            f"{path} could not be read: {error.strerror or error}. Check its permissions."
        ) from error


def _open_at_once(name: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its writer."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def write_file(path: Path, data: bytes) -> None:
    """Write ``data`` to a file, atomically and synced to disk.

    An existing file keeps its permissions; a symbolic link stays, and its target is written. Raises
    PapertrackError on failure, with the old file unchanged: NotAllowed if a retry would fail too;
    NotConfirmed if the file was replaced, but the disk did not confirm it.
    """
    target = Path(os.path.realpath(path))
    try:
        make_folder(target.parent)
        if target.exists() and not target.stat().st_mode & 0o222:
            # Renaming would ignore the write protection.
            raise PermissionError(errno.EACCES, "it is read-only")
        replace_whole(target, data)
    except OSError as error:
        if _holds(target, data):
            raise NotConfirmed(
                f"{path} was written, but the disk did not confirm it "
                f"({error.strerror or error}): a power cut may bring back the previous version."
            ) from error
        result = "It was left as it is" if path.exists() else "Nothing was written"
        is_full = error.errno == errno.ENOSPC
        advice = "make room, and run again" if is_full else "check the permissions, or the disk"
        kind = NotAllowed if error.errno in _DENIED else PapertrackError
        raise kind(
            f"{path} could not be written: {error.strerror or error}. {result}: {advice}."
        ) from error


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def replace_file(path: Path, expected: bytes, data: bytes) -> None:
    """Write a file that others edit too, if it still contains ``expected`` (see ``write_file``).

    Raises ConflictError if it has changed.
    """
    if read_file(path) != expected:
        raise ConflictError(
            f"{path} changed while papertrack worked on it. Nothing was written; run again."
        )
    write_file(path, data)


def create_file(path: Path, data: bytes) -> bool:
    """Write ``data`` to a new file, atomically and synced to disk; return False if it exists.

    Raises OSError.
    """
    make_folder(path.parent)
    with _temporary_file(path, data) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:  # Some file systems have no hard links.
            with path.open("xb") as file:
                file.write(data)
                os.fsync(file.fileno())
    return True


def keep_copy(path: Path, data: bytes) -> Path:
    """Write a file's former content beside it under a free name, and return that path.

    No link is followed that somebody put there under such a name. Raises PapertrackError.
    """
    for number in count(1):
        copy = path.with_name(f"{path.name}.before-{number}")
        try:
            if create_file(copy, data):
                break
        except OSError as error:
            raise PapertrackError(
                f"{copy} could not be written: {error.strerror or error}. {path} was left as it is."
            ) from error
        with contextlib.suppress(OSError):
            if read_plain(copy, len(data) + 1) == data:
                break
    return copy


def replace_whole(target: Path, data: bytes) -> None:
    """Write ``data`` to a plain file, atomically and synced to disk. Raises OSError."""
    with _temporary_file(target, data) as temporary:
        temporary.replace(target)


@contextlib.contextmanager
def _temporary_file(target: Path, data: bytes) -> Iterator[Path]:
    """Yield a temporary file with these bytes, in the target's folder.

    It is removed at the end, and the folder is synced to disk.
    """
    # This import takes longer than many commands that only read.
    import tempfile

    remove_leftovers(target.parent)
    prefix = f"{temporary_name(target)}."
    descriptor, name = tempfile.mkstemp(prefix=prefix, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if target.exists():
                _copy_attributes(target, temporary)
            else:
                mask = os.umask(0o077)  # It can only be read by setting it.
                os.umask(mask)
                temporary.chmod(0o666 & ~mask)  # The mode of mkstemp, 0600, would hide new files.
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def temporary_name(target: Path) -> str:
    """Return the name of the temporary file for a target, by which a leftover is recognized."""
    return f".{target.name[:40]}{_LEFTOVER}{os.getpid()}"


def write_new(path: Path, data: bytes) -> None:
    """Write a file under a name that only papertrack uses, without following a link there."""
    path.unlink(missing_ok=True)
    with path.open("xb") as file:
        file.write(data)


def safe_path(root: Path, name: str) -> Path:
    """Return the path of a file in the library, or with ``/.`` at its end of a folder.

    Raises NotADirectoryError if it is no plain file, or a folder on its path is a link or a file.
    """
    path, parts = root, name.split("/")
    for depth, part in enumerate(parts, start=1):
        path = path / part
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        is_file = depth == len(parts) and part != "."
        if not (stat.S_ISREG(mode) if is_file else stat.S_ISDIR(mode)):
            raise NotADirectoryError(20, "is a link, or not a plain file", str(path))
    return path


def read_plain(path: Path, most: int) -> bytes | None:
    """Read up to ``most`` bytes of a file that others can replace; None if it does not exist.

    Raises OSError, also for a link.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(22, "is not a plain file", str(path))
        return file.read(most)


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files that killed writers left in a folder; running writers keep theirs.

    Files that cannot be checked or removed stay, which is harmless.
    """
    with contextlib.suppress(OSError):
        for path in leftovers(folder):
            path.unlink(missing_ok=True)


def leftovers(folder: Path) -> list[Path]:
    """Return temporary files that killed writers left in a folder."""
    return sorted(path for path in folder.glob(f".*{_LEFTOVER}*") if _is_leftover(path.name))


def _is_leftover(name: str) -> bool:
    # Imported here because leftovers are rare.
    from papertrack.foreign_database import is_alive

    writer = name.rpartition(_LEFTOVER)[2].partition(".")[0]
    return writer.isdecimal() and not is_alive(int(writer))


def _copy_attributes(old: Path, new: Path) -> None:
    """Give a new file the mode of the file that it will replace.

    It also gets the owner, group and extended attributes, where the system allows it. No document
    needs its owner's rights to run (setuid), which would be this user's if the owner changes.
    """
    status = old.stat()
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # Only root may change the owner.
            os.chown(new, status.st_uid, status.st_gid)
    for name, value in attributes_of(old).items():
        with contextlib.suppress(OSError):
            os.setxattr(new, name, value)
    new.chmod(status.st_mode & 0o777)


def not_kept(path: Path) -> tuple[str, ...]:
    """Return what a file will lose when it is replaced, in sentences in the past tense.

    It may lose other hard links, and an owner or group that the user may not set. Raises OSError.
    """
    status, sentences = path.stat(), []
    if status.st_nlink > 1:
        sentences.append(
            "it had another name (a hard link), which is now a separate file with the previous "
            "content. Link them again if they should be one."
        )
    if hasattr(os, "geteuid") and (user := os.geteuid()):
        if status.st_uid != user:
            sentences.append(
                "it belonged to another user and is yours now: only its owner can keep that."
            )
        if status.st_gid not in (os.getegid(), *os.getgroups()):
            sentences.append("its group has changed: you are not a member of the former one.")
    return tuple(sentences)


def attributes_of(path: Path) -> dict[str, bytes]:
    """Return the extended attributes of a file; none if the system has or shows none."""
    if not hasattr(os, "listxattr"):
        return {}
    with contextlib.suppress(OSError):
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    return {}


def attributes_lost(old_attributes: Mapping[str, bytes], path: Path) -> tuple[str, ...]:
    """Return a sentence, in the past tense, on attributes that the new file could not keep."""
    new_attributes = attributes_of(path)
    lost = sorted(n for n, value in old_attributes.items() if new_attributes.get(n) != value)
    sentence = f"the system did not let it keep these attributes: {', '.join(lost)}."
    return (sentence,) if lost else ()


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, synced to disk.

    Raises OSError.
    """
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for created in reversed(missing):
        sync_folder(created.parent)


def remove_file(path: Path) -> None:
    """Remove a file, if it exists, synced to disk. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk; else a power cut may undo a rename. Raises OSError."""
    # Windows cannot open folders and needs no sync.
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
