"""Try more than the tests do: ``python -m tests.crash kills --each 40``.

Prints what is wrong as it is found, and at the end how much was tried. Exit code 1 if anything is.
"""

from __future__ import annotations

import argparse
import errno
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests import conftest
from tests.crash.cases import CASES, Case
from tests.crash.power import power_cuts
from tests.crash.runner import EVER, Fault, lacks
from tests.crash.shared import SHARED
from tests.crash.trials import Bench, Trial, bench_in

Try = Callable[[Trial, int, random.Random], Iterable[list[str]]]
"""(an undisturbed run, how much to try, chance) → what is wrong, for each that was tried."""


def kills(trial: Trial, each: int, chance: random.Random) -> Iterable[list[str]]:
    """Kill it before so many of its calls."""
    for number in _some(range(1, len(trial.calls) + 1), each, chance):
        yield trial.kill(number)


def power(trial: Trial, each: int, chance: random.Random) -> Iterable[list[str]]:
    """Cut the power at so many of the states in which that may leave the disk."""
    states = power_cuts(trial.calls, trial.start, trial.bench.folder, chance, 2)
    for number in _some(range(len(states)), each, chance):
        yield trial.cut(*states[number])


def full(trial: Trial, each: int, chance: random.Random) -> Iterable[list[str]]:
    """Let the disk be full from so many of its calls on."""
    for number in _some(range(1, len(trial.calls) + 1), each, chance):
        yield trial.refuse(Fault(first=number, last=EVER, error=errno.ENOSPC, is_full=True))


def errors(trial: Trial, each: int, chance: random.Random) -> Iterable[list[str]]:
    """Let the disk fail at so many of its calls, once."""
    for number in _some(range(1, len(trial.calls) + 1), each, chance):
        yield trial.refuse(Fault(first=number, last=number, error=errno.EIO))


TRIES: dict[str, Try] = {"kills": kills, "power": power, "full": full, "errors": errors}


def main() -> int:
    options = _options()
    if missing := lacks():
        sys.exit(f"Nothing can be tried: {missing}.")
    assert conftest.GUARD.is_dir()  # Imported so that nothing leaves this machine.
    tried = wrong = 0
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, bench_in(Path(folder)) as bench:
        for case in SHARED if options.shared else CASES:
            if case.command.startswith(options.command):
                found = list(_try(bench, case, options))
                tried, wrong = tried + len(found), wrong + sum(map(bool, found))
    print(f"{options.what}: {tried} tried, {wrong} wrong")
    return 1 if wrong or not tried else 0


def _try(bench: Bench, case: Case, options: argparse.Namespace) -> Iterable[list[str]]:
    trial = Trial(bench, case)
    count = wrong = 0
    for told in TRIES[options.what](trial, options.each, random.Random(options.seed)):
        count, wrong = count + 1, wrong + bool(told)
        for line in told:
            print(f"  {line}", flush=True)
        yield told
    print(f"{case.command}: {len(trial.calls)} calls, {count} tried, {wrong} wrong", flush=True)


def _some(numbers: Sequence[int], each: int, chance: random.Random) -> list[int]:
    return sorted(chance.sample(numbers, min(each or len(numbers), len(numbers))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("what", choices=TRIES)
    parser.add_argument(
        "--each", type=int, default=0, metavar="N", help="of each command; else all"
    )
    parser.add_argument(
        "--command", default="", metavar="START", help="only commands that start so"
    )
    parser.add_argument("--shared", action="store_true", help="in a library that is shared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to work; one in memory is fastest")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
