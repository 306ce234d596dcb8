"""How the folders of several devices come together: each takes the ways of a real program."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

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
}


def git(folder: Path, *arguments: str) -> str:
    """Run git as its user does; return what it prints."""
    ran = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        env=_ENVIRON,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"git {' '.join(arguments)}: {ran.stdout}{ran.stderr}"
    return ran.stdout.strip()


def copied(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """As any program does that syncs folders, and never sees two versions of one file."""
    for one in who:
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
            git(folders[name], "pull", "-q", *how, "--allow-unrelated-histories", "origin", "main")
        git(folders[name], "push", "-q", "origin", "HEAD:main")


def by_a_forge(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """The button of a forge: a textual merge in a bare repository, without driver or attributes."""
    for name in choose.sample(list(who), len(who)):
        _commit(folders[name])
        git(folders[name], "push", "-q", "--force", "origin", f"HEAD:refs/heads/{name}")
        _press_the_button(_hub(folders[name]), name)
    for name in who:
        git(folders[name], "pull", "-q", "--rebase", "origin", "main")


def _press_the_button(hub: Path, branch: str) -> None:
    if not git(hub, "branch", "--list", "main"):
        git(hub, "branch", "main", branch)
        return
    tree = git(hub, "merge-tree", "--write-tree", "--allow-unrelated-histories", "main", branch)
    parents = ("-p", "main", "-p", branch)
    commit = git(hub, "commit-tree", tree, *parents, "-m", f"Merge {branch}")
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
