"""What everyday work on 20,000 rows costs: ``python benchmarks/everyday.py [ROWS]``.

Each step is the command itself in a process of its own, on a table, on a list with reference
definitions and on a .bib file with half as many entries: processor seconds, how often the time that
markdown-it-py alone needs to parse the table, or bibtexparser the file, and peak memory. Nothing
new to import, export or sync takes no reading; a mark or a field that of the whole file. Compile
the bytecode first (``python -m compileall -q papertrack``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from documents_speed import table
from limits import exit_code
from made_up import made_up_papers
from whole_commands import PAPERTRACK, python, run

ROWS = 20_000
MOST_MEMORY = 300
"""MB."""
STEPS: tuple[tuple[str, list[str], float], ...] = (
    ("first import", ["import", "README.md"], 3.0),
    ("nothing to import", ["import", "README.md"], 0.3),
    ("nothing to export", ["export", "--md"], 0.3),
    ("mark a pass", ["pass", "2001.10005", "1"], 0.3),
    ("export the mark", ["export", "--md"], 0.6),
    ("nothing to sync", ["sync"], 0.3),
    ("take it back", ["undo", "--yes"], 0.3),
    ("sync that", ["sync"], 0.7),
)
"""What is done, by which command, and at most how often markdown-it-py's time."""
STEPS_OF_BIB: tuple[tuple[str, list[str], float], ...] = (
    ("first import", ["import", "main.bib"], 5.0),
    ("nothing to import", ["import", "main.bib"], 0.4),
    ("nothing to export", ["export", "--bib", "main.bib"], 0.4),
    ("edit a field", ["edit", "key5", "venue=NeurIPS"], 0.3),
    ("export the field", ["export", "--bib", "main.bib"], 1.8),
    ("nothing to sync", ["sync"], 0.4),
    ("take it back", ["undo", "--yes"], 0.3),
    ("sync that", ["sync"], 1.8),
)
"""The same of bibtexparser's."""


def references(items: int) -> str:
    """Return a README with one list per 200 papers, whose links are defined at its end."""
    parts, definitions = ["# Papers\n"], []
    for number in range(items):
        if number % 200 == 0:
            parts.append(f"\n## Topic {number // 200}\n\n")
        paper = f"{2001 + number // 8000}.{10000 + number % 80000}"
        label = 2 * number + 1
        parts.append(
            f"- [ ] **[A Paper on Serving Language Models, Number {number}][{label}]** "
            f"*Ada Lovelace, Alan Turing* (2020-01) [[code]][{label + 1}]\n"
        )
        definitions.append(f"[{label}]: https://arxiv.org/abs/{paper}\n")
        definitions.append(f"[{label + 1}]: https://github.com/a/r{number}\n")
    return "".join([*parts, "\n", *definitions])


def bib(entries: int) -> str:
    """Return a .bib file of made-up papers, with abstracts of 1,000 letters."""
    return "".join(
        f"@misc{{key{number},\n  title = {{{one.title}}},\n"
        f"  author = {{{' and '.join(one.authors)}}},\n  year = {{{one.submitted[:4]}}},\n"
        f"  doi = {{10.1000/{number}}},\n  abstract = {{{one.abstract[:1000]}}},\n}}\n\n"
        for number, one in enumerate(made_up_papers(entries))
    )


MARKDOWN_ALONE = """
import sys, time
from pathlib import Path
from markdown_it import MarkdownIt
text = Path(sys.argv[1]).read_text(encoding="utf-8")
start = time.process_time()
MarkdownIt("commonmark").enable("table").parse(text)
print(time.process_time() - start)
"""
BIB_ALONE = """
import sys, time
from pathlib import Path
import bibtexparser
text = Path(sys.argv[1]).read_text(encoding="utf-8")
start = time.process_time()
bibtexparser.parse_string(text)
print(time.process_time() - start)
"""


def alone(script: str, text: str, folder: Path) -> float:
    """Return the processor seconds that a parser alone needs for a text; in a process of its own,
    since the memory of this one would count as that of the commands."""
    path = folder / "alone.txt"
    path.write_text(text, encoding="utf-8")
    seconds = float(subprocess.check_output(python(script, path)))
    path.unlink()
    return seconds


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    limits: list[tuple[str, float, float]] = []
    for make, file, script, make_alone, steps in (
        (table, "README.md", MARKDOWN_ALONE, table, STEPS),
        (references, "README.md", MARKDOWN_ALONE, table, STEPS),
        (bib, "main.bib", BIB_ALONE, bib, STEPS_OF_BIB),
    ):
        count = rows // 2 if make is bib else rows
        name, text = make.__name__, make(count)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            seconds = alone(script, make_alone(count), folder)
            print(f"{name}, {count} entries; the parser alone: {seconds:.2f} s")
            run([*PAPERTRACK, "init"], folder)
            (folder / file).write_text(text, encoding="utf-8")
            for step, arguments, most in steps:
                cost, memory = run([*PAPERTRACK, *arguments], folder)
                share = cost / seconds
                print(f"  {step:18} {cost:6.2f} s {share:6.2f} times {memory:5.0f} MB", flush=True)
                limits.append((f"{name}: {step}", share, most))
                limits.append((f"{name}: {step}, MB", memory, MOST_MEMORY))
            if (folder / file).read_text(encoding="utf-8") != text:
                raise AssertionError("the file is not what it was")
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
