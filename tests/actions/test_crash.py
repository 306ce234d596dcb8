"""kill -9 at every durable step of an export, and what undo and the reader's hand do after it.

That the killed command itself ends its work is tested for all commands in ``tests/crash``.

A child process counts its durable steps (BEGIN, COMMIT, fsync, rename, unlink) and kills itself
at the n-th, for n = 1, 2, … until it gets through.
"""

import os
import re
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered
from papertrack.actions.organise import remove_papers
from papertrack.actions.undo import undo
from papertrack.library import Library
from papertrack.store.store import Store
from tests.actions.conftest import DRAFT, PAGED, README, Desk
from tests.store.conftest import ticking_clock

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")

Job = Callable[[Store, Library], object]


def survives(root: Path, job: Job, step: int) -> bool:
    """Run the job in a child, killed before its n-th durable step; whether it got through."""
    child = os.fork()
    if child == 0:
        try:
            steps = count(1)

            def durable() -> None:
                if next(steps) == step:
                    os.kill(os.getpid(), signal.SIGKILL)

            def traced(statement: str) -> None:
                if statement.startswith(("BEGIN", "COMMIT")):
                    durable()

            real_fsync, real_replace = os.fsync, os.replace

            def fsync(descriptor: int) -> None:
                durable()
                real_fsync(descriptor)

            def replace(source: Path, target: Path) -> None:
                durable()
                real_replace(source, target)

            real_unlink = os.unlink

            def unlink(path: Path) -> None:
                durable()
                real_unlink(path)

            os.fsync, os.replace, os.unlink = fsync, replace, unlink  # type: ignore[assignment]
            with Store.open(root / "data" / "papertrack.db", now=ticking_clock()) as store:
                store.connection.set_trace_callback(traced)
                job(store, Library(root))
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


def export(store: Store, library: Library) -> None:
    (exported,) = export_registered(store, library, "markdown")
    assert exported.error is None


REMARKS = README.replace("| Read |", "| Read | Mine |").replace(":--- |\n", ":--- | :--- |\n")
for _title in ("Orca", "Paged", "Chunked", "Drafting"):
    REMARKS = re.sub(rf"(?m)^(\| \[<u>{_title}.*)$", rf"\1 years of {_title} remarks |", REMARKS)


def remove_and_export(desk: Desk) -> None:
    desk.import_readme()
    remove_papers(desk.store, [desk.id(PAGED), desk.id(DRAFT)])


def cut_off_at_each_step(new_desk: Callable[[str], Desk]) -> Iterator[Desk]:
    """A desk for each step at which the export of removed papers is killed."""
    for step in count(1):
        desk = new_desk(REMARKS)
        remove_and_export(desk)
        desk.store.close()
        is_done = survives(desk.library.root, export, step)
        database = desk.library.database
        with Store.open(database, now=ticking_clock()) as store:
            yield Desk(store, desk.library, desk.readme)
        if is_done:
            break
    assert step > 8


def test_a_killed_export_leaves_no_file_behind_and_what_it_took_out_comes_back(
    new_desk: Callable[[str], Desk],
) -> None:
    for desk in cut_off_at_each_step(new_desk):
        desk.export()
        assert "years of Paged remarks" not in desk.read()
        assert [path.name for path in desk.library.root.rglob(".*")] == []
        assert list((desk.library.root / "data").glob("intents/*")) == []
        assert undo(desk.store, desk.library) is not None
        desk.export()
        assert desk.read() == REMARKS


def test_edits_made_by_hand_after_a_killed_export_stay(new_desk: Callable[[str], Desk]) -> None:
    for desk in cut_off_at_each_step(new_desk):
        desk.replace("years of Orca remarks", "decades of Orca remarks")
        desk.export()
        desk.import_readme()
        desk.export()
        assert "years of Paged remarks" not in desk.read()
        assert undo(desk.store, desk.library) is not None
        desk.export()
        assert desk.read() == REMARKS.replace("years of Orca", "decades of Orca")
