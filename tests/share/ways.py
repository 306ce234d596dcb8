"""How the folders of several devices come together: each takes the ways of a real program."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from papertrack.actions.resolve import merge_torn
from papertrack.documents.torn import take_apart
from papertrack.library import Library
from tests.share.with_readme import LISTS

Folders = dict[str, Path]
"""Device → its folder of the library."""
Way = Callable[[Folders, Sequence[str], random.Random], None]
"""Brings together what these devices have, of all folders."""

_CONFIG = {"gc.auto": "0", "core.fsync": "none", "advice.detachedHead": "false"}
_ENVIRON = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": str(len(_CONFIG)),
    **{f"GIT_CONFIG_KEY_{n}": key for n, key in enumerate(_CONFIG)},
    **{f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(_CONFIG.values())},
    **{f"GIT_{who}_NAME": "reader" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "reader@example.org" for who in ("AUTHOR", "COMMITTER")},
    "GIT_EDITOR": "true",
}
_MARKERS = re.compile(rb"^(<{7}|={7}|>{7}).*\n", re.MULTILINE)


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
        stdin=subprocess.DEVNULL,
    )


def copied(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """As any program does that syncs folders. Of logs it never sees two versions; of a list or a
    note that several wrote the first one's is the latest, and takes the place of all."""
    for name in {name for one in who for name in _shared_files(folders[one])}:
        latest = next(folders[one] / name for one in who if (folders[one] / name).exists())
        data = latest.read_bytes()
        for one in who:
            (folders[one] / name).parent.mkdir(exist_ok=True)
            (folders[one] / name).write_bytes(data)
    for one in who:
        for other in who:
            own = folders[other] / "journal" / other
            if one != other and own.is_dir():
                copy = folders[one] / "journal" / other
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(own, copy)


def _shared_files(folder: Path) -> Iterator[str]:
    yield from (name for name in LISTS if (folder / name).exists())
    yield from (path.relative_to(folder).as_posix() for path in folder.glob("notes/*.md"))


def merged(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """``git merge``: each pulls what the others pushed, and pushes."""
    _pulled(folders, who, choose, "merge", "-q", "--no-edit")


def rebased(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """``git rebase``: each puts its own on top of what the others pushed."""
    _pulled(folders, who, choose, "rebase", "-q")


def _pulled(folders: Folders, who: Sequence[str], choose: random.Random, *how: str) -> None:
    # The second time each has what those pushed that came after it.
    for name in [*choose.sample(list(who), len(who)), *who]:
        clone = Clone(folders[name])
        clone.commit()
        clone.pull(*how)
        clone.push()


def by_a_forge(folders: Folders, who: Sequence[str], choose: random.Random) -> None:
    """The button of a forge: a textual merge in a bare repository, without driver or attributes."""
    for name in choose.sample(list(who), len(who)):
        clone = Clone(folders[name])
        clone.commit()
        clone.press_the_button()
    for name in who:
        Clone(folders[name]).pull("rebase", "-q")


class Clone:
    """The folder of a device as a clone. All of them are worktrees of one repository, so that
    pulling is merging, and pushing is one file: what travels between repositories is git's."""

    _committed: ClassVar[dict[Path, dict[str, bytes]]] = {}
    """Folder → its files, as they were when git saw them last."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, folder.name
        self.hub = folder.parent / "hub.git"
        if not self.hub.is_dir():
            git(folder.parent, "init", "-q", "--bare", "-b", "main", str(self.hub))
            tree = git(self.hub, "hash-object", "-w", "-t", "tree", "--stdin")
            self._set("main", git(self.hub, "commit-tree", tree, "-m", "Begin"))
        if not (folder / ".git").exists():
            self._make()

    def _make(self) -> None:
        inside = self.hub / "worktrees" / self.name
        inside.mkdir(parents=True)
        (inside / "HEAD").write_text(f"ref: refs/heads/{self.name}\n")
        (inside / "commondir").write_text("../..\n")
        (inside / "gitdir").write_text(f"{self.folder}/.git\n")
        (self.folder / ".git").write_text(f"gitdir: {inside}\n")
        self._set(self.name, git(self.hub, "rev-list", "--max-parents=0", "main"))

    def _head(self, branch: str) -> str:
        return (self.hub / "refs" / "heads" / branch).read_text().strip()

    def _set(self, branch: str, commit: str) -> None:
        (self.hub / "refs" / "heads" / branch).write_text(commit + "\n")

    def commit(self) -> None:
        """Commit all that the library keeps in git, if anything changed."""
        if self._files() != self._committed.get(self.folder):
            git(self.folder, "add", "-A")
            git(self.folder, "commit", "-q", "--allow-empty", "-m", "Work")
            self._remember()

    def _files(self) -> dict[str, bytes]:
        names = (*_shared_files(self.folder), ".gitignore", ".gitattributes")
        paths = [self.folder / name for name in names if (self.folder / name).exists()]
        paths += [path for path in self.folder.glob("journal/**/*") if path.is_file()]
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}

    def _remember(self) -> None:
        self._committed[self.folder] = self._files()

    def pull(self, *how: str) -> None:
        """Take in what is on the main branch, and finish what git tears."""
        if self._head("main") == self._head(self.name):
            return
        ran = _run(self.folder, *how, "main")
        while ran.returncode:
            torn = git(self.folder, "diff", "--name-only", "--diff-filter=U").split()
            assert torn, f"{ran.stdout}{ran.stderr}"
            for name in torn:
                _finish(self.folder / name)
            git(self.folder, "add", *torn)
            on = ("commit", "--no-edit") if how[0] == "merge" else ("rebase", "--continue")
            ran = _run(self.folder, *on)
        self._remember()

    def push(self) -> None:
        """Let the main branch be what this one is."""
        self._set("main", self._head(self.name))

    def press_the_button(self) -> None:
        """Have the forge merge this branch into the main one; what it cannot is settled at home."""
        if self._head("main") == self._head(self.name):
            return
        ran = _run(self.hub, "merge-tree", "--write-tree", "main", self.name)
        if ran.returncode:
            self.pull("merge", "-q", "--no-edit")
            self.push()
            return
        parents = ("-p", "main", "-p", self.name)
        tree = ran.stdout.strip()
        self._set("main", git(self.hub, "commit-tree", tree, *parents, "-m", f"Merge {self.name}"))


def _finish(path: Path) -> None:
    """As ``sync --resolve`` does with a list; of what contradicts the reader takes what stands
    here, and of a note what both wrote."""
    if path.name in LISTS:
        if resolved := merge_torn(Library(path.parent), path):
            path.write_bytes(resolved.merged)
        if torn := take_apart(path.read_bytes()):
            path.write_bytes(torn.ours)
    else:
        assert path.parent.name == "notes", path
        path.write_bytes(_MARKERS.sub(b"", path.read_bytes()))


WAYS: list[Way] = [copied, merged, rebased, by_a_forge]
