"""Trust: whether a library is the user's own, or was cloned, copied or unpacked.

A library is trusted if its user made it on this machine or trusted it once, as with git's
safe.directory and direnv. Trust is bound to the folder (its path and inode) and to the settings
that run programs, send secrets or name hosts. If one of these changes, the user is asked again,
whoever changed it.

The hosts of feeds come with topics, which others can share. A host is only requested if its user
accepted it: by adding the feed, with ``topic edit NAME --accept``, or, on a CI runner, in
$PAPERTRACK_FEED_HOSTS. The list of accepted hosts is never shared.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import ConflictError, PapertrackError
from papertrack.library import (
    Library,
    git_folders,
    is_of_repository,
    is_shared,
    personal_folder,
    state_folder,
)
from papertrack.library.files import make_folder, write_file

FEED_HOSTS = "PAPERTRACK_FEED_HOSTS"
_FILE = "trusted.json"
_HOSTS_FILE = "feed-hosts.json"
_HOST = r"[a-z0-9._-]{1,253}(?::[0-9]{1,5})?"
_LOCK = "trusted.lock"
_LOCK_SECONDS = 10


class TrustedFolder(NamedTuple):
    """The user's decision about one folder."""

    inode: int
    settings: str
    """The digest of the trusted settings."""


def is_trusted(library: Library) -> bool:
    """Return whether the folder is the user's own, whatever its settings are."""
    return _find(library) is not None or _is_personal(library)


def has_trusted(library: Library, settings: Mapping[str, object]) -> bool:
    """Return whether the user has trusted these settings of the library."""
    trusted = _find(library)
    return trusted is not None and trusted.settings == _digest(settings)


def trust(library: Library, settings: Mapping[str, object]) -> None:
    """Record that the library is trusted, with these of its settings.

    Raises PapertrackError if that cannot be written.
    """
    with _locked():
        folders = _read()
        folders[_name(library)] = TrustedFolder(library.root.stat().st_ino, _digest(settings))
        _write(folders)


def distrust(library: Library) -> bool:
    """Record that the library is no longer trusted; return whether it was.

    Raises PapertrackError.
    """
    with _locked():
        folders = _read()
        was_trusted = folders.pop(_name(library), None) is not None
        if was_trusted:
            _write(folders)
    return was_trusted


def refuse_outside(library: Library, path: Path) -> None:
    """Raise PapertrackError if a path leads out of a library that is not trusted.

    An attacker may have made the link or path to have another file overwritten. In any library, a
    path into git's own folder is refused, because git's settings can run programs.
    """
    if library.holds(path):
        return
    if is_of_repository(Path(os.path.realpath(path))):
        raise PapertrackError(
            f"{path} belongs to git, not to the library. Nothing was written. Whoever chose this "
            "path may want to run a program on your machine: check where the library comes from."
        )
    if is_trusted(library):
        return
    raise PapertrackError(
        f"{path} leads out of the library, to {os.path.realpath(path)}, and this library is not "
        "trusted yet. Nothing was written. If it is yours, or you know its "
        f"maker: `papertrack config --trust {library.root}`."
    )


def refuse_link(path: Path, *homes: Path) -> None:
    """Refuse a link as the name of a file to write, unless it leads into one of these folders.

    Somebody else may have made it. Without ``homes``, it may lead to files beside it, but not into
    git's folder. Raises ConflictError.
    """
    real = Path(os.path.realpath(path))
    folders = [os.path.realpath(home) for home in homes or (path.parent,)]
    inside = [real.relative_to(folder) for folder in folders if real.is_relative_to(folder)]
    if not inside or any(map(is_of_repository, inside)):
        raise ConflictError(
            f"{path} is, or lies behind, a symbolic link to {real}, which is elsewhere. Nothing "
            "was written: name that file itself."
        )


def refuse_planted(library: Library, path: Path) -> None:
    """Raise PapertrackError as ``refuse_outside`` does, and for links to papertrack's own files.

    Links are refused if others can put them there.
    """
    refuse_outside(library, path)
    if not path.is_relative_to(library.root) or not (is_shared(library) or not is_trusted(library)):
        return
    if os.path.realpath(path) != str(
        Path(os.path.realpath(library.root)) / path.relative_to(library.root)
    ):
        raise PapertrackError(
            f"{path} is, or lies behind, a link, in a library that others can write. Nothing was "
            "written: remove the link, and run this again."
        )


def refuse_links_out(library: Library) -> None:
    """Raise PapertrackError if papertrack's own files would be outside an untrusted library.

    For a shared library, they must be in its ``.git`` folder.
    """
    for path in library.own_files:
        refuse_outside(library, path)
    folders = git_folders(Path(os.path.realpath(library.root)))
    if folders is None or not is_shared(library):
        return
    git_dir, real = str(folders[0] / ".git"), os.path.realpath(library.private)
    is_plain = os.path.realpath(git_dir) == git_dir and folders[1] == folders[0] / ".git"
    if not ((is_plain and os.path.commonpath((git_dir, real)) == git_dir) or is_trusted(library)):
        raise PapertrackError(
            f"git's folder of {library.root} leads to {real}, and this library is not trusted "
            "yet. Nothing was read or written there. If it is yours, or you know its maker: "
            f"`papertrack config --trust {library.root}`."
        )


def _find(library: Library) -> TrustedFolder | None:
    trusted = _read().get(_name(library))
    try:
        is_same = trusted is not None and trusted.inode == library.root.stat().st_ino
    except OSError:
        return None
    return trusted if is_same else None


def _is_personal(library: Library) -> bool:
    """Return whether it is the personal library, in a folder that belongs to the user."""
    if _name(library) != os.path.realpath(personal_folder()):
        return False
    return not hasattr(os, "geteuid") or library.root.stat().st_uid == os.geteuid()


def _name(library: Library) -> str:
    return os.path.realpath(library.root)


def _digest(settings: Mapping[str, object]) -> str:
    import hashlib  # This import takes as long as a short command, and most do not need it.

    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()


def _read() -> dict[str, TrustedFolder]:
    """Return the decisions about all folders; empty if the file is missing or invalid."""
    try:
        data = json.loads((state_folder() / _FILE).read_bytes())
        return {n: TrustedFolder(entry["inode"], entry["settings"]) for n, entry in data.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return {}


@contextmanager
def _locked() -> Iterator[None]:
    """Lock the list of trusted libraries, so that no change of another process is lost."""
    from filelock import FileLock, Timeout  # Most commands do not change the list.

    lock = FileLock(state_folder() / _LOCK)
    try:
        make_folder(state_folder())
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout:
        raise PapertrackError(
            "Another papertrack is changing the list of trusted libraries. Run again."
        ) from None
    except OSError:
        pass  # Without permission to lock, writing fails too and reports it.
    try:
        yield
    finally:
        lock.release()


def _write(folders: Mapping[str, TrustedFolder]) -> None:
    plain = {name: folder._asdict() for name, folder in folders.items()}
    write_file(state_folder() / _FILE, json.dumps(plain, indent=1).encode())


def accepted_hosts() -> frozenset[str]:
    """Return the hosts of feeds that may be requested, in the form of ``host_of_feed``.

    Each is there with and without ``www.``, because many sites redirect between the two.
    """
    try:
        stored = json.loads((state_folder() / _HOSTS_FILE).read_bytes())
    except (OSError, ValueError):
        stored = []
    from_variable = os.environ.get(FEED_HOSTS, "").lower().replace(",", " ").split()
    hosts = [*from_variable, *filter(lambda host: isinstance(host, str), stored)]
    bare = {host.removeprefix("www.") for host in hosts if re.fullmatch(_HOST, host)}
    return frozenset(bare | {f"www.{host}" for host in bare})


def accept_hosts(hosts: Iterable[str]) -> list[str]:
    """Accept these hosts from now on; return those that were not accepted before.

    Raises PapertrackError if that cannot be written.
    """
    with _locked():
        accepted = accepted_hosts()
        new = sorted({host for host in hosts if re.fullmatch(_HOST, host)} - accepted)
        if new:
            write_file(state_folder() / _HOSTS_FILE, json.dumps(sorted(accepted | {*new})).encode())
    return new
