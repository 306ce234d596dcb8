"""Whole commands, measured: processor time (user and system) and peak memory of a process.

What is measured and what it is held to run in turns, since machines have moods; of each the median
counts. A process starts with the memory of the one that started it: keep that one small.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

PAPERTRACK = (sys.executable, "-c", "import sys; from papertrack.cli import main; sys.exit(main())")
"""The installed program without its launcher, as the bare references are without one."""
CLICK = """
import click
@click.group()
@click.version_option("1")
def main(): pass
for number in range(25):
    main.command(f"command{number}")(click.argument("words", nargs=-1)(lambda words: None))
main()
"""


class Cost(NamedTuple):
    """What one run took."""

    seconds: float
    megabytes: float


class Verdict(NamedTuple):
    """One line of the table: what was measured, and what it may be at most."""

    work: str
    measured: float
    most: float
    unit: str = "×"
    note: str = ""

    @property
    def is_kept(self) -> bool:
        return self.measured <= self.most


def run(
    command: Sequence[str], folder: Path, *, stdin: Path | None = None, codes: Sequence[int] = (0,)
) -> Cost:
    """Run a command there, with a file as its input. Raises AssertionError when it fails."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(os.open(stdin, os.O_RDONLY) if stdin else silent, 0)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        os.execv(command[0], list(command))
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in codes:
        raise AssertionError(f"failed: {' '.join(command)[-300:]} in {folder}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def python(code: str, *arguments: object) -> list[str]:
    """The command that runs this code."""
    return [sys.executable, "-c", code, *map(str, arguments)]


def click_program(rounds: int) -> float:
    """Seconds that a click program with 25 commands takes to start."""
    command = python(CLICK, "--version")
    return statistics.median(run(command, Path()).seconds for _ in range(rounds))


def median(costs: Iterable[Cost]) -> Cost:
    """The median time and the greatest memory."""
    seconds, megabytes = zip(*costs, strict=True)
    return Cost(statistics.median(seconds), max(megabytes))


def print_table(verdicts: Sequence[Verdict]) -> int:
    """Print what was measured beside its goal; return 1 if a goal is missed, else 0."""
    for one in verdicts:
        sign = "ok  " if one.is_kept else "OVER"
        figures = f"{one.measured:9.2f} {one.unit:<3} (at most {one.most:g})"
        print(f"{sign} {one.work:<44}{figures:<34} {one.note}")
    return int(not all(one.is_kept for one in verdicts))
