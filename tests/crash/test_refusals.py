"""A disk that is full or fails costs nothing that was there, and is told without a traceback.

A few calls of a few commands; ``python -m tests.crash full`` and ``errors`` try all.
"""

from __future__ import annotations

import errno
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.corpus import WHOLE
from tests.crash.runner import EVER, Fault
from tests.crash.test_kills import case_of
from tests.crash.trials import Bench

COMMANDS = ("export --md", "note 2211.10002", "tag paged +moe -kv", "watch")
CALLS = 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_or_failing_disk_loses_nothing(bench: Bench, command: str) -> None:
    trial = bench.trial(case_of(command))
    told = []
    for number in random.Random(command).sample(range(1, len(trial.calls) + 1), CALLS):
        full = Fault(first=number, last=EVER, error=errno.ENOSPC, is_full=True)
        told += trial.refuse(full)
        told += trial.refuse(Fault(first=number, last=number, error=errno.EIO))
    assert told == []


@pytest.mark.parametrize(
    ("command", "name", "place"),
    [
        ("init", "trusted.json", 0),
        ("digest --format html -o digest.html", "papertrack.db-journal", 0),
        ("enrich", "network.new", 3),
        ("export --json", "papertrack.db-journal", 1),
    ],
)
def test_what_is_noted_beside_the_work_fails_no_less_loudly(
    bench: Bench, command: str, name: str, place: int
) -> None:
    """That a library is the reader's own, whose file one is, when a source was asked, which throws
    no answer away, and which citekeys were given away."""
    trial = bench.trial(case_of(command))
    calls = [n for n, call in enumerate(trial.calls, 1) if name in (call.path + call.other)]
    number = calls[place]
    assert trial.refuse(Fault(first=number, last=number, error=errno.EIO)) == []


def test_a_failing_disk_ends_an_import_before_the_next_file(bench: Bench) -> None:
    trial = bench.trial(case_of("import README.md main.bib"))
    journal = [n for n, call in enumerate(trial.calls, 1) if call.path.endswith(".db-journal")]
    fault = Fault(first=journal[4], last=journal[4], error=errno.EIO)
    assert trial.refuse(fault) == []


@pytest.mark.parametrize("command", ["import papis --copy", "export --md", "sync"])
def test_a_commit_that_the_disk_did_not_confirm_takes_no_file_away(
    bench: Bench, command: str
) -> None:
    """The journal is gone, so the library holds it all; only the name's own sync was refused."""
    trial = bench.trial(case_of(command))
    ends = [number for number, call in enumerate(trial.calls, 1) if call.ends_transaction]
    for number in ends if WHOLE else {ends[0], ends[-1]}:
        fault = Fault(first=number + 1, last=number + 1, error=errno.EIO)
        assert trial.refuse(fault) == []


HOLDER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from papertrack.store.store import Store
store = Store.open(Path(sys.argv[1]), now=lambda: datetime.now(UTC))
with store.action("tag"):
    store.execute("UPDATE paper_states SET rating = 1")
    print("holds", flush=True)
    sys.stdin.read()
"""


def test_who_waits_for_a_writer_that_is_killed_goes_on(bench: Bench) -> None:
    trial = bench.trial(case_of("tag paged +moe -kv"))
    trial.put_back()
    database = bench.library / "data" / "papertrack.db"
    pipe = subprocess.PIPE
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(database)], stdin=pipe, stdout=pipe, env=bench.environ
    )
    assert holder.stdout
    assert holder.stdout.readline() == b"holds\n"
    waiting = subprocess.Popen(
        [sys.executable, "-m", "papertrack", "tag", "paged", "+moe", "-kv"],
        cwd=bench.library,
        env=bench.environ,
        stderr=pipe,
    )
    _until_it_waits(waiting.pid, database)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    _, said = waiting.communicate(timeout=120)
    assert (waiting.returncode, b"Traceback" in said) == (0, False)
    assert trial.judge(is_done=True) == []


def _until_it_waits(process: int, database: Path) -> None:
    """Until a process has the database open."""
    for _ in range(600):
        opened = (Path(f"/proc/{process}/fd")).iterdir()
        if any(one.exists() and one.samefile(database) for one in opened):
            return
        time.sleep(0.05)
    raise AssertionError("it never opened the library")
