"""What everyday work on 20,000 rows costs: ``python benchmarks/everyday.py [ROWS]``.

Each step is the command itself in a process of its own, on a table and on a list with reference
definitions: processor seconds, how often the time that markdown-it-py alone needs to parse the
table, and peak memory. Nothing new to import, export or sync takes no reading; a mark that of its
section. Compile the bytecode first (``python -m compileall -q papertrack``).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from documents_speed import table
from limits import exit_code
from markdown_it import MarkdownIt

ROWS = 20_000
MOST_MEMORY = 300
"""MB."""
STEPS: tuple[tuple[str, list[str], float], ...] = (
    ("first import", ["import", "README.md"], 4.0),
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


def run(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Run the command there; return its processor seconds and its peak memory in MB."""
    code = "import sys; from papertrack.cli import main; sys.exit(main())"
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        os.execv(sys.executable, [sys.executable, "-c", code, *arguments])
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise AssertionError(f"papertrack {' '.join(arguments)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    limits: list[tuple[str, float, float]] = []
    for make in (table, references):
        text, reference = make(rows), table(rows)
        start = time.process_time()
        MarkdownIt("commonmark").enable("table").parse(reference)
        alone = time.process_time() - start
        print(f"{make.__name__}, {rows} rows; markdown-it-py alone: {alone:.2f} s")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run(["init"], folder)
            (folder / "README.md").write_text(text, encoding="utf-8")
            for step, arguments, most in STEPS:
                cost, memory = run(arguments, folder)
                print(f"  {step:18} {cost:6.2f} s {cost / alone:6.2f} times {memory:5.0f} MB")
                limits.append((f"{make.__name__}: {step}", cost / alone, most))
                limits.append((f"{make.__name__}: {step}, MB", memory, MOST_MEMORY))
            if (folder / "README.md").read_text(encoding="utf-8") != text:
                raise AssertionError("the file is not what it was")
    return exit_code(*limits)


if __name__ == "__main__":
    sys.exit(main())
