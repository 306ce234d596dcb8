"""What it costs to import a README and export it unchanged: ``python benchmarks/readme_import.py``.

Lists of 210, 2,100 and 21,000 papers (4 MB), as tables and as bullets, each in a process of its
own: seconds that markdown-it-py alone needs to parse the text, seconds for the first import into a
new library on disk, for an import that finds nothing new, for an export that changes nothing; how
often markdown-it-py's time the slowest takes (at most 15); peak memory (under 600 MB). Cost must
grow as the list does. ``--profile import|again|export`` shows where the time of the longest goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from documents_speed import SIZES, bullets, table
from markdown_it import MarkdownIt

from papertrack.actions.documents import export_registered, import_file
from papertrack.library import Library
from papertrack.store.store import Store

MAKERS: dict[str, Callable[[int], str]] = {"table": table, "bullets": bullets}
MOST_TIMES = 15
MOST_MEMORY = 600
"""MB."""


def measure(shape: str, size: int, profiled: str | None) -> dict[str, float]:
    """Return seconds by step, and peak memory in MB, for one list in this process."""
    text = MAKERS[shape](size)
    costs = {"megabytes": len(text.encode()) / 1e6}
    costs["alone"] = seconds(lambda: MarkdownIt("commonmark").enable("table").parse(text))
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        library.database.parent.mkdir(parents=True)
        path = library.root / "README.md"
        path.write_text(text, encoding="utf-8")
        before = path.read_bytes()
        with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
            steps: dict[str, Callable[[], object]] = {
                "import": lambda: import_file(store, library, path),
                "again": lambda: import_file(store, library, path),
                "export": lambda: export_registered(store, library, "markdown"),
            }
            for name, step in steps.items():
                costs[name] = profile(step) if name == profiled else seconds(step)
        if path.read_bytes() != before:
            raise AssertionError("the export changed the file")
    costs["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return costs


def seconds(work: Callable[[], object]) -> float:
    """Return processor seconds: others at work on the machine change nothing."""
    start = time.process_time()
    work()
    return time.process_time() - start


def profile(step: Callable[[], object]) -> float:
    profiler = cProfile.Profile()
    taken = seconds(lambda: profiler.runcall(step))
    pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(35)
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("SHAPE", "SIZE"), help="Only this, as JSON.")
    parser.add_argument("--profile", choices=["import", "again", "export"])
    arguments = parser.parse_args()
    if arguments.one or arguments.profile:
        shape, size = arguments.one or ("table", SIZES[-1])
        print(json.dumps(measure(shape, int(size), arguments.profile)))
        return 0
    head = ("shape", "entries", "MB", "alone", "import", "again", "export", "times", "memory")
    print("".join(f"{name:>9}" for name in head))
    is_fast_enough = True
    for shape in MAKERS:
        for size in SIZES:
            command = [sys.executable, __file__, "--one", shape, str(size)]
            costs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            times = max(costs[name] for name in ("import", "again", "export")) / costs["alone"]
            # A small list pays for opening a library, not for its own length.
            is_large = size == SIZES[-1]
            is_fast_enough &= not is_large or times <= MOST_TIMES
            is_fast_enough &= costs["memory"] < MOST_MEMORY
            steps = "".join(f"{costs[n]:9.2f}" for n in ("alone", "import", "again", "export"))
            start = f"{shape:>9}{size:9}{costs['megabytes']:9.1f}{steps}"
            print(f"{start}{times:9.1f}{costs['memory']:6.0f} MB")
    return 0 if is_fast_enough else 1


if __name__ == "__main__":
    sys.exit(main())
