"""Kills of a library that is shared: names are drawn by lot there, so it is asked whether its logs
and its database still say the same."""

from __future__ import annotations

import random

import pytest

from tests.crash.cases import DESK, Case
from tests.crash.runner import Fault
from tests.crash.trials import Bench, Trial

KILLS = 6
_SHARED = (*DESK, "share on")
CASES = (
    Case("share on", back=()),
    Case("pass 2211.10002 2 --takeaway 'Guess, then check.'", start=_SHARED, back=()),
    Case("rm 2309.10001", start=_SHARED, back=()),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.verb)
def test_a_kill_leaves_logs_and_library_alike(bench: Bench, case: Case) -> None:
    trial = Trial(bench, case)
    for number in sorted(random.Random(case.verb).sample(range(1, len(trial.calls) + 1), KILLS)):
        trial.put_back()
        bench.run(case.command, Fault(kill=number))
        again = bench.run(case.command)
        assert "Traceback" not in again.err, (number, again)
        assert again.code in (0, 3), (number, again)  # What is removed already is not found.
        checked = bench.run("share check")
        assert checked.code == 0, (number, again, checked)
        devices = [one for one in (bench.library / "journal").iterdir() if one.is_dir()]
        assert len(devices) == 1, number


def test_a_killed_pass_is_one_line_of_the_log(bench: Bench) -> None:
    trial = Trial(bench, CASES[1])
    for number in sorted(random.Random(3).sample(range(1, len(trial.calls) + 1), KILLS)):
        trial.put_back()
        bench.run(CASES[1].command, Fault(kill=number))
        bench.run(CASES[1].command)
        logs = (bench.library / "journal").rglob("*.log")
        said = [line for log in logs for line in log.read_text().splitlines()]
        assert sum("Guess, then check." in line for line in said) == 1, (number, said)
