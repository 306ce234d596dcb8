"""A kill at any call leaves the old or the new state, and the same command ends the work.

A few calls of a few commands, drawn with a seed; ``python -m tests.crash kills`` tries all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import click
import pytest

from papertrack.cli.app import COMMANDS, HIDDEN, papertrack
from papertrack.cli.old_words import modern
from tests.corpus import WHOLE
from tests.crash.cases import CASES, READING, Case
from tests.crash.trials import Bench

FEW = (
    "init",
    "restore",
    "note 2211.10002",
    "split drawer",
    "undo",
    "export",
    "export --bib -o out.bib",
    "import README.md main.bib",
    "sync",
    "import papis",
    "rekey paged lamp05 --template {auth}:{year} --in thesis --write",
)
"""One command for each way of writing."""
KILLS = 5 if WHOLE else 1
"""How many of its calls are drawn, from the first on by which the library holds something new."""


def case_of(command: str) -> Case:
    """The case of this command line."""
    return next(case for case in CASES if case.command == command)


def test_every_command_that_writes_is_tried() -> None:
    assert {case.verb for case in CASES} | set(READING) == {*COMMANDS, *HIDDEN}
    assert {case.verb for case in CASES}.isdisjoint(READING)


def test_every_word_of_a_command_that_writes_is_tried() -> None:
    tried = {tuple(modern(case.command.split())[:2]) for case in CASES}
    assert {words for words in _words_that_write() if words[0] not in READING} <= tried


def _words_that_write() -> Iterator[tuple[str, ...]]:
    """The words of commands that have more than one, if they can be asked what they would do."""
    for name in COMMANDS:
        command = papertrack.get_command(click.Context(papertrack), name)
        if isinstance(command, click.Group):
            for word, one in command.commands.items():
                if "dry_run" in {option.name for option in one.params}:
                    yield name, word


@pytest.mark.parametrize("command", FEW)
def test_a_kill_at_any_call_is_harmless(bench: Bench, command: str) -> None:
    trial = bench.trial(case_of(command))
    assert trial.calls
    ends = [n for n, call in enumerate(trial.calls, 1) if call.ends_transaction]
    later = range(min(ends, default=1), len(trial.calls) + 1)
    chosen = random.Random(command).sample(later, min(KILLS, len(later)))
    assert [told for number in sorted(chosen) for told in trial.kill(number)] == []


@pytest.mark.parametrize("command", ["watch", "enrich"])
def test_a_kill_between_two_requests_is_made_up_for_by_the_next_run(
    bench: Bench, command: str
) -> None:
    trial = bench.trial(case_of(command))
    steps = [
        number
        for number, call in enumerate(trial.calls, 1)
        if call.ends_transaction or call.name == "rename"
    ]
    # Two requests, each noted before and after it, and two commits.
    assert len(steps) >= 6
    assert [told for number in steps for told in trial.kill(number)] == []


def test_the_calls_of_sqlite_are_seen(bench: Bench) -> None:
    trial = bench.trial(Case("tag paged +new"))
    seen = {(call.name, call.path.rpartition("/")[2]) for call in trial.calls}
    assert {
        ("create", "papertrack.db-journal"),
        ("write", "papertrack.db-journal"),
        ("sync", "papertrack.db-journal"),
        ("write", "papertrack.db"),
        ("sync", "papertrack.db"),
        ("unlink", "papertrack.db-journal"),
        ("sync", "data"),
    } <= seen
