"""`papertrack list` against a bare script that selects and prints the same rows.

Prints the median of each and their ratio; fails when that is over 2.5. Run by hand:
    python benchmarks/list.py [PAPERS]
"""

from __future__ import annotations

import compileall
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from limits import exit_code

import papertrack
from papertrack.library import create_library
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.papers import add_paper
from papertrack.store.states import set_passes
from papertrack.store.store import Store

ROUNDS = 15
MOST_TIMES = 2.5
WORDS = "attention cache decoding efficient expert language memory model parallel serving".split()
BARE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
rows = connection.execute('''
    SELECT s.decision, s.passes_done, substr(p.submitted, 1, 7), p.citekey, a.name,
           (SELECT count(*) FROM authors WHERE paper_id = p.id), p.title
    FROM papers p JOIN paper_states s ON s.paper_id = p.id
    LEFT JOIN authors a ON a.paper_id = p.id AND a.position = 0
    WHERE s.decision <> 'discarded' ORDER BY p.added DESC, p.id DESC''')
for decision, passes, month, key, author, authors, title in rows:
    state = f"pass {passes}" if passes else "unread" if decision == "saved" else decision
    name = author.rpartition(" ")[2] + (" et al." if authors > 1 else "")
    sys.stdout.write("\\t".join((state, month, key, name, title)) + "\\n")
"""


def fill(database: Path, count: int) -> None:
    """A library of made-up papers, the same for the same count."""
    dice = random.Random(20261120)
    with (
        Store.create(database, now=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as store,
        store.action("fill"),
    ):
        for number in range(count):
            month = f"20{dice.randint(15, 25)}-{dice.randint(1, 12):02}"
            facts = PaperFacts(
                title=" ".join(dice.choices(WORDS, k=10)).capitalize(),
                identifiers=(
                    Identifier("arxiv", f"{month[2:4]}{month[5:]}.{number % 90000 + 1:05}"),
                ),
                authors=tuple(Author(f"Name{n} Last{dice.randint(0, 999)}") for n in range(4)),
                abstract=" ".join(dice.choices(WORDS, k=160)),
                submitted=month,
            )
            paper_id = add_paper(store, facts, source="made up", citekey=f"last{number}word")
            set_passes(store, paper_id, dice.randint(0, 3))


def run(command: list[str]) -> tuple[float, bytes]:
    """Seconds and output of one run."""
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start, done.stdout


def main(count: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        library, _ = create_library(Path(folder) / "library")
        fill(library.database, count)
        os.environ["PAPERTRACK_LIBRARY"] = str(library.root)
        # An installed program has its bytecode.
        compileall.compile_dir(Path(papertrack.__file__).parent, quiet=1)
        ours = [sys.executable, "-m", "papertrack", "list"]
        bare = [sys.executable, "-c", BARE, str(library.database)]
        assert run(ours)[1] == run(bare)[1], "the two print different rows"
        # In turn, so that a busy machine slows both.
        pairs = [(run(ours)[0], run(bare)[0]) for _ in range(ROUNDS)]
    listed, selected = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = listed / selected
    print(f"{count} papers: list {listed:.3f} s, bare {selected:.3f} s, ratio {ratio:.2f}")
    return exit_code(("ratio", ratio, MOST_TIMES))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
