"""Kills of a library that is shared: its records and its database say the same after the next
command, whenever it was."""

from __future__ import annotations

import random

import pytest

from tests.corpus import WHOLE
from tests.crash.cases import DESK, Case
from tests.crash.runner import Fault
from tests.crash.shared import SHARED, unlike
from tests.crash.trials import Bench, Trial

KILLS = 5 if WHOLE else 1
FEW = ("share on", "add 2402.00001 2402.00002", "rm 2309.10001", "watch", "sync", "undo")
_SHARED = (*DESK, "share on --private nothing")
PASS = Case("pass 2211.10002 2 --takeaway 'Guess, then check.'", start=_SHARED, back=())


def drawn(trial: Trial, lot: str) -> list[int]:
    """Some calls, and the one before which the database has it and no record does."""
    first = [n for n, call in enumerate(trial.calls, 1) if "/library/papers/" in call.path][:1]
    return sorted({*random.Random(lot).sample(range(1, len(trial.calls) + 1), KILLS), *first})


@pytest.mark.parametrize("start", FEW)
def test_a_kill_leaves_records_and_library_alike(bench: Bench, start: str) -> None:
    case = next(case for case in SHARED if case.command.startswith(start))
    trial = Trial(bench, case, is_judged=False)
    for number in drawn(trial, start):
        trial.put_back()
        bench.run(trial.case.command, Fault(kill=number))
        assert unlike(bench) == [], number


def test_a_killed_pass_is_one_reading_of_the_record(bench: Bench) -> None:
    trial = Trial(bench, PASS, is_judged=False)
    for number in drawn(trial, PASS.command):
        trial.put_back()
        bench.run(PASS.command, Fault(kill=number))
        if "Guess, then check." not in bench.run("show 2211.10002").out:
            bench.run(PASS.command)
        records = bench.library.joinpath("papers").glob("*.toml")
        said = "".join(path.read_text() for path in records)
        assert said.count("Guess, then check.") == 1, (number, said)
