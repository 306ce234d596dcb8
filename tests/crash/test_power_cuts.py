"""After a power cut all that was confirmed is there, and the rest is as after a kill.

A few states of a few commands; ``python -m tests.crash power`` tries those of all.
"""

from __future__ import annotations

import random

import pytest

from tests.corpus import WHOLE
from tests.crash.cases import Case
from tests.crash.power import power_cuts
from tests.crash.test_kills import case_of
from tests.crash.trials import Bench

COMMANDS = (
    "export --md",
    "pass 2211.10002 2 --minutes 9 --takeaway 'Guess, then check.'",
    "export --bib -o out.bib",
    "watch uninstall --yes",
    "import papis --copy",
)
AT_ALL = AT_THE_END = 5 if WHOLE else 1
"""How many states are tried of all, and of those when the command had confirmed its work."""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_power_cut_loses_what_was_confirmed(bench: Bench, command: str) -> None:
    trial, chance = bench.trial(case_of(command)), random.Random(command)
    states = power_cuts(trial.calls, trial.start, bench.folder, chance, 2)
    ended = [state for state in states if state[0] == len(trial.calls)]
    chosen = chance.sample(states, min(AT_ALL, len(states))) + chance.sample(
        ended, min(AT_THE_END, len(ended))
    )
    assert [told for state in chosen for told in trial.cut(*state)] == []


def test_a_missing_sync_would_be_noticed(bench: Bench) -> None:
    trial = bench.trial(Case("tag paged +new"))
    last = max(n for n, call in enumerate(trial.calls) if call.ends_transaction)
    calls = trial.calls[: last + 1]
    ended = [
        held
        for number, held in power_cuts(calls, trial.start, bench.folder, random.Random(1), 0)
        if number == len(calls)
    ]
    told = [one for held in ended for one in trial.cut(len(trial.calls), held)]
    assert any("was confirmed and is lost: table tags" in one for one in told)
