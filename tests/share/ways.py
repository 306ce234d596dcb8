"""How the folders of several devices come together: each takes the ways of a real program."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from papertrack.actions.resolve import resolve_file
from papertrack.documents.torn import take_apart
from papertrack.library import Library
from tests.share.with_readme import NAME

Folders = dict[str, Path]
"""Device → its folder of the library."""
Way = Callable[[Folders, Sequence[str], random.Random], None]
"""Brings together what these devices have, of all folders."""

_ENVIRON = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_NAME": "reader" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "reader@example.org" for who in ("AUTHOR", "COMMITTER")},
    "GIT_EDITOR": "true",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git as its user does; return what it prints."""
    ran = _run(folder, *arguments)
    assert ran.returncode == 0, f"git {' '.join(arguments)}: {ran.stdout}{ran.stderr}"
    return ran.stdout.strip()


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "-C", str(folder), *arguments],
        env=_ENVIRON,
        capture_output=True,
        text=True,
        check=False,
    )


def copied(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """As any program does that syncs folders. Of logs it never sees two versions; of a list that
    several wrote the first one's is the latest, and takes the place of all."""
    lists = [folders[one] / NAME for one in who if (folders[one] / NAME).exists()]
    latest = lists[0].read_bytes() if lists else None
    for one in who:
        if latest is not None:
            (folders[one] / NAME).write_bytes(latest)
        for other in who:
            own = folders[other] / "journal" / other
            if one != other and own.is_dir():
                shutil.copytree(own, folders[one] / "journal" / other, dirs_exist_ok=True)


def merged(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """``git merge``: each pulls what the others pushed, and pushes."""
    _pulled(folders, who, choose, "--no-rebase", "--no-edit")


def rebased(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """``git rebase``: each puts its own on top of what the others pushed."""
    _pulled(folders, who, choose, "--rebase")


def _pulled(folders: Folders, who: Sequence[str], choose: random.Random, *how: str) -> None:
    # The second time each has what those pushed that came after it.
    for name in [*choose.sample(list(who), len(who)), *who]:
        _commit(folders[name])
        if git(_hub(folders[name]), "branch", "--list", "main"):
            pull(folders[name], *how, "--allow-unrelated-histories")
        git(folders[name], "push", "-q", "origin", "HEAD:main")


def pull(folder: Path, *how: str) -> None:
    """Pull, and finish by entries what git tears of lists."""
    ran = _run(folder, "pull", "-q", *how, "origin", "main")
    while ran.returncode:
        torn = git(folder, "diff", "--name-only", "--diff-filter=U").split()
        assert set(torn) == {NAME}, f"{torn}: {ran.stdout}{ran.stderr}"
        _finish(folder / NAME)
        git(folder, "add", NAME)
        is_rebase = (folder / ".git" / "rebase-merge").is_dir()
        on = ("rebase", "--continue") if is_rebase else ("commit", "-q", "--no-edit")
        ran = _run(folder, *on)


def _finish(path: Path) -> None:
    """As ``sync --resolve``; of what contradicts the reader takes what stands here."""
    resolve_file(Library(path.parent), path)
    if torn := take_apart(path.read_bytes()):
        path.write_bytes(torn.ours)


def by_a_forge(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """The button of a forge: a textual merge in a bare repository, without driver or attributes."""
    for name in choose.sample(list(who), len(who)):
        _commit(folders[name])
        git(folders[name], "push", "-q", "--force", "origin", f"HEAD:refs/heads/{name}")
        _press_the_button(folders[name], name)
    for name in who:
        pull(folders[name], "--rebase")


def _press_the_button(folder: Path, branch: str) -> None:
    hub = _hub(folder)
    if not git(hub, "branch", "--list", "main"):
        git(hub, "branch", "main", branch)
        return
    merge = ("merge-tree", "--write-tree", "--allow-unrelated-histories")
    ran = _run(hub, *merge, "main", branch)
    if ran.returncode:
        # It says that there are conflicts, which are to be settled at home.
        pull(folder, "--no-rebase", "--no-edit", "--allow-unrelated-histories")
        git(folder, "push", "-q", "origin", "HEAD:main")
        return
    parents = ("-p", "main", "-p", branch)
    commit = git(hub, "commit-tree", ran.stdout.strip(), *parents, "-m", f"Merge {branch}")
    git(hub, "update-ref", "refs/heads/main", commit)


def _commit(folder: Path) -> None:
    if not (folder / ".git").is_dir():
        _hub(folder)
        git(folder, "init", "-q", "-b", "main")
        git(folder, "remote", "add", "origin", str(_hub(folder)))
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Work")


def _hub(folder: Path) -> Path:
    hub = folder.parent / "hub.git"
    if not hub.is_dir():
        git(folder.parent, "init", "-q", "--bare", "-b", "main", str(hub))
    return hub


WAYS: list[Way] = [copied, merged, rebased, by_a_forge]
