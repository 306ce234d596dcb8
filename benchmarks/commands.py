"""What every command costs beside bare Python: ``python benchmarks/commands.py [--large] [WORK]``.

The reference of each command is a script with sqlite3 that does the same work on one lean table
with a search index; both run whole, in turns, on 1,000 and 10,000 papers (``--large``: on 100,000
too) with words as texts have them. Processor time and peak memory count. Prints what each may
cost; fails when one costs more, or when what concerns one paper costs more than 1.2 times as much
in the largest library, of at most 100,000, as in the smallest. WORK names some of the works only.
``--folder`` keeps the libraries there for the next time.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import click
from bare_commands import (
    ADD,
    CITE,
    DUPLICATES,
    EXPORT,
    FOUND,
    IMPORT,
    JSON,
    LIST,
    MOVE,
    NO_SUCH,
    PASS,
    SHOW,
    TAG,
    UNDO,
)
from whole_commands import (
    PAPERTRACK,
    Cost,
    Verdict,
    click_program,
    median,
    print_table,
    python,
    run,
)

from papertrack.library import SETTINGS_FILE

SIZES = (1_000, 10_000)
LARGE, MILLION = 100_000, 1_000_000
ROUNDS = 7
MANY = 1_000
"""Papers of a command on many."""
EXPORTED = 10_000
"""Papers of the largest library that is written as BibTeX."""
UNTOUCHED = "untouched"
"""A copy of the library in which no work is done."""
EMPTY = "empty"
"""A library that nothing was put into."""
PAPERS = "papers.bib"
"""All papers, as entries with abstracts."""
MOST_GROWTH = 1.2
MOST_DISK = 4_096
"""Bytes of the library per paper with an abstract."""


class Work(NamedTuple):
    """A command, what does the same without papertrack, and how often its time it may take.

    In both ``{key}``, ``{new}``, ``{n}`` and ``{out}`` are a paper, an id that no paper has, the
    round and a file to be written.
    """

    name: str
    command: str
    bare: str
    most: float = 0
    most_megabytes: float = 0
    most_seconds: float = 0
    """What it may take whatever the reference does, if that is what counts."""
    is_of_one: bool = False
    """Whether it concerns one paper, or few, so that it costs the same in any library."""
    argument: str = ""
    """What the bare script is given beside the database and the round."""
    stdin: str = ""
    codes: tuple[int, ...] = (0,)
    smallest: int = 0
    """Papers from which on its goal holds: of fewer, a command that reads a file is its start."""
    largest: int = LARGE
    library: str = "library"
    """Of what it is measured in: ``UNTOUCHED`` and ``EMPTY`` ones are made anew for each round."""


def _works(words: Words) -> list[Work]:
    """All that is measured, one after the other in a round."""

    def found(query: str) -> str:
        return FOUND.replace("QUERY", query)

    phrase = f'"{words.phrase}"'
    return [
        Work("list", "list", LIST.replace("MOST", "-1"), 2.5, 60),
        Work("list, few", "list --limit 50", LIST.replace("MOST", "50"), 2.8, is_of_one=True),
        Work("list --json", "list --json", JSON, 2, 80),
        Work(
            "search, author and title",
            f"list author:{words.author} title:{words.title}",
            found(f"authors:{words.author} title:{words.title}"),
            2.8,
        ),
        Work("search, abstracts", f"list {words.rare}", found(words.rare), 2.8),
        Work("search, phrase", f"list {phrase}", found(phrase), 2.8),
        Work("show", "show {key}", SHOW, 2.8, is_of_one=True, argument="{key}"),
        Work("pass", "pass {key} {pass}", PASS, 2.8, is_of_one=True, argument="{key}"),
        Work("undo", "undo --yes", UNDO, 2.8, is_of_one=True),
        Work("add, offline", "add --offline {new}", ADD, 3, is_of_one=True, argument="{new}"),
        Work("queue", "queue", LIST.replace("MOST", "0"), 2.8, is_of_one=True),
        Work("tag of 1,000", "tag - +tag{n}", TAG, 3, stdin="keys"),
        Work("move of 1,000", "move - --category Place{n}", MOVE, 3, stdin="keys"),
        Work(
            *("a name that none has", "show smith2031nothing", NO_SUCH),
            **{"is_of_one": True, "argument": "smith2031nothing", "codes": (3,)},
            **{"most_seconds": 0.3, "largest": MILLION},
        ),
        Work("cite --tex", "cite --tex paper.tex", CITE, 15, is_of_one=True, argument="paper.tex"),
        Work("duplicates", "duplicates", DUPLICATES, 5, codes=(0, 5)),
        Work(
            *("export --bib, first", "export --bib --force -o {out}", EXPORT, 4),
            **{"argument": "bare.bib", "largest": EXPORTED, "library": UNTOUCHED},
        ),
        Work(
            *("export --bib, again", "export --bib --force -o {out}", EXPORT, 4),
            **{"argument": "bare.bib", "largest": EXPORTED},
        ),
        Work(
            *("import .bib", f"import {PAPERS}", IMPORT, 1.4),
            **{"argument": PAPERS, "library": EMPTY, "smallest": EXPORTED, "largest": EXPORTED},
        ),
    ]


class Words(NamedTuple):
    """What is searched for: found in few papers each."""

    author: str
    title: str
    rare: str
    phrase: str


def find_words(lean: Path) -> Words:
    """Words of a paper that few others have."""
    db = sqlite3.connect(lean)
    title, authors, abstract = db.execute(
        "SELECT title, authors, abstract FROM papers WHERE decision = 'saved' LIMIT 1 OFFSET 20"
    ).fetchone()

    def papers_with(word: str) -> int:
        asked = (f'"{word}"',)
        (count,) = db.execute("SELECT count(*) FROM search WHERE search MATCH ?", asked).fetchone()
        return int(count)

    def rarest(of: str) -> str:
        return min((word for word in of.lower().strip(".").split()[1:]), key=papers_with)

    pairs = [" ".join(two) for two in pairwise(abstract.strip(".").split()[1:])]
    author = authors.split("; ")[0].split()[-1]
    return Words(author, rarest(title), rarest(abstract), min(pairs, key=papers_with))


def make(folder: Path, count: int) -> None:
    """Make the library of this size in a folder, and the lean table beside it."""
    from made_up import made_up_papers

    from papertrack.library import create_library
    from papertrack.records import Author, Identifier, PaperFacts
    from papertrack.store.categories import put_in_category
    from papertrack.store.papers import NewPaper, add_new_papers, readings_of
    from papertrack.store.store import Store

    papers = list(made_up_papers(count))
    library, _ = create_library(folder / "library")
    with (
        Store.create(library.database, now=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as store,
        store.action("fill"),
    ):
        new = [
            NewPaper(
                PaperFacts(
                    title=paper.title,
                    identifiers=(Identifier("arxiv", paper.arxiv_id),),
                    authors=tuple(map(Author, paper.authors)),
                    abstract=paper.abstract,
                    submitted=paper.submitted,
                ),
                paper.citekey,
                decision=paper.decision,  # type: ignore[arg-type]
                readings=readings_of(paper.passes_done),
            )
            for paper in papers
        ]
        by_category = defaultdict(list)
        for paper_id, paper in zip(add_new_papers(store, new, source="arxiv"), papers, strict=True):
            by_category[paper.category].append(paper_id)
        for category, ids in by_category.items():
            put_in_category(store, ids, (category,))
    if count <= EXPORTED:
        shutil.copytree(folder / "library", folder / UNTOUCHED)
    lean = sqlite3.connect(folder / "lean.db")
    lean.executescript("""
        CREATE TABLE papers (id INTEGER PRIMARY KEY, arxiv UNIQUE, key UNIQUE, title, authors,
            abstract, submitted, added, passes, decision, category, tags);
        CREATE TABLE log (action, id, name, old);
        CREATE VIRTUAL TABLE search USING fts5 (title, authors, abstract, tags);
    """)
    with lean:
        lean.executemany(
            """INSERT INTO papers VALUES
               (?, ?, ?, ?, ?, ?, ?, '2026-03-01T00:00:00+00:00', ?, ?, ?, '')""",
            [
                (number, *paper._replace(authors="; ".join(paper.authors)))
                for number, paper in enumerate(papers, start=1)
            ],
        )
        lean.execute(
            "INSERT INTO search (rowid, title, authors, abstract, tags)"
            " SELECT id, title, authors, abstract, tags FROM papers"
        )
    keys = [paper.citekey for paper in papers]
    (folder / "keys").write_text("\n".join(keys[:: max(1, count // MANY)][:MANY]) + "\n")
    cited = "".join(f"\\cite{{{key}}}\n" for key in keys[:: count // 60][:55])
    (folder / "paper.tex").write_text(f"\\begin{{document}}\n{cited}\\end{{document}}\n")


class Measured(NamedTuple):
    """What a work cost in one size, each round."""

    ours: list[Cost]
    bare: list[Cost]


def measure_round(work: Work, folder: Path, number: int, measured: Measured) -> None:
    """Run a work and its reference once."""
    keys = (folder / "keys").read_text().split()
    fills = {
        "key": keys[number],
        "new": f"2801.{next_number(folder):05}",
        "n": str(number),
        "pass": str(number % 3 + 1),
        # Each has a file of its own: what another library wrote is copied before it is replaced.
        "out": "again.bib" if work.library == "library" else "first.bib",
    }

    def filled(text: str) -> str:
        for name, value in fills.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    stdin = folder / work.stdin if work.stdin else None
    if work.library == UNTOUCHED:
        _make_untouched(folder, fills["out"])
    elif work.library == EMPTY:
        _make_empty(folder)
    library = work.library if work.library == "library" else "first"
    ours = [*PAPERTRACK, "--library", library, *_split(filled(work.command))]
    bare = python(work.bare, "lean.db", number, filled(work.argument))
    measured.ours.append(run(ours, folder, stdin=stdin, codes=work.codes))
    measured.bare.append(run(bare, folder, stdin=stdin, codes=work.codes))


def _make_untouched(folder: Path, out: str) -> None:
    """Make the library anew in which nothing was done yet, as if just made, and no file of it."""
    first = folder / "first"
    shutil.rmtree(first, ignore_errors=True)
    if not (folder / UNTOUCHED).exists():
        sys.exit(f"{folder} was kept by an older benchmark: remove it, and it is made anew.")
    # A kept one may be of an older schema: bringing it up to date is no part of an export.
    run([*PAPERTRACK, "--library", UNTOUCHED, "log"], folder)
    shutil.copytree(folder / UNTOUCHED, first)
    (first / SETTINGS_FILE).touch()  # After a day the first command also makes a backup.
    (folder / out).unlink(missing_ok=True)


def _make_empty(folder: Path) -> None:
    """Make a library anew in which there is nothing, and what is imported into it."""
    shutil.rmtree(folder / "first", ignore_errors=True)
    run([*PAPERTRACK, "init", "first"], folder)
    if not (folder / PAPERS).exists():
        run(python(EXPORT, "lean.db", 0, PAPERS), folder)


def next_number(folder: Path) -> int:
    """A number that no paper was added with, here or in the lean table."""
    db = sqlite3.connect(folder / "lean.db")
    (taken,) = db.execute("SELECT count(*) FROM papers WHERE arxiv LIKE '2801.%'").fetchone()
    db.close()
    return int(taken) + 1


def _split(command: str) -> list[str]:
    """The words of a command; a phrase in quotes, which stay, is one."""
    first, *quoted = command.split('"')
    return first.split() + [f'"{part}"' for part in quoted if part.strip()]


def measure(works: Sequence[Work], folders: dict[int, Path], rounds: int) -> list[Verdict]:
    """Measure all in turns; return what each came to in each size, and how much it grew."""
    costs = {
        (work, size): Measured([], [])
        for work in works
        for size in folders
        if work.smallest <= size <= work.largest
    }
    for number in range(rounds):
        for (work, size), measured in costs.items():
            # What costs seconds tells enough in three rounds.
            if number < 3 or measured.ours[0].seconds < 3:
                measure_round(work, folders[size], number, measured)
    verdicts = [one for key, measured in costs.items() for one in _judge(*key, measured)]
    for work in works:
        # What may take long in the largest of all is held to its seconds.
        sizes = [size for size in folders if (work, size) in costs and size <= LARGE]
        if work.is_of_one and len(sizes) > 1:
            least, most = (median(costs[work, size].ours).seconds for size in (sizes[0], sizes[-1]))
            name = f"{work.name}: {sizes[-1]:,} beside {sizes[0]:,}"
            verdicts.append(Verdict(name, most / least, MOST_GROWTH))
    return verdicts


def _judge(work: Work, size: int, measured: Measured) -> list[Verdict]:
    ours, bare = median(measured.ours), median(measured.bare)
    note = f"{ours.seconds:.3f} s, bare {bare.seconds:.3f} s, {ours.megabytes:.0f} MB"
    name = f"{work.name}, {size:,}"
    if work.most_seconds:
        return [Verdict(name, ours.seconds, work.most_seconds, "s")]
    verdicts = [Verdict(name, ours.seconds / bare.seconds, work.most, note=note)]
    if work.most_megabytes:
        verdicts.append(Verdict(name, ours.megabytes, work.most_megabytes, "MB"))
    return verdicts


def start(rounds: int) -> Verdict:
    """What the version costs beside a click program."""
    version = [*PAPERTRACK, "--version"]
    pairs = [(run(version, Path()).seconds, click_program(1)) for _ in range(2 * rounds)]
    ours, click = (sorted(times)[rounds] for times in zip(*pairs, strict=True))
    return Verdict("--version, beside a click program", ours / click, 1.2, note=f"{ours:.3f} s")


def disk(folder: Path, size: int) -> Verdict:
    """What the library takes per paper, before anything is done with it."""
    used = (folder / "library" / "data" / "papertrack.db").stat().st_size
    return Verdict(f"disk, {size:,}", used / size, MOST_DISK, "B", "per paper")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="*", metavar="WORK")
    parser.add_argument("--large", action="store_true", help="With 100,000 papers too.")
    parser.add_argument("--sizes", type=int, nargs="+", help="Other sizes.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--folder", type=Path, help="Where libraries are kept.")
    parser.add_argument("--make", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        make(given.folder, given.make)
        return 0
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    # What is installed has its bytecode.
    for package in (Path(__file__).parent.parent / "papertrack", Path(click.__file__).parent):
        compileall.compile_dir(package, quiet=1)
    sizes = given.sizes or [*SIZES, *([LARGE] if given.large else [])]
    with tempfile.TemporaryDirectory() as temporary:
        folders = {size: (given.folder or Path(temporary)) / str(size) for size in sizes}
        for size, folder in folders.items():
            if not folder.exists():
                folder.mkdir(parents=True)
                # In a process of its own, which leaves its memory behind.
                making = [sys.executable, __file__, "--folder", str(folder), "--make", str(size)]
                subprocess.run(making, check=True)
        works = _works(find_words(folders[sizes[0]] / "lean.db"))
        works = [work for work in works if not given.works or work.name in given.works]
        verdicts = [start(given.rounds)] if not given.works else []
        if not given.folder:
            verdicts += [disk(folder, size) for size, folder in folders.items()]
        return print_table(verdicts + measure(works, folders, given.rounds))


if __name__ == "__main__":
    sys.exit(main())
