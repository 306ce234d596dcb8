"""Trust: whether a library is the reader's own, or a stranger's that was cloned, copied or
unpacked.

A library is trusted if its reader made it on this machine, or trusted it once, as with git's
safe.directory and direnv. Trust is bound to the folder (its path and inode) and to the settings
that run programs, send secrets or name hosts: if one of these changes, whoever edited the file, the
reader is asked again.

The hosts of feeds come with topics, from others too: one is asked only where its reader accepted
it, by adding the feed there, by ``topic edit NAME --accept``, or, on a runner, by naming it in
$PAPERTRACK_FEED_HOSTS. What was accepted never travels.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import PapertrackError
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
_SECONDS = 10


class Trusted(NamedTuple):
    """What the reader decided about one folder."""

    inode: int
    settings: str
    """The digest of the trusted settings."""


def is_trusted(library: Library) -> bool:
    """Return whether the folder is the reader's own, whatever its settings are."""
    return _find(library) is not None or _is_personal(library)


def has_trusted(library: Library, settings: Mapping[str, object]) -> bool:
    """Return whether the reader has trusted these settings of the library, by key."""
    found = _find(library)
    return found is not None and found.settings == _digest(settings)


def trust(library: Library, settings: Mapping[str, object]) -> None:
    """Record that the library is trusted, with these of its settings.

    Raises PapertrackError when that cannot be written.
    """
    with _alone():
        known = _read()
        known[_name(library)] = Trusted(library.root.stat().st_ino, _digest(settings))
        _write(known)


def distrust(library: Library) -> bool:
    """Record that the library is no longer trusted; return whether it was. Raises
    PapertrackError."""
    with _alone():
        known = _read()
        was = known.pop(_name(library), None) is not None
        if was:
            _write(known)
    return was


def refuse_outside(library: Library, path: Path) -> None:
    """Raise PapertrackError when a path leads out of a library that is not trusted, since a
    stranger may have chosen the link or path to have another file written; or when it leads from
    any library into git's own folder, whose settings can run programs."""
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


def refuse_planted(library: Library, path: Path) -> None:
    """Raise PapertrackError as ``refuse_outside`` does, and for any link on the way to a file that
    papertrack names itself, if others can put links there."""
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
    """Raise PapertrackError when files that papertrack writes for itself would be outside a library
    that is not trusted, or outside its ``.git`` folder."""
    for own in library.own_files:
        refuse_outside(library, own)
    found = git_folders(Path(os.path.realpath(library.root)))
    if found is None or not is_shared(library):
        return
    inside, real = str(found[0] / ".git"), os.path.realpath(library.private)
    is_plain = os.path.realpath(inside) == inside and found[1] == found[0] / ".git"
    if not ((is_plain and os.path.commonpath((inside, real)) == inside) or is_trusted(library)):
        raise PapertrackError(
            f"git's folder of {library.root} leads to {real}, and this library is not trusted "
            "yet. Nothing was read or written there. If it is yours, or you know its maker: "
            f"`papertrack config --trust {library.root}`."
        )


def _find(library: Library) -> Trusted | None:
    found = _read().get(_name(library))
    try:
        is_same = found is not None and found.inode == library.root.stat().st_ino
    except OSError:
        return None
    return found if is_same else None


def _is_personal(library: Library) -> bool:
    """Return whether it is the personal library, in a folder of the reader's own."""
    if _name(library) != os.path.realpath(personal_folder()):
        return False
    return not hasattr(os, "geteuid") or library.root.stat().st_uid == os.geteuid()


def _name(library: Library) -> str:
    return os.path.realpath(library.root)


def _digest(settings: Mapping[str, object]) -> str:
    import hashlib  # It costs as much as a short command, most of which trust nothing anew.

    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()


def _read() -> dict[str, Trusted]:
    """Return the decisions about all folders; empty if the file is missing or not the reader's."""
    try:
        said = json.loads((state_folder() / _FILE).read_bytes())
        return {name: Trusted(one["inode"], one["settings"]) for name, one in said.items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return {}


@contextmanager
def _alone() -> Iterator[None]:
    """Lock the list of trusted libraries, so that no other process's change is lost."""
    from filelock import FileLock, Timeout  # Most commands trust nothing anew.

    lock = FileLock(state_folder() / _LOCK)
    try:
        make_folder(state_folder())
        lock.acquire(timeout=_SECONDS)
    except Timeout:
        raise PapertrackError(
            "Another papertrack is changing the list of trusted libraries. Run again."
        ) from None
    except OSError:
        pass  # Where nobody may lock nobody may write either, and that is reported.
    try:
        yield
    finally:
        lock.release()


def _write(known: Mapping[str, Trusted]) -> None:
    plain = {name: one._asdict() for name, one in known.items()}
    write_file(state_folder() / _FILE, json.dumps(plain, indent=1).encode())


def accepted_hosts() -> frozenset[str]:
    """The hosts of feeds that may be asked, as ``identifiers.feeds.host_of_feed`` names them: each
    with ``www.`` and without, between which many sites redirect."""
    try:
        kept = json.loads((state_folder() / _HOSTS_FILE).read_bytes())
    except (OSError, ValueError):
        kept = []
    named = os.environ.get(FEED_HOSTS, "").lower().replace(",", " ").split()
    hosts = [*named, *filter(lambda one: isinstance(one, str), kept)]
    bare = {one.removeprefix("www.") for one in hosts if re.fullmatch(_HOST, one)}
    return frozenset(bare | {f"www.{host}" for host in bare})


def accept_hosts(hosts: Iterable[str]) -> list[str]:
    """Accept these hosts from now on; return those that were not accepted before.

    Raises PapertrackError when that cannot be written.
    """
    with _alone():
        known = accepted_hosts()
        new = sorted({one for one in hosts if re.fullmatch(_HOST, one)} - known)
        if new:
            write_file(state_folder() / _HOSTS_FILE, json.dumps(sorted(known | {*new})).encode())
    return new
