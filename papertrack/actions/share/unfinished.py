"""What a ``sync --git`` that was killed left in the repository, taken back by the next one.

All of the reader's is committed before git puts it on top of what others pushed: what is half done
then can be done again. Whatever git does not know is the reader's, and stays.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from papertrack.actions.git import SECONDS, ask_git, need_git
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.text import few

LOOK = "Look at `git status`, mend it, and run this again; nothing was lost."
_REBASING = "refs/papertrack/rebasing"
"""Where each branch was, while it is put on top of what others pushed."""
_STATES = ("rebase-merge", "rebase-apply")
_HEADS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_MARK = "sync-git"
_QUIET = 2.0
"""For how many seconds nothing changes once no git is at work any more."""


@contextmanager
def marked(library: Library) -> Iterator[Path]:
    """Leave a mark, to be touched before git writes, that only goes when all went well. Raises
    PapertrackError when it cannot be left."""
    mark = library.state_dir / _MARK
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
        yield mark
        mark.unlink()
    except OSError as error:
        raise PapertrackError(f"{mark} could not be written: {error.strerror}.") from error


def take_back(library: Library, folder: Path, own: Path) -> None:
    """Take back what a killed run left half done. The ``own`` log's folder holds nothing that the
    library does not: what was said since is written there again.

    Raises PapertrackError for what somebody else has begun, or where files changed since.
    """
    inside = Path(need_git(folder, "rev-parse", "--absolute-git-dir", advice=LOOK))
    _remove_locks(inside, library.state_dir / _MARK)
    listed = ("for-each-ref", "--format=%(refname) %(objectname)", _REBASING)
    found = need_git(folder, *listed, advice=LOOK).split()
    if not any((inside / name).exists() for name in (*_STATES, *_HEADS)):
        if found:
            need_git(folder, "update-ref", "-d", found[0], advice=LOOK)
    elif found and _said(inside, "orig-head") in (None, found[1]):
        _restore(folder, inside, (found[0], found[1]), own)
    else:
        raise PapertrackError(
            f"A merge or rebase is not finished in {folder}. `git status` says how to finish it or "
            "take it back; then run this again."
        )


@contextmanager
def rebasing(folder: Path, branch: str) -> Iterator[None]:
    """Remember where a branch is, while it is put elsewhere."""
    need_git(folder, "update-ref", f"{_REBASING}/{branch}", "HEAD", advice=LOOK)
    yield
    need_git(folder, "update-ref", "-d", f"{_REBASING}/{branch}", advice=LOOK)


def _remove_locks(inside: Path, mark: Path) -> None:
    """Remove what a git that was killed locked: nobody else can have done so since."""
    if not mark.exists():
        return
    begun = mark.stat().st_mtime
    found = _locks(inside)
    while any(time.time() - changed < _QUIET for changed in found.values()):
        time.sleep(_QUIET / 10)  # It may be at work still.
        found = _locks(inside)
    for lock, changed in found.items():
        if begun - 1 <= changed <= begun + SECONDS:
            lock.unlink(missing_ok=True)


def _locks(inside: Path) -> dict[Path, float]:
    """What is locked, with the times."""
    found: dict[Path, float] = {}
    for lock in (*inside.glob("*.lock"), *(inside / "refs").rglob("*.lock")):
        with suppress(FileNotFoundError):
            found[lock] = lock.stat().st_mtime
    return found


def _said(inside: Path, name: str) -> str | None:
    """What a rebase keeps under a name; None where it was killed before it wrote that."""
    with suppress(OSError):
        return (inside / "rebase-merge" / name).read_text("ascii").strip() or None
    return None


def _restore(folder: Path, inside: Path, told: tuple[str, str], own: Path) -> None:
    """Put branch and files back to where they were; the state of the rebase goes last, so that who
    is killed here is taken back as well."""
    ref, was = told
    onto = _said(inside, "onto") or was
    found = _unknown(folder, onto)
    if unknown := [name for name in found if (folder / name).parent != own]:
        raise PapertrackError(
            f"A rebase was killed in {folder}, and {few(unknown)} changed since. Put that aside, "
            "and run this again."
        )
    # What is half there of the new files goes with those of them that are there.
    for commit in (onto, was):
        need_git(folder, "read-tree", "--reset", "-u", commit, advice=LOOK)
    branch = "refs/heads/" + ref.removeprefix(_REBASING + "/")
    need_git(folder, "update-ref", branch, was, advice=LOOK)
    need_git(folder, "symbolic-ref", "HEAD", branch, advice=LOOK)
    for name in _HEADS:
        (inside / name).unlink(missing_ok=True)
    for name in _STATES:
        shutil.rmtree(inside / name, ignore_errors=True)
    need_git(folder, "update-ref", "-d", ref, advice=LOOK)


def _unknown(folder: Path, onto: str) -> list[str]:
    """Files with something in them that git does not know, in the places of those it writes."""
    theirs = set(_names(folder, "ls-tree", "-r", "--name-only", "-z", onto))
    changed = _names(folder, "ls-files", "--modified", "-z")
    others = _names(folder, "ls-files", "--others", "--exclude-standard", "-z")
    found = dict.fromkeys([*changed, *(name for name in others if name in theirs)])
    return [name for name in found if _has_own(folder, name)]


def _names(folder: Path, *arguments: str) -> list[str]:
    return [name for name in need_git(folder, *arguments, advice=LOOK).split("\0") if name]


def _has_own(folder: Path, name: str) -> bool:
    path = folder / name
    if not path.is_file() or not path.stat().st_size:
        return False
    blob = ask_git(folder, "hash-object", "--", name).text
    return bool(ask_git(folder, "cat-file", "-e", blob).code)
