"""A command on its library: once undisturbed, then with what befalls it, and what is left."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from tests.crash.calls import Call, apply, read_calls
from tests.crash.cases import At, Case, Step
from tests.crash.power import Held, lay_out
from tests.crash.runner import Done, Fault, Runner
from tests.crash.state import (
    State,
    damage_of,
    put_back,
    rubbish_in,
    state_of,
)
from tests.fake_arxiv import FakeArxiv

NIGHT = "2026-11-18T08:17:00+00:00"
"""When the fake arXiv has announced its day."""
_BUGS = ("Traceback", "internal error")


class Bench:
    """Where commands are tried: one folder, with the reader's home and a library in it."""

    def __init__(self, scratch: Path, runner: Runner, fake: FakeArxiv) -> None:
        self.scratch = scratch
        self.runner = runner
        self.fake = fake
        self.folder = runner.watched
        self.library = self.folder / "library"
        self.library.mkdir(parents=True)
        self.environ = {
            **fake.environment,
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "HOME": str(self.folder / "home"),
            "PAPERTRACK_NOW": NIGHT,
            "PAPERTRACK_ARXIV_INTERVAL_SECONDS": "0",
            "EDITOR": "true",
            "LANG": "C.UTF-8",
        }
        self._starts: dict[tuple[Step, ...], Path] = {}
        self._trials: dict[Case, Trial] = {}

    def trial(self, case: Case) -> Trial:
        """A case as it runs undisturbed, which is found out once."""
        if case not in self._trials:
            self._trials[case] = Trial(self, case)
        return self._trials[case]

    def run(
        self, command: str, fault: Fault | None = None, log: Path | None = None, now: str = ""
    ) -> Done:
        """Run one command line of papertrack in the library."""
        environ = self.environ | ({"PAPERTRACK_NOW": now} if now else {})
        self.fake.calendar.today = date.fromisoformat((now or NIGHT)[:10])
        return self.runner.run(shlex.split(command), self.library, environ, fault, log)

    def start(self, case: Case) -> Path:
        """A copy of the folder as it is before a command; those of the same start share one."""
        made = self._made(tuple(case.start))
        return self._made((*case.start, *case.before)) if case.before else made

    def _made(self, steps: tuple[Step, ...]) -> Path:
        if steps not in self._starts:
            kept = self.scratch / f"start{len(self._starts)}"
            self._starts[steps] = kept
            self._make(steps)
            shutil.copytree(self.folder, kept, symlinks=True)
        return self._starts[steps]

    def _make(self, steps: tuple[Step, ...]) -> None:
        known = [
            (key, kept)
            for key, kept in self._starts.items()
            if key == steps[: len(key)] and kept.exists()
        ]
        done: tuple[Step, ...] = ()
        if known:
            done, kept = max(known, key=lambda one: len(one[0]))
            put_back(kept, self.folder)
        else:
            put_back(self._empty(), self.folder)
        for step in steps[len(done) :]:
            if isinstance(step, str | At):
                now, command = step if isinstance(step, At) else ("", step)
                ran = self.run(command, now=now)
                assert ran.code in (0, 5), (step, ran)
            else:
                step(self.library)

    def _empty(self) -> Path:
        """A folder with nothing in it but a home."""
        folder = self.scratch / "empty"
        if not folder.exists():
            (folder / "home").mkdir(parents=True)
            (folder / "library").mkdir()
        return folder


class Trial:
    """One command, as it runs undisturbed: what all disturbed runs of it are measured by."""

    def __init__(self, bench: Bench, case: Case, *, is_judged: bool = True) -> None:
        self.bench = bench
        self.case = case
        self.start = bench.start(case)
        self.prepare()
        log = bench.scratch / "log"
        self.before = self.put_back()
        self.done = self.run(log=log)
        assert self.done.code in (0, 5), (case.command, self.done)
        self.calls = read_calls(log)
        self.after = self.state()
        if is_judged:
            self.way_back = self._go_back()
            self.milestones = list(self._milestones())

    def prepare(self) -> None:
        """What a kind of trial has to find out before its undisturbed run."""

    def state(self) -> State:
        """What the folder holds now, of all that counts."""
        return state_of(self.bench.folder)

    def put_back(self) -> State:
        """Let the folder be as it was before the command, and return what it holds."""
        put_back(self.start, self.bench.folder)
        return self.state()

    def run(self, fault: Fault | None = None, log: Path | None = None) -> Done:
        """Run the command."""
        return self.bench.run(self.case.command, fault, log, self.case.now)

    def kill(self, number: int) -> list[str]:
        """What is wrong after a kill before the call of this number; nothing, if all is well."""
        self.put_back()
        self.run(Fault(kill=number))
        return [f"killed before call {number}: {found}" for found in self.judge()]

    def refuse(self, fault: Fault) -> list[str]:
        """What is wrong after calls that the system refused."""
        self.put_back()
        ran = self.run(fault)
        told = [f"traceback: {ran.err}"] if any(bug in ran.err for bug in _BUGS) else []
        if ran.code == 0:
            told += [f"says done, but {what} is not" for what in self._unlike(self.after)]
        return [f"{fault}: {found}" for found in [*told, *self.judge()]]

    def cut(self, number: int, held: Held) -> list[str]:
        """What is wrong when the power failed after so many calls and the disk holds this."""
        self.put_back()
        lay_out(held)
        is_done = number == len(self.calls)
        return [f"power cut after call {number}: {one}" for one in self.judge(is_done=is_done)]

    def judge(self, *, is_done: bool = False) -> list[str]:
        """What is wrong with what a disturbed run left: first as it stands, then after the same
        command, then after the way back. Of one that ``is_done`` nothing may be lost."""
        told: list[str] = []
        looked = self._tried("list", told)
        if (damage := damage_of(self.bench.folder / "library/data/papertrack.db")) is not None:
            return [*told, f"the database is damaged: {damage}"]
        left = self.state()
        if looked.code not in (0, 3) and "`papertrack init` makes" not in looked.err:
            told.append(f"list ends with {looked.code}: {looked.err}")
        told += self._lost(left)
        if is_done:
            told += [f"was confirmed and is lost: {one}" for one in left.differences(self.after)]
        if not self.is_through(left) or rubbish_in(self.bench.folder):
            again = self._tried(self.case.command, told, self.case.now)
            if again.code != self.done.code:
                told.append(f"run again, it ends with {again.code}: {again.err}")
        told += [f"run again: {what} is another" for what in self._unlike(self.after)]
        told += [f"left behind: {name}" for name in rubbish_in(self.bench.folder)]
        told += self.beside()
        if not told:
            back = self._go_back(told)
            told += [f"on the way back: {one}" for one in back.differences(self.way_back)]
        return told

    def is_through(self, left: State) -> bool:
        """Whether all that the command does was done."""
        return not left.differences(self.after)

    def beside(self) -> list[str]:
        """What else is wrong with what the command left after it was run again."""
        return []

    def _lost(self, left: State) -> Iterator[str]:
        """What is neither as it was before nor as at any moment when all was in step."""
        moments = [one for one in self.milestones if one.tables == left.tables]
        if not moments:
            nearest = self.milestones[0].differences(left), self.after.differences(left)
            yield f"the library is at no step of the way: {min(nearest, key=len)}"
        in_step = set() if self.case.by_hand else _documents(left)
        for name in sorted({*self.before.files, *self.after.files, *left.files}):
            known = moments if name in in_step else self.milestones
            if known and left.files.get(name) not in [one.files.get(name) for one in known]:
                yield f"{name} is neither old nor new"

    def _unlike(self, wanted: State) -> list[str]:
        return wanted.differences(self.state())

    def _tried(self, command: str, told: list[str], now: str = "") -> Done:
        ran = self.bench.run(command, now=now)
        if any(bug in ran.err for bug in _BUGS):
            told.append(f"{command}: {ran.err}")
        return ran

    def _go_back(self, told: list[str] | None = None) -> State:
        for command in self.case.back:
            self._tried(command, [] if told is None else told)
        return self.state()

    def _milestones(self) -> Iterator[State]:
        """The states when the library and its files were in step: at the start, after each
        transaction, and at the end."""
        yield self.put_back()
        for call in self.calls:
            apply(call)
            if call.ends_transaction:
                yield self.state()
        yield self.after


def _documents(state: State) -> set[str]:
    """The files that the library feeds: they are in step with it at any time."""
    return {f"library/{row[1]}" for row in state.tables.get("documents", [])}


@contextmanager
def bench_in(scratch: Path) -> Iterator[Bench]:
    """A bench in an empty folder, with a fake arXiv."""
    scratch.mkdir(parents=True, exist_ok=True)
    watched = scratch / "desk"
    with FakeArxiv() as fake, Runner(scratch, watched) as runner:
        yield Bench(scratch, runner, fake)


def calls_of(calls: Sequence[Call]) -> str:
    """How many calls of each kind there are, for a report."""
    names = [call.name for call in calls]
    return ", ".join(f"{names.count(name)} {name}" for name in sorted(set(names)))
