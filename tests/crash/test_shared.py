"""Kills of a library that is shared: names are drawn by lot there, so it is asked whether its logs
and its database still say the same."""

from __future__ import annotations

import random

import pytest

from tests.crash.cases import DESK, Case
from tests.crash.runner import Fault
from tests.crash.shared import SHARED, SharedTrial
from tests.crash.trials import Bench, Trial

KILLS = 6
FEW = (
    "share on",
    "share compact",
    "add 2402.00001 2402.00002",
    "rm 2309.10001",
    "watch",
    "sync",
    "undo",
)
"""Of one line, of several, of none that is the reader's, and of what goes both ways."""
_SHARED = (*DESK, "share on")
PASS = Case("pass 2211.10002 2 --takeaway 'Guess, then check.'", start=_SHARED, back=())


def case_of(start: str) -> Case:
    """The first case of this command."""
    return next(case for case in SHARED if case.command.startswith(start))


@pytest.mark.parametrize("start", FEW)
def test_a_kill_leaves_logs_and_library_alike(bench: Bench, start: str) -> None:
    trial = SharedTrial(bench, case_of(start))
    chosen = random.Random(start).sample(range(1, len(trial.calls) + 1), KILLS)
    assert [told for number in sorted(chosen) for told in trial.kill(number)] == []


def test_after_a_killed_restore_the_logs_have_what_was_done_since(bench: Bench) -> None:
    case = Case("restore", start=_SHARED, before=("backup", "tag paged +since"), back=())
    trial = Trial(bench, case)
    for number in range(1, len(trial.calls) + 1):
        trial.put_back()
        bench.run(case.command, Fault(kill=number))
        bench.run(case.command)
        assert "since" in bench.run("show paged").out, number
        checked = bench.run("share check")
        assert checked.code == 0, (number, checked)


def test_a_killed_pass_is_one_line_of_the_log(bench: Bench) -> None:
    trial = Trial(bench, PASS)
    for number in sorted(random.Random(3).sample(range(1, len(trial.calls) + 1), KILLS)):
        trial.put_back()
        bench.run(PASS.command, Fault(kill=number))
        bench.run(PASS.command)
        logs = (bench.library / "journal").rglob("*.log")
        said = [line for log in logs for line in log.read_text().splitlines()]
        assert sum("Guess, then check." in line for line in said) == 1, (number, said)
