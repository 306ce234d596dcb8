"""What everyday work on 20,000 rows costs: ``python benchmarks/everyday.py [ROWS]``.

Each step is the command itself in a process of its own, on a table and on a list with reference
definitions: processor seconds, how often the time that markdown-it-py alone needs to parse the
table, and peak memory. Nothing new to import, export or sync takes no reading; a mark that of its
section. Compile the bytecode first (``python -m compileall -q papertrack``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from documents_speed import table
from limits import exit_code
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


ALONE = """
import sys, time
from pathlib import Path
from markdown_it import MarkdownIt
text = Path(sys.argv[1]).read_text(encoding="utf-8")
start = time.process_time()
MarkdownIt("commonmark").enable("table").parse(text)
print(time.process_time() - start)
"""


def alone(text: str, folder: Path) -> float:
    """Return the processor seconds that markdown-it-py alone needs for a text; in a process of its
    own, since the memory of this one would count as that of the commands."""
    path = folder / "alone.md"
    path.write_text(text, encoding="utf-8")
    seconds = float(subprocess.check_output(python(ALONE, path)))
    path.unlink()
    return seconds


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    limits: list[tuple[str, float, float]] = []
    for make in (table, references):
        text = make(rows)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            reference = alone(table(rows), folder)
            print(f"{make.__name__}, {rows} rows; markdown-it-py alone: {reference:.2f} s")
            run([*PAPERTRACK, "init"], folder)
            (folder / "README.md").write_text(text, encoding="utf-8")
            for step, arguments, most in STEPS:
                cost, memory = run([*PAPERTRACK, *arguments], folder)
                share = cost / reference
                print(f"  {step:18} {cost:6.2f} s {share:6.2f} times {memory:5.0f} MB", flush=True)
                limits.append((f"{make.__name__}: {step}", share, most))
                limits.append((f"{make.__name__}: {step}, MB", memory, MOST_MEMORY))
            if (folder / "README.md").read_text(encoding="utf-8") != text:
                raise AssertionError("the file is not what it was")
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
