"""What a repository held at another commit: the base that a pull request is made against.

Git only reads here: names and contents of what is committed, without filters or programs of the
repository.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from papertrack.actions.git import ask_git
from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.library.paths import find_repository


class _Silent(PapertrackError):
    """A git command ended with "no", which it says by its exit code alone."""


@dataclass(frozen=True)
class Base:
    """A commit of a repository."""

    repository: Path
    commit: str

    def read(self, path: Path) -> bytes | None:
        """Return what a file held, or None where it was not there.

        Raises UsageError for a file that is outside of the repository.
        """
        name = self.name_of(path)
        if name not in self.files:
            return None
        return run_git(self.repository, "cat-file", "blob", f"{self.commit}:{name}")

    def name_of(self, path: Path) -> str:
        """Return how the repository calls a file. Raises UsageError where it is outside of it."""
        absolute = path.absolute()
        resolved = absolute.parent.resolve() / absolute.name
        if not resolved.is_relative_to(self.repository):
            raise UsageError(f"{path} is not in the repository {self.repository}: it has no base.")
        return resolved.relative_to(self.repository).as_posix()

    def has(self, path: Path) -> bool:
        """Return whether a file or folder was there; of what is outside, that it was."""
        from os.path import normpath

        target = Path(normpath(path))
        if not target.is_relative_to(self.repository):
            return True
        return target.relative_to(self.repository).as_posix() in self.places

    @cached_property
    def files(self) -> frozenset[str]:
        """The names of all files."""
        listing = run_git(self.repository, "ls-tree", "-r", "-z", "--name-only", self.commit)
        return frozenset(listing.decode("utf-8", "surrogateescape").split("\0")) - {""}

    @cached_property
    def places(self) -> Collection[str]:
        """The names of all files and folders."""
        folders = {str(parent) for name in self.files for parent in PurePosixPath(name).parents}
        return self.files | folders


def find_base(folder: Path, ref: str) -> Base:
    """Return the commit where what is checked out in ``folder`` left ``ref``, as a pull request
    sees it.

    Raises UsageError outside of a repository, NotFoundError for a ref that is not there, and
    PapertrackError where git fails or knows no such commit.
    """
    repository = find_repository(folder.resolve())
    if repository is None:
        raise UsageError(f"{folder} is in no git repository: --base has nothing to compare with.")
    try:
        name = f"{ref}^{{commit}}"
        found = run_git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except _Silent:
        raise NotFoundError(
            f"The repository {repository} has no {ref}. Fetch it first, as with "
            "`git fetch origin`, or name another base."
        ) from None
    try:
        merged = run_git(repository, "merge-base", found.decode().strip(), "HEAD")
    except _Silent:
        raise NotFoundError(
            f"{ref} and what is checked out have no common commit here. Fetch all of the history "
            "(`git fetch --unshallow`; in a workflow `fetch-depth: 0`)."
        ) from None
    return Base(repository, merged.decode().strip())


def run_git(repository: Path, *arguments: str) -> bytes:
    """Return what a git command prints. Raises PapertrackError when it fails or is not there."""
    ran = ask_git(repository, "-c", "core.fsmonitor=false", *arguments)
    if ran.code:
        kind = PapertrackError if ran.said else _Silent
        raise kind(f"`git {arguments[0]}` failed: {ran.said[:300] or ran.code}")
    return ran.out
