"""What sharing costs: `python benchmarks/shared.py [--papers N] [--acts N]`.

A library of so many made-up papers (10,000) is shared, checked against its logs, cloned and worked
at. Told are the seconds of `share on`, of `share check` and of a clone's first look; the
milliseconds of a look when nothing is new; how many lines a pass adds; and, from that many acts
(2,000), how large the log of a year of 20,000 is, and what they add to the time of `list`. Times
are of the processor. The run fails where a goal is missed or the library differs from its logs.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from commands import make
from limits import exit_code

from papertrack.actions.organise import tag_papers
from papertrack.actions.reading import mark_pass
from papertrack.actions.share.switch import check, rebuild, share
from papertrack.actions.share.take import take_in_logs
from papertrack.library import Library
from papertrack.store.listing import find_ids, read_rows
from papertrack.store.store import Store

YEAR = 20_000


def now() -> datetime:
    return datetime.now(UTC)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--acts", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:  # TMPDIR says where.
        make(Path(folder), options.papers)
        library, clone = Library(Path(folder) / "library"), Library(Path(folder) / "clone")
        with Store.open(library.database, now=now) as store:
            return _measured(store, library, clone, options.acts)


def _measured(store: Store, library: Library, clone: Library, acts: int) -> int:
    desk, laptop = {"PAPERTRACK_DEVICE": "desk"}, {"PAPERTRACK_DEVICE": "laptop"}
    on = seconds(lambda: share(store, library, desk))
    differing: list[object] = []
    checking = seconds(lambda: differing.extend(check(store, library)))
    clone.root.mkdir()
    shutil.copytree(library.journal, clone.journal)
    first = seconds(lambda: _first_look(clone, laptop))
    look = min(seconds(lambda: take_in_logs(store, library, desk)) for _ in range(20)) * 1000
    ids = store.select_column("SELECT id FROM papers ORDER BY id")
    before = _said(library)
    mark_pass(store, ids[:1], 3)
    lines = len(_said(library).splitlines()) - len(before.splitlines())
    listed = min(seconds(lambda: _list(store)) for _ in range(5))
    start = len(_said(library))
    for number in range(acts):
        paper = [ids[number % len(ids)]]
        if number % 2:
            tag_papers(store, paper, add=[f"tag{number % 7}"])
        else:
            mark_pass(store, paper, 1 + number % 3, takeaway="What it says of caches, in a line.")
    year = (len(_said(library)) - start) / acts * YEAR / 1e6
    after = min(seconds(lambda: _list(store)) for _ in range(5))
    print(f"share on {on:.2f} s, check {checking:.2f} s ({len(differing)} differences)")
    print(f"a clone's first look {first:.2f} s, a look with nothing new {look:.2f} ms")
    print(f"a pass adds {lines} line(s); a year of {YEAR:,} acts is {year:.1f} MB")
    print(f"list {listed * 1000:.0f} ms, after {acts:,} acts {after * 1000:.0f} ms")
    return exit_code(
        ("share on", on, 5.0),
        ("a clone's first look", first, 15.0),
        ("a look with nothing new, in ms", look, 10.0),
        ("lines of a pass", lines, 1),
        ("MB of a year", year, 10.0),
        ("list after so many acts, of what it was", after / listed, 1.2),
        ("differences from the logs", len(differing), 0),
    )


def _first_look(clone: Library, environ: dict[str, str]) -> None:
    rebuild(clone, environ, now)
    with Store.open(clone.database, now=now) as store:
        take_in_logs(store, clone, environ)


def _list(store: Store) -> None:
    read_rows(store, find_ids(store, None))


def _said(library: Library) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(library.journal.glob("*/*.log")))


if __name__ == "__main__":
    sys.exit(main())
