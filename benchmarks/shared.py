"""What sharing costs, and whether it holds: `python benchmarks/shared.py [--papers N]`.

Told are the seconds of `share on`, of a fresh clone's first look and of a look at nothing new, and
the bytes that one pass adds to a record. With `--histories 0-1000` random histories of two machines
and a job are played, as tests/share does, and those are told of which anything is lost, doubled,
decided in silence or unlike.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from papertrack.actions.make_library import make_library
from papertrack.actions.reading import mark_pass
from papertrack.actions.share import connect, import_changes
from papertrack.actions.share.repository import rebuild
from papertrack.actions.share.switch import prepare, share
from papertrack.library import Library
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import add_papers
from papertrack.store.store import Store
from tests.share.histories import make_machines, play

LIMITS = {"share on": 5.0, "first look of a clone": 15.0, "a look at nothing new": 0.03}
MOST_BYTES = 200


def now() -> datetime:
    return datetime.now(UTC)


def timed(what: str, do: Callable[[], object]) -> bool:
    start = time.process_time()
    do()
    seconds = time.process_time() - start
    print(f"{what:24} {seconds:7.3f} s (at most {LIMITS[what]} s)")
    return seconds <= LIMITS[what]


def measure(folder: Path, count: int) -> bool:
    here, there = folder / "here", folder / "there"
    library = make_library(here, now=now)
    facts = [
        PaperFacts(
            title=f"Paper number {number} about caches",
            authors=(Author("Ada Lovelace"), Author("Alan Turing")),
            identifiers=(
                Identifier("arxiv", f"24{number // 8_000 + 1:02}.{number % 8_000 + 1:05}"),
            ),
            abstract="A sentence that says something. " * 30,
        )
        for number in range(count)
    ]
    with Store.open(library.database, now=now) as store, store.action("import"):
        add_papers(store, facts, source="test", decision="saved")
    prepare(library)
    with Store.open(library.database, now=now) as store:
        good = [timed("share on", lambda: share(store, library, {}, ()))]
        import_changes(store, library, {})
        look = min(_seconds(lambda: import_changes(store, library, {})) for _ in range(5))
        print(f"{'a look at nothing new':24} {look:7.3f} s")
        good.append(look <= LIMITS["a look at nothing new"])
        record = next(iter(sorted((here / "papers").glob("*.toml"))))
        size = record.stat().st_size
        connect(store, library, {})
        mark_pass(store, [1], 1)
        print(f"one pass adds {record.stat().st_size - size} bytes (at most {MOST_BYTES})")
        good.append(record.stat().st_size - size <= MOST_BYTES)
    shutil.copytree(here, there, ignore=shutil.ignore_patterns(".git"))
    clone = Library(there)
    prepare(clone)

    def first_look() -> None:
        rebuild(clone, now)
        with Store.open(clone.database, now=now) as store:
            import_changes(store, clone, {})

    good.append(timed("first look of a clone", first_look))
    return all(good)


def _seconds(do: Callable[[], object]) -> float:
    start = time.process_time()
    do()
    return time.process_time() - start


def histories(folder: Path, first: int, last: int) -> bool:
    wrong = 0
    for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        os.environ[key] = "reader"
    for key in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        os.environ[key] = "reader@example.org"
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    os.environ |= {f"XDG_{one}_HOME": str(folder / one) for one in ("STATE", "CONFIG")}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        make_machines(folder)
    for seed in range(first, last):
        place = folder / str(seed)
        place.mkdir()
        os.environ |= {f"XDG_{one}_HOME": str(place / one) for one in ("STATE", "CONFIG")}
        out, err = io.StringIO(), io.StringIO()

        def read(out: io.StringIO = out, err: io.StringIO = err) -> str:
            said = out.getvalue() or err.getvalue()
            for one in (out, err):
                one.seek(0)
                one.truncate()
            return said

        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            found = play(place, seed, read, folder)
        wrong += bool(found)
        for line in found:
            print(f"{seed}: {line}", flush=True)
        shutil.rmtree(place, ignore_errors=True)
    print(f"{last - first} histories, {wrong} wrong")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--histories", metavar="FIRST-LAST")
    options = parser.parse_args()
    # git and SQLite sync each file to disk, which says nothing about what comes of it.
    memory = "/dev/shm" if options.histories and Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        if options.histories:
            first, _, last = options.histories.partition("-")
            return not histories(Path(folder), int(first), int(last))
        return not measure(Path(folder), options.papers)


if __name__ == "__main__":
    sys.exit(main())
