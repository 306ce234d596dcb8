"""The git repository that a shared library is in: committing, pulling and pushing there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.git import ask_git, need_git
from papertrack.actions.share.driver import DRIVER, driver_command
from papertrack.actions.share.unfinished import LOOK, rebasing, take_back
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.paths import find_repository
from papertrack.library.trust import is_trusted
from papertrack.text import few

_REACH = "See whether `git fetch` works by itself (address, key, password), and run this again."


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with a branch that is checked out."""

    folder: Path
    branch: str
    remote: str | None
    """Where it is pushed to; None for a repository that has no remote."""
    remote_branch: str

    @property
    def tracking(self) -> str:
        return f"refs/remotes/{self.remote}/{self.remote_branch}"


def open_repository(library: Library, device: str) -> Repository:
    """The repository of a library, which writes as this device, if git may be run in it, and
    nothing is half done there.

    Raises PapertrackError for a library that is not trusted, before anything of git is run, and for
    what git fails at; UsageError where there is no repository or no branch.
    """
    _refuse_untrusted(library)
    folder = find_repository(library.root.resolve())
    if folder is None:
        raise UsageError(f"{library.root} is in no git repository. Make one with `git init`.")
    take_back(library, folder, library.journal.resolve() / device)
    named = ask_git(folder, "symbolic-ref", "--quiet", "--short", "HEAD")
    if named.code:
        raise UsageError(f"No branch is checked out in {folder}: `git switch main`, for example.")
    branch = named.text
    merged = ask_git(folder, "config", f"branch.{branch}.merge").text
    remote_branch = merged.removeprefix("refs/heads/") or branch
    return Repository(folder, branch, _remote_of(folder, branch), remote_branch)


def _refuse_untrusted(library: Library) -> None:
    if not is_trusted(library):
        raise PapertrackError(
            f"{library.root} is not trusted, and git runs programs that a repository names. If it "
            f"is yours, or you know its maker: `papertrack trust {library.root}`."
        )


def _remote_of(folder: Path, branch: str) -> str | None:
    chosen = ask_git(folder, "config", f"branch.{branch}.remote").text
    remotes = need_git(folder, "remote", advice=LOOK).split()
    if chosen in remotes:
        return chosen
    return "origin" if "origin" in remotes else next(iter(remotes), None)


def commit(repository: Repository, paths: Sequence[Path], message: str) -> list[str]:
    """Commit what changed of these files and folders, and nothing else; return what it was.

    Raises PapertrackError when git refuses, as a hook may.
    """
    inside = [str(path) for path in paths if path.is_relative_to(repository.folder)]
    changed = _changed(repository.folder, "--untracked-files=all", "--", *inside)
    if changed:
        need_git(repository.folder, "add", "--", *changed, advice=LOOK)
        need_git(
            repository.folder,
            "commit",
            "--quiet",
            f"--message={message}",
            "--",
            *changed,
            advice=LOOK,
        )
    return changed


def uncommitted(library: Library, paths: Sequence[Path]) -> list[str]:
    """Which of these files of a library changed since they were committed, or never were; none of
    one that is in no repository, or that git is told to ignore.

    Raises PapertrackError for a repository that is not trusted, and for what git fails at.
    """
    folder = find_repository(library.root.resolve())
    if folder is None:
        return []
    _refuse_untrusted(library)
    real = [str(path.resolve()) for path in paths]
    return _changed(folder, "--untracked-files=all", "--", *real)


def _changed(folder: Path, *what: str) -> list[str]:
    out = need_git(folder, "status", "--porcelain", "--no-renames", "-z", *what, advice=LOOK)
    return [entry[3:] for entry in out.split("\0") if entry]


def committed_size(repository: Repository, path: Path) -> int:
    """How many bytes of a file are committed."""
    name = path.relative_to(repository.folder).as_posix()
    found = ask_git(repository.folder, "cat-file", "-s", f"HEAD:{name}")
    return 0 if found.code else int(found.text)


def fetch(repository: Repository) -> int:
    """Ask the remote what is new; return how many commits of others are not here.

    Raises PapertrackError when it cannot be reached, or wants to know something.
    """
    if repository.remote is None:
        return 0
    need_git(repository.folder, "fetch", "--quiet", repository.remote, advice=_REACH)
    return _count(repository, f"HEAD..{repository.tracking}")


def _count(repository: Repository, commits: str) -> int:
    """How many commits these are; none where there is no such branch yet."""
    found = ask_git(repository.folder, "rev-list", "--count", commits, "--")
    return 0 if found.code else int(found.text)


def rebase(repository: Repository) -> None:
    """Put the commits of this device on top of those of others.

    Raises PapertrackError, with all as it was, when files contradict each other, or others of the
    reader's are not committed.
    """
    if dirty := _changed(repository.folder, "--untracked-files=no"):
        raise PapertrackError(
            f"Others pushed, and git cannot take that in while {few(dirty)} changed and is not "
            "committed. Commit that, and run this again."
        )
    command = ("-c", f"{DRIVER}={driver_command()}", "rebase", "--quiet", repository.tracking)
    names: list[str] = []
    with rebasing(repository.folder, repository.branch):
        ran = ask_git(repository.folder, *command)
        if ran.code:
            torn = ask_git(repository.folder, "diff", "--name-only", "--diff-filter=U", "-z")
            names = [name for name in torn.text.split("\0") if name]
            need_git(repository.folder, "rebase", "--abort", advice=LOOK)
    if ran.code:
        raise PapertrackError(
            f"{few(names) or 'What is here'} contradicts what others pushed. All is "
            "committed here, and as it was. `git pull --rebase` shows where: settle it, "
            "`git rebase --continue`, and run this again."
        )


def push(repository: Repository) -> bool:
    """Push what is not pushed; return False when somebody else was faster.

    Raises PapertrackError when the remote refuses for another reason.
    """
    if repository.remote is None or not _is_ahead(repository):
        return True
    target = f"HEAD:refs/heads/{repository.remote_branch}"
    command = ("push", "--quiet", "--set-upstream", repository.remote, target)
    ran = ask_git(repository.folder, *command)
    if ran.code == 0:
        return True
    if fetch(repository):
        return False
    need_git(repository.folder, *command, advice=_REACH)
    return True


def _is_ahead(repository: Repository) -> bool:
    known = ask_git(repository.folder, "rev-parse", "--verify", "--quiet", repository.tracking)
    return bool(known.code) or _count(repository, f"{repository.tracking}..HEAD") > 0
