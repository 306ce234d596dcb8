"""kill -9 of ``sync --git`` at each git that it runs, and within it: the next sync completes it."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus import WHOLE
from tests.crash.cases import Case
from tests.crash.runner import Done
from tests.crash.state import put_back
from tests.crash.trials import Bench

KILLS = int(os.environ.get("PAPERTRACK_GIT_KILLS", "5" if WHOLE else "1"))
"""How many of each kind are drawn by lot; 0 tries all."""
MINE, THEIRS = "2309.10001", "2403.10004"
"""Rows beside each other in a list: git alone could not merge what both devices wrote there."""
SHIM = """\
#!/bin/sh
# Counts the gits of one command; at one of them papertrack is killed, before, within or after.
number=$(($(cat "$GIT_COUNT") + 1))
echo $number > "$GIT_COUNT"
[ "$GIT_HOW" != told ] || { export LD_PRELOAD="$CALLS" CALLS_FOLDER="$CALLS_BELOW" CALLS_KILL=0
    CALLS_TOLD="$GIT_COUNT.$number" exec "$GIT" "$@"; }
[ $number = "$GIT_AT" ] || exec "$GIT" "$@"
case $GIT_HOW in
before) kill -9 $PPID ;;
after) "$GIT" "$@" > /dev/null 2>&1; kill -9 $PPID ;;
*)  LD_PRELOAD="$CALLS" CALLS_FOLDER="$CALLS_BELOW" CALLS_KILL="$GIT_HOW" "$GIT" "$@" \\
        > /dev/null 2>&1
    [ $? -lt 128 ] || kill -9 $PPID ;;
esac
exit 1
"""


class Two:
    """Two devices and what both push to; this one's next ``sync --git`` has something to do."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.start = bench.scratch / "git-start"
        self._environ = dict(bench.environ)
        self.list_then = ""
        """What the list says after an undisturbed sync."""
        self._shim()
        if not self.start.exists():
            self._make()

    def _shim(self) -> None:
        folder = self.bench.scratch / "shim"
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(SHIM)
        (folder / "git").chmod(0o755)
        self.count = self.bench.scratch / "gits"
        self.environ = self._environ | {
            "PATH": f"{folder}:{self._environ['PATH']}",
            "GIT": shutil.which("git") or "git",
            "GIT_COUNT": str(self.count),
            "CALLS": str(self.bench.runner.scratch / "calls.so"),
            "CALLS_BELOW": str(self.bench.folder),
        }
        for who in ("AUTHOR", "COMMITTER"):
            self.environ |= {f"GIT_{who}_NAME": "r", f"GIT_{who}_EMAIL": "r@example.org"}
        self.bench.environ = self.environ

    def _make(self) -> None:
        put_back(self.bench.start(Case("list")), self.bench.folder)
        here, there = self.bench.library, self.bench.folder / "there"
        hub = self.bench.folder / "hub.git"
        for command in (
            f"init -q --bare -b main {hub}",
            f"init -q -b main {here}",
            f"-C {here} remote add origin {hub}",
        ):
            self._git(command)
        assert self.run("share on --private nothing").code == 0
        assert self.run("sync --git").code == 0
        self._git(f"clone -q {hub} {there}")
        assert self.run(f"--library {there} trust {there}").code == 0
        on = "share on --private nothing --document README.md"
        assert self.run(f"--library {there} {on}").code == 0
        assert self.run(f"--library {there} pass {THEIRS} 2 --takeaway x-theirs").code == 0
        (there / "notes").mkdir(exist_ok=True)
        (there / "notes" / "new.md").write_text("# A note of theirs\n" * 50)
        assert self.run(f"--library {there} sync --git").code == 0
        assert self.run(f"pass {MINE} 3 --takeaway x-mine").code == 0
        assert self.run("export --md").code == 0
        # What the list is told of only by the sync is committed after the merge.
        assert self.run(f"edit {MINE} code=https://example.com/mine").code == 0
        shutil.copytree(self.bench.folder, self.start, symlinks=True)

    def _git(self, command: str) -> None:
        git = self.environ["GIT"]
        subprocess.run([git, *command.split()], check=True, env=os.environ, capture_output=True)

    def run(self, command: str, at: int = 0, how: str = "before") -> Done:
        """Run a command, of which git number ``at`` brings a kill."""
        self.count.write_text("0\n")
        self.bench.environ = self.environ | {"GIT_AT": str(at), "GIT_HOW": how}
        return self.bench.run(command)

    def gits(self) -> dict[int, int]:
        """Number of each git that an undisturbed sync runs → how often it asks the disk for a
        change: of the programs that it starts that one which does so most often."""
        put_back(self.start, self.bench.folder)
        for told in self._told():
            told.unlink()
        assert self.run("sync --git", how="told").code == 0
        self.list_then = (self.bench.library / "README.md").read_text()
        calls = dict.fromkeys(range(1, int(self.count.read_text()) + 1), 0)
        for told in self._told():
            calls[int(told.suffix[1:])] = max(map(int, told.read_text().split()))
        return calls

    def _told(self) -> list[Path]:
        return list(self.count.parent.glob(f"{self.count.name}.*"))

    def wrong_after(self, at: int, how: str) -> list[str]:
        """What is wrong after a kill, and another sync of both."""
        put_back(self.start, self.bench.folder)
        self.run("sync --git", at, how)
        again = self.run("sync --git")
        there = self.run(f"--library {self.bench.folder / 'there'} sync --git")
        found = [f"{one.code}: {one.err}" for one in (again, there) if one.code]
        return [f"git {at}, {how}: {one}" for one in (*found, *self._lost())]

    def _lost(self) -> Iterator[str]:
        folders = self.bench.library, self.bench.folder / "there"
        for folder in folders:
            said = "".join(path.read_text() for path in sorted(folder.glob("papers/*.toml")))
            for word in ('"x-mine"', '"x-theirs"'):
                if said.count(word) != 1:
                    yield f"{folder.name}: {word} is there {said.count(word)} times"
            if not (folder / "notes" / "new.md").exists():
                yield f"{folder.name}: the note is gone"
            if (folder / "README.md").read_text() != self.list_then:
                yield f"{folder.name}: the list is not as without a kill"


@pytest.fixture(scope="module")
def two(bench: Bench) -> Iterator[Two]:
    environ = dict(bench.environ)
    yield Two(bench)
    bench.environ = environ


def drawn(places: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return places if not KILLS else random.Random(1).sample(places, min(KILLS, len(places)))


def test_two_lists_are_merged_within_the_merge(two: Two) -> None:
    put_back(two.start, two.bench.folder)
    assert two.run("sync --git").code == 0
    rows = (two.bench.library / "README.md").read_text().splitlines()
    mine, theirs = (next(row for row in rows if one in row) for one in (MINE, THEIRS))
    assert mine.count("✅") == 3
    assert "example.com/mine" in mine
    assert theirs.count("✅") == 2


def test_a_kill_between_two_gits_is_made_up_for(two: Two) -> None:
    places = [(at, how) for at in two.gits() for how in ("before", "after")]
    assert [wrong for place in drawn(places) for wrong in two.wrong_after(*place)] == []


def test_a_kill_within_a_git_is_made_up_for(two: Two) -> None:
    gits = two.gits()
    # Fetch, commit, merge and push all write much.
    assert sum(calls >= 20 for calls in gits.values()) >= 4, gits
    places = [(at, str(n + 1)) for at, calls in gits.items() for n in range(calls)]
    assert [wrong for place in drawn(places) for wrong in two.wrong_after(*place)] == []
