"""How long BibTeX takes beside bibtexparser alone: `python benchmarks/bibtex.py [ENTRIES]`.

Each step runs in processes of its own, in turns with the others, and its fastest run counts (CPU
time): so that neither the other steps' memory nor the machine's other work is measured. Ratios are
what matters; the run fails when one is over its limit. Export is that of all papers into a new
file, beside bibtexparser's writing of what it had parsed; ``commands.py`` measures the command.
"""

from __future__ import annotations

import gc
import logging
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from limits import exit_code

MOST_TIMES = {"parse": 5, "import": 5, "export": 1.5}
"""What each step may take at most, as a multiple of bibtexparser's time."""
MOST_MEGABYTES = 300
ROUNDS = 5
Step = tuple[Callable[[int], float], int]
"""What is measured, and on how many entries."""
FIRST = ("Ada", "Grace", "Edsger", "Barbara", "Jürgen", "María", "Noam M.", "Wei", "Tri", "Ion")
LAST = ("Lovelace", "Hopper", "van der Berg", "García Márquez", "Kwon", "Li", "Müller", "Dao")
WORDS = ("Efficient", "Memory", "GPT-4", "Paged Attention", "{BERT}", "for", "Serving", "of", "MoE")


def made_up_entry(number: int) -> str:
    def pick(of: tuple[str, ...], step: int) -> str:
        return of[(number * 7 + step * 3) % len(of)]

    title = " ".join(pick(WORDS, step * step) for step in range(8)) + f" {number}"
    authors = " and ".join(f"{pick(LAST, step)}, {pick(FIRST, step)}" for step in range(4))
    authors = authors.replace("ü", r"{\"u}").replace("á", r"{\'a}").replace("í", r"{\'\i}")
    if number % 2:
        arxiv_id = f"23{number % 12 + 1:02}.{number % 90000:05}"
        where = f"""  journal       = {{arXiv preprint arXiv:{arxiv_id}}},
  eprint        = {{{arxiv_id}}},
  archivePrefix = {{arXiv}},
  primaryClass  = {{cs.LG}},"""
    else:
        where = f"""  booktitle     = {{Proceedings of the {number}th Symposium \\& Workshop}},
  pages         = {{{number}--{number + 12}}},
  doi           = {{10.1145/3600006.{number}}},
  url           = {{https://dl.acm.org/doi/10.1145/3600006.{number}}},"""
    return f"""@{"article" if number % 2 else "inproceedings"}{{key{number},
  title         = {{{title}}},
  author        = {{{authors}}},
  year          = {{2023}},
{where}
  abstract      = {{{"A line of an abstract that is long enough to be one. " * 14}}},
}}
"""


def parse_alone(entries: int) -> float:
    import bibtexparser

    text = made_up(entries)
    return _seconds(lambda: bibtexparser.parse_string(text))


def parse(entries: int) -> float:
    from papertrack.documents.bibtex.parse import parse_bibtex

    text = made_up(entries)
    return _seconds(lambda: parse_bibtex(text))


def import_all(entries: int) -> float:
    """`papertrack import` without its start: file, store, journal and search index."""
    from papertrack.actions.documents import import_file
    from papertrack.library import Library
    from papertrack.store.store import Store

    import_module("papertrack.sync.bibtex.format")  # Loaded before, as bibtexparser is.
    with TemporaryDirectory() as folder:
        library = Library(Path(folder))
        path = library.root / "main.bib"
        path.write_text(made_up(entries))
        with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
            return _seconds(lambda: import_file(store, library, path))


def write_alone(entries: int) -> float:
    import bibtexparser

    library = bibtexparser.parse_string(made_up(entries))
    return _seconds(lambda: bibtexparser.write_string(library))


def export_all(entries: int) -> float:
    """`papertrack export --bib -o FILE` without its start, of what was imported."""
    from papertrack.actions.cite.citing import bib_entries
    from papertrack.actions.cite.showing import papers_to_copy
    from papertrack.actions.documents import import_file
    from papertrack.library import Library
    from papertrack.store.listing import find_ids
    from papertrack.store.store import Store

    with TemporaryDirectory() as folder:
        library = Library(Path(folder))
        path = library.root / "main.bib"
        path.write_text(made_up(entries))
        with Store.create(library.database, now=lambda: datetime.now(UTC)) as store:
            import_file(store, library, path)

            def export() -> None:
                papers = papers_to_copy(store, find_ids(store)).papers
                (library.root / "out.bib").write_text(bib_entries(store, papers))

            return _seconds(export)


def made_up(entries: int) -> str:
    logging.disable(logging.CRITICAL)
    return "\n".join(map(made_up_entry, range(entries)))


def _seconds(step: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    step()
    return time.process_time() - started


def _measured(step: Callable[[int], float], entries: int) -> tuple[float, int]:
    """Seconds and the process's greatest memory in MB."""
    return step(entries), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def best(steps: Sequence[Step]) -> dict[Step, tuple[float, int]]:
    """Of each step the fastest run; the steps take turns, since machines have moods."""
    runs: dict[Step, list[tuple[float, int]]] = {step: [] for step in steps}
    for _ in range(ROUNDS):
        for (step, entries), done in runs.items():
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                done.append(process.submit(_measured, step, entries).result())
    return {step: min(done) for step, done in runs.items()}


def main() -> int:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    steps = [(s, entries) for s in (parse_alone, parse, import_all, write_alone, export_all)]
    fastest = best([*steps, (import_all, entries // 2)])
    for (step, number), (seconds, megabytes) in fastest.items():
        print(f"  {step.__name__:<12} {number:>6} entries {seconds:7.2f} s {megabytes:>5} MB")
    times, memory = zip(*(fastest[step] for step in steps), strict=True)
    alone, parsed, imported, written, exported = times
    limits = [("memory in MB", max(memory[:3]), MOST_MEGABYTES)]
    ratios = {"parse": parsed / alone, "import": imported / alone, "export": exported / written}
    for name, ratio in ratios.items():
        print(f"{name} / bibtexparser  {ratio:5.2f}  (at most {MOST_TIMES[name]})")
        limits.append((name, ratio, MOST_TIMES[name]))
    half, _ = fastest[import_all, entries // 2]
    print(f"twice the entries      {imported / half:5.2f}  times the time (linear is 2)")
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
