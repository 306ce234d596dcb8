"""Killed at any moment, or four at once: the result is that of one undisturbed night."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.watch.calendar import EASTERN
from papertrack.actions.watch.digest import make_digest, write_digest, write_inbox_feed
from papertrack.actions.watch.run import run_watch
from papertrack.library import Library, create_library, files
from papertrack.store.store import Store
from tests.fake_arxiv import FakeArxiv
from tests.watch.announced_days import announce, days, ordinary_day
from tests.watch.conftest import NIGHT, Nights

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

FIRST, SECOND = days(date(2026, 11, 16), 2)


@pytest.fixture
def fake() -> Iterator[FakeArxiv]:
    with FakeArxiv() as running:
        for day in (FIRST, SECOND):
            announce(running.calendar, day, ordinary_day(day))
        yield running


def prepare(fake: FakeArxiv, folder: Path) -> Nights:
    """A library on the eve of its second night."""
    library, _ = create_library(folder)
    nights = Nights(fake, library)
    nights.topic("decoding", '"speculative decoding"', "cs.LG", "cs.CL")
    nights.run(FIRST)
    return nights


def whole_night(nights: Nights) -> None:
    report = nights.run(SECOND)
    digest = make_digest(nights.store, since=SECOND, until=SECOND, notes=report.notes)
    write_digest(nights.library, digest)
    write_inbox_feed(nights.store, nights.library)


def outcome(nights: Nights) -> dict[str, Any]:
    """All that a night leaves, but for running numbers."""

    def rows(sql: str) -> list[Any]:
        return nights.store.connection.execute(sql).fetchall()

    exports = nights.library.exports
    return {
        "announcements": rows(
            """SELECT arxiv_id, version, kind, title, announced_on, source, category
               FROM announcements JOIN announcement_lists ON announcement_id = id ORDER BY 1, 7"""
        ),
        "days": rows("SELECT * FROM announcement_days ORDER BY 1, 2"),
        # A run after the finished one, for the files, is another line of the log.
        "runs": rows("SELECT DISTINCT day, finished_at IS NULL FROM watch_runs ORDER BY 1"),
        "looks": rows(
            """SELECT day, category, state, announced, unseen, matched, failed, last_new_id, batch
               FROM watch_looks JOIN watch_runs ON id = run_id
               WHERE run_id IN (SELECT min(id) FROM watch_runs GROUP BY day) ORDER BY 1, 2"""
        ),
        "papers": rows(
            """SELECT value, citekey, decision, reason, score FROM papers
               JOIN identifiers i ON i.paper_id = papers.id JOIN paper_states s ON s.paper_id = id
               JOIN paper_topics t ON t.paper_id = id ORDER BY 1"""
        ),
        "actions": rows("SELECT verb, summary, state FROM actions ORDER BY id"),
        "files": {
            str(path.relative_to(exports)): path.read_text().replace(str(nights.library.root), "")
            for path in sorted(exports.rglob("*"))
            if path.is_file() and path.suffix == ".md"
        },
        "integrity": rows("PRAGMA integrity_check") + rows("PRAGMA foreign_key_check"),
    }


@contextmanager
def killing(step: int, *, before: bool) -> Iterator[None]:
    """Kill this process at its n-th durable step: as it begins, or when it is just done."""
    done = 0
    transaction, replace_file = Store._transaction, files.replace_whole

    def count() -> bool:
        nonlocal done
        done += 1
        return done == step

    @contextmanager
    def counted(self: Store, **options: Any) -> Iterator[None]:
        with transaction(self, **options):
            yield
            is_last = count()
            if is_last and before:
                os.kill(os.getpid(), signal.SIGKILL)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted_file(target: Path, data: bytes) -> None:
        is_last = count()
        if is_last and before:
            os.kill(os.getpid(), signal.SIGKILL)
        replace_file(target, data)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    Store._transaction, files.replace_whole = counted, counted_file  # type: ignore[method-assign]
    try:
        yield
    finally:
        Store._transaction, files.replace_whole = transaction, replace_file  # type: ignore[method-assign]


def in_child(work: Callable[[], None]) -> int:
    """Do it in a child process and return how that ended: 0, or minus the signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(f"child: {error!r}", file=sys.stderr)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def copied(nights: Nights, folder: Path) -> Nights:
    shutil.copytree(nights.library.root, folder)
    return Nights(nights.fake, Library(folder), now=nights.now)


def reopened(nights: Nights) -> Nights:
    # SQLite's connections must not cross a fork.
    return Nights(nights.fake, nights.library, now=nights.now)


def killed_night(nights: Nights, step: int, *, before: bool) -> None:
    child = reopened(nights)
    with killing(step, before=before):
        whole_night(child)


def test_a_night_that_is_killed_at_any_step_and_run_again_equals_an_undisturbed_one(
    fake: FakeArxiv, tmp_path: Path
) -> None:
    eve = prepare(fake, tmp_path / "eve")
    eve.store.close()
    undisturbed = copied(eve, tmp_path / "undisturbed")
    whole_night(undisturbed)
    expected = outcome(undisturbed)
    undisturbed.store.close()
    for before in (True, False):
        step = 0
        while True:
            step += 1
            nights = copied(eve, tmp_path / f"{before}{step}")
            nights.store.close()

            fake.calendar.today = SECOND  # In this process, which is the one that serves.
            code = in_child(partial(killed_night, nights, step, before=before))
            again = reopened(nights)
            whole_night(again)
            found = outcome(again)
            again.store.close()
            assert found == expected, f"killed {'before' if before else 'after'} step {step}"
            if code == 0:
                break
            assert code == -signal.SIGKILL
        assert step > 5, "a night has at least so many durable steps"


def test_four_watches_at_once_beside_a_busy_reader_lose_nothing_and_ask_nothing_twice(
    fake: FakeArxiv, tmp_path: Path
) -> None:
    nights = prepare(fake, tmp_path / "library")
    nights.store.close()
    asked_before = len(fake.asked())
    gate = tmp_path / "go"

    def start_together(work: Callable[[], None]) -> int:
        child = os.fork()
        if child:
            return child
        code = 1
        try:
            while not gate.exists():
                time.sleep(0.001)
            work()
            code = 0
        except BaseException as error:
            print(f"child: {error!r}", file=sys.stderr)
        finally:
            os._exit(code)

    def watch() -> None:
        one = reopened(nights)
        one.now = datetime.combine(SECOND, NIGHT, EASTERN)
        run_watch(one.store, one.door(), one.library, one.plan)

    def read_and_write() -> None:
        reader = Store.open(nights.library.database, now=lambda: nights.now)
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            with reader.action("tag"):
                reader.connection.execute(
                    "INSERT OR REPLACE INTO tags (paper_id, tag) SELECT max(id), 'seen' FROM papers"
                )

    fake.calendar.today = SECOND
    children = [start_together(watch) for _ in range(4)] + [start_together(read_and_write)]
    gate.touch()
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0] * 5
    paths = [request.path for request in fake.asked()[asked_before:]]
    assert sorted(paths) == ["/atom/cs.CL", "/atom/cs.LG"]
    after = reopened(nights)
    assert after.inbox() == ["2611.01601", "2611.01701"]
