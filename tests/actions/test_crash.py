"""kill -9 at every durable step leaves the old or the new state, and the next run ends the work.

A child process counts its durable steps (BEGIN, COMMIT, fsync, rename, unlink) and kills itself
at the n-th, for n = 1, 2, … until it gets through.
"""

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.notes import prepare_note
from papertrack.actions.organise import remove_papers
from papertrack.actions.reading import mark_pass
from papertrack.actions.undo import undo
from papertrack.library import Library
from papertrack.store.journal import JOURNALLED
from papertrack.store.store import Store
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, README, Desk
from tests.corpus import WHOLE
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


def files(root: Path) -> dict[str, bytes]:
    """All files of the reader's, but for the database and what a killed writer left behind."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*.md"))
        if not path.name.startswith(".")
    }


def rows(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the library holds, without the log, numbers and times."""
    connection = sqlite3.connect(root / "data" / "papertrack.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        columns = {
            "papers": "citekey, title, submitted",
            "entries": "paper_id, position, key, category, text, base, library",
            "readings": "paper_id, pass",
            "paper_states": "paper_id, decision, passes_done",
            "documents": "path, digest",
        }
        return {
            table: sorted(connection.execute(f"SELECT {names} FROM {table}"), key=repr)
            for table, names in columns.items()
            if table in JOURNALLED
        }
    finally:
        connection.close()


def import_readme(store: Store, library: Library) -> None:
    import_file(store, library, library.root / "README.md")


def export(store: Store, library: Library) -> None:
    (exported,) = export_registered(store, library, "markdown")
    assert exported.error is None


def note(store: Store, library: Library) -> None:
    prepare_note(store, library, 1)


def nothing_yet(desk: Desk) -> None:
    desk.write(README)


def edited_file(desk: Desk) -> None:
    desk.import_readme()
    desk.replace("[<u>link</u>][3] | |", "[<u>link</u>][3] | ✅ |")
    desk.replace("## Speculation", "## Drafts")


def edited_library(desk: Desk) -> None:
    desk.import_readme()
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    add_references(desk.store, ["2402.00001"], category=("Empty So Far",))
    desk.edit("2402.00001", "title=Draft Trees")
    desk.edit(PAGED, "title=Paging")


def imported(desk: Desk) -> None:
    desk.import_readme()
    mark_pass(desk.store, [desk.id(ORCA)], 1)


@pytest.mark.parametrize(
    ("prepare", "job"),
    [
        (nothing_yet, import_readme),
        (edited_file, import_readme),
        (edited_library, export),
        (imported, note),
    ],
    ids=["import", "import again", "export", "note"],
)
def test_a_kill_at_any_step_is_harmless(
    new_desk: Callable[[str], Desk], prepare: Callable[[Desk], None], job: Job
) -> None:
    def ready() -> Path:
        desk = new_desk(README)
        prepare(desk)
        desk.store.close()
        return desk.library.root

    golden = ready()
    old_files, old_rows = files(golden), rows(golden)
    assert survives(golden, job, step=0)
    new_files, new_rows = files(golden), rows(golden)
    for step in count(1, 1 if WHOLE else 2):
        root = ready()
        is_done = survives(root, job, step)
        assert rows(root) in (old_rows, new_rows)
        for name, content in files(root).items():
            # A new note may be empty for a moment: the next run fills it.
            assert content in (old_files.get(name), new_files.get(name), b"")
        assert survives(root, job, step=0)
        assert rows(root) == new_rows
        assert files(root) == new_files
        if is_done:
            break
    assert step >= (3 if job is not export else 5)


REMARKS = README.replace("| Read |", "| Read | Mine |").replace(":--- |\n", ":--- | :--- |\n")
for _title in ("Orca", "Paged", "Chunked", "Drafting"):
    REMARKS = re.sub(rf"(?m)^(\| \[<u>{_title}.*)$", rf"\1 years of {_title} remarks |", REMARKS)


def remove_and_export(desk: Desk) -> None:
    desk.import_readme()
    remove_papers(desk.store, [desk.id(PAGED), desk.id(DRAFT)])


def cut_off_at_steps(new_desk: Callable[[str], Desk], first: int) -> Iterator[Desk]:
    """A desk for every other step at which the export of removed papers is killed."""
    for step in count(first, 1 if WHOLE else 2):
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
    for desk in cut_off_at_steps(new_desk, 1):
        desk.export()
        assert "years of Paged remarks" not in desk.read()
        assert [path.name for path in desk.library.root.rglob(".*")] == []
        assert list((desk.library.root / "data").glob("intents/*")) == []
        assert undo(desk.store, desk.library) is not None
        desk.export()
        assert desk.read() == REMARKS


def test_edits_made_by_hand_after_a_killed_export_stay(new_desk: Callable[[str], Desk]) -> None:
    for desk in cut_off_at_steps(new_desk, 2):
        desk.replace("years of Orca remarks", "decades of Orca remarks")
        desk.export()
        desk.import_readme()
        desk.export()
        assert "years of Paged remarks" not in desk.read()
        assert undo(desk.store, desk.library) is not None
        desk.export()
        assert desk.read() == REMARKS.replace("years of Orca", "decades of Orca")
