"""Random histories of machines that share a library, and a model of what must come of them.

The model shares no code with papertrack: it knows who did what having seen what. Of a value that
is set the acts count that no later act on it has seen; of what is added, all that nobody who had
seen it took away.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papertrack.cli.app import run
from papertrack.library import Library
from papertrack.library.trust import trust

IDS = [f"24{month:02}.{number:05}" for month in range(1, 4) for number in (101, 202, 303)]
FIELDS = ("venue", "description", "comment")
NAMES = ("alice", "bob", "job")
SKEW = {"alice": "2026-11-28T10:{:02}:{:02}+00:00", "bob": "2026-11-28T08:{:02}:{:02}+00:00"}


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
    )


BACK = {"pass": "unpass", "tag": "untag", "file": "unfile"}
"""How what is taken back is noted."""


@dataclass(frozen=True)
class Act:
    """What one machine did, and the acts that it had seen by then."""

    number: int
    verb: str
    paper: str
    value: Any
    seen: frozenset[int]


@dataclass
class Machine:
    name: str
    folder: Path
    seen: set[int] = field(default_factory=set)
    shared: set[int] = field(default_factory=set)
    """What it had seen when it last synced."""
    told: Callable[[], str] = str
    done: list[int] = field(default_factory=list)
    """Acts that undo takes back, the last one last."""


class History:
    """Three clones of one library, and what was done in them."""

    def __init__(self, folder: Path, seed: int, read: Callable[[], str], made: Path) -> None:
        self.choose = random.Random(seed)
        self.read = read
        self.acts: dict[int, Act] = {}
        self.at = 10
        self.words: set[str] = set()
        for name in (*NAMES, "hub.git"):
            shutil.copytree(made / name, folder / name)
        self.hub = folder / "hub.git"
        self.machines = [Machine(name, folder / name) for name in NAMES]
        for machine in self.machines:
            git(machine.folder, "remote", "set-url", "origin", str(self.hub))
            trust(Library(machine.folder), {})  # Trust is in a folder, and a copy is another one.
        first = self.machines[0]
        for paper in IDS[:5]:
            self.note(first, "add", paper)
            self.note(first, "file", paper, "List")
        first.done.clear()
        for machine in self.machines:
            machine.seen, machine.shared = set(first.seen), set(first.seen)
        self.hub_seen = set(first.seen)
        self.editor = folder / "editor"
        self.editor.write_text('#!/bin/sh\necho "$WORD" >> "$1"\n')
        self.editor.chmod(0o755)

    # Doing.

    def run(self, machine: Machine, *arguments: str, fails: bool = False) -> int:
        self.at += 1
        clock = SKEW.get(machine.name, "2026-11-28T12:{:02}:{:02}+00:00")
        with environment(PAPERTRACK_NOW=clock.format(self.at // 60 % 60, self.at % 60)):
            code = run(["--library", str(machine.folder), *arguments])
        words = self.read()
        assert "internal error" not in words, words
        assert code in (0, 5) or fails, f"{machine.name}: {arguments}: {code}: {words}"
        return code

    def note(self, machine: Machine, verb: str, paper: str, value: Any = None) -> None:
        number = len(self.acts) + 1
        self.acts[number] = Act(number, verb, paper, value, frozenset(machine.seen))
        machine.seen.add(number)
        machine.done.append(number)

    def shown(self, machine: Machine, *arguments: str) -> Any:
        self.read()
        with environment(PAPERTRACK_NOW="2026-11-28T23:00:00+00:00"):
            run(["--library", str(machine.folder), *arguments, "--json"])
        return json.loads(self.read())

    def add(self, machine: Machine, paper: str) -> None:
        self.run(machine, "add", "--offline", paper)
        self.note(machine, "add", paper)

    def step(self) -> None:
        machine = self.choose.choice(self.machines)
        known = self.state(machine.seen)
        papers = sorted(known)
        verb = self.choose.choice(
            "pass pass tag tag untag edit edit discard save file move add merge rm undo rename "
            "write tick".split()
        )
        if verb == "add":
            # One that was removed comes back as a new paper, of which the model knows nothing.
            ever = {act.paper for act in self.acts.values() if act.verb == "add"}
            missing = [one for one in IDS if one not in ever]
            if missing:
                self.add(machine, self.choose.choice(missing))
            return
        if not papers:
            return
        names = self.choose.choice(papers)
        paper = names[0]
        token = f"t{len(self.acts) + 1}"
        if verb == "pass":
            number = str(self.choose.randint(1, 3))
            self.run(machine, "pass", paper, number, "--takeaway", token)
            self.note(machine, "pass", paper, (int(number), token))
        elif verb == "tag":
            self.run(machine, "tag", paper, f"+{token}")
            self.note(machine, "tag", paper, token)
        elif verb == "untag" and known[names]["tags"]:
            tag = self.choose.choice(sorted(known[names]["tags"]))
            self.run(machine, "tag", paper, f"-{tag}")
            self.note(machine, "untag", paper, tag)
        elif verb == "edit":
            name = self.choose.choice(FIELDS)
            self.run(machine, "edit", paper, f"{name}={token}")
            self.note(machine, "edit", paper, (name, token))
        elif verb == "discard":
            self.run(machine, "discard", paper, "--reason", token)
            self.note(machine, "edit", paper, ("decision", f"discarded {token}"))
        elif verb == "save" and str(known[names]["decision"]) != "{'saved'}":
            self.run(machine, "save", paper)
            shared = self.state(machine.shared).items()
            # One that was saved before it was discarded here is as it was, which is no change.
            is_back = [of["decision"] for those, of in shared if paper in those] == [{"saved"}]
            self.note(machine, "edit", paper, ("decision", "" if is_back else "saved"))
        elif verb == "file":
            self.run(machine, "move", paper, "--also", "--category", token)
            self.note(machine, "file", paper, token)
        elif verb == "move":
            self.run(machine, "move", paper, "--category", token)
            for old in known[names]["categories"]:
                self.note(machine, "unfile", paper, old.split("-")[0])
            self.note(machine, "file", paper, token)
            machine.done.clear()
        elif verb == "write":
            with environment(EDITOR=str(self.editor), VISUAL=str(self.editor), WORD=token):
                self.run(machine, "note", paper)
            self.note(machine, "write", paper, token)
            self.words.add(token)
            machine.done.clear()
        elif verb == "tick" and passes_of(known[names]) < 3:
            self.tick(machine, paper)
        elif verb == "rename" and known[names]["categories"]:
            old = self.choose.choice(sorted(known[names]["categories"]))
            # Of two names that were given at once, only one is there.
            if not self.run(machine, "category", "rename", old, f"{old}-{token}", fails=True):
                self.note(machine, "rename", old.split("-")[0], f"{old}-{token}")
        elif verb == "merge" and len(papers) > 3:
            other = self.choose.choice([one for one in papers if one != names])
            self.run(machine, "merge", paper, other[0])
            self.note(machine, "merge", paper, other[0])
        elif verb == "rm" and len(papers) > 4:
            self.run(machine, "rm", paper)
            for one in names:
                self.note(machine, "rm", one)
            machine.done.clear()
        elif verb == "undo" and machine.done:
            last = self.acts[machine.done[-1]]
            if last.verb in BACK and self.is_there(machine.seen, last):
                code = self.run(machine, "undo", fails=True)
                if not code:
                    self.note(machine, BACK[last.verb], last.paper, last.value)
                machine.done.clear()

    def tick(self, machine: Machine, paper: str) -> None:
        """Mark a paper as read in the README, by hand.

        The README shows the passes by then: a tick beside a pass that it does not show is a
        contradiction, which is told and stays until it is decided.
        """
        self.run(machine, "sync")
        readme = machine.folder / "README.md"
        lines = readme.read_text().splitlines(keepends=True)
        for place, line in enumerate(lines):
            if f"/{paper})" in line:
                lines[place] = line.rsplit("|", 2)[0] + "| ✅ ✅ ✅ |\n"
                readme.write_text("".join(lines))
                self.note(machine, "tick", paper, 3)
                machine.done.clear()

    # The model.

    def visible(self, seen: set[int]) -> list[Act]:
        return [self.acts[number] for number in sorted(seen)]

    def is_there(self, seen: set[int], act: Act) -> bool:
        return any(act.paper in names for names in self.state(seen))

    def state(self, seen: set[int]) -> dict[tuple[str, ...], dict[str, Any]]:
        """What must be known after these acts: the ids of each work → its values."""
        acts = self.visible(seen)
        top: dict[str, str] = {}

        def find(one: str) -> str:
            while top.setdefault(one, one) != one:
                one = top[one]
            return one

        for act in acts:
            if act.verb == "merge":
                top[find(act.value)] = find(act.paper)
        classes: dict[str, list[str]] = {}
        for paper in sorted({act.paper for act in acts if act.verb == "add"}):
            classes.setdefault(find(paper), []).append(paper)
        found = {}
        for papers in classes.values():
            own = [act for act in acts if act.paper in papers or act.value in papers]
            gone = [act for act in own if act.verb == "rm"]
            # Gone are those that were removed by who had seen all that was done to them.
            left = [
                paper
                for paper in papers
                if not any(
                    one.paper == paper
                    and not changing(
                        act
                        for act in own
                        if paper in (act.paper, act.value) and act.number not in one.seen
                    )
                    for one in gone
                )
            ]
            if left:
                found[tuple(papers)] = self.values(own, acts)
        return found

    def was_one(self, paper: str, other: str, seen: frozenset[int]) -> bool:
        """Whether two papers were one work for who had seen these acts."""
        merges = [{act.paper, act.value} for act in self.visible(set(seen)) if act.verb == "merge"]
        known = {paper}
        while more := [pair for pair in merges if pair & known and not pair <= known]:
            known.update(*more)
        return other in known

    def values(self, own: list[Act], acts: list[Act]) -> dict[str, Any]:
        def left(verb: str, back: str, *, is_strict: bool = False) -> set[Any]:
            return {
                act.value
                for act in own
                if act.verb == verb
                and not any(
                    one.verb == back
                    and one.value == act.value
                    and act.number in one.seen
                    and (is_strict or self.was_one(act.paper, one.paper, one.seen))
                    for one in own
                )
            }

        names: dict[str, set[str]] = {}
        filed = left("file", "unfile", is_strict=True)
        for token in left("file", "unfile"):
            renames = [act for act in acts if act.verb == "rename" and act.paper == token]
            names[token] = newest(renames, lambda act: act.value) or {token}
        values: dict[str, Any] = {
            "tags": left("tag", "untag"),
            "readings": left("pass", "unpass"),
            "is_ticked": any(act.verb == "tick" for act in own),
            "words": {act.value for act in own if act.verb == "write"},
            "categories": {name for several in names.values() for name in several},
            "category_choices": [names[token] for token in sorted(filed)],
            # Moved is a paper, or the work that others have made of it and another meanwhile.
            "may_be_filed": {name for several in names.values() for name in several},
        }
        for name in (*FIELDS, "decision"):
            sets = [act for act in own if act.verb == "edit" and act.value[0] == name]
            values[name] = newest(sets, lambda act: act.value[1])
            if any(act.verb == "merge" for act in own):
                # Of two works that became one the first one's value counts, or the stronger.
                values[name] = {act.value[1] for act in sets}
                values["is_merged"] = True
        values["decision"] = values["decision"] - {""} or {"saved"}
        if "is_merged" in values:
            values["decision"].add("saved")
        return values

    # Bringing together.

    def sync(self) -> None:
        for machine in self.choose.sample(self.machines, len(self.machines)):
            way = self.choose.choice([self.by_sync, self.by_merge, self.by_rebase, self.by_forge])
            way(machine)
            self.take(machine)

    def take(self, machine: Machine) -> None:
        machine.done.clear()
        machine.seen |= self.hub_seen
        machine.shared = set(machine.seen)
        self.hub_seen = set(machine.seen)

    def by_sync(self, machine: Machine) -> None:
        self.run(machine, "sync", "--git", "--confirm")

    def _commit(self, machine: Machine) -> None:
        git(machine.folder, "add", "-A")
        git(machine.folder, "commit", "-q", "-m", "By hand")

    def _pushed(self, machine: Machine, *pull: str) -> None:
        self._commit(machine)
        done = git(machine.folder, *pull)
        if done.returncode:
            for name in ("merge", "rebase"):
                git(machine.folder, name, "--abort")
            self.by_sync(machine)
            return
        assert not git(machine.folder, "push", "-q", "origin", "HEAD:main").returncode
        self.run(machine, "sync", "--confirm")
        self.by_sync(machine)

    def by_merge(self, machine: Machine) -> None:
        self._pushed(machine, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")

    def by_rebase(self, machine: Machine) -> None:
        self._pushed(machine, "pull", "-q", "--rebase", "origin", "main")

    def by_forge(self, machine: Machine) -> None:
        """A branch that the forge merges, which runs no driver."""
        self._commit(machine)
        git(machine.folder, "push", "-q", "-f", "origin", "HEAD:refs/heads/request")
        forge = self.hub.with_name("forge")
        git(self.hub.parent, "clone", "-q", str(self.hub), "forge")
        done = git(forge, "merge", "-q", "--no-ff", "--no-edit", "origin/request")
        if not done.returncode:
            assert not git(forge, "push", "-q", "origin", "HEAD:main").returncode
        subprocess.run(["rm", "-rf", str(forge)], check=True)
        self.by_sync(machine)

    # Judging.

    def judge(self) -> list[str]:
        """What is not as it must be, after all have synced twice more."""
        for _ in range(2):
            for machine in self.machines:
                self.by_sync(machine)
                self.take(machine)
        wrong: list[str] = []
        wanted = self.state(self.hub_seen)
        readme = (self.machines[0].folder / "README.md").read_bytes()
        lists = []
        for machine in self.machines:
            papers = self.shown(machine, "list", "--all")
            found = {one["arxiv_id"]: one for one in papers}
            lists.append(sorted(json.dumps(plain(one), sort_keys=True) for one in papers))
            status = self.shown(machine, "share", "status")
            told = {words(value) for one in status["contradictions"] for value in one["values"]}
            if len(papers) != len(wanted):
                wrong.append(f"{machine.name}: {len(papers)} papers, not {len(wanted)}")
            for names, values in wanted.items():
                paper = next((found[name] for name in names if name in found), None)
                if paper is None:
                    wrong.append(f"{machine.name}: {names} lost")
                    continue
                wrong += [f"{machine.name} {names} {one}" for one in unlike(paper, values, told)]
                noted = "".join((machine.folder / note).read_text() for note in paper["notes"])
                if sorted(set(noted.split()) & self.words) != sorted(values["words"]):
                    wrong.append(f"{machine.name} {names} notes {noted!r}, not {values['words']}")
            if (machine.folder / "README.md").read_bytes() != readme:
                wrong.append(f"{machine.name}: another README")
        if lists[0] != lists[1] or lists[1] != lists[2]:
            wrong.append("the machines are unlike")
            wrong += sorted(set(lists[0]) ^ set(lists[1]) | set(lists[1]) ^ set(lists[2]))[:4]
        return wrong


def changing(acts: Iterable[Act]) -> list[Act]:
    """Those that change a record: not what was taken back since, its taking back, and removals."""
    acts = list(acts)
    undone = {
        number
        for one in acts
        for back in acts
        if BACK.get(one.verb) == back.verb and one.value == back.value and one.number in back.seen
        for number in (one.number, back.number)
    }
    return [act for act in acts if act.verb != "rm" and act.number not in undone]


def newest(acts: list[Act], value_of: Callable[[Act], str]) -> set[str]:
    """The values of those acts that no other one has seen."""
    return {value_of(act) for act in acts if not any(act.number in other.seen for other in acts)}


def passes_of(values: dict[str, Any]) -> int:
    passes = [number for number, _ in values["readings"]]
    return max([*passes, 3 * values["is_ticked"]])


def unlike(paper: dict[str, Any], values: dict[str, Any], told: set[str]) -> Iterator[str]:
    if set(paper["tags"]) != values["tags"]:
        yield f"tags {paper['tags']}, not {values['tags']}"
    readings = [(one["pass"], one["takeaway"]) for one in paper["readings"] if one["takeaway"]]
    if sorted(readings) != sorted(values["readings"]):
        yield f"readings {paper['readings']}, not {values['readings']}"
    if paper["passes_done"] != passes_of(values):
        yield f"{paper['passes_done']} passes, not {passes_of(values)}: {paper['readings']}"
    categories, choices = set(paper["categories"]), values["category_choices"]
    for names in choices:
        if not names & categories:
            yield f"categories {paper['categories']}, not {names}"
    if not len(choices) <= len(categories) or not categories <= values["may_be_filed"]:
        yield f"categories {paper['categories']}, not {choices} of {values['may_be_filed']}"
    for name in (*FIELDS, "decision"):
        wanted = values[name]
        shown = paper[name]
        if name == "decision" and paper["decision_reason"]:
            shown = f"{shown} {paper['decision_reason']}"
        if shown not in (wanted or {None}):
            yield f"{name} {shown}, not {wanted}"
        elif len(wanted) > 1 and "is_merged" not in values and not wanted <= told:
            yield f"{name}: {wanted} decided in silence"


def words(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(str(value[name]) for name in ("is", "reason") if name in value)
    return str(value)


def plain(paper: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in paper.items() if name != "id"}


@contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def make_machines(folder: Path) -> None:
    """Make the hub and the clones with which each history begins."""
    git(folder, "init", "-q", "--bare", "-b", "main", "hub.git")
    first, *others = (folder / name for name in NAMES)

    def do(library: Path, *arguments: str) -> None:
        assert run(["--library", str(library), *arguments]) == 0

    do(first, "init", "--shared", str(first))
    do(first, "share", "on", "--private", "nothing")
    git(first, "remote", "add", "origin", str(folder / "hub.git"))
    rows = [f"| [Paper {paper}](https://arxiv.org/abs/{paper}) |  |\n" for paper in IDS[:5]]
    readme = first / "README.md"
    readme.write_text("# Papers\n\n## List\n\n| Title | Read |\n| - | - |\n" + "".join(rows))
    do(first, "import", str(readme))
    do(first, "sync", "--git")
    for other in others:
        git(folder, "clone", "-q", str(folder / "hub.git"), other.name)
        do(other, "trust", str(other))
        do(other, "share", "on", "--private", "nothing", "--document", "README.md")
        do(other, "sync")
    for name in (*NAMES, "hub.git"):  # Few files, which are copied often.
        git(folder / name, "gc", "-q")
        for sample in (folder / name).rglob("*.sample"):
            sample.unlink()


def play(
    folder: Path, seed: int, read: Callable[[], str], made: Path, rounds: int = 3, acts: int = 8
) -> list[str]:
    """Play one history from machines that were made; return what is wrong with what came of it."""
    history = History(folder, seed, read, made)
    for _ in range(rounds):
        for _ in range(acts):
            history.step()
        history.sync()
    return history.judge()
